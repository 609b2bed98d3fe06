"""Crosses of features: for each row every choice of one feature from each column, as a text or as a hash."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np

from ..graph.build import call, dtype_of
from ..graph.composites import is_sparse
from ..graph.errors import InvalidArgumentError
from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from .sparse_array_ops import parts_of
from .sparse_ops import SparseTensor, convert_to_tensor
from .string_hash_ops import farm, joined_hashes, sip
from .string_ops import as_bytes

__all__ = [
    "DEFAULT_KEY",
    "crossed_hashes",
    "crossed_texts",
    "feature_cross",
    "salted_hashes",
    "sparse_cross",
    "sparse_cross_hashed",
]

DEFAULT_KEY = 0xDECAFCAFFE
_MASK = (1 << 64) - 1
_LARGEST = (1 << 63) - 1


def sparse_cross(inputs: list[Any], name: str | None = None, separator: Any = None) -> SparseTensor:
    """Return the crosses of columns as texts, joined by the separator (``_X_``): sparse columns first, then dense ones.

    Raises TypeError for what is no list, and for inputs that are no tensors; in a run InvalidArgumentError for a
    separator that is no scalar, for columns that are no matrices, and for ones of several sizes.

    Source: ``tf.sparse.cross``.
    """
    sparse, dense = _columns(inputs)
    return SparseTensor(*crossed_texts(sparse, dense, "_X_" if separator is None else separator, name))


def sparse_cross_hashed(
    inputs: list[Any], num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> SparseTensor:
    """Return the crosses of columns as numbers below ``num_buckets`` (0: as large as int64 has them).

    Source: ``tf.sparse.cross_hashed``.
    """
    return _hashed(inputs, num_buckets, DEFAULT_KEY if hash_key is None else hash_key, name)


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
    return _hashed(inputs, num_buckets, hash_key or None, name) if hashed_output else sparse_cross(inputs, name)


def _hashed(inputs: Any, num_buckets: Any, key: int | None, name: str | None) -> SparseTensor:
    sparse, dense = _columns(inputs)
    return SparseTensor(*crossed_hashes(sparse, dense, int(num_buckets), key, name))


def _columns(inputs: Any) -> tuple[list[Any], list[Any]]:
    if not isinstance(inputs, list):
        raise TypeError("Inputs must be a list")
    if not all(is_sparse(item) or hasattr(item, "dtype") for item in inputs):
        raise TypeError("All inputs must be SparseTensors")
    sparse = [parts_of(item) for item in inputs if is_sparse(item)]
    return sparse, [convert_to_tensor(item) for item in inputs if not is_sparse(item)]


def crossed_texts(sparse: list[Any], dense: list[Any], separator: Any, name: str | None = None) -> tuple[Any, ...]:
    """Return places, values and shape of crosses of columns, which are given by their parts."""
    texts = _are_texts(sparse, dense)

    def joining(separator: Any) -> Any:
        if array_of(separator).ndim:
            told = bracketed(array_of(separator).shape)
            raise InvalidArgumentError(None, None, f"Input separator should be a scalar. Received: {told}")
        between = as_bytes(array_of(separator).item())
        return lambda choice: between.join(
            as_bytes(v) if text else b"%d" % v for v, text in zip(choice, texts, strict=True)
        )

    return _crossed("SparseCrossV2", sparse, dense, joining, [convert_to_tensor(separator, "string")], "string", name)


def crossed_hashes(
    sparse: list[Any], dense: list[Any], buckets: int, key: int | None, name: str | None = None
) -> tuple[Any, ...]:
    """Return crosses as hashes that begin with a key; they are joined in the old way where it is None."""
    texts = _are_texts(sparse, dense)
    join, first = (_joined_before, DEFAULT_KEY) if key is None else (joined_hashes, int(key))

    def hashed(choice: tuple[Any, ...]) -> int:
        total = first
        for value, text in zip(choice, texts, strict=True):
            total = join(total, farm(as_bytes(value)) if text else value & _MASK)
        return total % (buckets or _LARGEST)

    return _crossed("SparseCross", sparse, dense, lambda: hashed, [], "int64", name)


def salted_hashes(
    sparse: list[Any], dense: list[Any], num_buckets: Any, strong_hash: Any, salt: Any, name: str | None = None
) -> tuple[Any, ...]:
    """Return crosses as hashes that begin with that of the first column; texts are hashed with ``salt`` if strongly."""
    texts = _are_texts(sparse, dense)

    def hashing(buckets: Any, strong: Any, salt: Any) -> Any:
        if array_of(salt).shape != (2,):
            told = f"has length {array_of(salt).size}"
            raise InvalidArgumentError(None, None, f'Input "salt" must have length 2 but {told}.')
        first, second = (int(part) & _MASK for part in array_of(salt))
        count = int(buckets)

        def of_text(value: Any) -> int:
            return sip(as_bytes(value), (first, second)) if strong else farm(as_bytes(value))

        def hashed(choice: tuple[Any, ...]) -> int:
            hashes = [of_text(v) if text else v & _MASK for v, text in zip(choice, texts, strict=True)]
            return functools.reduce(joined_hashes, hashes) % (count if count > 0 else _LARGEST)

        return hashed

    given = [convert_to_tensor(*each) for each in ((num_buckets, "int64"), (strong_hash, "bool"), (salt, "int64"))]
    return _crossed("SparseCrossHashed", sparse, dense, hashing, given, "int64", name)


def _are_texts(sparse: list[Any], dense: list[Any]) -> list[bool]:
    return [dtype_of(column).name == "string" for column in (*(values for _, values, _ in sparse), *dense)]


def _crossed(
    op_type: str, sparse: list[Any], dense: list[Any], joining: Any, more: list[Any], dtype: str, name: str | None
) -> tuple[Any, ...]:
    """Return places, values and shape; ``joining(*more)`` is what makes a value of a choice of features."""
    first_dense, first_more = 3 * len(sparse), 3 * len(sparse) + len(dense)

    def cross(*arrays: Any) -> Any:
        joined = joining(*arrays[first_more:])
        columns = [tuple(map(array_of, arrays[k : k + 3])) for k in range(0, first_dense, 3)]
        others = [array_of(x) for x in arrays[first_dense:first_more]]
        _check_columns(columns, others)
        several = [_rows(*column) for column in columns] + [[list(row) for row in x.tolist()] for x in others]
        made = [[joined(choice) for choice in itertools.product(*row)] for row in zip(*several, strict=True)]
        longest = max((len(row) for row in made), default=0)
        places = [(k, column) for k, row in enumerate(made) for column in range(len(row))]
        values = np.empty(len(places), object if dtype == "string" else np.int64)
        values[:] = [value for row in made for value in row]
        return np.array(places, np.int64).reshape(-1, 2), values, np.array([len(made), longest], np.int64)

    given = [part for column in sparse for part in column] + dense + more
    shapes, dtypes = [(None, 2), (None,), (2,)], ["int64", dtype, "int64"]
    options: Any = {"outputs": 3, "same": False, "differentiable": False}
    made: tuple[Any, ...] = call(op_type, cross, given, name=name, shape=shapes, dtype=dtypes, **options)
    return made


def _check_columns(columns: list[Any], dense: list[Any]) -> None:
    """Raise InvalidArgumentError for columns that are no matrices, and for ones of several sizes."""
    sizes = []
    for k, (where, values, shape) in enumerate(columns):
        for what, array, rank in (("indices", where, 2), ("values", values, 1), ("shapes", shape, 1)):
            if array.ndim != rank:
                kind = "matrix" if rank == 2 else "vector"
                _refuse(f"Input {what} should be a {kind} but received shape {bracketed(array.shape)} at position {k}")
        if where.shape[1] != 2:
            _refuse(f"Expected D2 of index to be 2 got {where.shape[1]} at position {k}")
        if len(values) != len(where):
            _refuse(f"Expected size of values to be {len(where)} got {len(values)} at position {k}")
        if shape.size != 2:
            _refuse(f"shape should imply a 2D tensor, but got {shape.tolist()} at position {k}")
        sizes.append((int(shape[0]), k))
    for k, x in enumerate(dense):
        if x.ndim != 2:
            _refuse(f"Dense inputs should be a matrix but received shape {bracketed(x.shape)} at position {k}")
        sizes.append((len(x), k))
    for size, k in sizes:
        if size != sizes[0][0]:
            _refuse(f"Expected batch size {sizes[0][0]} got {size} at position {k}")


def _refuse(why: str) -> None:
    raise InvalidArgumentError(None, None, why)


def _rows(where: Any, values: Any, sizes: Any) -> list[list[Any]]:
    rows: list[list[Any]] = [[] for _ in range(int(array_of(sizes)[0]))]
    for place, value in zip(array_of(where).tolist(), array_of(values).tolist(), strict=True):
        rows[place[0]].append(value)
    return rows


def _joined_before(first: int, second: int) -> int:
    """Return one hash of two as crosses without a key have it: the first is shifted as a number with a sign."""
    signed = first - (1 << 64) if first >> 63 else first
    return first ^ (second + 0x9E3779B97F4A7800 + (first << 10) + (signed >> 4) & _MASK)
