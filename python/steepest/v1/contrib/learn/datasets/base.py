"""``tf.contrib.learn.datasets.base``: tables of numbers from files."""

from __future__ import annotations

import csv
from typing import Any, NamedTuple

import numpy as np

from ....graph.missing import namespace

__all__ = ["Dataset", "Datasets", "load_csv_with_header", "load_csv_without_header"]

__getattr__, __dir__ = namespace(__name__)


class Dataset(NamedTuple):
    """Features and what belongs to them."""

    data: Any
    target: Any


class Datasets(NamedTuple):
    """A data set in three parts."""

    train: Any
    validation: Any
    test: Any


def load_csv_with_header(filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1) -> Dataset:
    """Return the table of a file whose first line begins with the numbers of rows and of features."""
    with open(filename, newline="") as file:
        lines = csv.reader(file)
        rows, features = (int(size) for size in next(lines)[:2])
        table = _table(lines, target_dtype, features_dtype, target_column)
    if table.data.shape != (rows, features):
        raise ValueError(
            f"load_csv_with_header: the first line of {filename} must tell the table's size, {table.data.shape}, got "
            f"{(rows, features)}"
        )
    return table


def load_csv_without_header(filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1) -> Dataset:
    """Return the table of a file."""
    with open(filename, newline="") as file:
        return _table(csv.reader(file), target_dtype, features_dtype, target_column)


def _table(lines: Any, target_dtype: Any, features_dtype: Any, target_column: int) -> Dataset:
    rows = [list(line) for line in lines if line]
    targets = [row.pop(target_column) for row in rows]
    return Dataset(np.array(rows).astype(features_dtype), np.array(targets).astype(target_dtype))
