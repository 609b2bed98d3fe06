"""Objects that are in a checkpoint what another object is there: ``DelegatingTrackableMixin``."""

from __future__ import annotations

from typing import Any

from .trackable import Trackable

__all__ = ["DelegatingTrackableMixin"]

_OWN = {"__class__", "__dict__", "__init__", "__init_subclass__", "_trackable", "_own"}
_DELEGATED = {name for name in vars(Trackable) if not name.startswith("__")} - _OWN


class DelegatingTrackableMixin:
    """Mixed into a class of tracked objects, has all that a checkpoint asks of them be asked of another object.

    Source: ``tensorflow/python/trackable/base_delegate.py``.
    """

    def __init__(self, trackable_obj: Trackable) -> None:
        self._trackable = trackable_obj

    def __getattribute__(self, name: str) -> Any:
        if name in _DELEGATED:
            return getattr(object.__getattribute__(self, "_trackable"), name)
        return super().__getattribute__(name)
