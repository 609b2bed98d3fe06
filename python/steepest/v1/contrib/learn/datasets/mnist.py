"""``tf.contrib.learn.datasets.mnist``: the digits, as ``tensorflow.examples.tutorials.mnist.input_data`` has them."""

from __future__ import annotations

from ....examples.tutorials.mnist.input_data import (
    DEFAULT_SOURCE_URL,
    DataSet,
    Datasets,
    extract_images,
    extract_labels,
    read_data_sets,
)
from ....graph.missing import namespace

__all__ = [
    "DEFAULT_SOURCE_URL",
    "DataSet",
    "Datasets",
    "extract_images",
    "extract_labels",
    "load_mnist",
    "read_data_sets",
]


def load_mnist(train_dir: str = "MNIST-data", fake_data: bool = False) -> Datasets:
    """Return the digits of a folder, into which they are loaded where it does not have them."""
    return read_data_sets(train_dir, fake_data=fake_data)


__getattr__, __dir__ = namespace(__name__)
