"""What pairs of integers are seeds of, as they are for operations whose values follow from such a pair alone."""

from __future__ import annotations

from typing import Any

from ..graph.run_values import array_of
from .random_sequences import SeededDraws

__all__ = ["check_pair", "draws_of", "mixed_pair"]

_WORD = 2**32 - 1
_KEYS, _STEPS = (0x3EC8F720, 0x02461E29), (0x9E3779B9, 0xBB67AE85)
_FACTORS = (0xD2511F53, 0xCD9E8D57)


def check_pair(shape: Any) -> None:
    """Raise ValueError for the shape of a seed that is not two integers."""
    if shape is not None and tuple(shape) not in ((2,), (None,)):
        raise ValueError(f"seed must have shape [2], not {list(shape)}")


def draws_of(pair: Any) -> SeededDraws:
    """Return the draws of a pair: those of an operation whose graph's and own seed are the mixed pair."""
    return SeededDraws(_mixed_numbers(pair))


def mixed_pair(pair: Any) -> tuple[int, int, int]:
    """Return the key and the two halves of the counter of TensorFlow's own numbers for a pair."""
    key, counter = _mixed_numbers(pair)
    return key, 0, counter


def _mixed_numbers(pair: Any) -> tuple[int, int]:
    numbers = array_of(pair)
    check_pair(numbers.shape)
    words = [word for number in numbers.tolist() for word in (number & _WORD, number >> 32 & _WORD)]
    first, second, third, fourth = _mixed(words)
    return first | second << 32, third | fourth << 32


def _mixed(words: list[int]) -> list[int]:
    """Return four words mixed by ten rounds of Philox (Salmon and others, 2011), with TensorFlow's key."""
    a, b, c, d = words
    for turn in range(10):
        keys = [key + turn * step & _WORD for key, step in zip(_KEYS, _STEPS, strict=True)]
        left, right = a * _FACTORS[0], c * _FACTORS[1]
        a, b, c, d = right >> 32 ^ b ^ keys[0], right & _WORD, left >> 32 ^ d ^ keys[1], left & _WORD
    return [a, b, c, d]
