"""Sets along the last axis: what rows of two tensors, dense or sparse, have in common or not."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import call, convert, shape_of
from ..graph.dtypes import as_dtype
from ..graph.errors import InternalError, InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from .sparse_array_ops import produced, rank_of
from .sparse_ops import SparseTensor, SparseTensorValue, convert_to_tensor

__all__ = ["set_difference", "set_intersection", "set_size", "set_union"]

_TYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "string")


def _operand(value: Any, what: str) -> Any:
    if isinstance(value, (SparseTensor, SparseTensorValue)):
        value = SparseTensor.from_value(value)
    else:
        value = convert_to_tensor(value) if executing_eagerly() else convert(value, name=what)
    if as_dtype(value.dtype).base_dtype.name not in _TYPES:
        raise TypeError(f"'{what}' has invalid dtype {as_dtype(value.dtype)!r}: sets are of integers or strings")
    return value


def _parts(value: Any) -> list[Any]:
    return [value.indices, value.values, value.dense_shape] if isinstance(value, SparseTensor) else [value]


def _rows(parts: list[Any], validate: bool) -> tuple[dict[tuple[int, ...], set[Any]], tuple[int, ...]]:
    """Return the set of each row, by its place, and the shape without the last axis."""
    if len(parts) == 1:
        dense = parts[0]
        if dense.ndim < 1:
            raise InvalidArgumentError(None, None, f"Input tensor should be at least rank 2, got {dense.ndim}")
        places = np.ndindex(dense.shape[:-1])
        return {at: set(dense[at].tolist()) for at in places}, dense.shape[:-1]
    indices, values, shape = parts
    if len(shape) < 2:
        raise InvalidArgumentError(None, None, f"Invalid rank {len(shape)}.")
    rows: dict[tuple[int, ...], set[Any]] = {}
    before: tuple[int, ...] | None = None
    for at, (place, value) in enumerate(zip(map(tuple, indices.tolist()), values.tolist(), strict=True)):
        outside = [axis for axis, i in enumerate(place) if not 0 <= i < shape[axis]]
        if outside and not validate:
            axis = outside[0]
            told = f"indices[{at}, {axis}] expected < {shape[axis]}, got {place[axis]}."
            raise InternalError(None, None, told)
        if validate:
            if outside:
                bounds = f"need 0 <= index < [{','.join(map(str, shape.tolist()))}]"
                told = f"indices[{at}] = [{','.join(map(str, place))}] is out of bounds: {bounds}"
                raise InvalidArgumentError(None, None, told)
            if before is not None and place <= before:
                wrong = "repeated" if place == before else "out of order"
                raise InvalidArgumentError(None, None, f"indices[{at}] = {list(place)} is {wrong}")
        before = place
        rows.setdefault(place[:-1], set()).add(value)
    return rows, tuple(shape[:-1].tolist())


def set_size(a: Any, validate_indices: bool = True) -> Any:
    """Return how many different values each row of a sparse tensor has. Raises TypeError for any other tensor."""
    if not isinstance(a, (SparseTensor, SparseTensorValue)):
        raise TypeError(f"Expected `SparseTensor`, got {a!r:.80}.")
    a = _operand(a, "a")

    def compute(*parts: Any) -> Any:
        rows, shape = _rows([array_of(part) for part in parts], validate_indices)
        found = np.zeros(shape, np.int32)
        for at, row in rows.items():
            found[at] = len(row)
        return found

    return call("SetSize", compute, _parts(a), shape=None, dtype="int32", same=False, differentiable=False)


def _operation(a: Any, b: Any, combine: Any, validate: bool) -> SparseTensor:
    a, b = _operand(a, "a"), _operand(b, "b")
    if as_dtype(a.dtype).base_dtype != as_dtype(b.dtype).base_dtype:
        raise TypeError(f"Types don't match, {a.dtype} vs {b.dtype}.")
    dtype = as_dtype(a.dtype).base_dtype
    first = _parts(a)

    def compute(*parts: Any) -> tuple[Any, Any, Any]:
        arrays = [array_of(part) for part in parts]
        rows, shape = _rows(arrays[: len(first)], validate)
        others, other_shape = _rows(arrays[len(first) :], validate)
        if shape != other_shape:
            raise InvalidArgumentError(None, None, f"Mismatched shapes {list(shape)} vs {list(other_shape)}")
        indices, values, longest = [], [], 0
        for at in sorted({*rows, *others}):
            row = sorted(combine(rows.get(at, set()), others.get(at, set())))
            longest = max(longest, len(row))
            indices += [(*at, k) for k in range(len(row))]
            values += row
        places = np.array(indices, np.int64).reshape(-1, len(shape) + 1)
        return places, np.array(values, dtype.dtype), np.array([*shape, longest], np.int64)

    ranks = [rank_of(x) if isinstance(x, SparseTensor) else _ndim(x) for x in (a, b)]
    if None not in ranks and ranks[0] != ranks[1]:
        raise ValueError(f"Shape must be rank {ranks[0]} but is rank {ranks[1]}")
    ndim = ranks[0] if ranks[1] is None else ranks[1]
    groups = [None if isinstance(x, SparseTensor) else shape_of(x) for x in (a, b)]
    if groups[0] and groups[1]:
        _check_groups(groups[0][:-1], groups[1][:-1])
    if ndim is not None and ndim < 2:
        raise ValueError(f"Shape must be at least rank 2 but is rank {ndim}")
    kinds = sorted("Sparse" if isinstance(x, SparseTensor) else "Dense" for x in (a, b))
    op_type = f"{kinds[0]}To{kinds[1]}SetOperation"
    return produced(op_type, compute, [*first, *_parts(b)], dtype, ndim, differentiable=False)


def _check_groups(first: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    for axis, (size, against) in enumerate(zip(first, other, strict=True)):
        if None not in (size, against) and size != against:
            told = f"Dimension {axis} in both shapes must be equal, but are {size} and {against}."
            raise ValueError(f"{told} Shapes are {list(first)} and {list(other)}.")


def _ndim(value: Any) -> int | None:
    shape = shape_of(value)
    return None if shape is None else len(shape)


def set_intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """Return the values that rows of both have, sorted."""
    return _operation(a, b, lambda x, y: x & y, validate_indices)


def set_difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """Return the values that rows of a have and those of b have not, sorted; the other way round on demand."""
    return _operation(a, b, lambda x, y: x - y if aminusb else y - x, validate_indices)


def set_union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """Return the values that rows of either have, sorted."""
    return _operation(a, b, lambda x, y: x | y, validate_indices)
