"""A thread of a test: what fails in it fails the test."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

__all__ = ["CheckedThread"]


class CheckedThread:
    """A thread with ``start``, ``join`` and ``is_alive``; ``join`` fails the test with the error of its function."""

    def __init__(self, testcase: Any, target: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> None:
        self._testcase = testcase
        self._target = target
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=tuple(args), kwargs=kwargs)

    def _run(self, *args: Any, **kwargs: Any) -> None:
        try:
            self._target(*args, **kwargs)
        except BaseException as error:
            self._error = error

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def join(self) -> None:
        """Wait for the end. Fails the test where the function raised."""
        self._thread.join()
        if self._error is not None:
            self._testcase.fail(f"Error in checkedThread: {self._error}")

    def is_alive(self) -> bool:
        """Tell whether it runs."""
        return self._thread.is_alive()
