"""Tuples with names, which some operations of several results return."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["ComputeAccidentalHits", "LogMatrixDeterminant"]


class ComputeAccidentalHits(NamedTuple):
    """The rows and places where true classes were sampled, and their weights."""

    indices: Any
    ids: Any
    weights: Any


class LogMatrixDeterminant(NamedTuple):
    """The sign of a determinant, and the logarithm of its absolute value."""

    sign: Any
    log_abs_determinant: Any
