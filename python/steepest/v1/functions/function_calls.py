"""What a call of a function that ``Defun`` has decorated is made of: its arguments, and what is told of it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, NamedTuple, NoReturn

from ..graph.build import call
from ..graph.errors import InvalidArgumentError
from ..graph.graph import Graph
from ..graph.node import Operation, Tensor
from ..graph.walks import reached
from ..ops.array_ops import identical

__all__ = ["Call", "argument", "check_awaited", "check_values", "failing", "without_use"]


class Call(NamedTuple):
    """What a gradient function is told of a call, in place of the operation that TensorFlow has there."""

    name: str
    type: str
    graph: Graph
    inputs: list[Tensor]
    outputs: list[Tensor]
    control_inputs: Sequence[Operation] = ()

    def get_attr(self, name: str) -> Any:
        """Return the type of the inputs or of the results; ValueError for another name."""
        if name not in ("Tin", "Tout"):
            raise ValueError(f"Operation {self.name!r} has no attr named {name!r}.")
        return [tensor.dtype.base_dtype for tensor in (self.inputs if name == "Tin" else self.outputs)]

    def values(self) -> tuple[Tensor, ...]:
        """Return the outputs."""
        return tuple(self.outputs)


def argument(tensor: Tensor, name: str) -> Any:
    """Return what a body is given for a tensor: its shape is not known there, whatever it is at a call."""
    return call("Identity", identical, (tensor,), name=name.lstrip("_") or None, shape=None)


def failing(tensor: Tensor, wanted: int, found: int) -> Any:
    """Return what stands for a gradient where another function gives too few or too many: the run tells."""

    def fail(value: Any) -> NoReturn:
        raise InvalidArgumentError(
            None, None, f"SymGrad expects to return {wanted} results, but get {found} results instead."
        )

    return call("SymbolicGradient", fail, (tensor,), shape=lambda shape: shape)


def without_use(given: Sequence[Tensor], values: Sequence[Tensor], made: Sequence[Operation]) -> list[Tensor]:
    """Return the arguments on which no result depends, as far as they could have gradients: these are zeros."""
    inside = set(made)
    needed = reached(
        [each.op for each in values if each.op in inside],
        lambda op: [tensor.op for tensor in op.operands if tensor.op in inside],
    )
    used = {tensor for op in needed for tensor in op.operands} | set(values)
    return [tensor for tensor in given if tensor.dtype.has_gradients and tensor not in used]


def check_awaited(awaited: Sequence[Operation], made: Sequence[Operation]) -> None:
    """Raise ValueError where a body waits for operations from outside, for which no call of it could wait."""
    inside = set(made)
    for op in awaited:
        if op not in inside:
            raise ValueError(f"Operation {op.name!r} is not an element of this graph.")


def check_values(taken: Sequence[Tensor], allowed: Container[Operation]) -> None:
    """Raise ValueError where what a body takes from outside by its value is not the same in each run."""
    for op in reached([tensor.op for tensor in taken], lambda op: [tensor.op for tensor in op.operands]):
        if op.type.startswith("Placeholder"):
            raise ValueError(f"Cannot capture a placeholder (name:{op.name}, type:{op.type}) by value.")
        if op.op_def.is_stateful and op not in allowed:
            raise ValueError(f"Cannot capture a stateful node (name:{op.name}, type:{op.type}) by value.")
