"""Hooks that write: values to the log, checkpoints to a folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ..graph import log
from ..graph.graph import get_default_graph
from ..saving.saver import Saver
from ..saving.write_graph import write_graph
from .session_hooks import (
    SecondOrStepTimer,
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
    global_step_of,
)

__all__ = ["CheckpointSaverHook", "CheckpointSaverListener", "LoggingTensorHook"]


class LoggingTensorHook(SessionRunHook):
    """Log values every so many runs or seconds, by ``tf.logging.info``."""

    def __init__(
        self,
        tensors: Any,
        every_n_iter: int | None = None,
        every_n_secs: float | None = None,
        at_end: bool = False,
        formatter: Callable[[dict[str, Any]], str] | None = None,
    ) -> None:
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError("either at_end and/or exactly one of every_n_iter and every_n_secs must be provided.")
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        tags = sorted(tensors) if isinstance(tensors, dict) else list(tensors)
        self._tensors = {tag: tensors[tag] if isinstance(tensors, dict) else tag for tag in tags}
        self._at_end, self._formatter = at_end, formatter
        self._timer = None if only_at_end else SecondOrStepTimer(every_n_secs, every_n_iter)

    def begin(self) -> None:
        """Find tensors that were given by name."""
        graph = get_default_graph()
        self._runs = 0
        self._fetches = {tag: graph.as_graph_element(t) for tag, t in self._tensors.items()}

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Ask for the values where they are due."""
        self._due = self._timer is not None and self._timer.should_trigger_for_step(self._runs)
        return SessionRunArgs(self._fetches) if self._due else None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Log them."""
        if self._due:
            self._log(run_values.results)
        self._runs += 1

    def end(self, session: Any) -> None:
        """Log them once more, where that was asked for."""
        if self._at_end:
            self._log(session.run(self._fetches))

    def _log(self, values: dict[str, Any]) -> None:
        seconds = None
        if self._timer is not None:
            seconds, _ = self._timer.update_last_triggered_step(self._runs)
        if self._formatter is not None:
            log.info(self._formatter(values))
            return
        shown = ", ".join(f"{tag} = {value}" for tag, value in values.items())
        log.info("%s%s", shown, "" if seconds is None else f" ({seconds:.3f} sec)")


class CheckpointSaverListener:
    """What is told of checkpoints; a subclass overrides what it needs. Source: ``tf.train.CheckpointSaverListener``."""

    def begin(self) -> None:
        """Called before there is a session."""

    def before_save(self, session: Any, global_step_value: int) -> None:
        """Called before a checkpoint is written."""

    def after_save(self, session: Any, global_step_value: int) -> bool | None:
        """Called after a checkpoint was written; True asks that the session stops."""

    def end(self, session: Any, global_step_value: int) -> None:
        """Called at the end."""


class CheckpointSaverHook(SessionRunHook):
    """Save a checkpoint at the beginning, every so many steps or seconds, and at the end.

    ``listeners`` are told of it; ``graph.pbtxt`` is written beside it. Raises ValueError for both, or none, of
    ``save_secs`` and ``save_steps``, or for a saver beside a scaffold.
    """

    def __init__(
        self,
        checkpoint_dir: str,
        save_secs: float | None = None,
        save_steps: int | None = None,
        saver: Saver | None = None,
        checkpoint_basename: str = "model.ckpt",
        scaffold: Any = None,
        listeners: Any = None,
        save_graph_def: bool = True,
    ) -> None:
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver, self._scaffold, self._save_graph_def = saver, scaffold, save_graph_def
        self._listeners: list[CheckpointSaverListener] = list(listeners or ())
        self._path = os.path.join(os.fspath(checkpoint_dir), checkpoint_basename)
        self._timer = SecondOrStepTimer(save_secs, save_steps)
        self._steps_per_run = 1

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        """Tell how many steps one run makes."""
        self._steps_per_run = steps_per_run

    def begin(self) -> None:
        """Find the global step, make the folder, and a saver where none was given."""
        self._step = global_step_of("CheckpointSaverHook")
        os.makedirs(os.path.dirname(self._path), exist_ok=True)
        if self._saver is None:
            self._saver = getattr(self._scaffold, "saver", None) or Saver()
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Write the graph, and save the state at the beginning."""
        if self._save_graph_def:
            write_graph(get_default_graph(), os.path.dirname(self._path), "graph.pbtxt")
        self._save(session, int(session.run(self._step)))

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Ask for the step."""
        return SessionRunArgs(self._step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Save where it is due."""
        if self._timer.should_trigger_for_step(int(run_values.results) + self._steps_per_run):
            step = int(run_context.session.run(self._step))
            if self._timer.should_trigger_for_step(step) and self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session: Any) -> None:
        """Save the last state."""
        step = int(session.run(self._step))
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for listener in self._listeners:
            listener.end(session, step)

    def _save(self, session: Any, step: int) -> bool:
        """Write a checkpoint; tell whether a listener asks that the session stops."""
        self._timer.update_last_triggered_step(step)
        assert self._saver is not None
        for listener in self._listeners:
            listener.before_save(session, step)
        self._saver.save(session, self._path, global_step=step)
        answers = [listener.after_save(session, step) for listener in self._listeners]  # all of them are told
        return any(answers)
