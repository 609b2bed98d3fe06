"""``tf.nest``: lists, tuples and dicts of anything, flattened and put together again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .graph.missing import namespace

__all__ = ["assert_same_structure", "flatten", "is_nested", "map_structure", "pack_sequence_as"]

__getattr__, __dir__ = namespace(__name__)


def is_nested(seq: Any) -> bool:
    """Tell whether a value is a list, a tuple or a dict."""
    return isinstance(seq, (list, tuple, dict))


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """Return what is in a nest, in order; of dicts in that of the sorted keys."""
    del expand_composites
    return [leaf for item in _items(structure) for leaf in flatten(item)] if is_nested(structure) else [structure]


def _items(nest: Any) -> list[Any]:
    return [nest[key] for key in sorted(nest)] if isinstance(nest, dict) else list(nest)


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """Return the nest with other items in it. Raises ValueError for another number of them."""
    del expand_composites
    flat, places = list(flat_sequence), flatten(structure)
    if len(flat) != len(places):
        raise ValueError(f"Structure had {len(places)} atoms, but flat_sequence had {len(flat)} items.")
    return _packed(structure, iter(flat))


def _packed(structure: Any, values: Iterator[Any]) -> Any:
    if isinstance(structure, dict):
        found = {key: _packed(structure[key], values) for key in sorted(structure)}
        return type(structure)((key, found[key]) for key in structure)
    if isinstance(structure, (list, tuple)):
        items = [_packed(item, values) for item in structure]
        return type(structure)(*items) if hasattr(structure, "_fields") else type(structure)(items)
    return next(values)


def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Return the nest of ``func(*items)``, the items those of each of several nests at one place."""
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func!r}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, kwargs.get("check_types", True))
    return pack_sequence_as(structure[0], [func(*items) for items in zip(*map(flatten, structure), strict=True)])


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False) -> None:
    """Raise ValueError where two nests differ in structure, TypeError where their lists, tuples and dicts do."""
    del expand_composites
    if is_nested(nest1) != is_nested(nest2) or len(flatten(nest1)) != len(flatten(nest2)):
        raise ValueError(f"The two structures don't have the same nested structure: {nest1!r:.80} and {nest2!r:.80}")
    if not is_nested(nest1):
        return
    if check_types and type(nest1) is not type(nest2):
        raise TypeError(f"The two structures don't have the same sequence type: {type(nest1)} and {type(nest2)}")
    for first, second in zip(_items(nest1), _items(nest2), strict=True):
        assert_same_structure(first, second, check_types)
