"""``tf.keras.utils``: classes as vectors, files that are fetched, and a program's own objects by their names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.missing import namespace
from .by_name import CUSTOM
from .files import get_file

__all__ = [
    "CustomObjectScope",
    "custom_object_scope",
    "get_custom_objects",
    "get_file",
    "normalize",
    "to_categorical",
]


def to_categorical(y: Any, num_classes: int | None = None, dtype: str = "float32") -> np.ndarray:
    """Return for each class, an integer from 0, a vector that is 1 at its place and 0 elsewhere.

    Args:
        y: of any shape; a last axis of one element goes away.
        num_classes: the vectors' size, by default the largest class and one.

    Raises IndexError for a class that is not below ``num_classes``.

    Example:
        >>> from steepest import v1 as tf
        >>> tf.keras.utils.to_categorical([0, 2], 3)
        array([[1., 0., 0.],
               [0., 0., 1.]], dtype=float32)

    Source: ``tf.keras.utils.to_categorical``.
    """
    classes = np.array(y, dtype=np.int64)
    shape = classes.shape[:-1] if classes.ndim > 1 and classes.shape[-1] == 1 else classes.shape
    flat = classes.ravel()
    size = num_classes or int(np.max(flat)) + 1
    out = np.zeros((len(flat), size), dtype)
    out[np.arange(len(flat)), flat] = 1
    return out.reshape(*shape, size)


def normalize(x: Any, axis: int = -1, order: Any = 2) -> Any:
    """Return ``x`` divided by its norm along an axis, where that is not 0. Source: ``tf.keras.utils.normalize``."""
    norm = np.atleast_1d(np.linalg.norm(x, order, axis))
    norm[norm == 0] = 1
    return x / np.expand_dims(norm, axis)


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
