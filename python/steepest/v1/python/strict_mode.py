"""TensorFlow's ``strict_mode``: whether what is deprecated is an error."""

from __future__ import annotations

__all__ = ["STRICT_MODE", "enable_strict_mode"]

STRICT_MODE = False


def enable_strict_mode() -> None:
    """Let the use of what a program has decorated as deprecated be a RuntimeError, in place of a warning."""
    global STRICT_MODE
    STRICT_MODE = True
