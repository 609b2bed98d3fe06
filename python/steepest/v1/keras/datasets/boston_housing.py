"""``tf.keras.datasets.boston_housing``: 506 suburbs by 13 numbers, and what houses cost there."""

from __future__ import annotations

import numpy as np

from ...graph.missing import namespace
from ..files import get_file
from .sources import FOLDER, Parts, in_parts, shuffled

__all__ = ["load_data"]

_HASH = "f553886a1f8d56431e820c5b82552d9d95cfcb96d1e678153f8839538947dff5"


def load_data(path: str = "boston_housing.npz", test_split: float = 0.2, seed: int = 113) -> Parts:
    """Return float64 rows [404, 13] with their prices in 1,000 dollars, and the other 102 for testing.

    Args:
        path: the file's name in ``~/.keras/datasets``.
        test_split: the share of the rows for testing, below 1.
        seed: of NumPy's generator, by which the rows are shuffled.

    Source: ``tf.keras.datasets.boston_housing.load_data``.
    """
    assert 0 <= test_split < 1  # as in Keras
    with np.load(get_file(path, origin=f"{FOLDER}boston_housing.npz", file_hash=_HASH)) as arrays:
        x, y = shuffled(seed, (arrays["x"], arrays["y"]))
    return in_parts(x, y, int(len(x) * (1 - test_split)))


__getattr__, __dir__ = namespace(__name__)
