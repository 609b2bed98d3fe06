"""TensorFlow's ``tensorflow.python.tf2``: whether the behaviour of TensorFlow 2 is asked for, which it never is."""

from __future__ import annotations

__all__ = ["enabled"]


def enabled() -> bool:
    """Return False."""
    return False
