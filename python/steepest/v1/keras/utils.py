"""``tf.keras.utils``: a program's own objects by names, by which `tf.keras.initializers.get` and its kin find them."""

from __future__ import annotations

from typing import Any

from ..graph.missing import namespace
from .by_name import CUSTOM

__all__ = ["CustomObjectScope", "custom_object_scope", "get_custom_objects"]


def get_custom_objects() -> dict[str, Any]:
    """Return the dict of a program's own classes and functions by their names; what is put into it is found.

    Example:
        >>> from steepest import v1 as tf
        >>> tf.keras.utils.get_custom_objects()["double"] = lambda x: 2 * x
        >>> tf.keras.activations.get("double")(3)
        6
        >>> del tf.keras.utils.get_custom_objects()["double"]

    Source: ``tf.keras.utils.get_custom_objects``.
    """
    return CUSTOM


class CustomObjectScope:
    """A block in which dicts of a program's own objects hold too. Source: ``tf.keras.utils.CustomObjectScope``."""

    def __init__(self, *args: dict[str, Any]) -> None:
        self._objects = args
        self._before: dict[str, Any] = {}

    def __enter__(self) -> CustomObjectScope:
        self._before = dict(CUSTOM)
        for objects in self._objects:
            CUSTOM.update(objects)
        return self

    def __exit__(self, *raised: object) -> None:
        CUSTOM.clear()
        CUSTOM.update(self._before)


def custom_object_scope(*args: dict[str, Any]) -> CustomObjectScope:
    """Return a `CustomObjectScope`."""
    return CustomObjectScope(*args)


__getattr__, __dir__ = namespace(__name__)
