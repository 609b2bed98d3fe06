"""Errors of what the body of a function, a branch or a loop says: calling it with values would hide them."""

from __future__ import annotations

__all__ = ["BodyError", "BodyRuntimeError", "BodyTypeError", "BodyValueError", "UnlikeResultsError"]


class BodyError(Exception):
    """A mistake that a graph shows: a function whose body has one is not called with values instead."""


class BodyTypeError(BodyError, TypeError):
    """A value in a body has a wrong type."""


class BodyValueError(BodyError, ValueError):
    """A value in a body has a wrong shape, or is taken from where it is not."""


class BodyRuntimeError(BodyError, RuntimeError):
    """A tape in a body is used as it may not be."""


class UnlikeResultsError(BodyError, TypeError, ValueError):
    """Two branches return results that do not go together.

    TensorFlow's first conditions raise ValueError for some of them, its second ones TypeError for all.
    """
