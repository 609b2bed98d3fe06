"""What ``tensorflow.python.util.nest`` has besides ``tf.nest``: nests walked down to another one, and paths in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..graph.composites import components_of, is_composite, with_components
from ..graph.nests import (
    assert_same_kind,
    flatten,
    is_attrs,
    is_nested,
    items_of,
    keys_of,
    like,
    pack_sequence_as,
    same_type,
)
from .nest_messages import (
    IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ,
    INPUT_TREE_SMALLER_THAN_SHALLOW_TREE,
    SHALLOW_TREE_HAS_INVALID_KEYS,
    STRUCTURES_HAVE_MISMATCHING_LENGTHS,
    STRUCTURES_HAVE_MISMATCHING_TYPES,
)

__all__ = [
    "_is_attrs",
    "assert_shallow_structure",
    "flatten_dict_items",
    "flatten_up_to",
    "flatten_with_joined_string_paths",
    "flatten_with_tuple_paths",
    "flatten_with_tuple_paths_up_to",
    "get_traverse_shallow_structure",
    "is_mapping",
    "is_sequence",
    "is_sequence_or_composite",
    "map_structure_up_to",
    "map_structure_with_paths",
    "map_structure_with_tuple_paths",
    "map_structure_with_tuple_paths_up_to",
    "yield_flat_paths",
]

is_sequence = is_nested
_is_attrs = is_attrs


def is_mapping(value: Any) -> bool:
    """Tell whether a value is a mapping."""
    return isinstance(value, Mapping)


def is_sequence_or_composite(value: Any) -> bool:
    """Tell whether a value is a nest, or has several tensors as its parts."""
    return is_nested(value) or is_composite(value)


def flatten_dict_items(dictionary: Any) -> dict[Any, Any]:
    """Return a dict whose keys and values are nests as one of their leaves.

    Raises ValueError where keys and values differ in structure, or a key comes twice.
    """
    if not isinstance(dictionary, Mapping):
        raise TypeError("input must be a dictionary")
    found: dict[Any, Any] = {}
    for nest, value in dictionary.items():
        keys, values = flatten(nest), flatten(value) if is_nested(nest) else [value]
        if len(keys) != len(values):
            raise ValueError(
                f"Could not flatten dictionary. Key had {len(keys)} elements, but value had {len(values)} elements. "
                f"Key: {keys}, value: {values}."
            )
        for key, leaf in zip(keys, values, strict=True):
            if key in found:
                raise ValueError(f"Could not flatten dictionary: key {key} is not unique.")
            found[key] = leaf
    return found


def assert_shallow_structure(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> None:
    """Raise TypeError or ValueError where ``input_tree`` has not the structure of the other, down to its leaves.

    Without ``check_subtrees_length`` it may have more.
    """
    options = check_types, expand_composites, check_subtrees_length
    if expand_composites and is_composite(shallow_tree):
        assert_same_kind(shallow_tree, input_tree)
        assert_shallow_structure(components_of(shallow_tree), components_of(input_tree), *options)
        return
    if not is_nested(shallow_tree):
        return
    if not is_nested(input_tree):
        raise TypeError(IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ.format(type(input_tree)))
    mappings = isinstance(shallow_tree, Mapping) and isinstance(input_tree, Mapping)
    alike = mappings or isinstance(input_tree, type(shallow_tree)) or same_type(shallow_tree, input_tree)
    if check_types and not alike:
        kinds = {"input_type": type(input_tree), "shallow_type": type(shallow_tree)}
        raise TypeError(STRUCTURES_HAVE_MISMATCHING_TYPES.format(**kinds))
    shallow_items, items = items_of(shallow_tree), items_of(input_tree)
    if check_subtrees_length and len(items) != len(shallow_items):
        lengths = {"input_length": len(items), "shallow_length": len(shallow_items)}
        raise ValueError(STRUCTURES_HAVE_MISMATCHING_LENGTHS.format(**lengths))
    if len(items) < len(shallow_items):
        sizes = {"input_size": len(items), "shallow_size": len(shallow_items)}
        raise ValueError(INPUT_TREE_SMALLER_THAN_SHALLOW_TREE.format(**sizes))
    if isinstance(shallow_tree, Mapping) and (absent := set(shallow_tree) - set(input_tree)):
        raise ValueError(SHALLOW_TREE_HAS_INVALID_KEYS.format(sorted(absent)))
    for shallow, deep in zip(shallow_items, items, strict=False):
        assert_shallow_structure(shallow, deep, *options)


def _inside(nest: Any, composites: bool) -> list[tuple[Any, Any]] | None:
    """Return what a nest holds with the keys that lead there, or what a composite value is made of; None for a leaf."""
    if is_nested(nest):
        return list(zip(keys_of(nest), items_of(nest), strict=True))
    return [(type(nest).__name__, components_of(nest))] if composites and is_composite(nest) else None


def _down_to(shallow: Any, deep: Any, composites: bool) -> Iterator[Any]:
    parts = _inside(shallow, composites)
    if parts is None:
        yield deep
        return
    there = dict(_inside(deep, composites) or ())
    for key, part in parts:
        yield from _down_to(part, there[key], composites)


def flatten_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[Any]:
    """Return what of ``input_tree`` is where the other nest has its leaves. Raises as `assert_shallow_structure`."""
    assert_shallow_structure(shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length)
    return list(_down_to(shallow_tree, input_tree, expand_composites))


def map_structure_up_to(shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any) -> Any:
    """Return the shallow nest of ``func(*items)``, the items what nests have where it has its leaves."""
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    composites = kwargs.get("expand_composites", False)
    flat = [flatten_up_to(shallow_tree, each, **kwargs) for each in inputs]
    return pack_sequence_as(shallow_tree, [func(*items) for items in zip(*flat, strict=True)], composites)


def flatten_with_tuple_paths_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[tuple[tuple[Any, ...], Any]]:
    """Return what `flatten_up_to` does, each item behind the keys that lead to it."""
    items = flatten_up_to(shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length)
    return list(zip((path for path, _ in _with_paths(shallow_tree, expand_composites)), items, strict=True))


def map_structure_with_tuple_paths_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any
) -> Any:
    """Return what `map_structure_up_to` does, of ``func(path, *items)``, the path a tuple of keys."""
    paths = iter([path for path, _ in _with_paths(shallow_tree, kwargs.get("expand_composites", False))])
    return map_structure_up_to(shallow_tree, lambda *items: func(next(paths), *items), *inputs, **kwargs)


def get_traverse_shallow_structure(
    traverse_fn: Callable[[Any], Any], structure: Any, expand_composites: bool = False
) -> Any:
    """Return the nest of booleans that tells down to where ``traverse_fn`` wants to go."""
    wanted = traverse_fn(structure)
    if expand_composites and is_composite(structure):
        if not isinstance(wanted, bool):
            raise TypeError(f"traverse_fn returned a non-bool scalar: {wanted} for structure: {structure}")
        inner = components_of(structure)
        return with_components(structure, get_traverse_shallow_structure(traverse_fn, inner, True)) if wanted else False
    if not is_nested(structure):
        if not isinstance(wanted, bool):
            raise TypeError(f"traverse_fn returned structure: {wanted} for non-structure: {structure}")
        return wanted
    items = items_of(structure)
    if not is_nested(wanted):
        if not isinstance(wanted, bool):
            raise TypeError(f"traverse_fn returned a non-bool scalar: {wanted} for structure: {structure}")
        return (
            like(structure, [get_traverse_shallow_structure(traverse_fn, item, expand_composites) for item in items])
            if wanted
            else False
        )
    assert_shallow_structure(wanted, structure)
    parts = []
    for deeper, item in zip(items_of(wanted), items, strict=True):
        if not isinstance(deeper, bool):
            raise TypeError(
                f"traverse_fn didn't return a depth=1 structure of bools.  saw: {wanted}  for structure: {structure}"
            )
        parts.append(get_traverse_shallow_structure(traverse_fn, item, expand_composites) if deeper else False)
    return like(structure, parts)


def _with_paths(nest: Any, composites: bool, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    parts = _inside(nest, composites)
    if parts is None:
        yield path, nest
        return
    for key, item in parts:
        yield from _with_paths(item, composites, (*path, key))


def flatten_with_tuple_paths(structure: Any, expand_composites: bool = False) -> list[tuple[tuple[Any, ...], Any]]:
    """Return each leaf behind the keys that lead to it."""
    return list(_with_paths(structure, expand_composites))


def yield_flat_paths(nest: Any, expand_composites: bool = False) -> Iterator[tuple[Any, ...]]:
    """Yield for each leaf the keys that lead to it."""
    yield from (path for path, _ in _with_paths(nest, expand_composites))


def flatten_with_joined_string_paths(
    structure: Any, separator: str = "/", expand_composites: bool = False
) -> list[tuple[str, Any]]:
    """Return each leaf behind the keys that lead to it, as one text."""
    return [(separator.join(map(str, path)), leaf) for path, leaf in _with_paths(structure, expand_composites)]


def map_structure_with_tuple_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Return the nest of ``func(path, *items)``, the path a tuple of keys."""
    if not structure:
        raise ValueError("Must provide at least one structure")
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


def map_structure_with_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Return the nest of ``func(path, *items)``, the path the keys joined by ``/``."""
    return map_structure_with_tuple_paths(
        lambda path, *items: func("/".join(map(str, path)), *items), *structure, **kwargs
    )
