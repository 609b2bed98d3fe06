"""What a `Saver` saves under each name: a variable, or the parts of one, which are the whole in the file."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...checkpoint.foreign.tensor_bundle import TensorBundle
from ...checkpoint.foreign.tensorflow_slots import as_variable
from ...variables.collections import GraphKeys
from ...variables.variable import Variable as EagerVariable
from ..graph.dtypes import as_dtype
from ..graph.errors import FailedPreconditionError, InvalidArgumentError, NotFoundError
from ..graph.graph import Graph, get_default_graph
from ..graph.node import Node
from ..graph.session import Session
from ..variables.partitioned_variable import PartitionedVariable
from ..variables.variable_slices import covers, cut, slice_of
from .saveables import SaveableObject, Taken, TensorsSaveable, check_name, taken
from .trackable import VARIABLE_VALUE_KEY, Trackable, is_of_tensors

__all__ = [
    "arrays_to_save",
    "graph_of",
    "op_in_session",
    "op_names",
    "read_variable",
    "variables_by_name",
    "variables_with_arrays",
]


def variables_by_name(var_list: Any, allow_empty: bool) -> dict[str, Any]:
    """Return variables, or lists of parts of one, by their names in the file; raises as `Saver` does."""
    if var_list is None:
        graph = get_default_graph()
        var_list = graph.get_collection(GraphKeys.GLOBAL_VARIABLES) + graph.get_collection("saveable_objects")
    if isinstance(var_list, dict):
        listed = (PartitionedVariable, list, tuple)
        named = {}
        for name, each in var_list.items():
            check_name(name)
            if isinstance(each, Trackable) and not isinstance(each, listed):
                named.update(_own(each, name))
            else:
                named[name] = list(each) if isinstance(each, listed) else each
        first: dict[int, str] = {}
        for name, each in named.items():
            for variable in each if isinstance(each, list) else [each]:
                if first.setdefault(id(variable), name) != name:
                    raise ValueError(f"The same saveable will be restored with two names: {first[id(variable)]}")
    else:
        named = _named(var_list)
    if not named and not allow_empty:
        raise ValueError("No variables to save")
    named = {name: taken(each) if isinstance(each, SaveableObject) else each for name, each in named.items()}
    for each in named.values():
        for variable in each if isinstance(each, list) else [each]:
            if isinstance(variable, Taken):
                continue
            if (
                not isinstance(variable, EagerVariable)
                and getattr(getattr(variable, "op", None), "type", "") != "VariableV2"
            ):
                raise TypeError(f"Variable to save is not a Variable: {variable!r:.80}")
            if isinstance(each, list) and slice_of(variable) is None:
                raise ValueError(f"Slices must all be slices: {variable!r:.80}")
    return named


def _own(value: Trackable, name: str | None = None) -> dict[str, Any]:
    """Return what an object saves of itself: under its own names, or under one that is given."""
    found: dict[str, Any] = {}
    makers = value._gather_saveables_for_checkpoint()
    if not makers and is_of_tensors(value):
        whole = functools.partial(TensorsSaveable, value, name or "")
        return {name or type(value).__name__: taken(whole(), whole)}
    for attribute, make in makers.items():
        full = name if name is None or attribute == VARIABLE_VALUE_KEY else f"{name}_{attribute}"
        if callable(make) and full is not None:
            make = functools.partial(make, name=full)
        made = make() if callable(make) else make
        if isinstance(made, SaveableObject):
            found[made.name] = taken(made, make if callable(make) else None)
        else:
            found.update(_named([made]) if full is None else {full: made})
    return found


def _named(var_list: Any) -> dict[str, Any]:
    named: dict[str, Any] = {}
    if not isinstance(var_list, (list, tuple, set, PartitionedVariable)):
        raise TypeError(f"Variables to save should be passed in a dict or a list: {var_list!r:.80}")
    for variable in var_list:
        if isinstance(variable, Trackable):
            named.update(_own(variable))
            continue
        if isinstance(variable, PartitionedVariable):
            if variable.name in named:
                raise ValueError(f"At least two variables have the same name: {variable.name}")
            named[variable.name] = list(variable)
            continue
        if not hasattr(variable, "name"):
            raise TypeError(f"Variable to save is not a Variable: {variable!r:.80}")
        info = None if isinstance(variable, SaveableObject) else slice_of(variable)
        if isinstance(variable, SaveableObject):
            key = variable.name
        elif isinstance(variable, EagerVariable):
            key = variable._name
        else:
            key = variable.op.name if info is None else info.full_name
        if isinstance(variable, EagerVariable) and named.get(key) is variable:
            continue  # given twice, as two parts of a program may share it
        if key in named and isinstance(variable, EagerVariable):
            raise ValueError(
                f"Two different ResourceVariable objects with the same shared_name '{key}' were passed to the Saver. "
                "This likely means that they were created in different Graphs or isolation contexts, and may not be "
                "checkpointed together."
            )
        if key in named and (info is None or not isinstance(named[key], list)):
            raise ValueError(f"At least two variables have the same name: {key}")
        if info is None:
            named[key] = variable
        else:
            named.setdefault(key, []).append(variable)
    return named


def op_names(named: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names of the operations of what is saved, by the names in the file: files of graphs have them."""
    return {
        name: [part.op.name for part in each] if isinstance(each, list) else each.op.name
        for name, each in named.items()
        if not isinstance(each, Taken)  # which files of graphs leave out
    }


def graph_of(named: Mapping[str, Any]) -> Graph:
    """Return the graph of what is saved, the default one where nothing in it tells."""
    parts = (part for each in named.values() for part in (each if isinstance(each, list) else [each]))
    return next((part.graph for part in parts if isinstance(part, Node)), get_default_graph())


def arrays_to_save(sess: Session, named: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by name; parts that are not all of the whole have their own names."""
    arrays: dict[str, Any] = {}
    for name, each in named.items():
        if isinstance(each, Taken):
            arrays.update(each.arrays(sess))
            continue
        if not isinstance(each, list):
            arrays[name] = read_variable(sess, each)
            continue
        infos = [info for part in each if (info := slice_of(part)) is not None]  # parts are known by them
        values = [read_variable(sess, part) for part in each]
        if not covers(infos):
            arrays.update({part.op.name: value for part, value in zip(each, values, strict=True)})
            continue
        whole = np.empty(infos[0].full_shape, np.asarray(values[0]).dtype)
        for info, value in zip(infos, values, strict=True):
            whole[info.key] = value
        arrays[name] = whole
    return arrays


def variables_with_arrays(named: Mapping[str, Any], arrays: Mapping[str, Any], reshape: bool) -> list[tuple[Any, Any]]:
    """Return variables with their values in a file; raises as ``Saver.restore`` does."""
    found: list[tuple[Any, Any]] = []
    for name, each in named.items():
        if isinstance(each, Taken):
            found.insert(0, (each, each.found_in(arrays)))  # first, as these may fail when they run
        elif not isinstance(each, list):
            found.append((each, _fitting(name, each, arrays, reshape)))
        elif name not in arrays and all(part.op.name in arrays for part in each):
            found += [(part, _fitting(part.op.name, part, arrays, reshape)) for part in each]
        else:
            found += [(part, _fitting(name, part, arrays, reshape, slice_of(part))) for part in each]
    return found


def _fitting(name: str, variable: Any, arrays: Mapping[str, Any], reshape: bool, info: Any = None) -> Any:
    if name not in arrays:
        raise NotFoundError(None, None, f"Key {name} not found in checkpoint")
    array, sizes = arrays[name], _sizes(variable)  # None: a variable of any shape
    shape = tuple(size if size is None else int(size) for size in (array.shape if sizes is None else sizes))
    if isinstance(arrays, TensorBundle) and not variable.trainable:
        array = as_variable(array, shape if info is None else tuple(info.full_shape), _held(variable))
    if info is not None:
        array = cut(array, info)
    if None not in shape and array.shape != shape:
        if not reshape or array.size != math.prod(int(size) for size in shape if size is not None):
            raise InvalidArgumentError(
                None,
                None,
                f"{name}: Assign requires shapes of both tensors to match: tensor shape in checkpoint "
                f"{array.shape} does not match the variable's {shape}",
            )
        array = array.reshape(shape)
    if _held(variable) != array.dtype:
        raise InvalidArgumentError(
            None,
            None,
            f"{name}: expected dtype {as_dtype(_held(variable)).name} does not equal original dtype "
            f"{as_dtype(array.dtype).name}: of the variable and in the checkpoint",
        )
    return array


def _held(variable: Any) -> np.dtype[Any]:
    """Return the type that a session holds: programs see another of Adam's powers."""
    attributes = {} if isinstance(variable, EagerVariable) else variable.op._attributes
    held: np.dtype[Any] = np.dtype(attributes.get("held", variable.dtype))
    return held


def _sizes(variable: Any) -> Any:
    return variable.shape if isinstance(variable, EagerVariable) else variable._tensor()._shape


def read_variable(sess: Session, variable: Any) -> Any:
    """Return a variable's value in a session; FailedPreconditionError where it has none."""
    if isinstance(variable, EagerVariable):
        return variable.numpy()
    if not isinstance(sess, Session):
        raise TypeError(f"'sess' must be a Session; {sess!r}")
    op = op_in_session(sess, variable.op)
    held = sess._read(op)
    if held is None:
        raise FailedPreconditionError(op, op, f"Attempting to use uninitialized value {op.name}")
    return held.value


def op_in_session(sess: Session, op: Any) -> Any:
    """Return the operation of a variable in a session; for one of another graph, that of its name: savers go by names.

    Raises TypeError where the graph of the session has none.
    """
    if op.graph is sess.graph or sess._read(op) is not None:
        return op
    try:
        return sess.graph.get_operation_by_name(op.name)
    except KeyError as error:
        raise TypeError(
            f"Cannot interpret feed_dict key as Tensor: the graph of the session has no {op.name!r}, which a saver of "
            "another graph saves; make the saver in the graph of the session"
        ) from error
