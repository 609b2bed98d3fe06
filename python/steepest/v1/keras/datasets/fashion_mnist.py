"""``tf.keras.datasets.fashion_mnist``: 70,000 pieces of clothing of 28 x 28 pixels, in ten classes."""

from __future__ import annotations

import gzip
import os

import numpy as np

from ...graph.missing import namespace
from ..files import get_file
from .sources import FOLDER, Parts

__all__ = ["load_data"]


def load_data() -> Parts:
    """Return uint8 images [60,000, 28, 28] with their classes, and 10,000 others for testing.

    Source: ``tf.keras.datasets.fashion_mnist.load_data``.
    """
    return _part("train"), _part("t10k")


def _part(name: str) -> tuple[np.ndarray, np.ndarray]:
    labels = np.frombuffer(_bytes(f"{name}-labels-idx1-ubyte.gz"), np.uint8, offset=8)
    images = np.frombuffer(_bytes(f"{name}-images-idx3-ubyte.gz"), np.uint8, offset=16)
    return images.reshape(len(labels), 28, 28), labels


def _bytes(name: str) -> bytes:
    path = get_file(name, origin=FOLDER + name, cache_subdir=os.path.join("datasets", "fashion-mnist"))
    with gzip.open(path) as file:
        return file.read()


__getattr__, __dir__ = namespace(__name__)
