"""``Checkpoint`` of TensorFlow 2, which may be of another object: what it names is saved as if that depended on it."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from .checkpoint import Checkpoint as CheckpointV1
from .checkpoint_options import CheckpointOptions
from .trackable import NoDependency, Trackable, TrackableReference, finder, is_trackable

__all__ = ["Checkpoint", "CheckpointV1"]


class Checkpoint(CheckpointV1):
    """What `CheckpointV1` is; with ``root``, an object or a weak reference to one, that object is saved.

    What is named beside it is saved with it, under the names that attributes of that object have.

    Raises:
        ValueError: for what is nothing that can be saved, and for a name that an attribute of ``root`` has.

    Source: ``tf.train.Checkpoint`` of TensorFlow 2.
    """

    _attached: Any = None  # a list of what is named, None without another object
    _of: Any = None

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        if root is None:
            super().__init__(**kwargs)
            return
        whole = root() if isinstance(root, weakref.ref) else root
        if not is_trackable(whole):
            raise ValueError(f"`Checkpoint` was expecting root to be a trackable object, got {whole!r:.80}")
        find = finder(whole)
        for name, value in kwargs.items():
            held = find(name)
            if held is not None and held is not value:
                raise ValueError(
                    f"Cannot create a Checkpoint with keyword argument {name} if root.{name} already exists."
                )
        super().__init__(**kwargs, **({} if whole is not root else {"root": whole}))
        if isinstance(whole, Trackable):
            self._counter = NoDependency(find("save_counter"))
        self._of = NoDependency(root)
        self._attached = NoDependency([TrackableReference(name, getattr(self, name)) for name in sorted(kwargs)])

    def _whole(self) -> tuple[Any, Sequence[TrackableReference]]:
        if self._attached is None:
            return super()._whole()
        return (self._of() if isinstance(self._of, weakref.ref) else self._of), self._attached

    def _attach(self, name: str, value: Any) -> None:
        if self._attached is None:
            super()._attach(name, value)
            return
        self._attached.append(TrackableReference(name, value))
        root, _ = self._whole()
        if isinstance(root, Trackable):
            root._handle_deferred_dependencies(name, value)

    def write(self, file_prefix: Any, options: CheckpointOptions | None = None) -> str:  # type: ignore[override]
        """Do what that of `CheckpointV1` does, in the default session."""
        return super().write(file_prefix, None, options)

    def save(self, file_prefix: Any, options: CheckpointOptions | None = None) -> str:  # type: ignore[override]
        """Do what that of `CheckpointV1` does, in the default session."""
        return super().save(file_prefix, None, options)
