"""Functions that take part when an object with a resource is made, by the name of its class."""

from __future__ import annotations

import functools
from abc import ABCMeta
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..graph.graph import get_default_graph

__all__ = ["MadeByCreators", "resource_creator_scope"]


@contextmanager
def resource_creator_scope(resource_type: str | Sequence[str], resource_creator: Callable[..., Any]) -> Iterator[None]:
    """Call ``resource_creator(next_creator, *args, **kwargs)`` for each resource that is made inside ``with``.

    Args:
        resource_type: what ``_resource_type()`` of the classes is, by default their names.
        resource_creator: returns the object; the innermost scope's is called first.

    Raises RuntimeError where scopes are not left in the order in which they were entered.

    Source: ``resource_creator_scope`` of ``tensorflow/python/framework/ops.py``.
    """
    graph = get_default_graph()
    before = graph._resource_creator_stack
    inside = before.copy()
    names: Sequence[Any] = resource_type if isinstance(resource_type, (list, tuple)) else [resource_type]
    for name in names:
        inside[name] = [*before[name], resource_creator]
    graph._resource_creator_stack = inside
    try:
        yield
    finally:
        if graph._resource_creator_stack is not inside:
            raise RuntimeError("Exiting resource_creator_scope without proper nesting.")
        graph._resource_creator_stack = before


class MadeByCreators(ABCMeta):
    """The type of classes whose objects are made by the creators in force."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return a new object, or what a creator gives instead."""
        make: Callable[..., Any] = super().__call__
        for creator in get_default_graph()._resource_creator_stack[cls._resource_type()]:
            make = functools.partial(creator, make)
        return make(*args, **kwargs)

    def _resource_type(cls) -> str:
        """Return the name by which creators are found."""
        return cls.__name__
