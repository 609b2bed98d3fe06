"""``tf.train.CheckpointManager``: the newest checkpoints of a `Checkpoint`, older ones deleted."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from ..graph.session import Session
from .checkpoint import Checkpoint
from .checkpoint_state import CheckpointState, files_of, get_checkpoint_state, record, remove_checkpoint

__all__ = ["CheckpointManager"]


class CheckpointManager:
    """Saves a `Checkpoint` under numbers in a folder, and keeps the newest.

    Args:
        checkpoint: what is saved.
        directory: the folder; it is made where it is missing.
        max_to_keep: how many stay; None: all.
        keep_checkpoint_every_n_hours: of those that ``max_to_keep`` would delete, one in this time stays.
        checkpoint_name: how the files' names begin.
        step_counter, checkpoint_interval: `save` does nothing until the counter has grown by so much.
        init_fn: what `restore_or_initialize` calls where there is no checkpoint.

    Raises:
        ValueError: for a number of files that is not positive, an interval without a counter.

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
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError("`step_counter` should be passed if `checkpoint_interval` is not None.")
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}.")
        self._checkpoint = checkpoint
        self._directory = os.fspath(directory)
        self._keep = max_to_keep
        self._name = checkpoint_name
        self._kept_hours, self._init = keep_checkpoint_every_n_hours, init_fn
        self._counter, self._interval = step_counter, checkpoint_interval
        self._last_step: int | None = None
        state, now = get_checkpoint_state(self._directory) or CheckpointState("", []), time.time()
        listed, times = state.all_model_checkpoint_paths, state.all_model_checkpoint_timestamps
        there = [path for path in listed if files_of(path)]
        self._latest = state.model_checkpoint_path if there else None
        self._preserved = min(state.last_preserved_timestamp, now) if times else now - 1
        written = dict(zip(listed, times, strict=False))
        # Those of another name are not this manager's: it does not delete them.
        own = [path for path in there if os.path.basename(path).startswith(f"{checkpoint_name}-")]
        self._paths = {path: min(written.get(path, now), now) for path in own}

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

    @property
    def checkpoint_interval(self) -> int | None:
        """By how much the step counter grows from one checkpoint to the next."""
        return self._interval

    def save(
        self, checkpoint_number: Any = None, session: Session | None = None, check_interval: bool = True
    ) -> str | None:
        """Save under a number, by default that of this save; return the path without suffix.

        None, and nothing is saved, where the step counter has not grown by ``checkpoint_interval``; with
        ``check_interval=False`` that does not matter.
        """
        if self._interval is not None:
            step = self._number(self._counter, session)
            if check_interval and self._last_step is not None and step < self._last_step + self._interval:
                return None
            self._last_step = step
        os.makedirs(self._directory, exist_ok=True)
        prefix = os.path.join(self._directory, self._name)
        if checkpoint_number is None:
            path = self._checkpoint.save(prefix, session)
        else:
            number = (
                checkpoint_number if isinstance(checkpoint_number, int) else self._number(checkpoint_number, session)
            )
            path = self._checkpoint.write(f"{prefix}-{number}", session)
        self._paths.pop(path, None)
        self._paths[path] = time.time()
        while self._keep is not None and len(self._paths) > self._keep:
            oldest = next(iter(self._paths))
            written = self._paths.pop(oldest)
            if self._kept_hours and written - self._kept_hours * 3600 >= self._preserved:
                self._preserved = written
                continue
            remove_checkpoint(oldest)
        record(Path(self._directory) / "checkpoint", list(self._paths), list(self._paths.values()), self._preserved)
        self._latest = path
        return path

    @staticmethod
    def _number(value: Any, session: Any) -> int:
        return int(value.eval(session=session) if hasattr(value, "eval") else value)

    def restore_or_initialize(self) -> str | None:
        """Restore the newest checkpoint; return its path. Where there is none call ``init_fn``, and return None."""
        path = self.latest_checkpoint
        if path is not None:
            self._checkpoint.restore(path)
            if self._interval is not None:
                self._last_step = self._number(self._counter, None)
        elif self._init is not None:
            self._init()
        return path
