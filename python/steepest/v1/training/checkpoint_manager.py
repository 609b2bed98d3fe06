"""``tf.train.CheckpointManager``: the newest checkpoints of a `Checkpoint`, older ones deleted."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

from ..graph.session import Session
from .checkpoint import Checkpoint
from .checkpoint_state import files_of, get_checkpoint_state, record

__all__ = ["CheckpointManager"]


class CheckpointManager:
    """Saves a `Checkpoint` under numbers in a folder, and keeps the newest.

    Args:
        checkpoint: what is saved.
        directory: the folder; it is made where it is missing.
        max_to_keep: how many stay; None: all.
        keep_checkpoint_every_n_hours, step_counter, checkpoint_interval, init_fn: accepted for TensorFlow's sake.
        checkpoint_name: how the files' names begin.

    Raises:
        ValueError: for a number of files that is not positive.

    Source: ``tf.train.CheckpointManager``.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        directory: str,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
        step_counter: Any = None,
        checkpoint_interval: int | None = None,
        init_fn: Any = None,
    ) -> None:
        del keep_checkpoint_every_n_hours, step_counter, checkpoint_interval, init_fn
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}.")
        self._checkpoint = checkpoint
        self._directory = os.fspath(directory)
        self._keep = max_to_keep
        self._name = checkpoint_name
        state = get_checkpoint_state(self._directory)
        there = [] if state is None else [path for path in state.all_model_checkpoint_paths if files_of(path)]
        self._latest = state.model_checkpoint_path if state is not None and there else None
        # Those of another name are not this manager's: it does not delete them.
        self._paths = [path for path in there if os.path.basename(path).startswith(f"{checkpoint_name}-")]

    @property
    def directory(self) -> str:
        """The folder."""
        return self._directory

    @property
    def checkpoint(self) -> Checkpoint:
        """What is saved."""
        return self._checkpoint

    @property
    def latest_checkpoint(self) -> str | None:
        """The path of the newest, None where there is none."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The paths of those that are there, oldest first."""
        return list(self._paths)

    def save(self, checkpoint_number: Any = None, session: Session | None = None) -> str:
        """Save under a number, by default that of this save; return the path without suffix."""
        os.makedirs(self._directory, exist_ok=True)
        prefix = os.path.join(self._directory, self._name)
        if checkpoint_number is None:
            path = self._checkpoint.save(prefix, session)
        else:
            number = (
                checkpoint_number if isinstance(checkpoint_number, int) else self._number(checkpoint_number, session)
            )
            path = self._checkpoint.write(f"{prefix}-{number}", session)
        self._paths = [*(old for old in self._paths if old != path), path]
        while self._keep is not None and len(self._paths) > self._keep:
            for file in files_of(self._paths.pop(0)):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(file)
        record(Path(self._directory) / "checkpoint", self._paths)
        self._latest = path
        return path

    @staticmethod
    def _number(value: Any, session: Any) -> int:
        return int(value.eval(session=session) if hasattr(value, "eval") else value)

    def restore_or_initialize(self) -> str | None:
        """Restore the newest checkpoint; return its path, None where there is none."""
        path = self.latest_checkpoint
        if path is not None:
            self._checkpoint.restore(path)
        return path
