"""``tf.keras.datasets``: sets of examples as arrays, fetched once."""

from __future__ import annotations

from ...graph.missing import namespace
from . import boston_housing, cifar10, cifar100, fashion_mnist, imdb, mnist, reuters

__all__ = ["boston_housing", "cifar10", "cifar100", "fashion_mnist", "imdb", "mnist", "reuters"]

__getattr__, __dir__ = namespace(__name__)
