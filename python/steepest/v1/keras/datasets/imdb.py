"""``tf.keras.datasets.imdb``: 50,000 reviews of films as ranks of words, and whether they praise."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph.missing import namespace
from . import texts
from .sources import Parts, shuffled

__all__ = ["get_word_index", "load_data"]

_HASH = "69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f"
_WORDS_HASH = "bfafd718b763782e994055a2d397834f"


def load_data(
    path: str = "imdb.npz",
    num_words: int | None = None,
    skip_top: int = 0,
    maxlen: int | None = None,
    seed: int = 113,
    start_char: int | None = 1,
    oov_char: int | None = 2,
    index_from: int = 3,
    **kwargs: Any,
) -> Parts:
    """Return reviews, each a list of ranks, with 1 for praise and 0, and as many others for testing.

    Of the arguments `steepest.v1.keras.datasets.texts.limited` tells. Source: ``tf.keras.datasets.imdb.load_data``.
    """
    num_words = texts.number_of_words(num_words, kwargs)
    with texts.arrays_of(path, "imdb.npz", _HASH) as arrays:
        x_train, y_train, x_test, y_test = shuffled(
            seed, (arrays["x_train"], arrays["y_train"]), (arrays["x_test"], arrays["y_test"])
        )
    count = len(x_train)
    xs, labels = texts.limited(
        np.concatenate([x_train, x_test]),
        np.concatenate([y_train, y_test]),
        num_words,
        skip_top,
        maxlen,
        start_char,
        oov_char,
        index_from,
    )
    return texts.in_lists(xs, labels, count)


def get_word_index(path: str = "imdb_word_index.json") -> dict[str, int]:
    """Return the words' ranks, from 1. Source: ``tf.keras.datasets.imdb.get_word_index``."""
    found: dict[str, int] = texts.word_index(path, "imdb_word_index.json", _WORDS_HASH)
    return found


__getattr__, __dir__ = namespace(__name__)
