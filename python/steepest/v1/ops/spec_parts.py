"""The parts of specs, shapes, types and plain values in nests: compared, and put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.dtypes import DType
from ..graph.shapes import TensorShape

__all__ = ["compatible_parts", "covered", "key_of_part", "merged", "together"]


def _is_spec(value: Any) -> bool:
    return hasattr(value, "_serialize") and hasattr(value, "_component_specs")


def key_of_part(value: Any) -> Any:
    """Return what stands for a part of a spec where two are compared."""
    if _is_spec(value):
        return type(value), value._parts()
    if isinstance(value, dict):
        return tuple((key, key_of_part(value[key])) for key in sorted(value))
    if isinstance(value, (tuple, list)):
        return tuple(map(key_of_part, value))
    if isinstance(value, TensorShape):
        return TensorShape, None if value.ndims is None else tuple(value.as_list())
    if isinstance(value, np.ndarray):
        return np.ndarray, value.shape, repr(value.tolist())
    return value


def _alike(one: Any, other: Any) -> bool:
    """Tell whether two parts are of one kind: tuples with the same names are, whatever class they are of."""
    if hasattr(one, "_fields") and hasattr(other, "_fields"):
        return bool(one._fields == other._fields and type(one).__name__ == type(other).__name__)
    return type(one) is type(other)


def compatible_parts(one: Any, other: Any) -> bool:
    """Tell whether a value can be of both parts."""
    if not _alike(one, other):
        return False
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(compatible_parts, one, other))
    if isinstance(one, dict):
        return set(one) == set(other) and all(compatible_parts(one[key], other[key]) for key in one)
    if _is_spec(one) or isinstance(one, (TensorShape, DType)):
        return bool(one.is_compatible_with(other))
    return bool(np.all(key_of_part(one) == key_of_part(other)))


def covered(one: Any, other: Any) -> bool:
    """Tell whether all values of a part are of the other one, too."""
    if not _alike(one, other):
        return False
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(covered, one, other))
    if isinstance(one, dict):
        return set(one) == set(other) and all(covered(one[key], other[key]) for key in one)
    if _is_spec(one) or isinstance(one, (TensorShape, DType)):
        return bool(one.is_subtype_of(other))
    return bool(key_of_part(one) == key_of_part(other))


def together(one: Any, others: Sequence[Any]) -> Any:
    """Return what all parts are kinds of. Raises ValueError where there is nothing."""
    if all(_alike(one, other) for other in others):
        if isinstance(one, (tuple, list)) and all(len(one) == len(other) for other in others):
            return _like(one, [together(*_split(parts)) for parts in zip(one, *others, strict=True)])
        if isinstance(one, dict) and all(set(one) == set(other) for other in others):
            return {key: together(one[key], [other[key] for other in others]) for key in one}
        if _is_spec(one) or isinstance(one, (TensorShape, DType)):
            found = one.most_specific_common_supertype(others)
            if found is not None:
                return found
        elif all(key_of_part(one) == key_of_part(other) for other in others):
            return one
    raise ValueError(f"There is nothing that these are kinds of: {one!r}, {others!r}")


def _split(parts: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    return parts[0], parts[1:]


def _like(one: Any, items: Sequence[Any]) -> Any:
    """Return a list or tuple of the kind of another, of other items."""
    return type(one)(*items) if hasattr(one, "_fields") else type(one)(items)


def merged(one: Any, other: Any) -> Any:
    """Return what the parts of two specs have in common; ValueError for parts that differ."""
    if _alike(one, other):
        if isinstance(one, (tuple, list)) and len(one) == len(other):
            return _like(one, list(map(merged, one, other)))
        if isinstance(one, dict) and set(one) == set(other):
            return {key: merged(one[key], other[key]) for key in sorted(one)}
        if isinstance(one, TensorShape):
            return one.most_specific_compatible_shape(other)
        if _is_spec(one):
            return one.most_specific_compatible_type(other)
        if key_of_part(one) == key_of_part(other):
            return one
    raise ValueError(f"Types are not compatible: {one!r} vs {other!r}")
