"""Crosses of features: for each row every choice of one feature from each column, as a text or as a hash."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ..graph.build import call, convert, dtype_of
from ..graph.composites import is_sparse
from ..graph.run_values import array_of
from .sparse_array_ops import parts_of
from .sparse_ops import SparseTensor
from .string_hash_ops import farm, joined_hashes
from .string_ops import as_bytes

__all__ = ["DEFAULT_KEY", "feature_cross", "sparse_cross", "sparse_cross_hashed"]

DEFAULT_KEY = 0xDECAFCAFFE
_MASK = (1 << 64) - 1
_LARGEST = (1 << 63) - 1


def sparse_cross(inputs: list[Any], name: str | None = None) -> SparseTensor:
    """Return the crosses of columns as texts, joined by ``_X_``: sparse columns first, then dense ones.

    Raises TypeError for what is no list, and for inputs that are no tensors.

    Source: ``tf.sparse.cross``.
    """
    return _crossed(inputs, None, name)


def sparse_cross_hashed(
    inputs: list[Any], num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> SparseTensor:
    """Return the crosses of columns as numbers below ``num_buckets`` (0: as large as int64 has them).

    Source: ``tf.sparse.cross_hashed``.
    """
    return _crossed(inputs, (int(num_buckets), DEFAULT_KEY if hash_key is None else int(hash_key)), name)


def feature_cross(
    inputs: list[Any],
    hashed_output: bool = False,
    num_buckets: int = 0,
    name: str | None = None,
    hash_key: int | None = None,
) -> SparseTensor:
    """Return the crosses of columns as texts, or as hashes, which are joined in the old way where there is no key.

    Source: ``tf.contrib.layers.sparse_feature_cross``.
    """
    return _crossed(inputs, (int(num_buckets), hash_key or None) if hashed_output else None, name)


def _crossed(inputs: Any, hashing: tuple[int, int | None] | None, name: str | None) -> SparseTensor:
    if not isinstance(inputs, list):
        raise TypeError("Inputs must be a list")
    if not all(is_sparse(item) or hasattr(item, "dtype") for item in inputs):
        raise TypeError("All inputs must be SparseTensors")
    sparse = [item for item in inputs if is_sparse(item)]
    dense = [convert(item) for item in inputs if not is_sparse(item)]
    texts = [dtype_of(item.values).name == "string" for item in sparse] + [
        dtype_of(item).name == "string" for item in dense
    ]

    def cross(*arrays: Any) -> Any:
        several = [_rows(*arrays[3 * k : 3 * k + 3]) for k in range(len(sparse))]
        several += [[list(row) for row in array_of(x).tolist()] for x in arrays[3 * len(sparse) :]]
        sizes = {len(rows) for rows in several}
        if len(sizes) != 1:
            raise ValueError(f"Expected batch size {len(several[0])}, got {sorted(sizes)}")
        rows = zip(*several, strict=True)
        made = [[_joined(choice, texts, hashing) for choice in itertools.product(*row)] for row in rows]
        longest = max((len(row) for row in made), default=0)
        places = [(k, column) for k, row in enumerate(made) for column in range(len(row))]
        values = np.empty(len(places), object if hashing is None else np.int64)
        values[:] = [value for row in made for value in row]
        return np.array(places, np.int64).reshape(-1, 2), values, np.array([len(made), longest], np.int64)

    given = [part for item in sparse for part in parts_of(item)] + dense
    parts = call(
        "SparseCross",
        cross,
        given,
        name=name,
        shape=[(None, 2), (None,), (2,)],
        dtype=["int64", "string" if hashing is None else "int64", "int64"],
        outputs=3,
        same=False,
        differentiable=False,
    )
    return SparseTensor(*parts)


def _rows(where: Any, values: Any, sizes: Any) -> list[list[Any]]:
    rows: list[list[Any]] = [[] for _ in range(int(array_of(sizes)[0]))]
    for place, value in zip(array_of(where).tolist(), array_of(values).tolist(), strict=True):
        rows[place[0]].append(value)
    return rows


def _joined(choice: tuple[Any, ...], texts: list[bool], hashing: tuple[int, int | None] | None) -> Any:
    if hashing is None:
        return b"_X_".join(as_bytes(v) if text else b"%d" % v for v, text in zip(choice, texts, strict=True))
    buckets, key = hashing
    join, total = (_joined_before, DEFAULT_KEY) if key is None else (joined_hashes, key)
    for value, text in zip(choice, texts, strict=True):
        total = join(total, farm(as_bytes(value)) if text else value & _MASK)
    return total % (buckets or _LARGEST)


def _joined_before(first: int, second: int) -> int:
    """Return one hash of two as crosses without a key have it: the first is shifted as a number with a sign."""
    signed = first - (1 << 64) if first >> 63 else first
    return first ^ (second + 0x9E3779B97F4A7800 + (first << 10) + (signed >> 4) & _MASK)
