"""``tf.train.MonitoredTrainingSession``: a monitored session that saves checkpoints and writes summaries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..graph.graph import get_default_graph
from ..graph.session_targets import is_served
from ..training.monitored_session import MonitoredSession
from ..training.session_creators import ChiefSessionCreator, Scaffold, WorkerSessionCreator
from ..training.session_hooks import SessionRunHook
from .checkpoint_hook import CheckpointSaverHook
from .saver_hook import StepCounterHook, SummarySaverHook

__all__ = ["MonitoredTrainingSession"]

_DEFAULT: Any = object()
"""Stands for an interval that is not given."""


def MonitoredTrainingSession(
    master: str = "",
    is_chief: bool = True,
    checkpoint_dir: str | None = None,
    scaffold: Scaffold | None = None,
    hooks: Sequence[SessionRunHook] | None = None,
    chief_only_hooks: Sequence[SessionRunHook] | None = None,
    save_checkpoint_secs: float | None = _DEFAULT,
    save_summaries_steps: int | None = _DEFAULT,
    save_summaries_secs: float | None = _DEFAULT,
    config: Any = None,
    stop_grace_period_secs: float = 120,
    log_step_count_steps: int | None = 100,
    max_wait_secs: float = 7200,
    save_checkpoint_steps: int | None = _DEFAULT,
    summary_dir: str | None = None,
    save_graph_def: bool = True,
) -> MonitoredSession:
    """Return a session for training in one process.

    Args:
        checkpoint_dir: where training goes on from the newest checkpoint, and saves one every
            ``save_checkpoint_steps`` steps or ``save_checkpoint_secs`` seconds (600), None or 0 for never.
        save_summaries_steps, save_summaries_secs: how often summaries are written to ``summary_dir``, or else to
            ``checkpoint_dir``: every 100 steps; None or 0 for never.
        scaffold, hooks, chief_only_hooks: see `MonitoredSession`.
        log_step_count_steps: how often steps a second are logged.
        save_graph_def: whether ``graph.pbtxt`` is written beside the checkpoints.
        master: the target of a ``tf.train.Server``; others are ignored, there is one process.
        is_chief, max_wait_secs: with a server a session that is not the chief's writes nothing, and waits for the
            variables' values as long.

    Source: ``tf.train.MonitoredTrainingSession``.
    """
    scaffold = scaffold or Scaffold()
    if is_served(master) and not is_chief:
        worker = WorkerSessionCreator(scaffold, master, config, max_wait_secs)
        return MonitoredSession(worker, hooks, stop_grace_period_secs)
    every = list(chief_only_hooks or ())
    folder = summary_dir or checkpoint_dir
    if folder:
        if log_step_count_steps and get_default_graph().get_collection("global_step"):
            every.append(StepCounterHook(log_step_count_steps, output_dir=folder))
        steps, seconds = _one(save_summaries_steps, save_summaries_secs, 100, None)
        if steps or seconds:
            every.append(SummarySaverHook(steps or None, seconds or None, folder, scaffold=scaffold))
    if checkpoint_dir:
        steps, seconds = _one(save_checkpoint_steps, save_checkpoint_secs, None, 600)
        if seconds or steps:
            every.append(
                CheckpointSaverHook(
                    checkpoint_dir, seconds or None, steps or None, scaffold=scaffold, save_graph_def=save_graph_def
                )
            )
    creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir)
    return MonitoredSession(creator, [*every, *(hooks or ())], stop_grace_period_secs)


def _one(steps: Any, seconds: Any, usual_steps: int | None, usual_seconds: float | None) -> tuple[Any, Any]:
    """Return steps and seconds as they were given, the usual ones where neither was."""
    if steps is _DEFAULT and seconds is _DEFAULT:
        return usual_steps, usual_seconds
    return (None if steps is _DEFAULT else steps), (None if seconds is _DEFAULT else seconds)
