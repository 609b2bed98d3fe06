"""Whether programs ask for results that are the same each time: draws that nothing fixes are refused then."""

from __future__ import annotations

from collections.abc import Callable

__all__ = [
    "check_determinism",
    "disable_op_determinism",
    "enable_op_determinism",
    "is_op_determinism_enabled",
]

_enabled = False


def enable_op_determinism() -> None:
    """Refuse draws without a seed from now on; all other operations give the same results each time anyway.

    Source: ``tf.config.experimental.enable_op_determinism``.
    """
    global _enabled
    _enabled = True


def disable_op_determinism() -> None:
    """Allow draws without a seed again."""
    global _enabled
    _enabled = False


def is_op_determinism_enabled() -> bool:
    """Tell whether draws without a seed are refused."""
    return _enabled


def check_determinism(unseeded: bool, message: str, error: Callable[[str], Exception] = ValueError) -> None:
    """Raise an error for what no seed fixes, where that is refused."""
    if _enabled and unseeded:
        raise error(message)
