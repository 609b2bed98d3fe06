"""Sparse tensors joined along an axis, and parted along one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.errors import InvalidArgumentError
from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from .gather_ops import taken_dense
from .sparse_array_ops import checked_sparse, count_of, order_of, parts_of, produced, rank_of, sizes_of, with_sizes
from .sparse_ops import SparseTensor

__all__ = ["sparse_concat", "sparse_split"]


def _joined_size(sizes: tuple[int | None, ...], adds: bool, expands: bool) -> int | None:
    """Return the size of one axis of tensors that are joined, None where only a session knows it."""
    known = [size for size in sizes if size is not None]
    if adds or expands:
        return None if len(known) < len(sizes) else sum(known) if adds else max(known)
    return known[0] if known else None


def sparse_concat(
    axis: int,
    sp_inputs: Any,
    name: str | None = None,
    expand_nonconcat_dim: bool = False,
    concat_dim: Any = None,
    expand_nonconcat_dims: Any = None,
) -> SparseTensor:
    """Join sparse tensors along an axis; of other sizes the largest is taken with ``expand_nonconcat_dims``.

    Raises InvalidArgumentError, when a session runs, where other sizes differ.
    """
    parts = [checked_sparse(item) for item in sp_inputs]
    if not parts:
        raise ValueError("List argument 'indices' to 'SparseConcat' Op with length 0 shorter than minimum length 2.")
    axis = int(axis if concat_dim is None else concat_dim)
    expands = expand_nonconcat_dim if expand_nonconcat_dims is None else expand_nonconcat_dims

    def joined(*arrays: Any) -> Any:
        shapes = np.stack([array_of(sizes) for sizes in arrays[2::3]])
        at = axis % shapes.shape[1]
        others = np.delete(shapes, at, axis=1)
        if not expands and np.any(others != others[0]):
            k = next(k for k in range(1, len(others)) if np.any(others[k] != others[0]))
            told = f"for dimension {axis}. Got {bracketed(shapes[0])} and {bracketed(shapes[k])}"
            raise ValueError(f"Concat dimensions: Input shapes must match: expected the same sizes but {told}")
        begins = np.concatenate([[0], np.cumsum(shapes[:, at])])
        total = shapes.max(axis=0)
        total[at] = begins[-1]
        moved = [array_of(where).copy() for where in arrays[0::3]]
        for where, begin in zip(moved, begins, strict=False):
            where[:, at] += begin
        places = np.concatenate(moved)
        order = order_of(places)
        return places[order], np.concatenate(arrays[1::3])[order], total

    inputs = [array for part in parts for array in parts_of(part)]
    counts = [count_of(part) for part in parts]
    known = [count for count in counts if count is not None]
    total = sum(known) if len(known) == len(counts) else None
    ranks = {rank for part in parts if (rank := rank_of(part)) is not None}
    if len(ranks) > 1:
        told = " and ".join(map(str, sorted(ranks)))
        raise ValueError(f"Dimension 1 in both shapes must be equal, but the tensors of sparse_concat have {told} axes")
    made = produced("SparseConcat", joined, inputs, parts[0].dtype, next(iter(ranks), None), name, False, total)
    shapes = [sizes for sizes in map(sizes_of, parts) if sizes is not None]
    if len(shapes) < len(parts) or len(set(map(len, shapes))) > 1:
        return made
    combined = [
        _joined_size(sizes, k == axis % len(shapes[0]), expands) for k, sizes in enumerate(zip(*shapes, strict=True))
    ]
    return with_sizes(made, combined)


def sparse_split(
    keyword_required: Any = None,
    sp_input: Any = None,
    num_split: int | None = None,
    axis: int | None = None,
    name: str | None = None,
    split_dim: int | None = None,
) -> list[SparseTensor]:
    """Return ``num_split`` parts along an axis, the first ones larger where it does not divide.

    Raises ValueError without a tensor, a number or an axis.
    """
    if keyword_required is not None:
        raise ValueError("Keyword arguments are required for this function.")
    axis = split_dim if axis is None else axis
    for what, given in (("sp_input", sp_input), ("num_split", num_split), ("axis", axis)):
        if given is None:
            raise ValueError(f"{what} is required")
    assert num_split is not None
    assert axis is not None
    sparse = checked_sparse(sp_input)
    if np.ndim(axis):
        raise InvalidArgumentError(None, None, f"axis should be a scalar, got {axis!r}")
    along = int(axis)

    def part(k: int) -> Any:
        def cut(where: Any, values: Any, sizes: Any) -> Any:
            where, sizes = array_of(where), array_of(sizes).copy()
            if not -len(sizes) <= along < len(sizes):
                told = f"between 0 and rank ({len(sizes)}), got {along}"
                range_of_axes = f"axis should be in range [-{len(sizes)}, {len(sizes)})"
                raise ValueError(f"Input split_dim should be {told}: {range_of_axes}")
            if np.any((where < 0) | (where >= sizes)):
                raise ValueError("Sparse index is not in the shape " + str(sizes.tolist()))
            if num_split > int(sizes[along]):
                raise ValueError(f"num_split must not be larger than {int(sizes[along])}, got {num_split}")
            each, more = divmod(int(sizes[along]), num_split)
            low, size = k * each + min(k, more), each + (k < more)
            inside = np.flatnonzero((where[:, along] >= low) & (where[:, along] < low + size))
            places = where[inside]
            places[:, along] -= low
            sizes[along] = size
            return places, taken_dense(values, inside, 0), sizes

        return produced("SparseSplit", cut, parts_of(sparse), sparse.dtype, rank_of(sparse), name)

    return [part(k) for k in range(num_split)]
