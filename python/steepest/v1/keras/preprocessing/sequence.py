"""``tf.keras.preprocessing.sequence``: lists of one length, and pairs of words that stand near each other."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...graph.missing import namespace

__all__ = ["make_sampling_table", "pad_sequences", "skipgrams"]

_EULER = 0.577  # the constant of Euler and Mascheroni, as far as Keras takes it


def pad_sequences(
    sequences: Sequence[Any],
    maxlen: int | None = None,
    dtype: Any = "int32",
    padding: str = "pre",
    truncating: str = "pre",
    value: Any = 0.0,
) -> np.ndarray:
    """Return lists as the rows of an array: short ones are filled up, of long ones a part is left out.

    Args:
        maxlen: the rows' length, by default the longest list's.
        padding: whether ``value`` comes before a short list, "pre", or behind it, "post".
        truncating: whether the beginning of a long list is left out, "pre", or its end, "post".

    Raises ValueError for what is no list of lists, for items of several shapes, and for other words.

    Example:
        >>> from steepest import v1 as tf
        >>> tf.keras.preprocessing.sequence.pad_sequences([[1], [2, 3, 4]], maxlen=2)
        array([[0, 1],
               [3, 4]], dtype=int32)

    Source: ``tf.keras.preprocessing.sequence.pad_sequences``.
    """
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    for each in sequences:
        if not hasattr(each, "__len__"):
            raise ValueError(f"`sequences` must be a list of iterables. Found non-iterable: {each}")
    if isinstance(value, str) and np.dtype(dtype).kind not in "OU":
        raise ValueError(
            f"`dtype` {dtype} is not compatible with `value`'s type: {type(value)}\n"
            "You should set `dtype=object` for variable length strings."
        )
    length = max(map(len, sequences)) if maxlen is None else maxlen
    shape = next((np.asarray(each).shape[1:] for each in sequences if len(each)), ())
    out = np.full((len(sequences), length, *shape), value, dtype=dtype)
    for place, each in enumerate(sequences):
        if not len(each):
            continue
        if truncating not in ("pre", "post"):
            raise ValueError(f'Truncating type "{truncating}" not understood')
        part = np.asarray(each[-length:] if truncating == "pre" else each[:length], dtype=dtype)
        if part.shape[1:] != shape:
            raise ValueError(
                f"Shape of sample {part.shape[1:]} of sequence at position {place} is different from expected shape "
                f"{shape}"
            )
        if padding not in ("pre", "post"):
            raise ValueError(f'Padding type "{padding}" not understood')
        out[place, slice(-len(part), None) if padding == "pre" else slice(len(part))] = part
    return out


def make_sampling_table(size: int, sampling_factor: float = 1e-5) -> np.ndarray:
    """Return with what probability words of the ranks 0 to ``size - 1`` are to be kept, for `skipgrams`.

    By Zipf's law the word of rank r comes ``1 / (r (log r + gamma) + 1/2 - 1/(12 r))`` times; a word of frequency f is
    kept with ``min(1, sqrt(sampling_factor / f))``.

    Source: ``tf.keras.preprocessing.sequence.make_sampling_table``.
    """
    rank = np.arange(size)
    rank[0] = 1
    share = sampling_factor * (rank * (np.log(rank) + _EULER) + 0.5 - 1.0 / (12.0 * rank))
    return np.minimum(1.0, share / np.sqrt(share))


def skipgrams(
    sequence: Sequence[int],
    vocabulary_size: int,
    window_size: int = 4,
    negative_samples: float = 1.0,
    shuffle: bool = True,
    categorical: bool = False,
    sampling_table: Any = None,
    seed: int | None = None,
) -> tuple[list[list[int]], list[Any]]:
    """Return pairs of words with 1 where the second stands near the first, and pairs with any word, with 0.

    Args:
        sequence: the words' numbers; 0 is none.
        vocabulary_size: numbers are below it.
        window_size: how far apart words of a pair may be.
        negative_samples: how many pairs with any word there are, as a share of the others.
        categorical: 1 and 0 are ``[0, 1]`` and ``[1, 0]``.
        sampling_table: with what probability words are kept as first ones: see `make_sampling_table`.
        seed: by which the pairs are shuffled; the draws are those of Python's own generator.

    Source: ``tf.keras.preprocessing.sequence.skipgrams``.
    """
    near, far = ([0, 1], [1, 0]) if categorical else (1, 0)
    couples = [
        [word, sequence[other]]
        for place, word in enumerate(sequence)
        if word and (sampling_table is None or sampling_table[word] >= random.random())
        for other in range(max(0, place - window_size), min(len(sequence), place + window_size + 1))
        if other != place and sequence[other]
    ]
    labels: list[Any] = [near] * len(couples)
    if negative_samples > 0:
        count = int(len(labels) * negative_samples)
        words = [word for word, _ in couples]
        random.shuffle(words)
        couples += [[words[k % len(words)], random.randint(1, vocabulary_size - 1)] for k in range(count)]
        labels += [far] * count
    if shuffle:
        seed = random.randint(0, 10_000_000) if seed is None else seed
        for each in (couples, labels):
            random.seed(seed)
            random.shuffle(each)
    return couples, labels


def _remove_long_seq(maxlen: int, seq: Sequence[Any], label: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return the lists that are shorter than ``maxlen``, and their labels: programs call it."""
    kept = [k for k, each in enumerate(seq) if len(each) < maxlen]
    return [seq[k] for k in kept], [label[k] for k in kept]


__getattr__, __dir__ = namespace(__name__)
