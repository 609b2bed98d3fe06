"""The hooks of a `MonitoredSession` that write summaries: those of the program, and steps a second."""

from __future__ import annotations

from typing import Any

from ..graph import log
from ..training.session_hooks import (
    SecondOrStepTimer,
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
    global_step_of,
)
from .nodes import merged_once
from .protos import summary_class
from .writer import FileWriterCache, add_session_log

__all__ = ["StepCounterHook", "SummarySaverHook"]


class SummarySaverHook(SessionRunHook):
    """Write summaries at the first run, and every so many steps or seconds after it.

    Args:
        save_steps, save_secs: one of the two.
        output_dir, summary_writer: a folder, or the writer itself.
        scaffold, summary_op: what has the summaries in ``summary_op``, or the tensor (or the list of tensors) itself.

    Raises ValueError for both, or none, of the last two. Source: ``tf.train.SummarySaverHook``.
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: str | None = None,
        summary_writer: Any = None,
        scaffold: Any = None,
        summary_op: Any = None,
    ) -> None:
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary_op, self._scaffold = summary_op, scaffold
        self._writer, self._folder = summary_writer, output_dir
        self._timer = SecondOrStepTimer(save_secs, save_steps)

    def begin(self) -> None:
        """Find the global step and the writer."""
        if self._writer is None and self._folder:
            self._writer = FileWriterCache.get(self._folder)
        if self._scaffold is not None and self._scaffold.summary_op is None:
            self._scaffold.summary_op = merged_once()
        self._next: int | None = None
        self._step = global_step_of("SummarySaverHook")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Ask for the step, and for the summaries where they are due."""
        self._due = self._next is None or self._timer.should_trigger_for_step(self._next)
        summary = self._scaffold.summary_op if self._summary_op is None else self._summary_op
        wanted = {"global_step": self._step}
        if self._due and summary is not None:
            wanted["summaries"] = list(summary) if isinstance(summary, (list, tuple)) else [summary]
        return SessionRunArgs(wanted)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Write them under the step that is reached."""
        step = int(run_values.results["global_step"])  # a variable that is fetched has its value after the run
        if self._next is None:
            add_session_log(self._writer, step, "START")
        if self._due:
            self._timer.update_last_triggered_step(step)
            for summary in run_values.results.get("summaries", ()) if self._writer is not None else ():
                self._writer.add_summary(summary, step)
        self._next = step + 1

    def end(self, session: Any) -> None:
        """Write what still waits."""
        if self._writer is not None:
            self._writer.flush()


class StepCounterHook(SessionRunHook):
    """Log steps a second, every so many steps or seconds, and write them where there is a folder or a writer.

    Raises ValueError for both, or none, of steps and seconds. Source: ``tf.train.StepCounterHook``.
    """

    def __init__(
        self,
        every_n_steps: int | None = 100,
        every_n_secs: float | None = None,
        output_dir: str | None = None,
        summary_writer: Any = None,
    ) -> None:
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError("exactly one of every_n_steps and every_n_secs should be provided.")
        self._timer = SecondOrStepTimer(every_n_secs, every_n_steps)
        self._writer, self._folder = summary_writer, output_dir
        self._steps_per_run, self._stood = 1, 0
        self._last: int | None = None

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        """Tell how many steps one run makes."""
        self._steps_per_run = steps_per_run

    def begin(self) -> None:
        """Find the global step and the writer."""
        if self._writer is None and self._folder:
            self._writer = FileWriterCache.get(self._folder)
        self._step = global_step_of("StepCounterHook")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Ask for the step."""
        return SessionRunArgs(self._step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Log the rate where it is due."""
        found = int(run_values.results)
        step = found + self._steps_per_run
        if self._timer.should_trigger_for_step(step):
            step = int(run_context.session.run(self._step))
            if self._timer.should_trigger_for_step(step):
                seconds, steps = self._timer.update_last_triggered_step(step)
                if seconds is not None:
                    self._log_and_record(steps, seconds, step)
        self._warn_of_rest(found)

    def _warn_of_rest(self, step: int) -> None:
        """Say it, at each of the first runs by twenty, where a program's runs leave the global step as it is."""
        self._stood = self._stood + 1 if step == self._last else 0
        if self._stood and self._stood % 20 == 0:
            said = "It seems that global step (tf.train.get_global_step) has not been increased: it was %s and is %s."
            log.log_first_n(log.WARN, f"{said} Give it to Optimizer.minimize or apply_gradients.", 5, self._last, step)
        self._last = step

    def _log_and_record(self, elapsed_steps: Any, elapsed_time: float, global_step: int) -> None:
        tag = f"{self._step.op.name}/sec"
        rate = elapsed_steps / max(elapsed_time, 1e-9)
        if self._writer is not None:
            messages = summary_class()
            self._writer.add_summary(messages(value=[messages.Value(tag=tag, simple_value=rate)]), global_step)
        log.info("%s: %g", tag, rate)
