"""``tensorflow.python.eager.executor``: what computes operations, which it does at once whatever is asked."""

from __future__ import annotations

from typing import Any

__all__ = ["Executor", "new_executor"]


class Executor:
    """What computes operations: in the order in which they are called, each before the call returns.

    Source: ``executor.Executor``.
    """

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    def is_async(self) -> bool:
        """Tell whether it was made as one that need not be waited for."""
        return bool(self._handle)

    def handle(self) -> Any:
        """Return what it was made of."""
        return self._handle

    def wait(self) -> None:
        """Do nothing: every operation is done."""

    def clear_error(self) -> None:
        """Do nothing: errors were raised where they arose."""


def new_executor(enable_async: bool, enable_streaming_enqueue: bool = True, in_flight_nodes_limit: int = 0) -> Executor:
    """Return an executor; the two limits are accepted. Source: ``executor.new_executor``."""
    del enable_streaming_enqueue, in_flight_nodes_limit
    return Executor(enable_async)
