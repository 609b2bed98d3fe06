"""``tf.train.CheckpointManager``: the newest checkpoints of a `Checkpoint`, older ones deleted.

It is TensorFlow's module of this name too: programs replace names in it, ``time`` among them.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from ..graph import log
from ..graph.default_session import get_default_session
from ..graph.mode import executing_eagerly
from ..graph.session import Session
from .checkpoint import Checkpoint, write_objects
from .checkpoint_options import CheckpointOptions, call_when_written
from .checkpoint_state import (
    CheckpointState,
    checkpoint_exists,
    files_of,
    generate_checkpoint_state_proto,
    get_checkpoint_mtimes,
    get_checkpoint_state,
    latest_checkpoint,
    record,
    remove_checkpoint,
    update_checkpoint_state,
)
from .save_paths import meta_graph_filename

__all__ = [
    "CheckpointManager",
    "checkpoint_exists",
    "generate_checkpoint_state_proto",
    "get_checkpoint_mtimes",
    "get_checkpoint_state",
    "latest_checkpoint",
    "meta_graph_filename",
    "remove_checkpoint",
    "update_checkpoint_state",
    "update_checkpoint_state_internal",
]


def update_checkpoint_state_internal(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Any = None,
    latest_filename: str | None = None,
    save_relative_paths: bool = False,
    all_model_checkpoint_timestamps: Any = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """Do what `update_checkpoint_state` does: paths below the folder are relative in the file anyway."""
    del save_relative_paths
    update_checkpoint_state(
        save_dir,
        model_checkpoint_path,
        all_model_checkpoint_paths,
        latest_filename,
        all_model_checkpoint_timestamps,
        last_preserved_timestamp,
    )


class CheckpointManager:
    """Saves a `Checkpoint` under numbers in a folder, and keeps the newest.

    Args:
        checkpoint: what is saved.
        directory: the folder; it is made where it is missing.
        max_to_keep: how many stay; None: all.
        keep_checkpoint_every_n_hours: of those that ``max_to_keep`` would delete, one in this time stays.
        checkpoint_name: how the files' names begin.
        step_counter, checkpoint_interval: `save` does nothing until the counter has grown by so much.
        last_checkpoint_step: what the counter was at the last checkpoint; by default the first call saves.
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
        last_checkpoint_step: int | None = None,
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
        self._last_step = last_checkpoint_step
        self._begin(get_checkpoint_state(self._directory), time.time())

    def _begin(self, state: CheckpointState | None, now: float) -> None:
        """Take over what the file says that is in the folder."""
        self._latest, self._paths = None, dict[str, float]()
        if state is None:
            self._preserved = now - 1.0
            return
        self._preserved = state.last_preserved_timestamp
        if now < self._preserved:
            log.warning(
                f"time.time() returned a value {self._preserved - now:f} seconds behind the last preserved checkpoint "
                "timestamp."
            )
            self._preserved = now  # what is as old may have been kept for good: it is not deleted
        listed = state.all_model_checkpoint_paths
        if any(files_of(path) for path in listed):
            self._latest = state.model_checkpoint_path
        for path, moment in zip(listed, state.all_model_checkpoint_timestamps, strict=False):
            # Those without a time, or of another name, are not this manager's.
            own = os.path.basename(path).startswith(f"{self._name}-") and min(moment, now) > self._preserved
            if own and files_of(path):
                self._paths[path] = min(moment, now)

    @property
    def directory(self) -> str:
        """The folder."""
        return self._directory

    @property
    def checkpoint(self) -> Checkpoint:
        """What is saved."""
        return self._checkpoint

    _latest_checkpoint = property(lambda self: self._latest)

    def sync(self) -> None:
        """Wait until all is written: it is, when `save` returns."""

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
        self,
        checkpoint_number: Any = None,
        session: Session | None = None,
        check_interval: bool = True,
        options: CheckpointOptions | None = None,
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
        session = session or get_default_session()  # type: ignore[assignment]
        number = self._checkpoint._counted(session)
        if checkpoint_number is not None:
            number = self._number(checkpoint_number, session)
        root, attached = self._checkpoint._whole()
        path = write_objects(root, f"{prefix}-{number}", session, attached)
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
        call_when_written(options, path)
        return path

    @staticmethod
    def _number(value: Any, session: Any) -> int:
        return int(value if executing_eagerly() or isinstance(value, int) else value.eval(session=session))

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
