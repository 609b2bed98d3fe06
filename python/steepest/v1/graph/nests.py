"""Nests: lists, tuples and dicts of anything, flattened, put together again and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MappingView, Sequence
from dataclasses import is_dataclass
from typing import Any

from .composites import components_of, is_composite, is_composite_spec, parts_of, with_parts
from .mappings import maker_of

__all__ = [
    "assert_same_kind",
    "assert_same_structure",
    "flatten",
    "is_attrs",
    "is_nested",
    "is_own",
    "items_of",
    "keys_of",
    "like",
    "map_structure",
    "pack_sequence_as",
    "same_type",
]


def is_nested(seq: Any) -> bool:
    """Tell whether a value is a sequence, a mapping or the view of one, or of a class that says what it holds."""
    if isinstance(seq, (list, tuple)):
        return True
    text = isinstance(seq, (str, bytes, bytearray, memoryview))
    return not text and (isinstance(seq, (Mapping, MappingView, Sequence)) or is_attrs(seq) or is_own(seq))


def is_attrs(value: Any) -> bool:
    """Tell whether a value is of a class made by ``attr.s``."""
    return hasattr(type(value), "__attrs_attrs__")


def is_own(value: Any) -> bool:
    """Tell whether a value is of a dataclass with TensorFlow's methods for nests."""
    kind = type(value)
    return hasattr(kind, "__tf_flatten__") and hasattr(kind, "__tf_unflatten__") and is_dataclass(kind)


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """Return what is in a nest, in order; of mappings in that of the sorted keys.

    ``expand_composites`` gives the parts of sparse tensors and `IndexedSlices` instead of these.
    """
    if is_nested(structure):
        return [leaf for item in items_of(structure) for leaf in flatten(item, expand_composites)]
    if expand_composites and is_composite_spec(structure):
        return flatten(structure._component_specs, True)
    return parts_of(structure) if expand_composites and is_composite(structure) else [structure]


def items_of(nest: Any) -> list[Any]:
    """Return what a nest holds itself; of mappings in the order of the sorted keys."""
    if isinstance(nest, Mapping):
        return [nest[key] for key in sorted(nest)]
    if is_own(nest):
        return list(nest.__tf_flatten__()[1])
    return [getattr(nest, field.name) for field in nest.__attrs_attrs__] if is_attrs(nest) else list(nest)


def keys_of(nest: Any) -> list[Any]:
    """Return what leads to each of `items_of`: keys, names of fields, or numbers."""
    if isinstance(nest, Mapping):
        return sorted(nest)
    if is_attrs(nest):
        return [field.name for field in nest.__attrs_attrs__]
    return list(range(len(items_of(nest))) if is_own(nest) else getattr(nest, "_fields", range(len(nest))))


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """Return the nest with other items in it.

    Raises ValueError for another number of them, TypeError for items that are no sequence.
    """
    if not is_nested(flat_sequence):
        told = f"into a structure, but found incompatible type `{type(flat_sequence)}` instead."
        said = f"flat_sequence must be a sequence, not {type(flat_sequence)}"
        raise TypeError(f"{said}: Attempted to pack value:\n  {flat_sequence!r:.80}\n{told}")
    flat, places = list(flat_sequence), flatten(structure, expand_composites)
    if not is_nested(structure) and len(places) == 1 and len(flat) != 1:
        told = "nest cannot guarantee that it is safe to map one to the other."
        raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(flat)} > 1; {told}")
    if len(flat) != len(places):
        raise ValueError(f"Structure had {len(places)} atoms, but flat_sequence had {len(flat)} items.")
    return _packed(structure, iter(flat), expand_composites)


def _packed(structure: Any, values: Iterator[Any], composites: bool) -> Any:
    if is_nested(structure):
        return like(structure, [_packed(item, values, composites) for item in items_of(structure)])
    if composites and is_composite_spec(structure):
        return structure._from_components(_packed(structure._component_specs, values, True))
    if composites and is_composite(structure):
        return with_parts(structure, [next(values) for _ in parts_of(structure)])
    return next(values)


def like(nest: Any, items: list[Any]) -> Any:
    """Return a nest of the same type that holds other items, which are in the order of `items_of`."""
    if isinstance(nest, Mapping):
        found = dict(zip(sorted(nest), items, strict=True))
        return maker_of(nest)((key, found[key]) for key in nest)
    if isinstance(nest, (MappingView, range)):
        return items
    if is_own(nest):
        return nest.__tf_unflatten__(nest.__tf_flatten__()[0], tuple(items))
    return type(nest)(*items) if hasattr(nest, "_fields") or is_attrs(nest) else type(nest)(items)


def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Return the nest of ``func(*items)``, the items those of each of several nests at one place.

    ``check_types=False`` lets lists stand beside tuples.
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func!r}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    if unknown := set(kwargs) - {"check_types", "expand_composites"}:
        told = ", ".join(f"`{name}`" for name in sorted(unknown))
        raise ValueError(f"Only valid keyword arguments are `check_types` and `expand_composites`, not: {told}")
    composites = kwargs.get("expand_composites", False)
    for other in structure[1:]:
        assert_same_structure(structure[0], other, kwargs.get("check_types", True), composites)
    flat = [flatten(each, composites) for each in structure]
    return pack_sequence_as(structure[0], [func(*items) for items in zip(*flat, strict=True)], composites)


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False) -> None:
    """Raise ValueError where two nests differ in structure, TypeError where their lists, tuples and dicts do."""
    try:
        _assert_same(nest1, nest2, bool(check_types), bool(expand_composites))
    except (ValueError, TypeError) as error:
        shown = f"First structure: {nest1!r:.200}\n\nSecond structure: {nest2!r:.200}"
        said = f"The two structures don't have the same nested structure.\n\n{shown}\n\nMore specifically: {error}"
        forms = [map_structure(lambda _: _DOT, nest) for nest in (nest1, nest2)]
        raise type(error)(
            f"{said}\nEntire first structure:\n{forms[0]}\nEntire second structure:\n{forms[1]}"
        ) from None


class _Dot:
    """What stands for an item where the form of a nest is shown."""

    def __repr__(self) -> str:
        return "."


_DOT = _Dot()


def _assert_same(one: Any, two: Any, check_types: bool, composites: bool) -> None:
    if is_nested(one) != is_nested(two):
        nested, other = (one, two) if is_nested(one) else (two, one)
        raise ValueError(f"Substructure {_shown(nested)} is a sequence, while substructure {_shown(other)} is not")
    if not is_nested(one):
        specs = is_composite_spec(one), is_composite_spec(two)
        if composites and (is_composite(one) or is_composite(two) or any(specs)):
            assert_same_kind(one, two)
            if not any(specs):
                _assert_same(components_of(one), components_of(two), check_types, composites)
        return
    both = isinstance(one, Mapping) and isinstance(two, Mapping)
    if check_types and not both and not same_type(one, two):
        raise TypeError(
            "The two structures don't have the same sequence type. First structure has type "
            f"{type(one)}, while second structure has type {type(two)}."
        )
    if both and set(one) != set(two):
        raise ValueError(
            f"The two dictionaries don't have the same set of keys. First structure has keys {list(one)}, while "
            f"second structure has keys {list(two)}."
        )
    for first, second in zip(items_of(one), items_of(two), strict=False):
        _assert_same(first, second, check_types, composites)
    if len(items_of(one)) != len(items_of(two)):
        raise ValueError(
            "The two structures don't have the same number of elements. First structure: "
            f"{one!r:.80}. Second structure: {two!r:.80}."
        )


def assert_same_kind(one: Any, two: Any) -> None:
    """Raise TypeError where two composite values are of different classes, ValueError where their specs differ.

    A spec may stand for a value.
    """
    if is_composite_spec(one) or is_composite_spec(two):
        spec, other = (one, two) if is_composite_spec(one) else (two, one)
        known = other if is_composite_spec(other) else getattr(other, "_type_spec", None)
        both = spec.is_compatible_with(other) if known is None else spec.most_specific_common_supertype([known])
        if not both:
            raise ValueError(f"Incompatible CompositeTensor TypeSpecs: {_shown(one)} vs. {_shown(two)}")
        return
    spec, other = getattr(one, "_type_spec", None), getattr(two, "_type_spec", None)
    if type(one) is not type(two) and (spec is None or other is None):
        raise TypeError(f"Substructure {_shown(one)} is not of the type of substructure {_shown(two)}")
    if spec is not None and not spec.is_compatible_with(other):
        raise ValueError(f"Incompatible CompositeTensor TypeSpecs: {spec} vs. {other}")


def same_type(one: Any, two: Any) -> bool:
    """Tell whether two sequences are of one type; all lists are, and named tuples of one name with the same fields."""
    if hasattr(one, "_fields") and hasattr(two, "_fields"):
        return type(one).__name__ == type(two).__name__ and one._fields == two._fields
    return type(one) is type(two) or (isinstance(one, list) and isinstance(two, list))


def _shown(value: Any) -> str:
    return f'"type={type(value).__name__} str={value!s:.80}"'
