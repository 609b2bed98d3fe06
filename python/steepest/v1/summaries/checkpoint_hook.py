"""The hook of a `MonitoredSession` that saves checkpoints."""

from __future__ import annotations

import os
from typing import Any

from ...variables.collections import GraphKeys
from ..graph import log
from ..graph.graph import get_default_graph
from ..saving.saver import Saver
from ..saving.scoped_graphs import told
from ..saving.write_graph import write_graph
from ..training.session_hooks import (
    SecondOrStepTimer,
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
    global_step_of,
)
from .writer import FileWriterCache, add_session_log

__all__ = ["CheckpointSaverHook", "CheckpointSaverListener"]


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

    ``listeners`` are told of it; ``graph.pbtxt``, and a file of events with the graph and the checkpoints, are written
    beside it. Raises ValueError for both, or none, of
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
        log.info("Create CheckpointSaverHook.")
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
        """Find the global step, and make the folder and the writer."""
        self._step = global_step_of("CheckpointSaverHook")
        os.makedirs(os.path.dirname(self._path), exist_ok=True)
        self._writer = FileWriterCache.get(os.path.dirname(self._path))
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Write the graph, and save the state at the beginning."""
        if self._save_graph_def:
            write_graph(get_default_graph(), os.path.dirname(self._path), "graph.pbtxt")
        self._writer.add_graph(get_default_graph())
        saver = self._get_saver()
        self._writer.add_meta_graph(told(get_default_graph(), None if saver is None else saver.saver_def))
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
        log.info("Calling checkpoint listeners before saving checkpoint %d...", step)
        for listener in self._listeners:
            listener.before_save(session, step)
        log.info("Saving checkpoints for %d into %s.", step, self._path)
        self._get_saver().save(session, self._path, global_step=step, write_meta_graph=self._save_graph_def)
        add_session_log(self._writer, step, "CHECKPOINT", checkpoint_path=self._path)
        log.info("Calling checkpoint listeners after saving checkpoint %d...", step)
        asking = [listener for listener in self._listeners if listener.after_save(session, step)]  # all are told
        for listener in asking:
            log.info("A CheckpointSaverListener requested that training be stopped. listener: %s", listener)
        return bool(asking)

    def _get_saver(self) -> Saver:
        """Return the saver that was given, or the scaffold's, which knows the files of before, or the graph's.

        Raises RuntimeError where the graph has none, or several.
        """
        if self._saver is None and self._scaffold is None:
            key = GraphKeys.SAVERS
            savers = get_default_graph().get_collection(key)
            if not savers:
                told = "Please add a saver to the collection or provide a saver or scaffold."
                raise RuntimeError(f"No items in collection {key}. {told}")
            if len(savers) > 1:
                told = "Please indicate which one to use by passing it to the constructor."
                raise RuntimeError(f"More than one item in collection {key}. {told}")
            self._saver = savers[0]
        found: Saver = self._scaffold.saver if self._saver is None else self._saver
        return found
