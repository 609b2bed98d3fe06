"""``tf.keras.datasets.mnist``: 70,000 handwritten digits of 28 x 28 pixels."""

from __future__ import annotations

import numpy as np

from ...graph.missing import namespace
from ..files import get_file
from .sources import FOLDER, Parts

__all__ = ["load_data"]

_HASH = "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1"


def load_data(path: str = "mnist.npz") -> Parts:
    """Return uint8 images [60,000, 28, 28] with their digits, and 10,000 others for testing.

    Args:
        path: the file's name in ``~/.keras/datasets``.

    Source: ``tf.keras.datasets.mnist.load_data``.
    """
    with np.load(get_file(path, origin=f"{FOLDER}mnist.npz", file_hash=_HASH)) as arrays:
        return (arrays["x_train"], arrays["y_train"]), (arrays["x_test"], arrays["y_test"])


__getattr__, __dir__ = namespace(__name__)
