"""What nests may be made of, as tests of nests ask: named tuples, and a program's own classes."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from ..graph.nests import is_nested, items_of, like

__all__ = ["CustomNestProtocol", "is_namedtuple", "list_to_tuple", "same_namedtuples"]


@runtime_checkable
class CustomNestProtocol(Protocol):
    """A class whose objects are nests: they tell what they hold, and are made again of it.

    Source: ``tensorflow.python.util.custom_nest_protocol``.
    """

    def __tf_flatten__(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return what stays as it is, and what the nest holds."""

    @classmethod
    def __tf_unflatten__(cls, metadata: tuple[Any, ...], components: tuple[Any, ...]) -> Any:
        """Return the object of what `__tf_flatten__` gives."""


def is_namedtuple(instance: Any, strict: bool = False) -> bool:
    """Tell whether a value is a named tuple; ``strict``: of a class right below `tuple`."""
    fields = getattr(instance, "_fields", None)
    named = isinstance(fields, tuple) and all(isinstance(name, str) for name in fields)
    return isinstance(instance, tuple) and named and not (strict and type(instance).__base__ is not tuple)


def same_namedtuples(nest1: Any, nest2: Any) -> bool:
    """Tell whether two named tuples are of one name, with the same fields."""
    return type(nest1).__name__ == type(nest2).__name__ and nest1._fields == nest2._fields


def list_to_tuple(structure: Any) -> Any:
    """Return the nest with tuples for its lists."""
    if not is_nested(structure):
        return structure
    items = [list_to_tuple(item) for item in items_of(structure)]
    return tuple(items) if isinstance(structure, list) else like(structure, items)
