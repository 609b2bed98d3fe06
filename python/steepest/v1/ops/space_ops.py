"""Blocks of pixels moved into channels or batches, and back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph.arguments import as_list, as_sizes, call_with
from ..graph.build import call, convert
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..graph.static_values import constant_value

__all__ = [
    "batch_to_space",
    "batch_to_space_nd",
    "depth_to_space",
    "required_space_to_batch_paddings",
    "space_to_batch",
    "space_to_batch_nd",
    "space_to_depth",
]


def space_to_depth(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Any:
    """Return each block of pixels as the channels of one pixel.

    Raises InvalidArgumentError, in a run, for channels that are not last; ValueError for another layout.
    """

    def shape_fn(x: Any) -> Any:
        n, h, w, c = _image_sizes(x, block_size)
        return n, _quotient(h, block_size), _quotient(w, block_size), None if c is None else c * block_size**2

    def moved(x: Any) -> Any:
        n, high, wide, channels = shape_fn(x.shape)
        blocks = np.reshape(x, (n, high, block_size, wide, block_size, x.shape[3]))
        return np.reshape(np.transpose(blocks, (0, 1, 3, 2, 4, 5)), (n, high, wide, channels))

    return _of_layout("SpaceToDepth", moved, shape_fn, data_format, input, name)


def depth_to_space(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Any:
    """Return the channels of each pixel as a block of pixels. Raises as `space_to_depth`."""

    def shape_fn(x: Any) -> Any:
        n, h, w, c = _image_sizes(x, block_size)
        high, wide = (None if size is None else size * block_size for size in (h, w))
        return n, high, wide, _quotient(c, block_size**2)

    def moved(x: Any) -> Any:
        n, high, wide, channels = shape_fn(x.shape)
        blocks = np.reshape(x, (*x.shape[:3], block_size, block_size, channels))
        return np.reshape(np.transpose(blocks, (0, 1, 3, 2, 4, 5)), (n, high, wide, channels))

    return _of_layout("DepthToSpace", moved, shape_fn, data_format, input, name)


def _image_sizes(shape: Any, block_size: int) -> Any:
    """Return the sizes of images, None for unknown ones. Raises ValueError for other ranks, and for tiny blocks."""
    if block_size < 2:
        raise ValueError(f"Block size should be > 1, but was: {block_size}")
    if shape is not None and len(shape) != 4:
        raise ValueError(f"Shape must be rank 4 but is rank {len(shape)}")
    return (None,) * 4 if shape is None else shape


def _quotient(size: int | None, parts: int) -> int | None:
    if size is not None and size % parts:
        raise ValueError(f"Dimension size must be evenly divisible by {parts} but is {size}")
    return None if size is None else size // parts


def _of_layout(op_type: str, moved: Any, shape_fn: Any, data_format: str, input: Any, name: str | None) -> Any:
    """Return the node; one whose channels come first has a shape and, as TensorFlow's on a CPU, no kernel."""
    if data_format == "NHWC":
        return call(op_type, moved, (input,), name=name, shape=shape_fn)
    if data_format == "NCHW_VECT_C":
        raise NotImplementedError(f"data_format must be NHWC or NCHW, got {data_format}")
    if data_format != "NCHW":
        words = f"Attr 'data_format' of '{op_type}' Op passed string {data_format!r} not in"
        raise ValueError(f'{words}: "NHWC", "NCHW", "NCHW_VECT_C".')

    def refused(x: Any) -> Any:
        why = f"No OpKernel was registered to support Op '{op_type}' used by {name or op_type}"
        raise InvalidArgumentError(None, None, f"{why}: Only NHWC data_format supported on CPU. Got NCHW")

    def channels_first(shape: Any) -> Any:
        n, h, w, c = shape_fn(None if shape is None else (shape[0], *shape[2:], shape[1]))
        return n, c, h, w

    return call(op_type, refused, (input,), name=name, shape=channels_first)


def space_to_batch_nd(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Any:
    """Return the pixels at each place of blocks as images of their own, along the first axis."""

    def moved(block: Any, margins: Any, x: Any) -> Any:
        m = len(block)
        _padded_sizes(block, margins, x.shape)
        x = np.pad(x, [(0, 0), *map(tuple, margins), *[(0, 0)] * (x.ndim - 1 - m)])
        inner = [part for size, b in zip(x.shape[1 : m + 1], block, strict=True) for part in (size // b, b)]
        blocks = np.reshape(x, (x.shape[0], *inner, *x.shape[m + 1 :]))
        order = [*range(2, 2 * m + 1, 2), 0, *range(1, 2 * m, 2), *range(2 * m + 1, blocks.ndim)]
        sizes = [size // b for size, b in zip(x.shape[1 : m + 1], block, strict=True)]
        return np.reshape(np.transpose(blocks, order), (-1, *sizes, *x.shape[m + 1 :]))

    arguments = [(block_shape, as_sizes), (paddings, as_list)]
    return call_with("SpaceToBatchND", arguments, moved, (input,), shape=_padded_sizes, name=name)


def batch_to_space_nd(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Any:
    """Return images that are the places of blocks as the pixels of larger images."""

    def moved(block: Any, margins: Any, x: Any) -> Any:
        m, batch = len(block), _cropped_sizes(block, margins, x.shape)[0]
        blocks = np.reshape(x, (*block, batch, *x.shape[1:]))
        pairs = [axis for k in range(m) for axis in (m + 1 + k, k)]
        sizes = [size * b for size, b in zip(x.shape[1 : m + 1], block, strict=True)]
        whole = np.reshape(
            np.transpose(blocks, [m, *pairs, *range(2 * m + 1, blocks.ndim)]), (batch, *sizes, *x.shape[m + 1 :])
        )
        inside = tuple(slice(low, size - high) for size, (low, high) in zip(sizes, margins, strict=True))
        places = (slice(None), *inside)
        return whole[places]

    arguments = [(block_shape, as_sizes), (crops, as_list)]
    return call_with("BatchToSpaceND", arguments, moved, (input,), shape=_cropped_sizes, name=name)


def space_to_batch(
    input: Any, paddings: Any, block_size: int | None = None, name: str | None = None, block_shape: int | None = None
) -> Any:
    """Do what `space_to_batch_nd` does with square blocks of images; ``block_shape`` is another name of their size."""
    return _of_images(space_to_batch_nd(input, _square("space_to_batch", block_size, block_shape), paddings, name))


def batch_to_space(
    input: Any, crops: Any, block_size: int | None = None, name: str | None = None, block_shape: int | None = None
) -> Any:
    """Do what `batch_to_space_nd` does with square blocks of images; ``block_shape`` is another name of their size."""
    return _of_images(batch_to_space_nd(input, _square("batch_to_space", block_size, block_shape), crops, name))


def _of_images(result: Any) -> Any:
    """Return a result that is known to have images' four axes. Raises ValueError where it has others."""
    shape = result.get_shape().with_rank(4)
    if not executing_eagerly():
        result.set_shape(shape)
    return result


def _square(who: str, size: int | None, again: int | None) -> list[int | None]:
    if (size is None) == (again is None):
        raise ValueError(f"{who}: give one of block_size and block_shape, got {size!r} and {again!r}")
    side = again if size is None else size
    if isinstance(side, int) and side < 2:
        raise ValueError(f"Block size should be > 1, but was: {side}")
    return [side, side]


def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: str | None = None
) -> tuple[Any, Any]:
    """Return the paddings that blocks need to divide the sizes, and the crops that undo them."""

    def needed(sizes: Any, block: Any, *base: Any) -> Any:
        sizes, block = array_of(sizes), array_of(block)
        margins = array_of(base[0]) if base else np.zeros((block.size, 2), block.dtype)
        more = -(sizes + margins.sum(axis=1)) % block
        zeros = np.zeros_like(more)
        after = margins[:, 1] + more
        pairs = np.stack([margins[:, 0], after], axis=1), np.stack([zeros, more], axis=1)
        return pairs[0].astype(sizes.dtype), pairs[1].astype(sizes.dtype)

    inputs = (input_shape, block_shape, *(() if base_paddings is None else (base_paddings,)))
    if executing_eagerly():
        return tuple(call("RequiredPaddings", needed, inputs))
    tensors = [convert(value, None if hasattr(value, "dtype") else "int32") for value in inputs]
    known = list(map(constant_value, tensors))
    if all(value is not None for value in known):
        with name_scope(name, "required_space_to_batch_paddings"):
            first, second = needed(*known)
            return convert(first.astype(np.int32), name="paddings"), convert(second.astype(np.int32), name="crops")
    shapes = [None if tensors[1]._shape is None else (tensors[1]._shape[0], 2)] * 2
    paddings, crops = call(
        "RequiredPaddings", needed, tensors, name=name, shape=shapes, dtype=["int32", "int32"], outputs=2, same=False
    )
    return paddings, crops


def _padded_sizes(block: Any, margins: Any, shape: Any) -> Any:
    """Return the sizes of padded images cut into blocks. Raises ValueError where blocks do not divide them."""
    m, sides, pairs = _checked_blocks(block, margins, shape, "paddings")
    if shape is None:
        return None
    whole = shape[0]
    for b in sides:
        if None not in (whole, b) and whole * b > np.iinfo(np.int64).max:
            raise ValueError(f"Negative dimension size caused by overflow when multiplying {whole} and {b}")
        whole = None if None in (whole, b) else whole * b
    sizes = [
        None if None in (size, b, pair) else _quotient(size + pair[0] + pair[1], b)
        for size, b, pair in zip(shape[1:], sides, pairs, strict=False)
    ]
    return (whole, *sizes, *shape[1 + m :])


def _cropped_sizes(block: Any, margins: Any, shape: Any) -> Any:
    """Return the sizes of images put together of blocks and cropped. Raises ValueError for too large crops."""
    m, sides, pairs = _checked_blocks(block, margins, shape, "crops")
    if shape is None:
        return None
    sizes: list[int | None] = []
    for size, b, pair in zip(shape[1:], sides, pairs, strict=False):
        left = None if None in (size, b, pair) else size * b - pair[0] - pair[1]
        if left is not None and left < 0:
            raise ValueError(f"Negative dimension size caused by subtracting {pair[0] + pair[1]} from {size * b}")
        sizes.append(left)
    batch = None if None in (shape[0], *sides) else _quotient(shape[0], math.prod(sides))
    return (batch, *sizes, *shape[1 + m :])


def _checked_blocks(block: Any, margins: Any, shape: Any, which: str) -> tuple[int, list[Any], list[Any]]:
    """Return how many axes blocks have, and for each its size and margins, None where they are not known.

    Raises ValueError for images of too few axes, blocks without elements and negative margins.
    """
    unknown = isinstance(block, Tensor)
    count = (block._shape or (None,))[0] if unknown else len(block)
    if count is None:
        count = 0 if shape is None else len(shape) - 1
    if shape is not None and len(shape) < count + 1:
        raise ValueError(f"Shape must be at least rank {count + 1} but is rank {len(shape)}")
    sides = [None] * count if unknown else list(block)
    if any(b is not None and b < 1 for b in sides):
        raise ValueError("block_shape must be positive")
    pairs = [None] * count if isinstance(margins, Tensor) else list(margins)
    if len(pairs) != count or any(pair is not None and len(pair) != 2 for pair in pairs):
        raise ValueError(f"{which} should have shape [{count},2], got {len(pairs)} rows")
    if any(pair is not None and min(pair) < 0 for pair in pairs):
        raise ValueError(f"{which} cannot be negative")
    return count, sides, pairs
