"""Stacks of tensors, each for one run: TensorFlow's internal ``stack_v2``, ``stack_push_v2``, ``stack_pop_v2``."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.build import call, convert
from ..graph.dtypes import DType, as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor

__all__ = [
    "_stack",
    "stack",
    "stack_close",
    "stack_close_v2",
    "stack_pop",
    "stack_pop_v2",
    "stack_push",
    "stack_push_v2",
    "stack_v2",
]

_numbers = count()
_OPTIONS: dict[str, Any] = {"differentiable": False, "same": False}


class _Stack:
    """The tensors of one stack in one run."""

    def __init__(self, name: str, dtype: DType, limit: int) -> None:
        self.name = name
        self._dtype, self._limit = dtype, limit
        self._items: list[Any] = []

    def push(self, item: Any) -> None:
        if self._limit > 0 and len(self._items) >= self._limit:
            self._refuse(f"Stack[{self.name}] overflowed its max_size ({self._limit})")
        array = np.array(unwrap(item))
        if as_dtype(array.dtype) != self._dtype:
            self._refuse(f"Must have type {self._dtype.name} but got {as_dtype(array.dtype).name}")
        self._items.append(array)

    def pop(self, dtype: DType) -> Any:
        if dtype != self._dtype:
            self._refuse(f"Stack[{self.name}] has elements of type {self._dtype.name}, not {dtype.name}")
        if not self._items:
            self._refuse(f"Stack[{self.name}] is empty when calling Pop().")
        return self._items.pop()

    def close(self) -> None:
        self._items.clear()

    def _refuse(self, why: str) -> None:
        raise InvalidArgumentError(None, None, why)


class _NamedStack(np.ndarray):
    """The two texts that stand for a stack of the first kind; the stack is with them."""

    stack: _Stack


def stack_v2(max_size: Any, elem_type: Any, stack_name: str = "", name: str | None = None) -> Tensor:
    """Return the tensor that stands for a stack, which is empty when a run begins.

    ``max_size``: how many tensors there may be, negative for any number. Raises RuntimeError in eager mode.
    Source: ``gen_data_flow_ops.stack_v2``.
    """
    _refuse_eagerly()
    dtype = as_dtype(elem_type).base_dtype

    def made(limit: Any) -> _Stack:
        return _Stack(f"{stack_name or called}_{next(_numbers)}", dtype, int(limit))

    called = name or "StackV2"
    attributes = {"elem_type": dtype, "stack_name": stack_name.encode()}
    limit = convert(max_size, "int32")
    handle: Tensor = call(
        "StackV2", made, (limit,), name=name, shape=(), dtype="resource", attributes=attributes, **_OPTIONS
    )
    handle.op.folded_calls = 0  # each run has its own
    return handle


def stack(elem_type: Any, stack_name: str = "", name: str | None = None) -> Tensor:
    """Return two texts that stand for a stack of any size. Source: ``gen_data_flow_ops.stack``."""
    _refuse_eagerly()
    dtype = as_dtype(elem_type).base_dtype

    def made() -> Any:
        held = _Stack(f"{stack_name or 'Stack'}_{next(_numbers)}", dtype, -1)
        texts = np.array([b"_stacks", held.name.encode()], object).view(_NamedStack)
        texts.stack = held
        return texts

    attributes = {"elem_type": dtype, "stack_name": stack_name.encode()}
    handle: Tensor = call("Stack", made, (), name=name, shape=(2,), dtype="string", attributes=attributes, **_OPTIONS)
    return handle


_stack = stack


def stack_push_v2(handle: Any, elem: Any, swap_memory: bool = False, name: str | None = None) -> Tensor:
    """Return ``elem`` once it is on the stack. Raises in a run InvalidArgumentError where there is no room.

    Source: ``gen_data_flow_ops.stack_push_v2``.
    """
    del swap_memory
    return _push("StackPushV2", handle, elem, name)


def stack_push(handle: Any, elem: Any, swap_memory: bool = False, name: str | None = None) -> Tensor:
    """Do what `stack_push_v2` does. Source: ``gen_data_flow_ops.stack_push``."""
    del swap_memory
    return _push("StackPush", handle, elem, name)


def stack_pop_v2(handle: Any, elem_type: Any, name: str | None = None) -> Tensor:
    """Return the tensor that was put on the stack last, and take it off.

    Raises in a run InvalidArgumentError where there is none. Source: ``gen_data_flow_ops.stack_pop_v2``.
    """
    return _pop("StackPopV2", handle, elem_type, name)


def stack_pop(handle: Any, elem_type: Any, name: str | None = None) -> Tensor:
    """Do what `stack_pop_v2` does. Source: ``gen_data_flow_ops.stack_pop``."""
    return _pop("StackPop", handle, elem_type, name)


def stack_close_v2(handle: Any, name: str | None = None) -> Operation:
    """Return the operation that throws away what is on the stack. Source: ``gen_data_flow_ops.stack_close_v2``."""
    return _close("StackCloseV2", handle, name)


def stack_close(handle: Any, name: str | None = None) -> Operation:
    """Do what `stack_close_v2` does. Source: ``gen_data_flow_ops.stack_close``."""
    return _close("StackClose", handle, name)


def _behind(handle: Any) -> _Stack:
    held: _Stack = handle.stack if isinstance(handle, _NamedStack) else handle
    return held


def _push(op_type: str, handle: Any, elem: Any, name: str | None) -> Tensor:
    _refuse_eagerly()

    def pushed(held: Any, item: Any) -> Any:
        _behind(held).push(item)
        return unwrap(item)

    element = convert(elem)
    there: Tensor = call(
        op_type, pushed, (handle, element), name=name, shape=lambda _, x: x, dtype=element.dtype, **_OPTIONS
    )
    return there


def _pop(op_type: str, handle: Any, elem_type: Any, name: str | None) -> Tensor:
    _refuse_eagerly()
    dtype = as_dtype(elem_type).base_dtype
    popped: Tensor = call(
        op_type, lambda held: _behind(held).pop(dtype), (handle,), name=name, shape=None, dtype=dtype, **_OPTIONS
    )
    return popped


def _close(op_type: str, handle: Any, name: str | None) -> Operation:
    _refuse_eagerly()
    graph = get_default_graph()
    full = graph._operation_name(name, op_type)
    return Operation(graph, op_type, full, lambda held: _behind(held).close(), [handle], ())


def _refuse_eagerly() -> None:
    if executing_eagerly():
        raise RuntimeError("Stacks are not supported when eager execution is enabled: take a Python list")
