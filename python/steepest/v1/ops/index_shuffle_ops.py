"""Where an index comes to be when a whole range is shuffled, found without the range: TensorFlow's own numbers.

R. Beaulieu and others, The Simon and Speck lightweight block ciphers, 2013; TensorFlow's ``random_index_shuffle.cc``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import call, dtype_of
from ..graph.run_values import array_of
from .pad_ops import pad
from .sparse_ops import convert_to_tensor

__all__ = ["index_shuffle", "random_index_shuffle"]

_THIRD = 498247692  # what TensorFlow puts before the two integers of a seed
_CONSTANTS, _LEAST_BITS = (0xFFFFFFFC, 0x7369F885192C0EF5), 16


def index_shuffle(index: Any, seed: Any, max_index: Any) -> Any:
    """Return where an index of the range from 0 to ``max_index`` comes to be when this is shuffled.

    Args:
        index: an integer, or n.
        seed: two integers, [2] or [2, n].
        max_index: an integer, or n.

    Raises InvalidArgumentError for negative ones, and for an index beyond the last one.
    Source: ``tf.random.experimental.index_shuffle``.
    """
    key = convert_to_tensor(seed)
    widths = [[1, 0]] + [[0, 0]] * ((key.shape.ndims or 1) - 1)
    return random_index_shuffle(index, pad(key, widths, constant_values=_THIRD), max_index)


def random_index_shuffle(index: Any, seed: Any, max_index: Any, rounds: int = 4, name: str | None = None) -> Any:
    """Return what `index_shuffle` does, of three integers, [3] or [3, n], and an even number of rounds, at least 4."""
    index = convert_to_tensor(index)
    inputs = (index, convert_to_tensor(seed), convert_to_tensor(max_index, dtype_of(index)))

    def shuffled(given: Any, key: Any, most: Any) -> Any:
        where, last, keys = array_of(given), array_of(most), array_of(key)
        for wrong, words in (
            ((where < 0).any(), "index must be >= 0"),
            ((last < 0).any(), "max_index must be >= 0"),
            ((where > last).any(), "max_index must be >= index"),
        ):
            if wrong:
                raise ValueError(words)
        if keys.ndim not in (1, 2) or keys.shape[0] != 3:
            raise ValueError(f"Seed must be a vector of size [3] or a matrix of size [3, n] but got {list(keys.shape)}")
        shape = np.broadcast_shapes(where.shape, last.shape, keys.shape[1:])
        keys = np.broadcast_to(keys.astype(np.int64).reshape(3, *keys.shape[1:] or (1,) * len(shape)), (3, *shape))
        values, limits = (np.broadcast_to(each, shape).reshape(-1).astype(np.uint64) for each in (where, last))
        return _shuffled(values, keys.reshape(3, -1), limits, rounds).reshape(shape).astype(where.dtype)

    def shape_fn(given: Any, key: Any, most: Any) -> Any:
        known = [given, most, key if key is None else key[1:]]
        return max((each for each in known if each is not None), key=len) if None not in known else None

    return call("RandomIndexShuffle", shuffled, inputs, name=name, shape=shape_fn, same=False, differentiable=False)


def _shuffled(values: Any, keys: Any, limits: Any, rounds: int) -> Any:
    """Return the values encrypted, again and again until they are within the limits."""
    bits = np.ceil(np.log2(np.maximum(limits, 1).astype(np.float64))).astype(np.int64)
    half = (np.maximum(bits + bits % 2, _LEAST_BITS) // 2).astype(np.uint64)
    mask = (np.uint64(1) << half) - np.uint64(1)
    steps = _schedule(keys.astype(np.uint64) & mask, half, mask, rounds)
    result, left = values.copy(), np.arange(len(values))
    while left.size:
        result[left] = _encrypted(result[left], [step[left] for step in steps], half[left], mask[left])
        left = left[result[left] > limits[left]]
    return result


def _turned(x: Any, by: int, half: Any, mask: Any) -> Any:
    """Return words of some bits turned to the left."""
    return (x << np.uint64(by) | x >> half - np.uint64(by)) & mask


def _schedule(keys: Any, half: Any, mask: Any, rounds: int) -> list[Any]:
    constant, bits = (np.uint64(each) & mask for each in _CONSTANTS)
    steps = list(keys)
    for k in range(3, rounds):
        last = steps[k - 1]
        third, fourth = (last >> np.uint64(by) | last << half - np.uint64(by) & mask for by in (3, 4))
        steps.append(constant ^ bits & np.uint64(1) ^ steps[k - 3] ^ third ^ fourth)
        bits = bits >> np.uint64(1)
    return steps


def _encrypted(values: Any, steps: list[Any], half: Any, mask: Any) -> Any:
    left, right = values >> half & mask, values & mask
    for first, second in zip(steps[::2], steps[1::2], strict=True):
        for step in (first, second):
            mixed = _turned(right, 1, half, mask) & _turned(right, 8, half, mask) ^ _turned(right, 2, half, mask)
            left, right = right, left ^ mixed ^ step
    return left << half | right
