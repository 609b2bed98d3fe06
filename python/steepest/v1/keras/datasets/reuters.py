"""``tf.keras.datasets.reuters``: 11,228 news as ranks of words, in 46 classes."""

from __future__ import annotations

from typing import Any

from ...graph.missing import namespace
from . import texts
from .sources import Parts, shuffled

__all__ = ["get_word_index", "load_data"]

_HASH = "d6586e694ee56d7a4e65172e12b3e987c03096cb01eab99753921ef915959916"
_WORDS_HASH = "4d44cc38712099c9e383dc6e5f11a921"


def load_data(
    path: str = "reuters.npz",
    num_words: int | None = None,
    skip_top: int = 0,
    maxlen: int | None = None,
    test_split: float = 0.2,
    seed: int = 113,
    start_char: int | None = 1,
    oov_char: int | None = 2,
    index_from: int = 3,
    **kwargs: Any,
) -> Parts:
    """Return news, each a list of ranks, with their classes, and a share of others for testing.

    Of the arguments `steepest.v1.keras.datasets.texts.limited` tells. Source: ``tf.keras.datasets.reuters.load_data``.
    """
    num_words = texts.number_of_words(num_words, kwargs)
    with texts.arrays_of(path, "reuters.npz", _HASH) as arrays:
        x, y = shuffled(seed, (arrays["x"], arrays["y"]))
    xs, labels = texts.limited(x, y, num_words, skip_top, maxlen, start_char, oov_char, index_from)
    return texts.in_lists(xs, labels, int(len(xs) * (1 - test_split)))


def get_word_index(path: str = "reuters_word_index.json") -> dict[str, int]:
    """Return the words' ranks, from 1. Source: ``tf.keras.datasets.reuters.get_word_index``."""
    found: dict[str, int] = texts.word_index(path, "reuters_word_index.json", _WORDS_HASH)
    return found


__getattr__, __dir__ = namespace(__name__)
