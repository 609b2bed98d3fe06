"""``tf.contrib.framework``: scopes of arguments, and variables by their scopes and names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ...variables.collections import GraphKeys
from ..graph.graph import get_default_graph
from ..graph.missing import namespace
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..ops.control_flow_ops import cond
from ..ops.creation_ops import placeholder
from ..ops.sort_ops import argsort, sort
from ..train import (
    Saver,
    assert_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
    init_from_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
)
from ..training.get_variable import get_variable
from ..training.state_ops import assign
from ..training.variables import Variable
from .arg_scopes import add_arg_scope, arg_scope, arg_scoped_arguments, current_arg_scope, has_arg_scope
from .layers.model_variables import model_variable as _model_variable

__all__ = [
    "add_arg_scope",
    "add_model_variable",
    "arg_scope",
    "arg_scoped_arguments",
    "argsort",
    "assert_global_step",
    "assign_from_checkpoint_fn",
    "assign_from_values",
    "assign_from_values_fn",
    "create_global_step",
    "current_arg_scope",
    "filter_variables",
    "get_global_step",
    "get_local_variables",
    "get_model_variables",
    "get_or_create_global_step",
    "get_trainable_variables",
    "get_unique_variable",
    "get_variables",
    "get_variables_by_name",
    "get_variables_by_suffix",
    "get_variables_to_restore",
    "has_arg_scope",
    "init_from_checkpoint",
    "is_tensor",
    "list_variables",
    "load_checkpoint",
    "load_variable",
    "local_variable",
    "model_variable",
    "nest",
    "smart_cond",
    "sort",
    "variable",
]

nest = import_module("..python.util.nest", __package__)  # tf.nest and more; a module made when asked for

__getattr__, __dir__ = namespace(__name__, "checkpoint_ops ops tensor_util variables")


def get_variables(
    scope: Any = None, suffix: str | None = None, collection: str = GraphKeys.GLOBAL_VARIABLES
) -> list[Any]:
    """Return the variables of a collection whose names begin with ``scope`` and end with ``suffix``."""
    name = getattr(scope, "name", scope)
    variables = get_default_graph().get_collection(collection, name)
    return [v for v in variables if suffix is None or v.op.name.endswith(suffix)]


def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """Return the trainable variables whose names begin with ``scope`` and end with ``suffix``."""
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


def get_model_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """Return the variables of layers whose names begin with ``scope`` and end with ``suffix``."""
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)


def get_local_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """Return the local variables whose names begin with ``scope`` and end with ``suffix``."""
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[Any]:
    """Return the variables whose names end with ``suffix``."""
    return get_variables(scope, suffix)


def get_variables_by_name(given_name: str, scope: Any = None) -> list[Any]:
    """Return the variables with a name, within whatever scopes."""
    suffix = f"/{given_name}"
    return [v for v in get_variables(scope) if f"/{v.op.name}".endswith(suffix)]


def get_unique_variable(var_op_name: str) -> Any:
    """Return the variable of a full name. Raises ValueError where there is none."""
    for found in get_variables(var_op_name):
        if found.op.name == var_op_name:
            return found
    raise ValueError(f"Variable {var_op_name} does not match any variable")


def get_variables_to_restore(include: Sequence[str] | None = None, exclude: Sequence[str] | None = None) -> list[Any]:
    """Return the variables of the scopes ``include``, all by default, but those of the scopes ``exclude``.

    Raises TypeError for what is no list.
    """
    for what, scopes in (("include", include), ("exclude", exclude)):
        if scopes is not None and not isinstance(scopes, (list, tuple)):
            raise TypeError(f"{what} must be None or a list of scopes, got {scopes!r}")
    found = [v for scope in include for v in get_variables(scope)] if include else get_variables()
    left_out = {v for scope in exclude or () for v in get_variables(scope)}
    return [v for v in found if v not in left_out]


def filter_variables(
    var_list: Sequence[Any],
    include_patterns: Sequence[str] | None = None,
    exclude_patterns: Sequence[str] | None = None,
    reg_search: bool = True,
) -> list[Any]:
    """Return the variables whose names match one of some patterns, by default all, and none of others."""
    find = re.search if reg_search else re.match

    def fits(v: Any, patterns: Sequence[str]) -> bool:
        return any(find(pattern, v.op.name) for pattern in patterns)

    kept = var_list if include_patterns is None else [v for v in var_list if fits(v, include_patterns)]
    return [v for v in kept if not fits(v, exclude_patterns or ())]


@add_arg_scope
def variable(
    name: str,
    shape: Any = None,
    dtype: Any = "float32",
    initializer: Any = None,
    regularizer: Callable[[Any], Any] | None = None,
    trainable: bool = True,
    collections: Any = None,
    caching_device: Any = None,
    device: Any = None,
) -> Any:
    """Return `tf.get_variable`; where a device is named, it makes no difference."""
    del caching_device, device
    return get_variable(name, shape, dtype, initializer, regularizer, trainable, collections)


@add_arg_scope
def model_variable(
    name: str,
    shape: Any = None,
    dtype: Any = "float32",
    initializer: Any = None,
    regularizer: Callable[[Any], Any] | None = None,
    trainable: bool = True,
    collections: Any = None,
    caching_device: Any = None,
    device: Any = None,
) -> Any:
    """Return `tf.get_variable` of a variable that is also in MODEL_VARIABLES."""
    del caching_device, device
    return _model_variable(name, shape, dtype, initializer, regularizer, trainable, collections)


def local_variable(initial_value: Any, validate_shape: bool = True, name: str | None = None) -> Any:
    """Return a variable that is local: not trained, not saved."""
    collections = [GraphKeys.LOCAL_VARIABLES]
    return Variable(initial_value, False, collections, validate_shape, name=name)


def add_model_variable(var: Any) -> None:
    """Put a variable into MODEL_VARIABLES, once."""
    graph = get_default_graph()
    if var not in graph.get_collection(GraphKeys.MODEL_VARIABLES):
        graph.add_to_collection(GraphKeys.MODEL_VARIABLES, var)


def is_tensor(x: Any) -> bool:
    """Tell whether something is a tensor or a variable."""
    return isinstance(x, Node)


def smart_cond(pred: Any, fn1: Callable[[], Any], fn2: Callable[[], Any], name: str | None = None) -> Any:
    """Return `tf.cond`, or what the one function returns where ``pred`` is known before a session runs."""
    if isinstance(pred, (bool, np.bool_, int)) or executing_eagerly():
        return fn1() if pred else fn2()
    return cond(pred, fn1, fn2, name=name)


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


def assign_from_checkpoint_fn(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False, reshape_variables: bool = False
) -> Callable[[Any], None]:
    """Return the function of a session that restores variables from a checkpoint.

    ``ignore_missing_vars`` leaves out those that the file does not have. Raises ValueError for no variable.
    """
    if reshape_variables:
        raise ValueError("assign_from_checkpoint_fn: reshape_variables must be False in steepest.v1")
    named = dict(var_list) if isinstance(var_list, Mapping) else {v.op.name: v for v in var_list}
    if ignore_missing_vars:
        there = {name for name, _ in list_variables(model_path)}
        named = {name: v for name, v in named.items() if name in there}
    if not named:
        raise ValueError("Variables to restore cannot be empty")
    saver = Saver(named)

    def restored(session: Any) -> None:
        saver.restore(session, model_path)

    return restored
