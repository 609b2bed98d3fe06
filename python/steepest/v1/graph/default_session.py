"""The session that ``eval`` and ``run`` of nodes use where none is given."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

__all__ = ["Evaluator", "default_session", "entered_sessions", "get_default_session", "session_for"]


class InGraph(Protocol):
    """What is asked of a node: its name and its graph."""

    @property
    def name(self) -> str: ...

    @property
    def graph(self) -> object: ...


class Evaluator(Protocol):
    """What nodes ask of a session: its graph, and a run."""

    @property
    def graph(self) -> object: ...

    def run(self, fetches: Any, feed_dict: Any = None) -> Any: ...


class _EnteredSessions(threading.local):
    """The sessions that this thread has entered, the innermost last."""

    def __init__(self) -> None:
        self.stack: list[Evaluator] = []

    def get_default(self) -> Evaluator | None:
        """Return the innermost one."""
        return self.stack[-1] if self.stack else None

    def leave(self, session: Evaluator, nested: bool) -> None:
        """Leave a session; AssertionError where it is ``nested`` and not the innermost one."""
        if nested and self.stack and self.stack[-1] is not session:
            raise AssertionError(f"Nesting violated for default stack of {type(session)} objects")
        if session in self.stack:
            self.stack.remove(session)

    def reset(self) -> None:
        """Leave all of them."""
        self.stack.clear()


entered_sessions = _EnteredSessions()


@contextmanager
def default_session(session: Any) -> Iterator[Any]:
    """Let a session be the default one inside ``with``; None: there is none. Source: ``ops.default_session``."""
    before = entered_sessions.stack
    entered_sessions.stack = [] if session is None else [*before, session]
    try:
        yield session
    finally:
        entered_sessions.stack = before


def get_default_session() -> Evaluator | None:
    """Return the default session of this thread, None where there is none."""
    return entered_sessions.get_default()


def session_for(method: str, session: Evaluator | None, node: InGraph) -> Evaluator:
    """Return the given or the default session; ValueError where there is none, or where it is of another graph."""
    verb, what = ("execute", "operation") if method == "run" else ("evaluate", "tensor")
    which, remedy = "given", ""
    if session is None:
        which, remedy = "default", f" Pass an explicit session to `{method}(session=sess)`."
        session = get_default_session()
        if session is None:
            raise ValueError(
                f"Cannot {verb} {what} using `{method}()`: No default session is registered. Use `with "
                f"sess.as_default()` or pass an explicit session to `{method}(session=sess)` ({node.name})"
            )
    if session.graph is not node.graph:
        raise ValueError(
            f"Cannot use the {which} session to {verb} {what}: the {what}'s graph is different from the session's "
            f"graph.{remedy} ({node.name})"
        )
    return session
