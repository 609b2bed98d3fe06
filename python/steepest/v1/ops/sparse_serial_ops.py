"""Sparse tensors as strings, three for each: the bytes of TensorFlow's messages; batches of such are read back.

In place of strings there may be variants, which hold the arrays themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.dtypes import OTHERS, as_dtype, dtype_or
from ..graph.run_values import array_of
from ..graph.tensor_messages import array_of_bytes, bytes_of_array
from .sparse_array_ops import checked_sparse, parts_of, produced
from .sparse_ops import SparseTensor
from .string_ops import as_bytes

__all__ = ["deserialize_many_sparse", "deserialize_sparse", "serialize_many_sparse", "serialize_sparse"]


def serialize_sparse(sp_input: Any, name: str | None = None, out_type: Any = "string") -> Any:
    """Return three strings or variants: of the places, of the values and of the shape, for `deserialize_sparse`.

    Raises ValueError for another ``out_type``.
    """
    kind = _checked_type(out_type)
    parts = parts_of(checked_sparse(sp_input))
    return _strings("SerializeSparse", lambda *arrays: _written(arrays, kind), parts, (3,), kind, name)


def serialize_many_sparse(sp_input: Any, name: str | None = None, out_type: Any = "string") -> Any:
    """Return three strings or variants for each row of the first axis, whose own axis they are without.

    Raises ValueError for another ``out_type``; InvalidArgumentError, when a session runs, for one axis.
    """
    kind = _checked_type(out_type)

    def rows(where: Any, values: Any, sizes: Any) -> Any:
        where, values, sizes = array_of(where), array_of(values), array_of(sizes)
        if len(sizes) < 2:
            raise ValueError(f"Rank of input SparseTensor should be > 1, but saw rank: {len(sizes)}")
        picks = [where[:, 0] == k for k in range(int(sizes[0]))]
        out = np.empty((len(picks), 3), object)
        for k, pick in enumerate(picks):
            out[k] = _written((where[pick][:, 1:], values[pick], sizes[1:]), kind)
        return out

    return _strings("SerializeManySparse", rows, parts_of(checked_sparse(sp_input)), (None, 3), kind, name)


def deserialize_sparse(serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None) -> Any:
    """Return the sparse tensor of strings of `serialize_sparse`; more axes of strings become its first axes.

    InvalidArgumentError, when a session runs, for strings of other origin, of another type or of several ranks.
    """
    wanted = as_dtype(dtype)

    def read(strings: Any) -> Any:
        strings = array_of(strings)
        if not strings.ndim or strings.shape[-1] != 3:
            raise ValueError(f"Serialized sparse should have 3 as the last dimension {list(strings.shape)}")
        lead = strings.shape[:-1]
        several = [[_read(text) for text in row] for row in strings.reshape(-1, 3).tolist()]
        _check_alike(several, wanted)
        sizes = np.max([item[2] for item in several], axis=0) if several else np.zeros(0, np.int64)
        before = [np.array(np.unravel_index(k, lead) if lead else [], np.int64) for k in range(len(several))]
        where = [
            np.concatenate([np.tile(first, (len(item[0]), 1)), item[0]], axis=1).astype(np.int64)
            for first, item in zip(before, several, strict=True)
        ]
        values = [item[1] for item in several]
        total = np.concatenate([np.array(lead, np.int64), sizes]).astype(np.int64)
        return np.concatenate(where), np.concatenate(values), total

    return produced("DeserializeSparse", read, [serialized_sparse], wanted, rank, name, differentiable=False)


def deserialize_many_sparse(
    serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None
) -> SparseTensor:
    """Return one sparse tensor of the rows of strings of `serialize_many_sparse`; ``rank`` is that of one row."""
    made: SparseTensor = deserialize_sparse(serialized_sparse, dtype, None if rank is None else rank + 1, name)
    return made


class _Variant:
    """A part of a sparse tensor as the element of a tensor of variants."""

    __slots__ = ("array",)
    dtype = OTHERS["variant"].dtype

    def __init__(self, array: Any) -> None:
        self.array = array

    @property
    def element_dtype(self) -> Any:
        """The type of the array."""
        return self.array.dtype


def _checked_type(out_type: Any) -> str:
    kind = dtype_or(out_type, "string").name
    if kind not in ("string", "variant"):
        raise ValueError(f"serialize_sparse: out_type must be string or variant, got {out_type!r}")
    return kind


def _strings(op_type: str, function: Any, inputs: Any, shape: Any, kind: str, name: str | None) -> Any:
    return call(op_type, function, inputs, name=name, shape=shape, dtype=kind, same=False, differentiable=False)


def _written(arrays: Any, kind: str) -> Any:
    out = np.empty(3, object)
    for k, array in enumerate(map(array_of, arrays)):
        out[k] = _Variant(np.array(array)) if kind == "variant" else bytes_of_array(array, whole=True)
    return out


def _read(part: Any) -> Any:
    if isinstance(part, _Variant):
        return part.array
    try:
        return array_of_bytes(as_bytes(part))[1]
    except (ValueError, TypeError):
        raise ValueError("Could not parse serialized proto") from None


def _check_alike(several: list[Any], wanted: Any) -> None:
    for k, (where, values, sizes) in enumerate(several):
        found = "string" if values.dtype == object else as_dtype(values.dtype).name
        if found != wanted.name:
            raise ValueError(
                f"Requested SparseTensor of type {wanted.name} but SparseTensor[{k}].values.dtype() == {found}"
            )
        if where.ndim != 2 or where.shape[1] != len(sizes):
            raise ValueError(f"SparseTensor[{k}] has places of {where.shape} for {len(sizes)} axes")
        if len(sizes) != len(several[0][2]):
            raise ValueError(
                f"Inconsistent shape across SparseTensors: rank prior to SparseTensor[{k}] was: "
                f"{len(several[0][2])} but rank of SparseTensor[{k}] is: {len(sizes)}"
            )
