"""Operations that give variables their initial values, and ask which have one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.tensor import Tensor as EagerTensor
from ...variables.collections import GraphKeys
from ..graph.dtypes import as_dtype
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor
from ..graph.same_graph import _get_graph_from_inputs
from ..graph.session import Session
from ..graph.shapes import as_shape
from ..ops.control_flow_ops import group, no_op
from .eager_variable import EagerVariable
from .write_op import target_of

__all__ = [
    "all_variables",
    "assert_variables_initialized",
    "global_variables_initializer",
    "initialize_all_tables",
    "initialize_all_variables",
    "initialize_local_variables",
    "initialize_variables",
    "is_variable_initialized",
    "local_variables",
    "local_variables_initializer",
    "model_variables",
    "report_uninitialized_variables",
    "tables_initializer",
    "variables_initializer",
]


def variables_initializer(var_list: Any, name: str = "init") -> Operation | None:
    """Return the operation that gives variables their initial values."""
    if executing_eagerly():
        return None
    operation: Operation = group(*[variable.initializer for variable in var_list or ()], name=name)
    return operation


def tables_initializer(name: str = "init_all_tables") -> Any:
    """Return the operation that fills all lookup tables."""
    if executing_eagerly():
        return no_op(name)
    return group(*get_default_graph().get_collection(GraphKeys.TABLE_INITIALIZERS), name=name)


initialize_all_tables = tables_initializer


def global_variables_initializer() -> Operation | None:
    """Return the operation that gives all global variables their initial values."""
    return variables_initializer(get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES))


def local_variables_initializer() -> Operation | None:
    """Return the operation that gives all local variables their initial values."""
    return variables_initializer(get_default_graph().get_collection(GraphKeys.LOCAL_VARIABLES))


# TensorFlow's older names.
initialize_variables = variables_initializer
initialize_all_variables = global_variables_initializer
initialize_local_variables = local_variables_initializer


def all_variables() -> list[Any]:
    """Return the global variables; TensorFlow's old name of ``global_variables``."""
    return get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES)


def local_variables(scope: str | None = None) -> list[Any]:
    """Return the variables in ``GraphKeys.LOCAL_VARIABLES``."""
    return get_default_graph().get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def model_variables(scope: str | None = None) -> list[Any]:
    """Return the variables in ``GraphKeys.MODEL_VARIABLES``."""
    return get_default_graph().get_collection(GraphKeys.MODEL_VARIABLES, scope)


def _reader(op_type: str, function: Callable[[Session], Any], name: str, dtype: str, shape: Any) -> Tensor:
    graph = get_default_graph()
    operation = Operation(
        graph,
        op_type,
        graph.unique_name(name),
        function,
        (),
        [(as_dtype(dtype), as_shape(shape))],
        contextual=True,
        differentiable=False,
    )
    return operation.outputs[0]


def is_variable_initialized(variable: Any, name: str | None = None) -> Any:
    """Return a node that tells whether the variable has a value in the session that runs; in eager mode a tensor."""
    if isinstance(variable, EagerVariable):
        return EagerTensor(np.array(variable._has_value))
    op = target_of("is_variable_initialized", variable)
    with op.graph.as_default():
        return _reader(
            "IsVariableInitialized",
            lambda session: np.bool_(session._read(op) is not None),
            name or "IsVariableInitialized",
            "bool",
            (),
        )


def report_uninitialized_variables(var_list: Any = None, name: str = "report_uninitialized_variables") -> Any:
    """Return a node whose value is the names (bytes) of the variables that have no value in the session that runs.

    In eager mode there are none.
    """
    if executing_eagerly():
        return EagerTensor(np.zeros([0], object))
    if var_list is None:
        graph = get_default_graph()
        var_list = graph.get_collection(GraphKeys.GLOBAL_VARIABLES) + graph.get_collection(GraphKeys.LOCAL_VARIABLES)
    ops = [target_of(name, variable) for variable in var_list]

    def names(session: Session) -> Any:
        return np.array([op.name.encode() for op in ops if session._read(op) is None], object)

    sizes = [None] if ops else [0]
    return _reader("ReportUninitialized", names, name or "report_uninitialized_variables", "string", sizes)


def assert_variables_initialized(var_list: Any = None) -> Any:
    """Return an operation that raises FailedPreconditionError where a variable has no value; None for no variables."""
    variables = [*all_variables(), *local_variables()] if var_list is None else list(var_list)
    if not variables:
        return None
    tensors = [variable._tensor() for variable in variables]
    graph = _get_graph_from_inputs(tensors)
    with graph.as_default(), graph.control_dependencies(tensors):
        return no_op("assert_variables_initialized")
