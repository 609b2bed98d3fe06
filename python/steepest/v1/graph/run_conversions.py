"""Types of a program's own that a run may fetch and be fed: what a session makes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["Conversion", "conversion_for", "register_session_run_conversion_functions"]


class Conversion(NamedTuple):
    """What is fetched for a value and how its values are put together, and what is fed for it."""

    kind: type[Any]
    fetch: Callable[[Any], tuple[list[Any], Callable[[list[Any]], Any]]]
    feed: Callable[[Any, Any], list[tuple[Any, Any]]]


_conversions: list[Conversion] = []


def register_session_run_conversion_functions(
    tensor_type: type[Any],
    fetch_function: Callable[[Any], tuple[list[Any], Callable[[list[Any]], Any]]],
    feed_function: Callable[[Any, Any], list[tuple[Any, Any]]] | None = None,
    feed_function_for_partial_run: Any = None,
) -> None:
    """Let sessions fetch values of a type, and be fed for them.

    ``fetch_function(value)`` returns a list of what is fetched, and a function of the values found;
    ``feed_function(value, fed)`` pairs of a tensor and what it is fed. Raises ValueError for a type that is known.

    Source: ``tensorflow.python.client.session.register_session_run_conversion_functions``.
    """
    del feed_function_for_partial_run
    if any(issubclass(conversion.kind, tensor_type) for conversion in _conversions):
        raise ValueError(f"{tensor_type} has already been registered so ignore it.")

    def no_feed(value: Any, fed: Any) -> list[tuple[Any, Any]]:
        raise TypeError(f"A {type(value).__name__} cannot be fed: it was registered without a feed_function")

    _conversions.insert(0, Conversion(tensor_type, fetch_function, feed_function or no_feed))


def conversion_for(value: Any) -> Conversion | None:
    """Return how a run treats a value of a type that a program has registered."""
    for conversion in _conversions:
        if isinstance(value, conversion.kind):
            return conversion
    return None
