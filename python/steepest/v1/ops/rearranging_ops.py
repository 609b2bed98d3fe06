"""Elements put elsewhere: gathered by batch, reversed, scattered into tensors, seen as another type."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.arguments import as_vector, call_with, check_vector
from ..graph.bound_names import name_functions
from ..graph.build import call, convert, dtype_of, shape_of
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor
from ..graph.run_values import array_of
from ..graph.shapes import TensorShape, as_shape
from .array_ops import identity
from .concat_ops import stack
from .gather_ops import choices, gather, places_where

__all__ = [
    "batch_gather",
    "bitcast",
    "broadcast_dynamic_shape",
    "broadcast_static_shape",
    "guarantee_const",
    "parallel_stack",
    "reverse",
    "reverse_sequence",
    "reverse_v2",
    "unravel_index",
    "where_v2",
]


def batch_gather(params: Any, indices: Any, name: str | None = None) -> Any:
    """Return slices of each row of ``params``: `gather` whose indices have all axes but the last in common."""
    ids = indices if executing_eagerly() else convert(indices, name="indices")
    known = shape_of(ids)
    if known is None:
        raise ValueError("batch_gather does not allow indices with unknown shape.")
    lead, rank = len(known) - 1, None if (sizes := shape_of(params)) is None else len(sizes)
    # Counted from behind, the first axis has a dense gradient, as TensorFlow gives it here.
    return gather(params, ids, name=name, batch_dims=lead, axis=lead if rank is None or lead else -rank)


def guarantee_const(input: Any, name: str | None = None) -> Any:
    """Return the tensor, of which the program says that it never changes; InvalidArgumentError for a resource."""
    if dtype_of(input).name == "resource":
        raise InvalidArgumentError(None, None, "Input tensor cannot be a resource variable handle.")
    return identity(input, name)


def parallel_stack(values: Any, name: str = "parallel_stack") -> Any:
    """Return `stack` of the values along a first axis."""
    return stack(values, 0, name)


def bitcast(input: Any, type: Any, name: str | None = None) -> Any:
    """Return the same bits as another type. Of another size: the last axis is taken together, or a new one made."""
    dtype = as_dtype(type)

    def seen(x: Any) -> Any:
        array = np.ascontiguousarray(array_of(x)).reshape(np.shape(x))
        shape_fn(array.shape)
        if array.dtype.itemsize < dtype.size:
            return array.view(dtype.dtype)[..., 0]
        if array.dtype.itemsize == dtype.size:
            return array.view(dtype.dtype)
        return array[..., None].view(dtype.dtype)

    def shape_fn(shape: Any) -> Any:
        size = given.dtype.itemsize
        if shape is None or size == dtype.size:
            return shape
        if size > dtype.size:
            return (*shape, size // dtype.size)
        parts = dtype.size // size
        if not shape or shape[-1] not in (None, parts):
            numbers = f"from {as_dtype(given.dtype).as_datatype_enum} to {dtype.as_datatype_enum}"
            raise ValueError(
                f"Cannot bitcast {numbers}: Cannot bitcast due to shape. {shape[-1] if shape else '?'} does not match "
                f"{parts}"
            )
        return shape[:-1]

    given = dtype_of(input)
    for which, kind in (("input", given), ("type", dtype)):
        if kind.is_bool or kind == "string":
            raise TypeError(
                f"Value passed to parameter {which!r} has DataType {kind.name} not in list of allowed values"
            )
    return call("Bitcast", seen, (input,), name=name, dtype=dtype, shape=shape_fn, differentiable=False)


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """Return the static shape to which two shapes are broadcast. Raises ValueError where they are not."""
    first, second = as_shape(shape_x), as_shape(shape_y)
    try:
        return TensorShape(shape_inference.broadcast(first, second))
    except ValueError:
        both = f"{TensorShape(first)} and {TensorShape(second)}"
        raise ValueError(f"Incompatible shapes for broadcasting: {both}") from None


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Any:
    """Return the shape, as a tensor, to which two shapes are broadcast."""

    shape_x, shape_y = (
        np.zeros(0, np.int32) if isinstance(s, (list, tuple)) and not s else s for s in (shape_x, shape_y)
    )

    def together(a: Any, b: Any) -> Any:
        return np.array(np.broadcast_shapes(tuple(array_of(a)), tuple(array_of(b))), array_of(a).dtype)

    def shape_fn(a: Any, b: Any) -> Any:
        return (max(a[0], b[0]),) if a and b and None not in (a[0], b[0]) else (None,)

    return call("BroadcastArgs", together, (shape_x, shape_y), shape=shape_fn, differentiable=False)


def unravel_index(indices: Any, dims: Any, name: str | None = None) -> Any:
    """Return the positions along each axis of flat positions in an array of shape ``dims``."""

    def positions(flat: Any, sizes: Any) -> Any:
        places, shape = array_of(flat), tuple(array_of(sizes).tolist())
        if 0 in shape:
            raise ValueError(f"Input dims cannot contain a dim of zero, but dims contains zero: {list(shape)}")
        if math.prod(shape) > np.iinfo(places.dtype).max:
            raise ValueError(f"Input dims product is causing integer overflow: {list(shape)}")
        if places.size and not 0 <= places.min() <= places.max() < math.prod(shape):
            raise ValueError(f"index is out of bound as with dims: {places.tolist()} in {shape}")
        return np.stack(np.unravel_index(places, shape)).astype(places.dtype)

    def shape_fn(flat: Any, sizes: Any) -> Any:
        return None if flat is None or sizes is None else (sizes[0], *flat)

    return call("UnravelIndex", positions, (indices, dims), name=name, shape=shape_fn, differentiable=False)


def reverse_sequence(
    input: Any,
    seq_lengths: Any,
    seq_axis: int | None = None,
    batch_axis: int | None = None,
    name: str | None = None,
    seq_dim: int | None = None,
    batch_dim: int | None = None,
) -> Any:
    """Return slices whose first ``seq_lengths[k]`` elements along ``seq_axis`` are in reverse order."""
    along = int(seq_dim if seq_axis is None else seq_axis)  # type: ignore[arg-type]  # TypeError, as in TensorFlow
    batch = int((batch_dim if batch_axis is None else batch_axis) or 0)

    def turned(x: Any, lengths: Any) -> Any:
        lengths = array_of(lengths)
        if batch == along:
            raise ValueError(f"batch_dim == seq_dim == {along}")
        if lengths.shape != (x.shape[batch],):
            told = f"len(seq_lens) != input.dims({batch}), ({lengths.size} vs. {x.shape[batch]})"
            raise ValueError(f"Length of seq_lengths != input.dims({batch}): {told}")
        size = x.shape[along] if along >= 0 else 0  # TensorFlow does not count axes from the end here
        for k, length in enumerate(lengths.tolist()):
            if not 0 <= length <= size:
                raise ValueError(f"seq_lens({k}) < 0" if length < 0 else f"seq_lens({k}) > input.dims({along})")
        at = np.arange(x.shape[along])
        order = np.where(at < lengths[:, None], lengths[:, None] - 1 - at, at)
        index = [1] * x.ndim
        index[batch], index[along] = order.shape
        order = order if batch < along else order.T
        places = list(np.indices(x.shape, sparse=True))
        places[along] = order.reshape(index)
        return x[tuple(places)]

    def shape_fn(shape: Any, lengths: Any) -> Any:
        for who, given in (("batch_dim", batch), ("seq_dim", along)):
            if shape is not None and given >= len(shape):
                raise ValueError(f"{who} must be < input rank: {given} vs. {len(shape)}")
        if lengths is not None and len(lengths) != 1:
            raise ValueError(f"Shape must be rank 1 but is rank {len(lengths)}")
        if shape is None or lengths is None or batch < 0:
            return shape
        if None not in (lengths[0], shape[batch]) and lengths[0] != shape[batch]:
            raise ValueError(f"Dimensions must be equal, but are {shape[batch]} and {lengths[0]}")
        rows = shape_inference.merged(lengths, (shape[batch],)) or (None,)
        return (*shape[:batch], *rows, *shape[batch + 1 :])

    return call("ReverseSequence", turned, (input, seq_lengths), name=name, shape=shape_fn, same=False)


def where_v2(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Return the elements of ``x`` where the condition holds, else of ``y``, all three broadcast; else positions.

    Raises ValueError for only one of x and y. Source: ``tf.where_v2``.
    """
    if x is None and y is None:
        return places_where(condition, name)
    condition, x, y = choices("SelectV2", condition, x, y)
    return call(
        "SelectV2",
        lambda c, a, b: np.where(array_of(c), a, b),
        (condition, x, y),
        name=name,
        shape=shape_inference.broadcast,
        dtype=dtype_of(x),
        same=False,
    )


name_functions(__name__)


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    """Return the elements in reverse order along the axes; before TensorFlow 1.0 a bool for each axis said which."""
    if isinstance(axis, (list, tuple)) and axis and all(isinstance(each, (bool, np.bool_)) for each in axis):
        axis = [k for k, turned in enumerate(axis) if turned]

    def shape_fn(axes: Any, input_shape: Any) -> Any:
        if isinstance(axes, Tensor):
            check_vector(axes)
        if input_shape is not None and not isinstance(axes, Tensor):
            _check_reversed(axes, len(input_shape))
        elif isinstance(axes, Tensor) and input_shape is None:
            return None
        return input_shape

    def flipped(axes: Any, x: Any) -> Any:
        _check_reversed(axes, np.ndim(x))
        return np.flip(x, axes)

    return call_with("ReverseV2", [(axis, as_vector)], flipped, (tensor,), shape=shape_fn, name=name)


def _check_reversed(axes: Any, ndim: int) -> None:
    """Raise ValueError for an axis that is not there, or comes twice."""
    seen = set()
    for position, axis in enumerate(axes):
        if not -ndim <= axis < ndim:
            raise ValueError(f"'axis'[{position}] = {axis} is out of valid range [{-ndim}, {ndim - 1}]")
        if axis % ndim in seen:
            raise ValueError(f"axis {axis % ndim} specified more than once.")
        seen.add(axis % ndim)


reverse_v2 = reverse
