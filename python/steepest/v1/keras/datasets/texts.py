"""Texts as lists of the ranks of their words: which words are kept, and what stands for the others."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ...graph import log
from ..files import get_file
from ..preprocessing.sequence import _remove_long_seq
from .sources import FOLDER, Parts, in_parts

__all__ = ["arrays_of", "in_lists", "limited", "number_of_words", "word_index"]


def arrays_of(path: str, name: str, file_hash: str) -> Any:
    """Return the arrays of a file, which hold lists; its hash is checked, since lists are objects of Python's."""
    return np.load(get_file(path, origin=FOLDER + name, file_hash=file_hash), allow_pickle=True)


def word_index(path: str, name: str, file_hash: str) -> Any:
    """Return the words' ranks."""
    with open(get_file(path, origin=FOLDER + name, file_hash=file_hash)) as file:
        return json.load(file)


def number_of_words(num_words: int | None, renamed: dict[str, Any]) -> int | None:
    """Return the number of words, which old programs call ``nb_words``; TypeError for other arguments."""
    if "nb_words" in renamed:
        log.warning("The `nb_words` argument in `load_data` has been renamed `num_words`.")
        num_words = renamed.pop("nb_words")
    if renamed:
        raise TypeError(f"Unrecognized keyword arguments: {renamed}")
    return num_words


def limited(
    texts: Any,
    labels: Any,
    num_words: int | None,
    skip_top: int,
    maxlen: int | None,
    start_char: int | None,
    oov_char: int | None,
    index_from: int,
) -> tuple[list[list[int]], Any]:
    """Return texts without what is not kept, and their labels. Raises ValueError where no text is short enough.

    Args:
        num_words: ranks from here on are not kept; all are by default.
        skip_top: lower ranks are not kept either.
        maxlen: texts of this length and longer ones are left out.
        start_char: what begins each text, None for nothing.
        oov_char: what stands for words that are not kept, None for nothing.
        index_from: what is added to each rank.
    """
    start = [] if start_char is None else [start_char]
    xs = [start + [word + index_from for word in text] for text in texts]
    if maxlen:
        xs, labels = _remove_long_seq(maxlen, xs, labels)
        if not xs:
            raise ValueError(
                f"After filtering for sequences shorter than maxlen={maxlen}, no sequence was kept. Increase maxlen."
            )
    end = num_words or max(max(text) for text in xs)
    if oov_char is not None:
        return [[word if skip_top <= word < end else oov_char for word in text] for text in xs], labels
    return [[word for word in text if skip_top <= word < end] for text in xs], labels


def in_lists(xs: list[list[int]], labels: Any, count: int) -> Parts:
    """Return the first ``count`` texts as an array of lists, with their labels, and the others."""
    texts = np.empty(len(xs), object)
    texts[:] = xs
    return in_parts(texts, np.asarray(labels), count)
