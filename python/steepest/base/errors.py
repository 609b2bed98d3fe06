"""The one form of every error message: ``who: argument must <rule>, got <value>[; <remedy>]``."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["describe", "must"]

_LONGEST = 80


def describe(value: Any) -> str:
    """Name a value briefly: arrays by dtype and shape, everything else by a shortened ``repr``."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"{value.dtype} array of shape {value.shape}"
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__} object>"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def must(who: str, argument: str, rule: str, got: Any, remedy: str | None = None) -> str:
    """Build an error message.

    ``got`` is put in as it is when it is a ``str`` that the caller has prepared with
    :func:`describe` or by hand, and through :func:`describe` otherwise.
    """
    shown = got if isinstance(got, str) else describe(got)
    text = f"{who}: {argument} must {rule}, got {shown}"
    return f"{text}; {remedy}" if remedy else text
