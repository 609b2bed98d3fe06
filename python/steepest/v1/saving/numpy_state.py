"""``tf.contrib.checkpoint.NumpyState``: NumPy arrays that a `Checkpoint` saves, and makes again."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from .trackable import PythonState, Trackable, TrackableReference

__all__ = ["NumpyState"]


class _Array(PythonState):
    """An array, in a checkpoint the bytes of its ``.npy`` file."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def serialize(self) -> bytes:
        """Return the bytes of the file."""
        file = io.BytesIO()
        np.save(file, self.array, allow_pickle=False)
        return file.getvalue()

    def deserialize(self, string_value: bytes) -> None:
        """Become the array of a file."""
        self.array = np.load(io.BytesIO(string_value), allow_pickle=False)


class NumpyState(Trackable):
    """An object whose attributes are NumPy arrays: they are saved, and restored at once, also those that it has not.

    Raises NotImplementedError for an attribute that is no array.

    Source: ``tf.contrib.checkpoint.NumpyState``.
    """

    def _lookup_dependency(self, name: str, cached_dependencies: Any = None) -> Any:
        held = super()._lookup_dependency(name, cached_dependencies)
        if held is None:  # a checkpoint has it: what it is comes with its value
            held = _Array(np.array([]))
            self._unconditional_checkpoint_dependencies.append(TrackableReference(name, held))
            self._unconditional_dependency_names[name] = held
            super().__setattr__(name, held)
        return held

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        return value.array if isinstance(value, _Array) else value

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, (np.ndarray, np.generic)):
            raise NotImplementedError(
                f"Assigned {value} to the {name} property of {self}, which is not a NumPy array. Currently mixing "
                "NumPy arrays and other trackable objects is not supported."
            )
        held = self.__dict__.get(name)
        if isinstance(held, _Array):
            held.array = value
            return
        held = _Array(value)
        self._track_trackable(held, name, overwrite=True)
        super().__setattr__(name, held)
