"""The hook that writes values to the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import log
from ..graph.graph import get_default_graph
from .session_hooks import (
    SecondOrStepTimer,
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)

__all__ = ["LoggingTensorHook"]


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
        with np.printoptions(suppress=True):
            if self._formatter is not None:
                log.info(self._formatter(values))
                return
            shown = ", ".join(f"{tag} = {value!s}" for tag, value in values.items())
        log.info("%s%s", shown, "" if seconds is None else f" ({seconds:.3f} sec)")
