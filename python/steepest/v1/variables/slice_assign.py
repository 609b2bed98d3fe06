"""``variable[i].assign(value)``: a part of a variable is overwritten."""

from __future__ import annotations

from typing import Any

from ...ops.dispatch import unwrap
from ..graph.build import convert, convert_all
from ..graph.node import Operation, Tensor
from ..graph.session import Session
from ..graph.session_values import held
from ..ops.slice_ops import key_of
from .write_op import write_operation

__all__ = ["assign_method"]


class _NoVariable(ValueError, AttributeError):
    """A part of what is no variable was assigned to: TensorFlow 1 raises the one error, TensorFlow 2 the other."""


def assign_method(part: Tensor) -> Any:
    """Return ``assign(value, name=None)`` of a tensor that is a part of a variable, or a resource that was written.

    The tensor that it returns overwrites the part, to whose shape the value is broadcast, and then is the variable's
    value. AttributeError for a tensor that is no part of a variable.

    Source: ``tf.Variable.__getitem__`` of TensorFlow 1.
    """
    if (assign_next := part.__dict__.get("_assign_next")) is not None:
        return assign_next
    op = part.op
    target = _variable_behind(op.operands[0]) if op.type == "StridedSlice" else None
    if target is not None and target.type != "VariableV2":

        def refuse(value: Any, name: str | None = None) -> Any:
            raise _NoVariable(
                "Sliced assignment is only supported for variables: 'Tensor' object has no attribute 'assign'"
            )

        return refuse
    if target is None:
        raise AttributeError(f"'Tensor' object has no attribute 'assign': {part.name} is no part of a variable")

    def assign(value: Any, name: str | None = None) -> Tensor:
        if target._attributes["owner"]._is_resource:  # a ValueError, not a TypeError, for a tensor of another type
            new = convert(value, part.dtype.base_dtype)
        else:
            _, new = convert_all("StridedSliceAssign", [part, value])
        shape = target.outputs[0]._shape
        return write_operation("StridedSliceAssign", _Write(op, target), (new, *op.operands[1:]), target, name, shape)

    return assign


def _variable_behind(sliced: Tensor) -> Operation:
    """Return the operation of what is sliced: of the variable where that is the copy on its caching device."""
    op = sliced.op
    owner = op.operands[0].op._attributes.get("owner") if op.type == "Identity" else None
    return op if getattr(owner, "_cached_value", None) is not sliced else op.operands[0].op


class _Write:
    """What the operation does when a session runs."""

    def __init__(self, part: Operation, target: Operation) -> None:
        self.part, self.target = part, target

    def __call__(self, session: Session, value: Any, *bounds: Any) -> Any:
        variable = held(session, self.target)
        variable._kept[key_of(self.part, bounds)] = unwrap(value)  # where it does not broadcast, nothing is written
        variable._changed()
        return variable
