"""Values of variables from arrays and checkpoints, and variables by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...variables.collections import GraphKeys
from .. import logging
from ..graph.errors import InvalidArgumentError
from ..graph.graph import get_default_graph
from ..graph.session import Session
from ..graph.session_values import store_value
from ..ops.control_flow_ops import group
from ..ops.creation_ops import placeholder
from ..train import NewCheckpointReader, Saver
from ..variables.state_ops import assign
from ..variables.write_op import target_of, write_operation

__all__ = [
    "assign_from_checkpoint",
    "assign_from_checkpoint_fn",
    "assign_from_values",
    "assign_from_values_fn",
    "get_unique_variable",
    "get_variable_full_name",
    "get_variables",
    "zero_initializer",
]


def get_variables(
    scope: Any = None, suffix: str | None = None, collection: str = GraphKeys.GLOBAL_VARIABLES
) -> list[Any]:
    """Return the variables of a collection whose names begin with ``scope`` and end with ``suffix``."""
    name = getattr(scope, "name", scope)
    variables = get_default_graph().get_collection(collection, name)
    return [v for v in variables if suffix is None or v.op.name.endswith(suffix)]


def get_unique_variable(var_op_name: str) -> Any:
    """Return the variable of a full name. Raises ValueError where there is none."""
    for found in get_variables(var_op_name):
        if found.op.name == var_op_name:
            return found
    raise ValueError(f"Variable {var_op_name} does not match any variable")


def get_variable_full_name(var: Any) -> str:
    """Return the name that a variable, or the whole of which it is a part, has in a checkpoint."""
    part = getattr(var, "_save_slice_info", None)
    return str(part.full_name if part else var.op.name)


def assign_from_values(var_names_to_values: Mapping[str, Any]) -> tuple[Any, dict[Any, Any]]:
    """Return operations that assign arrays to variables by name, and the feeds for them."""
    graph = get_default_graph()
    updates, feeds = [], {}
    for name, value in var_names_to_values.items():
        target, array = get_unique_variable(name), np.asarray(value)
        with graph.name_scope("assign"):
            node = placeholder(target.dtype.base_dtype, target.get_shape())
            updates.append(assign(target, node))
        feeds[node] = array
    return updates, feeds


def assign_from_values_fn(var_names_to_values: Mapping[str, Any]) -> Callable[[Any], None]:
    """Return the function of a session that assigns arrays to variables by name."""
    updates, feeds = assign_from_values(var_names_to_values)

    def assigned(session: Any) -> None:
        session.run(updates, feeds)

    return assigned


def assign_from_checkpoint(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False
) -> tuple[Any, dict[Any, Any]]:
    """Return the operation that assigns a checkpoint's values to variables, and the feeds for it.

    Args:
        var_list: variables, or a dict of them, or of lists of them, by the names in the checkpoint; parts of a
            variable take their part of the value.
        ignore_missing_vars: leave out what the checkpoint does not have, with a warning.

    Raises ValueError for a variable that the checkpoint does not have, or has in another shape.
    """
    named: dict[str, list[Any]] = {}
    if isinstance(var_list, Mapping):
        named = {name: list(v) if isinstance(v, (list, tuple)) else [v] for name, v in var_list.items()}
    else:
        for each in var_list:
            named.setdefault(get_variable_full_name(each), []).append(each)
    reader = NewCheckpointReader(model_path)
    updates, feeds = [], {}
    for name, variables in named.items():
        if not reader.has_tensor(name):
            if not ignore_missing_vars:
                raise ValueError(f"Checkpoint is missing variable [{name}]")
            logging.warning("Checkpoint is missing variable [%s]", name)
            continue
        whole = reader.get_tensor(name)
        for variable in variables:
            shape = variable.get_shape()
            part = getattr(variable, "_save_slice_info", None)
            value = whole
            if part:
                ends = zip(part.var_offset, part.var_shape, strict=True)
                value = whole[tuple(slice(start, start + size) for start, size in ends)]
            if tuple(shape.as_list()) != value.shape:
                raise ValueError(
                    f"Total size of new array must be unchanged for {name} lh_shape: [{value.shape}], "
                    f"rh_shape: [{shape}]"
                )
            node = placeholder(variable.dtype.base_dtype, shape, name=f"placeholder/{variable.op.name}")
            updates.append(variable.assign(node))
            feeds[node] = value
    return group(*updates), feeds


def assign_from_checkpoint_fn(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False, reshape_variables: bool = False
) -> Callable[[Any], None] | None:
    """Return the function of a session that restores variables from a checkpoint, None for none of them.

    ``ignore_missing_vars`` leaves out those that the file does not have, with a warning; ``reshape_variables`` takes
    values of another shape with as many elements. Raises ValueError for an empty list.
    """
    if not var_list:
        raise ValueError("var_list cannot be empty")
    if ignore_missing_vars:
        reader = NewCheckpointReader(model_path)
        named = dict(var_list) if isinstance(var_list, Mapping) else {v.op.name: v for v in var_list}
        for name in [name for name in named if not reader.has_tensor(name)]:
            logging.warning("Variable %s missing in checkpoint %s", name, model_path)
            del named[name]
        var_list = named
    if not var_list:
        logging.warning("No Variables to restore")
        return None
    saver = Saver(var_list, reshape=reshape_variables)

    def restored(session: Any) -> None:
        saver.restore(session, model_path)

    return restored


def zero_initializer(ref: Any, use_locking: bool = True, name: str = "zero_initializer") -> Any:
    """Return the tensor that begins a variable with zeros; InvalidArgumentError, in a run, where it has a value."""
    op = target_of("zero_initializer", ref)

    def begin(session: Session) -> Any:
        if session._read(op) is not None:
            raise InvalidArgumentError(op, op, "input is already initialized")
        shape = op.outputs[0].shape.as_list()
        return store_value(session, op, np.zeros(shape, op.outputs[0].dtype.base_dtype.dtype))

    return write_operation("ZeroInitializer", begin, (), op, name, op.outputs[0]._shape)
