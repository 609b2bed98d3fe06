"""``TensorArray``: tensors of one type by their numbers, written one by one, as the rounds of a loop do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.build import call, convert
from ..graph.dtypes import DType, as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.scopes import name_scope
from ..graph.shapes import Shape, TensorShape, as_shape, compatible, merge, text
from .sparse_ops import convert_to_tensor
from .tensor_array_elements import Elements, Place
from .tensor_array_shapes import known_size, piece_shape, value_shape

__all__ = ["TensorArray"]


class TensorArray:
    """Tensors of one type by their numbers; each is written once.

    What changes it returns the array as it is then: in graph mode go on with that one.

    Args:
        dtype: the type of the elements.
        size: how many there are.
        dynamic_size: writing behind the last one makes it longer.
        element_shape: their shape, where it is known.
        infer_shape: take the shape from what is written.
        clear_after_read: an element can be read once; False lets it be read again.
        tensor_array_name: what messages call the array.
        colocate_with_first_write_call: accepted for TensorFlow's sake.

    Source: ``tf.TensorArray``.
    """

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        del colocate_with_first_write_call
        if handle is not None or flow is not None:
            raise ValueError("TensorArray: handle and flow of another array are not taken; go on with that array")
        if size is None and not dynamic_size:
            raise ValueError("Must provide either a size or dynamic_size=True for a TensorArray")
        self._dtype = as_dtype(dtype).base_dtype
        self._infer_shape = infer_shape
        self._shapes: list[Shape] = [as_shape(element_shape)]  # of all states of the array
        self._size = None if dynamic_size or size is None else known_size(size)
        kind, shape, may_grow = np.dtype(self._dtype.dtype), self._shapes[0], bool(dynamic_size)
        clears, eager = clear_after_read is not False, executing_eagerly()
        called = f"{tensor_array_name or name or 'TensorArray'}_0"

        def make(count: Any) -> Elements:
            place = Place(called, clears, eager)
            return Elements([None] * int(count), may_grow, kind, shape, bool(infer_shape), place)

        told = {
            "dtype": self._dtype,
            "element_shape": TensorShape(shape),
            "dynamic_size": may_grow,
            "clear_after_read": clears,
            "identical_element_shapes": bool(infer_shape),
            "tensor_array_name": (tensor_array_name or "").encode(),
        }
        given = (0 if size is None else size,)
        self._flow = self._call("TensorArrayV3", make, given, name or tensor_array_name, told)

    @classmethod
    def behind(cls, flow: Any, dtype: Any, element_shape: Any = None) -> TensorArray:
        """Return the array of which a flow is the state, and of whose elements this is known."""
        found = cls.__new__(cls)
        found._dtype, found._infer_shape, found._shapes = as_dtype(dtype).base_dtype, False, [as_shape(element_shape)]
        found._size, found._flow = None, flow
        return found

    def _call(
        self, op_type: str, function: Callable[..., Any], inputs: Any, name: str | None = None, told: Any = None
    ) -> Any:
        if executing_eagerly():
            return function(*inputs)
        return call(op_type, function, inputs, name=name, shape=(), dtype="float32", same=False, attributes=told)

    def _read(self, op_type: str, function: Callable[..., Any], inputs: Any, name: str | None, shape: Shape) -> Any:
        if executing_eagerly():
            return convert_to_tensor(function(*inputs))
        return call(op_type, function, inputs, name=name, shape=shape, dtype=self._dtype, same=False)

    def with_flow(self, flow: Any) -> TensorArray:
        """Return the array as it is behind another flow."""
        after = TensorArray.__new__(TensorArray)
        after._dtype, after._infer_shape, after._shapes = self._dtype, self._infer_shape, self._shapes
        after._size, after._flow = self._size, flow
        return after

    def _after(self, flow: Any) -> TensorArray:
        if executing_eagerly():  # as in TensorFlow, programs may go on with the old one there
            self._flow = flow
            return self
        return self.with_flow(flow)

    def mark_used(self) -> None:
        """Do nothing: nobody is warned here of an array that a program makes and leaves."""

    @property
    def flow(self) -> Any:
        """The tensor that stands for the state: what comes later depends on it."""
        return self._flow

    handle = flow

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self._dtype

    @property
    def element_shape(self) -> TensorShape:
        """What is known of the shape of an element."""
        return TensorShape(self._shapes[0])

    @property
    def dynamic_size(self) -> bool:
        """Whether writing makes it longer; in graph mode that is known when a session runs."""
        return bool(getattr(self._flow, "may_grow", False))

    def identity(self) -> TensorArray:
        """Return the same array, behind the control dependencies that are in force."""
        if executing_eagerly():
            return self.with_flow(self._flow)
        return self.with_flow(self._call("Identity", lambda held: held, (self._flow,)))

    def _learn(self, shape: Shape) -> None:
        """Take in the shape of what is written; in eager mode the elements have checked it."""
        if executing_eagerly():
            self._shapes[0] = self._flow.shape
            return
        if not compatible(self._shapes[0], shape):
            raise ValueError(
                f"Inconsistent shapes: saw {text(shape)} but expected {text(self._shapes[0])} (and "
                f"infer_shape={bool(self._infer_shape)})"
            )
        if self._infer_shape:
            self._shapes[0] = merge(self._shapes[0], shape)

    def grad(self, source: str, flow: Any = None, name: str | None = None) -> TensorArray:
        """Return the array in which gradients of the elements are summed: one for each ``source``.

        Raises NotImplementedError in eager mode.
        """
        if executing_eagerly():
            raise NotImplementedError("TensorArray.grad is not supported when executing eagerly")
        found = self._call("TensorArrayGradV3", lambda held: held.gradients(source), (flow or self._flow,), name)
        return self.with_flow(found)

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """Return the array with an element written; InvalidArgumentError of a run for one that was written before.

        In eager mode it is overwritten.
        """
        value, other = self._of_own_type(value)
        own = self._dtype.name  # a graph's file holds names, no arrays

        def written(held: Elements, at: Any, item: Any) -> Elements:
            if other is not None:
                shown = [name if held.place.eager else _CALLED.get(name, name) for name in (own, other)]
                words = f"TensorArray dtype is {shown[0]} but Op is trying to write dtype {shown[1]}"
                raise InvalidArgumentError(None, None, words if held.place.eager else words + ".")
            return held.written(int(at), item)

        flow = self._call("TensorArrayWriteV3", written, (self._flow, index, value), name)
        after = self._after(flow)
        after._learn(value_shape(value))
        return after

    def read(self, index: Any, name: str | None = None) -> Any:
        """Return an element."""
        return self._read(
            "TensorArrayReadV3", lambda held, at: held.read(int(at)), (self._flow, index), name, self._shapes[0]
        )

    def stack(self, name: str | None = None) -> Any:
        """Return all elements, which have one shape, beside each other along a new first axis."""
        element = self._shapes[0]
        shape = None if element is None else (self._size, *element)

        def stacked(held: Elements) -> Any:
            return held.stacked(range(len(held.items)), element)

        with name_scope(name, "TensorArrayStack"):
            return self._read("TensorArrayGatherV3", stacked, (self._flow,), name, shape)

    def gather(self, indices: Any, name: str | None = None) -> Any:
        """Return some elements beside each other along a new first axis."""
        element = self._shapes[0]
        rows = None if executing_eagerly() else convert(indices)._shape
        shape = None if element is None else (rows[0] if rows else None, *element)
        return self._read(
            "TensorArrayGatherV3",
            lambda held, wanted: held.stacked(np.asarray(unwrap(wanted)), element),
            (self._flow, indices),
            name,
            shape,
        )

    def concat(self, name: str | None = None) -> Any:
        """Return all elements behind each other along their first axis."""
        element = self._shapes[0]
        shape = None if not element else (None, *element[1:])
        return self._read("TensorArrayConcatV3", lambda held: held.joined(element), (self._flow,), name, shape)

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """Return the array whose elements are the rows of a tensor."""

        def taken_apart(held: Elements, rows: Any) -> Elements:
            return held.unstacked(rows)

        with name_scope(name, "TensorArrayUnstack"):
            value = self._converted(value)
            after = self._after(self._call("TensorArrayScatterV3", taken_apart, (self._flow, value), name))
        shape = value_shape(value)
        after._learn(None if shape is None else shape[1:])
        after._size = shape[0] if shape and after._size is None else after._size
        return after

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """Return the array with the rows of a tensor written to some numbers."""
        value = self._converted(value)
        after = self._after(
            self._call(
                "TensorArrayScatterV3",
                lambda held, wanted, rows: held.scattered(np.asarray(unwrap(wanted)), rows),
                (self._flow, indices, value),
                name,
            )
        )
        shape = value_shape(value)
        after._learn(None if shape is None else shape[1:])
        return after

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """Return the array whose elements are pieces of a tensor along its first axis."""

        def pieces(held: Elements, whole: Any, sizes: Any) -> Elements:
            return held.split(whole, np.asarray(unwrap(sizes)))

        value = self._converted(value)
        after = self._after(self._call("TensorArraySplitV3", pieces, (self._flow, value, lengths), name))
        after._learn(piece_shape(value_shape(value), lengths))
        return after

    def size(self, name: str | None = None) -> Any:
        """Return how many elements there are."""

        def count(held: Elements) -> Any:
            return np.asarray(len(held.items), np.int32)

        if executing_eagerly():
            return convert_to_tensor(count(self._flow))
        return call("TensorArraySizeV3", count, (self._flow,), name=name, shape=(), dtype="int32", same=False)

    def close(self, name: str | None = None) -> Any:
        """Return an operation that does nothing: the elements are freed when nobody holds them."""
        if executing_eagerly():
            return None
        return self._call("TensorArrayCloseV3", lambda held: held, (self._flow,), name).op

    def _of_own_type(self, value: Any) -> tuple[Any, str | None]:
        """Return a value as a tensor, and the name of its type where that is not the array's: a run tells."""
        try:
            tensor = self._converted(value)
        except (TypeError, ValueError, InvalidArgumentError):
            tensor = convert_to_tensor(value)
        other = None if tensor.dtype is None else as_dtype(tensor.dtype).base_dtype
        return tensor, None if other == self._dtype else other.name if other is not None else None

    def _converted(self, value: Any) -> Any:
        return convert_to_tensor(value, self._dtype) if executing_eagerly() else convert(value, self._dtype)


_CALLED = {"float32": "float", "float64": "double"}  # in messages of kernels
