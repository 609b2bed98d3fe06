"""How many steps a second a supervisor's session makes, written beside its summaries."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ..graph import log
from .protos import summary_class

__all__ = ["StepRate"]


class StepRate:
    """Called every so often, writes the steps a second since the last time.

    Args:
        writer: where to; None for only a message to people.
        step: the global step.
        now: tells its value.

    Source: ``SVStepCounterThread``.
    """

    def __init__(self, writer: Any, step: Any, now: Callable[[], int]) -> None:
        self._writer, self._now = writer, now
        self._tag = f"{step.op.name}/sec"
        self._last = (time.monotonic(), now())

    def __call__(self) -> None:
        """Write the rate at the global step."""
        began, first = self._last
        self._last = at, step = time.monotonic(), self._now()
        rate = (step - first) / (at - began) if at > began else float("inf")
        kind = summary_class()
        self._writer.add_summary(kind(value=[kind.Value(tag=self._tag, simple_value=rate)]), step)
        log.log_first_n(log.INFO, "%s: %g", 10, self._tag, rate)
