"""``input_data.read_data_sets``: MNIST's digits, from the four files that its page offers.

Source: ``tensorflow.examples.tutorials.mnist.input_data``, with which most tutorials for TensorFlow 1 begin.
"""

from __future__ import annotations

import gzip
import os
import urllib.error
import urllib.request
from typing import Any, NamedTuple

import numpy as np

from .....base.errors import must
from ....graph.dtypes import as_dtype
from ....ops.random_sequences import get_seed

__all__ = ["DEFAULT_SOURCE_URL", "DataSet", "Datasets", "extract_images", "extract_labels", "read_data_sets"]

DEFAULT_SOURCE_URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"

_FILES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")


class Datasets(NamedTuple):
    """The digits in three parts."""

    train: DataSet
    validation: DataSet
    test: DataSet


class DataSet:
    """Images with labels, given out in batches; each epoch in another order.

    Args:
        images: ``[n, rows, columns, 1]`` of uint8. labels: ``[n]``, or one-hot ``[n, 10]``.
        dtype: float32 for values from 0 to 1, uint8 for the bytes.
        reshape: whether an image becomes a row of ``rows * columns`` values.
        seed: of the order. As in TensorFlow the order is drawn from ``numpy.random``, which is seeded here: by the
            seed, else by that of ``tf.set_random_seed``, else by chance.

    Raises:
        TypeError: for another dtype. ValueError: for numbers of images and labels that differ.
    """

    def __init__(
        self,
        images: Any,
        labels: Any,
        fake_data: bool = False,
        one_hot: bool = False,
        dtype: Any = "float32",
        reshape: bool = True,
        seed: int | None = None,
    ) -> None:
        kind = as_dtype(dtype).base_dtype.name
        if kind not in ("uint8", "float32"):
            raise TypeError(f"Invalid image dtype {kind!r}, expected uint8 or float32")
        graph_seed, op_seed = get_seed(seed)
        np.random.seed(graph_seed if seed is None else op_seed)  # noqa: NPY002 - as TensorFlow
        self.one_hot = one_hot
        self._fake = fake_data
        self._epochs = self._start = 0
        if fake_data:
            images, labels = np.zeros((10000, 0), np.uint8), np.zeros(10000, np.uint8)
        if len(images) != len(labels):
            raise ValueError(must("DataSet", "labels", f"be as many as images, {len(images)}", len(labels)))
        if reshape and not fake_data:
            images = images.reshape(len(images), images.shape[1] * images.shape[2])
        self._images = images.astype(np.float32) * np.float32(1 / 255) if kind == "float32" else images
        self._labels = labels

    @property
    def images(self) -> Any:
        """All images."""
        return self._images

    @property
    def labels(self) -> Any:
        """All labels."""
        return self._labels

    @property
    def num_examples(self) -> int:
        """How many images there are."""
        return len(self._images)

    @property
    def epochs_completed(self) -> int:
        """How often all images have been given out."""
        return self._epochs

    def next_batch(self, batch_size: int, fake_data: bool = False, shuffle: bool = True) -> tuple[Any, Any]:
        """Return the next images and labels; a batch at the end of an epoch is filled from the next one."""
        if fake_data or self._fake:
            label: Any = [1] + [0] * 9 if self.one_hot else 0
            return [[1] * 784] * batch_size, [label] * batch_size
        if self._start == self._epochs == 0 and shuffle:
            self._shuffle()
        start, self._start = self._start, self._start + batch_size
        if self._start <= self.num_examples:
            return self._images[start : self._start], self._labels[start : self._start]
        self._epochs += 1
        rest = self._images[start:], self._labels[start:]
        if shuffle:
            self._shuffle()
        self._start = batch_size - len(rest[0])
        first = self._images[: self._start], self._labels[: self._start]
        return np.concatenate([rest[0], first[0]]), np.concatenate([rest[1], first[1]])

    def _shuffle(self) -> None:
        order = np.arange(self.num_examples)
        np.random.shuffle(order)  # noqa: NPY002 - as TensorFlow
        self._images, self._labels = self._images[order], self._labels[order]


def extract_images(f: Any) -> Any:
    """Return the images ``[n, rows, columns, 1]`` of an open file of IDX's form, packed by gzip.

    Raises ValueError for a file of another form.
    """
    return _extract(f, 2051, 3)[..., None]


def extract_labels(f: Any, one_hot: bool = False, num_classes: int = 10) -> Any:
    """Return the labels ``[n]`` of an open file of IDX's form, packed by gzip, or one-hot ones.

    Raises ValueError for a file of another form.
    """
    labels = _extract(f, 2049, 1)
    return np.eye(num_classes)[labels] if one_hot else labels


def _extract(f: Any, magic: int, ndim: int) -> Any:
    print("Extracting", f.name)  # as TensorFlow: tutorials' output begins with it
    with gzip.GzipFile(fileobj=f) as file:
        content = file.read()
    head = np.frombuffer(content[: 4 * (ndim + 1)], ">u4")
    if len(head) != ndim + 1 or head[0] != magic:
        raise ValueError(f"Invalid magic number {head[0] if len(head) else None} in MNIST file: {f.name}")
    values = np.frombuffer(content, np.uint8, offset=4 * (ndim + 1))
    if values.size != np.prod(head[1:], dtype=np.int64):
        raise ValueError(f"MNIST file {f.name} must hold {head[1:].tolist()} values, got {values.size} bytes")
    return values.reshape([int(size) for size in head[1:]])


def read_data_sets(
    train_dir: str,
    fake_data: bool = False,
    one_hot: bool = False,
    dtype: Any = "float32",
    reshape: bool = True,
    validation_size: int = 5000,
    seed: int | None = None,
    source_url: str = DEFAULT_SOURCE_URL,
) -> Datasets:
    """Return MNIST in three parts: ``train``, ``validation``, the first of the training images, and ``test``.

    The four files (``train-images-idx3-ubyte.gz`` and so on) are read from ``train_dir``; those that are not there are
    fetched from ``source_url`` and kept. As in TensorFlow a line is printed for each.

    Args:
        one_hot: labels as rows of ten.
        dtype, reshape, seed: see `DataSet`.
        fake_data: no files: images of ones.

    Raises:
        OSError: where a file is missing and cannot be fetched. ValueError: for a damaged one, or a
            ``validation_size`` beyond the number of images.
    """
    if fake_data:
        fakes = [DataSet([], [], True, one_hot, dtype, seed=seed) for _ in range(3)]
        return Datasets(*fakes)
    arrays: list[Any] = []
    for name in _FILES:
        with open(_found(f"{name}.gz", train_dir, source_url), "rb") as file:
            arrays.append(extract_images(file) if "images" in name else extract_labels(file, one_hot))
    if not 0 <= validation_size <= len(arrays[0]):
        rule = f"be between 0 and {len(arrays[0])}"
        raise ValueError(must("read_data_sets", "validation_size", rule, validation_size))
    cut = validation_size
    parts = [(arrays[0][cut:], arrays[1][cut:]), (arrays[0][:cut], arrays[1][:cut]), (arrays[2], arrays[3])]
    return Datasets(*(DataSet(*part, False, one_hot, dtype, reshape, seed) for part in parts))


def _found(name: str, folder: str, source_url: str) -> str:
    """Return the path of a file, fetched where it is not there."""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        os.makedirs(folder, exist_ok=True)
        try:
            urllib.request.urlretrieve(source_url + name, f"{path}.part")
        except (urllib.error.URLError, OSError) as error:
            remedy = f"put it there, or {source_url}{name} must be reachable"
            raise OSError(must("read_data_sets", "train_dir", f"hold {name}", folder, remedy)) from error
        os.replace(f"{path}.part", path)
        print("Successfully downloaded", name, os.path.getsize(path), "bytes.")
    return path
