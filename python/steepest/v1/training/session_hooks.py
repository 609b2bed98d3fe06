"""Hooks of a `MonitoredSession`: what they are told, and those that TensorFlow has ready."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...variables.collections import GraphKeys
from ..graph import log
from ..graph.errors import OutOfRangeError
from ..graph.graph import get_default_graph

__all__ = [
    "FeedFnHook",
    "FinalOpsHook",
    "GlobalStepWaiterHook",
    "NanLossDuringTrainingError",
    "NanTensorHook",
    "SecondOrStepTimer",
    "SessionRunArgs",
    "SessionRunContext",
    "SessionRunHook",
    "SessionRunValues",
    "StopAtStepHook",
    "global_step_of",
]


class SessionRunArgs(NamedTuple):
    """What a hook wants run besides."""

    fetches: Any
    feed_dict: Any = None
    options: Any = None


class SessionRunValues(NamedTuple):
    """What came of a hook's fetches."""

    results: Any
    options: Any = None
    run_metadata: Any = None


class SessionRunContext:
    """A run that hooks take part in."""

    def __init__(self, original_args: SessionRunArgs, session: Any) -> None:
        self.original_args, self.session, self.stop_requested = original_args, session, False

    def request_stop(self) -> None:
        """Let ``should_stop`` of the session be true after this run."""
        self.stop_requested = True


class SessionRunHook:
    """Base class: a subclass defines what it needs. Source: ``tf.train.SessionRunHook``."""

    def begin(self) -> None:
        """Be called once before the session is made; nodes may still be added."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Be called when the session is there and variables have values."""

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Be called before each run; return what to run besides."""

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Be called after each run."""

    def end(self, session: Any) -> None:
        """Be called at the end, unless a run has raised."""


class SecondOrStepTimer:
    """Tells when something is due: every so many seconds or steps, one of the two."""

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None) -> None:
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")
        self._every_secs, self._every_steps = every_secs, every_steps
        self.reset()

    def reset(self) -> None:
        """Begin anew."""
        self._last_step: int | None = None
        self._last_time: float | None = None

    def should_trigger_for_step(self, step: int) -> bool:
        """Tell whether it is due at a step."""
        if self._last_step is None or self._last_time is None:
            return True
        if step == self._last_step:
            return False
        if self._every_secs is not None:
            return time.time() >= self._last_time + self._every_secs
        assert self._every_steps is not None
        return step >= self._last_step + self._every_steps

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Note that it was done; return the seconds and steps since the last time, None at first."""
        now = time.time()
        passed = None if self._last_time is None else now - self._last_time
        steps = None if self._last_step is None else step - self._last_step
        self._last_time, self._last_step = now, step
        return passed, steps

    def last_triggered_step(self) -> int | None:
        """Return the step at which it was last done."""
        return self._last_step


def global_step_of(who: str) -> Any:
    """Return the graph's global step; RuntimeError where there is none."""
    steps = get_default_graph().get_collection(GraphKeys.GLOBAL_STEP)
    if not steps:
        raise RuntimeError(f"Global step should be created to use {who}.")
    return steps[0]


class StopAtStepHook(SessionRunHook):
    """Ask for the end after ``num_steps`` steps, or at the step ``last_step``."""

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    def begin(self) -> None:
        """Find the global step."""
        self._step = global_step_of("StopAtStepHook")

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Find the last step."""
        if self._num_steps is not None:
            self._last_step = int(session.run(self._step)) + self._num_steps

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Ask for the step."""
        return SessionRunArgs(self._step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Ask for the end at the last step."""
        assert self._last_step is not None
        # The step was read beside the update: it is read again for its value after this run.
        if run_values.results + 1 >= self._last_step and int(run_context.session.run(self._step)) >= self._last_step:
            run_context.request_stop()


class NanLossDuringTrainingError(RuntimeError):
    """A loss became NaN."""

    def __str__(self) -> str:
        return "NaN loss during training."


class NanTensorHook(SessionRunHook):
    """End the training, or raise NanLossDuringTrainingError, where a loss is NaN."""

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True) -> None:
        self._loss, self._fail = loss_tensor, fail_on_nan_loss

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Ask for the loss."""
        return SessionRunArgs(self._loss)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Look at it."""
        if np.isnan(run_values.results):
            diverged = "Model diverged with loss = NaN."
            if self._fail:
                log.error(diverged)
                raise NanLossDuringTrainingError
            log.warning(diverged)
            run_context.request_stop()


class FeedFnHook(SessionRunHook):
    """Feed what a function returns."""

    def __init__(self, feed_fn: Callable[[], Any]) -> None:
        self._feed_fn = feed_fn

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Feed."""
        return SessionRunArgs(None, self._feed_fn())


class GlobalStepWaiterHook(SessionRunHook):
    """Wait before runs until the global step has reached a number, which others bring it to.

    Source: ``tf.train.GlobalStepWaiterHook``.
    """

    def __init__(self, wait_until_step: int) -> None:
        self._least, self._reached = wait_until_step, False

    def begin(self) -> None:
        """Find the global step."""
        self._step = global_step_of("GlobalStepWaiterHook")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Wait, half a second between two looks."""
        while not self._reached and self._least > 0:
            self._reached = int(run_context.session.run(self._step)) >= self._least
            if not self._reached:
                time.sleep(0.5)
        return None


class FinalOpsHook(SessionRunHook):
    """Run operations at the end; their values are ``final_ops_values``."""

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None:
        self._final_ops, self._feed_dict, self.final_ops_values = final_ops, final_ops_feed_dict, None

    def end(self, session: Any) -> None:
        """Run them."""
        if self._final_ops is not None:
            try:
                self.final_ops_values = session.run(self._final_ops, self._feed_dict)
            except (OutOfRangeError, StopIteration):
                log.warning(
                    "FinalOpsHook: final_ops ran out of input: they have a dependency back to some input source, "
                    "which is at its end; fetch what was computed before, such as the value of a metric."
                )
                raise
