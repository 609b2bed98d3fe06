"""Blocks of pixels moved into channels or batches, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.arguments import as_list, as_sizes, call_with
from ..graph.build import call, convert
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor
from ..graph.run_values import array_of

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
    """Return each block of pixels as the channels of one pixel."""
    _only_nhwc(data_format)

    def moved(x: Any) -> Any:
        n, h, w, c = x.shape
        blocks = np.reshape(x, (n, h // block_size, block_size, w // block_size, block_size, c))
        return np.reshape(np.transpose(blocks, (0, 1, 3, 2, 4, 5)), (n, h // block_size, w // block_size, -1))

    return call("SpaceToDepth", moved, (input,), name=name)


def depth_to_space(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Any:
    """Return the channels of each pixel as a block of pixels."""
    _only_nhwc(data_format)

    def moved(x: Any) -> Any:
        n, h, w, c = x.shape
        blocks = np.reshape(x, (n, h, w, block_size, block_size, c // block_size**2))
        return np.reshape(np.transpose(blocks, (0, 1, 3, 2, 4, 5)), (n, h * block_size, w * block_size, -1))

    return call("DepthToSpace", moved, (input,), name=name)


def _only_nhwc(data_format: str) -> None:
    if data_format != "NHWC":
        raise NotImplementedError(f"data_format must be NHWC, got {data_format}")


def space_to_batch_nd(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Any:
    """Return the pixels at each place of blocks as images of their own, along the first axis."""

    def moved(block: Any, margins: Any, x: Any) -> Any:
        m = len(block)
        x = np.pad(x, [(0, 0), *map(tuple, margins), *[(0, 0)] * (x.ndim - 1 - m)])
        inner = [part for size, b in zip(x.shape[1 : m + 1], block, strict=True) for part in (size // b, b)]
        blocks = np.reshape(x, (x.shape[0], *inner, *x.shape[m + 1 :]))
        order = [*range(2, 2 * m + 1, 2), 0, *range(1, 2 * m, 2), *range(2 * m + 1, blocks.ndim)]
        sizes = [size // b for size, b in zip(x.shape[1 : m + 1], block, strict=True)]
        return np.reshape(np.transpose(blocks, order), (-1, *sizes, *x.shape[m + 1 :]))

    arguments = [(block_shape, as_sizes), (paddings, as_list)]
    return call_with("SpaceToBatchND", arguments, moved, (input,), shape=_unknown_sizes, name=name)


def batch_to_space_nd(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Any:
    """Return images that are the places of blocks as the pixels of larger images."""

    def moved(block: Any, margins: Any, x: Any) -> Any:
        m, batch = len(block), x.shape[0] // int(np.prod(block))
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
    return call_with("BatchToSpaceND", arguments, moved, (input,), shape=_unknown_sizes, name=name)


def space_to_batch(
    input: Any, paddings: Any, block_size: int | None = None, name: str | None = None, block_shape: int | None = None
) -> Any:
    """Do what `space_to_batch_nd` does with square blocks of images; ``block_shape`` is another name of their size."""
    return space_to_batch_nd(input, _square("space_to_batch", block_size, block_shape), paddings, name)


def batch_to_space(
    input: Any, crops: Any, block_size: int | None = None, name: str | None = None, block_shape: int | None = None
) -> Any:
    """Do what `batch_to_space_nd` does with square blocks of images; ``block_shape`` is another name of their size."""
    return batch_to_space_nd(input, _square("batch_to_space", block_size, block_shape), crops, name)


def _square(who: str, size: int | None, again: int | None) -> list[int | None]:
    if (size is None) == (again is None):
        raise ValueError(f"{who}: give one of block_size and block_shape, got {size!r} and {again!r}")
    return [size, size] if again is None else [again, again]


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
    shapes = [None if tensors[1]._shape is None else (tensors[1]._shape[0], 2)] * 2
    paddings, crops = call(
        "RequiredPaddings", needed, tensors, name=name, shape=shapes, dtype=["int32", "int32"], outputs=2, same=False
    )
    return paddings, crops


def _unknown_sizes(block: Any, margins: Any, shape: Any) -> Any:
    known = shape is not None and not isinstance(block, Tensor)
    return (*[None] * (len(block) + 1), *shape[len(block) + 1 :]) if known else None
