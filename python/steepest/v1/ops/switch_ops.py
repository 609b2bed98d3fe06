"""What control flow is built of, on values: ``Switch`` and ``Merge``, ``Enter``, ``Exit`` and their like.

`tf.cond` and `tf.while_loop` are not made of them here; programs that build branches and loops themselves are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..graph import shape_inference
from ..graph.build import call, convert
from ..graph.dead_values import DEAD
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor
from ..graph.run_values import array_of
from ..graph.shapes import Shape
from .array_ops import identical

__all__ = [
    "Merge",
    "Switch",
    "control_trigger",
    "enter",
    "leave",
    "loop_cond",
    "merge",
    "next_iteration",
    "switch",
]


class Switch(NamedTuple):
    """What `switch` returns for a tensor."""

    output_false: Any
    output_true: Any


class Merge(NamedTuple):
    """What `merge` returns for tensors."""

    output: Any
    value_index: Any


def switch(data: Any, pred: Any, name: str | None = None) -> Switch:
    """Return two tensors: ``data`` is the second where ``pred`` is true, else the first. The other one is dead.

    What is computed from a dead tensor, and what waits for it, does not run, until `merge` takes it.

    Raises RuntimeError in eager mode; in a run InvalidArgumentError where a dead tensor is fetched.
    Source: ``gen_control_flow_ops.switch``.
    """
    refuse_eagerly("Switch")
    data, pred = convert(data), convert(pred, name="pred")

    def shape_fn(x: Shape, p: Shape) -> Any:
        if p:
            raise ValueError(f"Shape must be rank 0 but is rank {len(p)} for 'Switch'")
        return [x, x]

    types = [data.dtype.base_dtype] * 2
    return Switch(
        *call("Switch", _divided, (data, pred), name=name, shape=shape_fn, dtype=types, outputs=2, same=False)
    )


def _divided(data: Any, pred: Any) -> Any:
    value = identical(data)
    return (DEAD, value) if array_of(pred) else (value, DEAD)


def merge(inputs: Sequence[Any], name: str | None = None) -> Merge:
    """Return the one of several tensors that is not dead, and its position; where all are dead, both are.

    Source: ``gen_control_flow_ops.merge``.
    """
    return merged("Merge", inputs, name)


def merged(op_type: str, inputs: Sequence[Any], name: str | None) -> Merge:
    refuse_eagerly(op_type)
    tensors = [convert(each) for each in inputs]
    types = [tensors[0].dtype.base_dtype, "int32"]
    function = _first_alive if op_type == "Merge" else _first_alive_itself
    return Merge(*call(op_type, function, tensors, name=name, shape=_shape_of_one, dtype=types, outputs=2))


def _shape_of_one(*shapes: Shape) -> list[Shape]:
    """Return what is known of a tensor that has one of several shapes, and the shape of its position."""
    first = shapes[0]
    if first is None or any(shape is None or len(shape) != len(first) for shape in shapes):
        return [None, ()]
    return [tuple(sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*shapes, strict=True)), ()]


def _first_alive(*values: Any) -> Any:
    found = _first_alive_itself(*values)
    return found if found is DEAD else (identical(found[0]), found[1])


def _first_alive_itself(*values: Any) -> Any:
    for position, value in enumerate(values):
        if value is not DEAD:
            return value, np.int32(position)
    return DEAD


# Loops -------------------------------------------------------------------------------------------


def enter(
    data: Any, frame_name: str, is_constant: bool = False, parallel_iterations: int = 10, name: str | None = None
) -> Tensor:
    """Return ``data`` in the first round of a frame, a part of the graph that may run in rounds; a constant in all.

    Source: ``gen_control_flow_ops.enter``.
    """
    refuse_eagerly("Enter")
    shape: Any = shape_inference.same if is_constant else None
    attributes = frame_attributes(frame_name, is_constant, parallel_iterations)
    entered: Tensor = call("Enter", identical, (data,), name=name, shape=shape, attributes=attributes)
    return entered


def leave(data: Any, name: str | None = None) -> Tensor:
    """Return the value that leaves a frame: that of the round in which it is not dead. Source: ``Exit``."""
    return forwarded("Exit", data, name)


def next_iteration(data: Any, name: str | None = None) -> Tensor:
    """Return the value that a `merge` takes in the next round of a frame. Source: ``next_iteration``."""
    return forwarded("NextIteration", data, name)


def loop_cond(input: Any, name: str | None = None) -> Tensor:
    """Return the truth that says whether a frame runs on. Source: ``control_flow_ops.loop_cond``."""
    return forwarded("LoopCond", input, name)


def control_trigger(name: str | None = None) -> Operation:
    """Return an operation that does nothing. Source: ``gen_control_flow_ops.control_trigger``."""
    graph = get_default_graph()
    return Operation(graph, "ControlTrigger", graph._operation_name(name, "ControlTrigger"), None, (), ())


def forwarded(op_type: str, data: Any, name: str | None) -> Tensor:
    refuse_eagerly(op_type)
    same: Tensor = call(op_type, identical, (data,), name=name, shape=shape_inference.same)
    return same


def frame_attributes(name: str, constant: bool, iterations: int) -> dict[str, Any]:
    return {"frame_name": name.encode(), "is_constant": constant, "parallel_iterations": iterations}


def refuse_eagerly(op_type: str) -> None:
    if executing_eagerly():
        raise RuntimeError(f"{op_type} is not supported when eager execution is enabled: take Python's if and while")
