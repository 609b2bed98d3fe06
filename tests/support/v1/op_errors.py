"""What must raise: the registry of error cases, and how one is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ErrorCase:
    """``provoke(tf)`` raises; its message tells the name ``names``, where there is one to tell."""

    name: str
    provoke: Callable[[Any], Any]
    names: str = ""


ERRORS: dict[str, ErrorCase] = {}


def raising(cases: dict[str, Callable[[Any], Any]]) -> None:
    """Register each function; what is in brackets at the end of its name is what the message tells."""
    for text, provoke in cases.items():
        name, _, names = text.partition(" [")
        if name in ERRORS:
            raise ValueError(f"two error cases are called {name!r}")
        ERRORS[name] = ErrorCase(name, provoke, names.rstrip("]"))


def raises(provoke: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Register the decorated function under its own name."""
    raising({provoke.__name__: provoke})
    return provoke


def run(tf: Any, fetches: Any, feeds: dict[Any, Any] | None = None, first: Any = None) -> Any:
    """Run in a session of its own, after ``first``."""
    with tf.Session() as session:
        if first is not None:
            session.run(first)
        return session.run(fetches, feeds)


def within(scope: Any, make: Callable[[], Any] = lambda: None) -> Any:
    """Return what is made in the scope."""
    with scope:
        return make()


def raised(tf: Any, case: ErrorCase) -> Exception | None:
    """Return what the case raises in a graph of its own."""
    try:
        with tf.Graph().as_default():
            case.provoke(tf)
    except Exception as error:
        return error
    return None
