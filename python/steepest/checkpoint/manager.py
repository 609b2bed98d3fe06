"""A folder of checkpoints, the newest few kept, and a named set of objects that is saved together."""

from __future__ import annotations

import contextlib
import os
import re
from typing import Any

from ..base.errors import must
from .arrays import SUFFIX
from .save import Path, restore, save

__all__ = ["Checkpoint", "CheckpointManager"]

_FILE = re.compile(rf"step-(\d{{8,}}){re.escape(SUFFIX)}")


class Checkpoint:
    """Objects that are saved and restored together, as `save` and `restore` do.

    Args:
        objects: the objects by name, kept as the attribute ``objects``; numbers and strings, which cannot change in
            place, are replaced there by `restore`.

    Example:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "run.safetensors")
        >>> checkpoint = st.Checkpoint(w=np.ones(2), epoch=3)
        >>> checkpoint.save(path)
        >>> other = st.Checkpoint(w=np.zeros(2), epoch=0)
        >>> other.restore(path)
        >>> other.objects["w"].tolist(), other.objects["epoch"]
        ([1.0, 1.0], 3)
    """

    def __init__(self, **objects: Any) -> None:
        self.objects = objects

    def save(self, path: Path) -> None:
        """Write the objects to a file.

        Args:
            path: the file.

        Raises:
            OSError: when it cannot be written; nothing has changed.
            TypeError: for an object that cannot be saved.
        """
        save(path, **self.objects)

    def restore(self, path: Path, partial: bool = False) -> None:
        """Give the objects the state in a file, all of them or none.

        Args:
            path: a file that `save` wrote.
            partial: restore what both sides have.

        Raises:
            FileNotFoundError: where there is no file.
            ValueError: for a file that is damaged, or of other objects.
        """
        self.objects = restore(path, partial=partial, **self.objects)

    def __repr__(self) -> str:
        return f"Checkpoint({', '.join(sorted(self.objects))})"


class CheckpointManager:
    """Checkpoints in a folder, ``step-<number>.safetensors``; older ones are deleted when a newer one is on the disk.

    Args:
        directory: the folder; it is made where it is missing.
        max_to_keep: how many of the newest stay; None for all.
        keep_every: steps that are multiples of this stay besides, for ever.

    Raises:
        ValueError: for numbers that are not integers of at least 1.
        OSError: where the folder cannot be made.

    Example:
        >>> import tempfile
        >>> manager = st.CheckpointManager(tempfile.mkdtemp(), max_to_keep=2)
        >>> w = np.zeros(1)
        >>> for step in range(manager.restore(w=w) or 0, 5):
        ...     w += 1
        ...     path = manager.save(step + 1, w=w)
        >>> manager.steps, manager.restore(w=w)
        ([4, 5], 5)
    """

    def __init__(self, directory: Path, max_to_keep: int | None = 5, keep_every: int | None = None) -> None:
        for name, number in (("max_to_keep", max_to_keep), ("keep_every", keep_every)):
            if number is not None and (type(number) is not int or number < 1):
                raise ValueError(must("CheckpointManager", name, "be an integer of at least 1, or None", number))
        self.directory = os.fspath(directory)
        self.max_to_keep, self.keep_every = max_to_keep, keep_every
        os.makedirs(self.directory, exist_ok=True)

    @property
    def steps(self) -> list[int]:
        """The steps of which there is a checkpoint, in ascending order."""
        found = (_FILE.fullmatch(name) for name in os.listdir(self.directory))
        return sorted(int(match.group(1)) for match in found if match)

    @property
    def latest(self) -> str | None:
        """The path of the newest checkpoint, None where there is none."""
        steps = self.steps
        return self.path(steps[-1]) if steps else None

    def path(self, step: int) -> str:
        """Return the path of a step's checkpoint, whether there is one or not.

        Args:
            step: its number.
        """
        return os.path.join(self.directory, f"step-{step:08d}{SUFFIX}")

    def save(self, step: int, /, **objects: Any) -> str:
        """Write a checkpoint, as `steepest.save`, then delete those that are not to be kept; return its path.

        Args:
            step: an integer of at least 0, which names it.
            objects: what to save, by name.

        Raises:
            OSError: when it cannot be written; then nothing is deleted.
            TypeError: for an object that cannot be saved.
            ValueError: for a step that is not an integer of at least 0.
        """
        if isinstance(step, bool) or not hasattr(step, "__index__") or int(step) < 0:
            raise ValueError(must("CheckpointManager.save", "step", "be an integer of at least 0", step))
        path = self.path(int(step))
        save(path, **objects)
        for old in self.steps[: -self.max_to_keep] if self.max_to_keep else ():
            if old != int(step) and not (self.keep_every and old % self.keep_every == 0):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(self.path(old))
        return path

    def restore(self, step: int | None = None, /, *, partial: bool = False, **objects: Any) -> int | None:
        """Restore objects in place from a checkpoint, the newest unless a step is given; return its step.

        Numbers and strings belong into a dict or a list here, because they cannot change in place.

        Args:
            step: which checkpoint.
            partial: as in `steepest.restore`.
            objects: the objects by name.

        Returns:
            The step that was restored, or None, with nothing changed, where there is no checkpoint yet.

        Raises:
            FileNotFoundError: where there is none of that step.
            TypeError: for an object that cannot be restored in place.
            ValueError: for a file that is damaged, or of other objects.
        """
        for name, value in objects.items():
            if value is None or isinstance(value, (bool, int, float, str, tuple)):
                remedy = "put it into a dict, or use steepest.restore, which returns it"
                raise TypeError(must("CheckpointManager.restore", name, "be restorable in place", value, remedy))
        if step is None:
            steps = self.steps
            if not steps:
                return None
            step = steps[-1]
        restore(self.path(step), partial=partial, **objects)
        return step

    def __repr__(self) -> str:
        return f"CheckpointManager({self.directory!r}, max_to_keep={self.max_to_keep}, keep_every={self.keep_every})"
