"""What the body of a ``Defun`` takes besides its arguments, for the body itself to ask."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..graph.graph import Graph, get_default_graph
from ..graph.node import Tensor
from .function_bodies import taken_in

__all__ = ["get_extra_args", "get_extra_inputs", "get_extra_vars", "watched"]


class _Bodies(threading.local):
    """The bodies that a thread is making, the innermost last: graph, where the body begins, arguments."""

    def __init__(self) -> None:  # of each thread
        self.made: list[tuple[Graph, int, Sequence[Tensor]]] = []


_bodies = _Bodies()


@contextmanager
def watched(given: Sequence[Tensor]) -> Iterator[None]:
    """Let the functions of this module tell what a body takes that is made inside ``with`` of arguments."""
    graph = get_default_graph()
    _bodies.made.append((graph, graph.version, given))
    try:
        yield
    finally:
        _bodies.made.pop()


def get_extra_inputs() -> list[Tensor]:
    """Return the tensors of outside that the innermost body has taken so far, variables among them.

    Outside of a body they are none. Source: ``function.get_extra_inputs``.
    """
    if not _bodies.made:
        return []
    graph, begin, given = _bodies.made[-1]
    return taken_in(graph.get_operations()[begin:], given)


def get_extra_args() -> list[Tensor]:
    """Return what stands for `get_extra_inputs` in the body: the same, for bodies are made in the caller's graph.

    Source: ``function.get_extra_args``.
    """
    return get_extra_inputs()


def get_extra_vars() -> list[Any]:
    """Return the variables that the innermost body has taken so far. Source: ``function.get_extra_vars``."""
    owners = (tensor.op._attributes.get("owner") for tensor in get_extra_inputs())
    return [owner for owner in owners if owner is not None]
