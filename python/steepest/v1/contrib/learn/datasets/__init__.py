"""``tf.contrib.learn.datasets``: the digits of MNIST, and tables from files."""

from __future__ import annotations

import importlib
from typing import Any

from ....graph.missing import namespace
from . import base

__all__ = ["base", "load_dataset", "mnist"]

_missing, __dir__ = namespace(__name__)


def load_dataset(name: str, size: str = "small", test_with_fake_data: bool = False) -> Any:
    """Return a data set by its name: ``"mnist"``, from the folder ``MNIST-data``. Raises ValueError for others."""
    del size
    if name != "mnist":
        raise ValueError(f"Name of dataset is not found: {name}")
    return importlib.import_module(f"{__name__}.mnist").load_mnist(fake_data=test_with_fake_data)


def __getattr__(name: str) -> Any:
    if name == "mnist":  # what reads files from the network is imported when it is asked for
        return importlib.import_module(f"{__name__}.mnist")
    return _missing(name)
