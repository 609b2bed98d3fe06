"""Small coloured images in files of Python's, as CIFAR-10 and CIFAR-100 have them."""

from __future__ import annotations

import os
import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..files import get_file

__all__ = ["load_batch", "load_batches"]

_ORIGIN = "https://www.cs.toronto.edu/~kriz/"


def load_batch(fpath: str, label_key: str = "labels") -> tuple[np.ndarray, Any]:
    """Return the images of a file, uint8 [rows, 3, 32, 32], and their labels."""
    with open(fpath, "rb") as file:
        held = pickle.load(file, encoding="bytes")
    images = held[b"data"]
    return images.reshape(len(images), 3, 32, 32), held[label_key.encode()]


def load_batches(
    folder: str, archive: str, file_hash: str, names: Sequence[str], label_key: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the images of files in an archive, uint8 [rows, 32, 32, 3], and their labels [rows, 1].

    The archive's hash is checked before anything in it is read.
    """
    path = get_file(folder, origin=_ORIGIN + archive, untar=True, file_hash=file_hash)
    batches = [load_batch(os.path.join(path, name), label_key) for name in names]
    images = np.concatenate([images for images, _ in batches]).transpose(0, 2, 3, 1)
    return images, np.concatenate([np.reshape(labels, (-1, 1)) for _, labels in batches])
