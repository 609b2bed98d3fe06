"""Values made of several tensors: `IndexedSlices`, sparse tensors, and those of a program's own classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ops.indexed_slices import IndexedSlices
from ...variables.variable import Variable
from .node import Node

__all__ = [
    "components_of",
    "is_composite",
    "is_composite_spec",
    "is_sparse",
    "is_variable",
    "parts_of",
    "with_components",
    "with_parts",
    "with_values",
]


def is_sparse(value: Any) -> bool:
    """Tell whether a value is a sparse tensor."""
    return hasattr(value, "_sparse_parts")


def is_composite(value: Any) -> bool:
    """Tell whether a value has several tensors as its parts."""
    return isinstance(value, IndexedSlices) or is_sparse(value) or _has_spec(value)


def _has_spec(value: Any) -> bool:
    """Tell whether a value is of a program's own class, whose objects say by ``_type_spec`` what they are made of."""
    return hasattr(type(value), "_type_spec") and not is_variable(value)


def is_variable(value: Any) -> bool:
    """Tell whether a value is a variable of a graph or of eager mode, which nests hold as it is."""
    return isinstance(value, (Node, Variable))


def is_composite_spec(value: Any) -> bool:
    """Tell whether a value is the spec of such a value: a nest may have it in the place of one."""
    return hasattr(type(value), "of_composites") and bool(value.of_composites)


def components_of(value: Any) -> Any:
    """Return what a value is made of: a list of its parts, or the nest that the program's class says."""
    return value._type_spec._to_components(value) if _has_spec(value) else parts_of(value)


def with_components(value: Any, components: Any) -> Any:
    """Return a value of the same kind made of others, in the form of `components_of`."""
    return value._type_spec._from_components(components) if _has_spec(value) else type(value)(*components)


def parts_of(value: Any) -> list[Any]:
    """Return the parts: of slices the values, the indices, and the dense shape where it is given."""
    if is_sparse(value):
        return list(value._sparse_parts)
    if _has_spec(value):
        found: list[Any] = []

        def noted(part: Any) -> Any:
            found.append(part)
            return part  # of which a value in the value is made again

        _mapped(components_of(value), noted)
        return found
    return [value.values, value.indices, *([] if value.dense_shape is None else [value.dense_shape])]


def with_parts(value: Any, parts: list[Any], shaped: bool = False) -> Any:
    """Return a value of the same kind with other parts, in the order of `parts_of`.

    With ``shaped``, a sparse tensor has the static shape of the first one, which its new parts may not tell.
    """
    if _has_spec(value):
        remaining = iter(parts)
        return with_components(value, _mapped(components_of(value), lambda _: next(remaining)))
    made = type(value)(*parts)
    if shaped and is_sparse(value):
        made.set_shape(value.shape)
    return made


def _mapped(structure: Any, function: Callable[[Any], Any]) -> Any:
    """Return a nest of components with what a function makes of each."""
    if isinstance(structure, dict):
        made = {key: _mapped(structure[key], function) for key in sorted(structure)}
        return type(structure)((key, made[key]) for key in structure)
    if isinstance(structure, (list, tuple)):
        items = [_mapped(item, function) for item in structure]
        return type(structure)(*items) if hasattr(structure, "_fields") else type(structure)(items)
    if is_composite(structure):
        return with_components(structure, _mapped(components_of(structure), function))
    return function(structure)


def with_values(value: Any, values: Any) -> Any:
    """Return slices or a sparse tensor with other values at the same places."""
    if is_sparse(value):
        return type(value)(value.indices, values, value.dense_shape)
    return IndexedSlices(values, value.indices, value.dense_shape)
