"""Operations that give a variable another value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ...variables.variable import Variable as EagerVariable
from ..graph.build import convert, convert_all
from ..graph.errors import InvalidArgumentError, OutOfRangeError
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation, Tensor
from ..graph.same_graph import _assert_same_graph
from ..graph.session import Session
from ..graph.session_values import held, store_value
from ..graph.shapes import compatible, merge, text
from ..ops.reference_ops import ref_identity, variable_behind
from .rows_variable import RowsVariable
from .slice_assign import assign_method
from .write_op import in_graph, target_of, write_operation

__all__ = ["assign", "assign_add", "assign_sub", "count_up_to"]

Change = Callable[[Any, Operation, Any], Any]


def _changed(op_type: str, ref: Any, value: Any, change: Change, name: str | None, shaped: bool = True) -> Any:
    """Return the tensor of an operation that changes a variable and has its new value."""
    ref = in_graph(ref)
    op = target_of(op_type, ref)
    with op.graph.as_default():
        if isinstance(value, Node) and op.get_attr("owner")._is_resource:
            value = convert(value, op.outputs[0].dtype.base_dtype)  # ValueError for another type, for others TypeError
        old_value, new_value = convert_all(op_type, [op.outputs[0], value])
    _assert_same_graph(old_value, new_value)
    if shaped and not compatible(old_value._shape, new_value._shape):
        raise ValueError(
            f"{op_type}: Shapes must be equal, the variable {op.name} has {text(old_value._shape)} and the value "
            f"{text(new_value._shape)}"
        )
    shape = merge(old_value._shape, new_value._shape) if shaped else new_value._shape
    whole = ref is old_value.op.get_attr("owner") or ref is old_value
    after = () if whole and "temporary" not in op._attributes else (_alone(ref).op,)
    return write_operation(op_type, lambda session, new: change(session, op, new), (new_value,), op, name, shape, after)


def _alone(ref: Any) -> Any:
    """Return a tensor to wait for: it is dead where that one of several results of an operation is."""
    return ref_identity(ref) if len(ref.op.outputs) > 1 else ref


def _fitting(op: Operation, variable: EagerVariable, value: Any) -> Any:
    value = unwrap(value)
    if np.shape(value) != variable.shape:
        raise InvalidArgumentError(
            op, op, f"{op.name}: value must have the variable's shape {variable.shape}, got {np.shape(value)}"
        )
    return value


def assign(
    ref: Any, value: Any, validate_shape: bool = True, use_locking: bool = False, name: str | None = None
) -> Any:
    """Return the tensor that overwrites ``ref``, a variable or a part of one, and then is the variable's value.

    Raises ValueError for another shape, unless ``validate_shape`` is off, TypeError for another type, AttributeError
    for another tensor. Source: ``tf.assign``.
    """
    del use_locking
    if executing_eagerly() or isinstance(ref, RowsVariable):
        return ref.assign(value)
    if isinstance(ref, Tensor) and variable_behind(ref) is None:
        return assign_method(ref)(
            value, name=name
        )  # variable[i], a part of a variable; AttributeError of other tensors

    def change(session: Session, op: Operation, new: Any) -> Any:
        variable = session._read(op)
        if validate_shape and variable is not None and not op._attributes.get("open"):
            new = _fitting(op, variable, new)
        return store_value(session, op, new)

    return _changed("Assign", ref, value, change, name, validate_shape)


def _add(session: Session, op: Operation, value: Any) -> Any:
    variable = held(session, op)
    return variable.assign_add(_fitting(op, variable, value))


def _sub(session: Session, op: Operation, value: Any) -> Any:
    variable = held(session, op)
    return variable.assign_sub(_fitting(op, variable, value))


def assign_add(ref: Any, value: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Return the tensor that adds ``value`` to ``ref`` and then is its value. Raises as `assign`."""
    del use_locking
    assigns_itself = executing_eagerly() or isinstance(ref, RowsVariable)
    return ref.assign_add(value) if assigns_itself else _changed("AssignAdd", ref, value, _add, name)


def assign_sub(ref: Any, value: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Return the tensor that subtracts ``value`` from ``ref`` and then is its value. Raises as `assign`."""
    del use_locking
    assigns_itself = executing_eagerly() or isinstance(ref, RowsVariable)
    return ref.assign_sub(value) if assigns_itself else _changed("AssignSub", ref, value, _sub, name)


def count_up_to(ref: Any, limit: int, name: str | None = None) -> Any:
    """Return the tensor that is an integer variable's value, and then adds 1 to the variable.

    Raises OutOfRangeError, when a session runs, once the value is ``limit``; ValueError for more than one integer.
    """
    if executing_eagerly():
        return ref.count_up_to(limit)
    op = target_of("CountUpTo", ref)
    if op.outputs[0].dtype.base_dtype.name not in ("int32", "int64"):
        allowed = "not in list of allowed values: int32, int64"
        raise TypeError(f"Value passed to parameter 'ref' has DataType {op.outputs[0].dtype.base_dtype.name} {allowed}")

    shape = op.outputs[0]._shape
    if not compatible(shape, ()):
        told = f"is rank {len(shape or ())} for 'CountUpTo' with input shape {shape}"
        raise ValueError(f"Shape must be rank 0 but {told}")

    def counted(session: Session) -> Any:
        value = np.array(held(session, op).value)
        if value >= limit:
            raise OutOfRangeError(op, op, f"Reached limit of {limit}")
        store_value(session, op, value + value.dtype.type(1))
        return value[()]

    graph = op.graph
    operation = Operation(
        graph,
        "CountUpTo",
        graph._operation_name(name, "CountUpTo"),
        counted,
        (),
        [(op.outputs[0].dtype.base_dtype, ())],
        contextual=True,
        writes=True,
        differentiable=False,
        attributes={"target": op},
    )
    return operation.outputs[0]


def changed(value: Tensor, read_value: bool) -> Tensor | Operation:
    """Return a variable's new value, or, where it is not to be read, the operation that makes it."""
    return value if read_value else value.op
