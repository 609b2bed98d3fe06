"""How long a run may wait, where the settings of its session or of the run itself say so."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .errors import DeadlineExceededError

__all__ = ["check_time", "end_of_run", "end_of_waiting", "limited"]

_run = threading.local()


@contextmanager
def limited(milliseconds: float) -> Iterator[None]:
    """Let what this thread runs inside wait until so much time has gone by, and no longer."""
    before = getattr(_run, "end", None)
    _run.end = time.monotonic() + milliseconds / 1000
    try:
        yield
    finally:
        _run.end = before


def end_of_run() -> float | None:
    """Return when what this thread runs must be done, by the monotonic clock; None where nothing says so."""
    end: float | None = getattr(_run, "end", None)
    return end


def check_time(end: float) -> None:
    """Raise DeadlineExceededError where it is later."""
    if time.monotonic() > end:
        raise DeadlineExceededError(None, None, "Step was cancelled: it took longer than its timeout")


def end_of_waiting(session: Any) -> float | None:
    """Return when a run of this thread in a session waits no longer, by the monotonic clock; None for never."""
    end = end_of_run()
    if end is not None or session._config is None or not session._config.operation_timeout_in_ms:
        return end
    return time.monotonic() + float(session._config.operation_timeout_in_ms) / 1000
