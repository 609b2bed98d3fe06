"""``tf.train.Coordinator``: threads that stop together."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ..graph import log
from ..graph.errors import OutOfRangeError

__all__ = ["Coordinator", "LooperThread"]


class Coordinator:
    """Tells threads when to stop, and raises in ``join`` what one of them raised.

    Args:
        clean_stop_exception_types: errors that end the threads as a request to stop does; OutOfRangeError by default.

    Source: ``tf.train.Coordinator``.
    """

    def __init__(self, clean_stop_exception_types: Any = None) -> None:
        clean = (OutOfRangeError,) if clean_stop_exception_types is None else clean_stop_exception_types
        self._clean = tuple(clean)
        self._stop = threading.Event()
        self._error: BaseException | None = None
        self._lock = threading.Lock()
        self._registered_threads: set[threading.Thread] = set()
        self._joined = False

    @property
    def joined(self) -> bool:
        """Whether ``join`` has returned."""
        return self._joined

    def request_stop(self, ex: Any = None) -> None:
        """Ask all threads to stop; ``ex``, an error or what ``sys.exc_info()`` gives, is raised by ``join``.

        Of several errors the first one is; those after a stop was asked for are forgotten.
        """
        error = ex[1] if isinstance(ex, tuple) else ex
        if error is not None and not isinstance(error, BaseException):
            raise ValueError(f"ex must be an exception or sys.exc_info, not {ex!r}")
        with self._lock:
            if error is not None and not isinstance(error, self._clean):
                if self._joined:  # nobody would raise it
                    raise error
                if not self._stop.is_set():  # what fails because of a stop does not matter
                    self._error = error
                    said = str(error) if isinstance(ex, tuple) else f"{type(error)}, {error}"
                    log.info("Error reported to Coordinator: %s", said)
            self._stop.set()

    def should_stop(self) -> bool:
        """Tell whether a stop was asked for."""
        return self._stop.is_set()

    def clear_stop(self) -> None:
        """Forget that a stop was asked for."""
        self._stop.clear()
        self._error, self._joined = None, False

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Wait until a stop is asked for; tell whether it was."""
        return self._stop.wait(timeout)

    def raise_requested_exception(self) -> None:
        """Raise the error with which a stop was asked for, if there is one."""
        if self._error is not None:
            raise self._error

    @contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """Ask for a stop where what is inside raises."""
        try:
            yield
        except Exception:
            self.request_stop(sys.exc_info())

    def register_thread(self, thread: threading.Thread) -> None:
        """Let ``join`` wait for a thread."""
        self._registered_threads.add(thread)

    def join(
        self,
        threads: Iterable[threading.Thread] | None = None,
        stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Wait for the threads: until a stop is asked for as long as it takes, after that for a time.

        Raises what a thread gave to ``request_stop``; RuntimeError where threads still run.
        """
        waiting = self._registered_threads.union(threads or ())
        while any(thread.is_alive() for thread in waiting) and not self.wait_for_stop(0.01):
            pass
        end = time.monotonic() + stop_grace_period_secs
        for thread in waiting:
            if thread.ident is not None:
                thread.join(max(end - time.monotonic(), 0))
        self._joined = True
        self._registered_threads.clear()
        self.raise_requested_exception()
        alive = [thread.name for thread in waiting if thread.is_alive()]
        if alive:
            said = f"Coordinator stopped with threads still running: {' '.join(alive)}"
            if not ignore_live_threads:
                raise RuntimeError(said)
            log.info(said)


class LooperThread(threading.Thread):
    """A thread that calls ``target`` every so many seconds until its coordinator asks for a stop.

    Args:
        coord: the coordinator, which waits for the thread and is told of its error.
        timer_interval_secs: the time from one call to the next; None for none.
        target, args, kwargs: what is called; a subclass may have a method ``run_loop`` in place of it.

    Source: ``tf.train.LooperThread``.
    """

    def __init__(
        self,
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any] | None = None,
        args: Any = None,
        kwargs: Any = None,
    ) -> None:
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__(daemon=True)
        self._coord, self._every = coord, timer_interval_secs
        self._called = (target, tuple(args or ()), dict(kwargs or {}))
        coord.register_thread(self)

    @staticmethod
    def loop(
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any],
        args: Any = None,
        kwargs: Any = None,
    ) -> LooperThread:
        """Start a thread and return it."""
        thread = LooperThread(coord, timer_interval_secs, target, args, kwargs)
        thread.start()
        return thread

    def run(self) -> None:
        """Call what is to be called until a stop is asked for."""
        with self._coord.stop_on_exception():
            self.start_loop()
            due = time.monotonic()
            while not self._coord.wait_for_stop(max(due - time.monotonic(), 0)):
                due += self._every or 0
                self.run_loop()
            self.stop_loop()

    def start_loop(self) -> None:
        """Called when the thread begins."""

    def stop_loop(self) -> None:
        """Called when it ends without an error."""

    def run_loop(self) -> None:
        """Called each time."""
        target, args, kwargs = self._called
        if target is not None:
            target(*args, **kwargs)
