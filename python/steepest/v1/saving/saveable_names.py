"""Under which names the tensors of an object are, whose class saved them by another means before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = [
    "force_checkpoint_conversion",
    "force_checkpoint_conversion_enabled",
    "get_saveable_name",
    "legacy_saveable_name",
]

_conversion = [False]


def legacy_saveable_name(name: str) -> Callable[[Any], Any]:
    """Return a decorator of a class with ``_serialize_to_tensors``: its tensors' names in files begin with ``name``.

    It is the name by which ``_gather_saveables_for_checkpoint`` gave what saved them, so that either form reads the
    files of the other one.

    Source: ``tensorflow/python/checkpoint/saveable_compat.py``, as are the functions below.
    """

    def decorate(cls: Any) -> Any:
        cls._LEGACY_SAVEABLE_NAME = name
        return cls

    return decorate


def get_saveable_name(cls_or_obj: Any) -> str | None:
    """Return the name that `legacy_saveable_name` gave a class, or None."""
    found: str | None = getattr(cls_or_obj, "_LEGACY_SAVEABLE_NAME", None)
    return found


def force_checkpoint_conversion(value: bool = True) -> None:
    """Let new checkpoints tell of each tensor of such a class, and not of the name alone with which they begin."""
    _conversion[0] = value


def force_checkpoint_conversion_enabled() -> bool:
    """Tell what `force_checkpoint_conversion` was last given."""
    return _conversion[0]
