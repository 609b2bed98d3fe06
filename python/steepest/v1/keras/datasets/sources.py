"""What the sets of examples share: where their files are, and their order."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["FOLDER", "Parts", "in_parts", "shuffled"]

FOLDER = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
"""Where the files of most sets are."""

Parts = tuple[tuple[Any, Any], tuple[Any, Any]]
"""Inputs and targets for training, and for testing."""


def shuffled(seed: int, *pairs: tuple[Any, Any]) -> list[Any]:
    """Return pairs of arrays, the rows of each in one random order, drawn for one pair after the other.

    As in Keras, the seed is that of NumPy's own generator from then on.
    """
    np.random.seed(seed)  # noqa: NPY002  # programs go on with its numbers
    found: list[Any] = []
    for x, y in pairs:
        order = np.arange(len(x))
        np.random.shuffle(order)  # noqa: NPY002
        found += [x[order], y[order]]
    return found


def in_parts(x: Any, y: Any, count: int) -> Parts:
    """Return the first ``count`` rows, and the others."""
    return (np.array(x[:count]), np.array(y[:count])), (np.array(x[count:]), np.array(y[count:]))
