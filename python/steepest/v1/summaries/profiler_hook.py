"""A hook that writes what runs tell of their time, and what is beside the hooks in TensorFlow's module of them."""

from __future__ import annotations

import os
from typing import Any

from ...variables.collections import GraphKeys
from ..graph import log
from ..graph.graph import get_default_graph
from ..graph.run_messages import RunOptions
from ..graph.scopes import variable_scope
from ..python.client_names import Timeline
from ..training.session_hooks import (
    SecondOrStepTimer,
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
    global_step_of,
)
from ..variables.get_variable import get_variable
from ..variables.initializer_names import ones_initializer
from .writer import FileWriterCache

__all__ = ["NeverTriggerTimer", "ProfilerHook", "SummaryWriterCache", "get_or_create_steps_per_run_variable"]

SummaryWriterCache = FileWriterCache


class NeverTriggerTimer:
    """Tells that nothing is ever due. Source: ``NeverTriggerTimer`` of ``basic_session_run_hooks``."""

    def reset(self) -> None:
        """Begin anew."""

    def should_trigger_for_step(self, step: int) -> bool:
        """Return False."""
        return False

    def update_last_triggered_step(self, step: int) -> tuple[None, None]:
        """Return no time and no steps."""
        return (None, None)

    def last_triggered_step(self) -> None:
        """Return None."""


def get_or_create_steps_per_run_variable() -> Any:
    """Return the graph's number of steps that one run makes, a variable of int32 that is 1 at first.

    Raises ValueError where there are several. Source: the function of ``basic_session_run_hooks``.
    """
    key = "STEPS_PER_RUN"
    found = get_default_graph().get_collection(key)
    if len(found) > 1:
        raise ValueError("Multiple steps_per_run_var variables created.")
    if found:
        return found[0]
    with variable_scope("steps_per_run", use_resource=True):
        kept = [key, GraphKeys.LOCAL_VARIABLES]
        return get_variable(key, [], "int32", ones_initializer(), trainable=False, collections=kept)


class ProfilerHook(SessionRunHook):
    """Write ``timeline-<step>.json``, a trace for Chrome, every so many steps or seconds: how long a run took.

    Args:
        save_steps, save_secs: one of the two.
        output_dir: the folder; the folder's writer of summaries is told of the runs too.
        show_dataflow, show_memory: without effect: the run is one event.

    Source: ``tf.train.ProfilerHook``.
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: str = "",
        show_dataflow: bool = True,
        show_memory: bool = False,
    ) -> None:
        self._output_file = os.path.join(output_dir, "timeline-{}.json")
        self._timer = SecondOrStepTimer(save_secs, save_steps)
        self._writer = FileWriterCache.get(output_dir)
        self._shown = (show_dataflow, show_memory)

    def begin(self) -> None:
        """Find the global step."""
        self._next: int | None = None
        self._step = global_step_of("ProfilerHook")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Ask for the step, and for times where they are due."""
        self._due = self._next is not None and self._timer.should_trigger_for_step(self._next)
        options = RunOptions(trace_level=RunOptions.FULL_TRACE) if self._due else None
        return SessionRunArgs({"global_step": self._step}, options=options)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Write the times under the step that is reached."""
        found = int(run_values.results["global_step"])
        if self._next is None:
            self._timer.update_last_triggered_step(found)  # the first is due after so many steps or seconds
        step = found + 1
        if self._due:
            step = int(run_context.session.run(self._step))
            self._timer.update_last_triggered_step(step)
            path, told = self._output_file.format(step), run_values.run_metadata
            log.info("Saving timeline for %d into '%s'.", step, path)
            with open(path, "w") as file:
                file.write(Timeline(told.step_stats).generate_chrome_trace_format(*self._shown))
            self._writer.add_run_metadata(told, f"step_{step}")
        self._next = step + 1
