"""What is called once the body of a function is made: `add_exit_callback_to_default_func_graph`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..graph.graph import get_default_graph

__all__ = ["add_exit_callback_to_default_func_graph", "exit_callbacks", "in_body"]


class _Bodies(threading.local):
    """For each body that a thread is making, what is called once it is made."""

    def __init__(self) -> None:  # of each thread
        self.callbacks: list[list[Callable[[], Any]]] = []


_bodies = _Bodies()


@contextmanager
def exit_callbacks() -> Iterator[None]:
    """Call what `add_exit_callback_to_default_func_graph` is given inside ``with``, once that is left."""
    _bodies.callbacks.append([])
    try:
        yield
    finally:
        callbacks = _bodies.callbacks.pop()
    for callback in callbacks:
        callback()


def in_body() -> bool:
    """Tell whether the body of a function is being made in this thread."""
    return bool(_bodies.callbacks)


def add_exit_callback_to_default_func_graph(fn: Callable[[], Any]) -> None:
    """Have a function called once the body of the function that is being made is there.

    Raises:
        RuntimeError: outside of bodies. TypeError: for what cannot be called.

    Source: ``ops.add_exit_callback_to_default_func_graph``.
    """
    if not _bodies.callbacks:
        raise RuntimeError(
            f"Cannot add scope exit callbacks when not building a function.  Default graph: {get_default_graph()}"
        )
    if not callable(fn):
        raise TypeError(f"fn is not callable: {fn}")
    _bodies.callbacks[-1].append(fn)
