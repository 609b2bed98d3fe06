"""``tf.keras.datasets.cifar10``: 60,000 coloured images of 32 x 32 pixels, in ten classes."""

from __future__ import annotations

import numpy as np

from ...graph.missing import namespace
from .cifar import load_batches
from .sources import Parts

__all__ = ["load_data"]

_HASH = "6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce"


def load_data() -> Parts:
    """Return uint8 images [50,000, 32, 32, 3] with their classes [50,000, 1], and 10,000 others for testing.

    Source: ``tf.keras.datasets.cifar10.load_data``.
    """
    return _part([f"data_batch_{number}" for number in range(1, 6)]), _part(["test_batch"])


def _part(names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    images, labels = load_batches("cifar-10-batches-py", "cifar-10-python.tar.gz", _HASH, names, "labels")
    return images, labels.astype(np.uint8)


__getattr__, __dir__ = namespace(__name__)
