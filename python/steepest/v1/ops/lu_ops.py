"""Triangular factors of matrices with their rows exchanged, and inverses of matrices that have none."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...ops.dispatch import unwrap
from ..graph import shape_inference
from ..graph.build import call, convert, dtype_of, shape_of
from ..graph.dtypes import dtype_or
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.run_values import array_of
from .linalg_ops import at_least, matrix_inverse, square
from .sparse_ops import convert_to_tensor
from .triangular_ops import broadcast_solution, solve_triangle

__all__ = ["lu", "lu_matrix_inverse", "lu_reconstruct", "lu_solve", "matrix_rank", "pinv"]


class Lu(NamedTuple):
    """What `lu` returns."""

    lu: Any
    p: Any


def _eliminated(matrix: Any) -> tuple[Any, Any]:
    """Return L below and U on and above the diagonal, and which row of one matrix each of their rows is."""
    packed, rows = matrix.copy(), np.arange(len(matrix))
    for k in range(len(rows)):
        best = k + int(np.argmax(np.abs(packed[k:, k])))
        if packed[best, k] == 0:
            raise InvalidArgumentError(None, None, "Input is not invertible.")
        packed[[k, best]], rows[[k, best]] = packed[[best, k]], rows[[best, k]]
        packed[k + 1 :, k] /= packed[k, k]
        packed[k + 1 :, k + 1 :] -= np.outer(packed[k + 1 :, k], packed[k, k + 1 :])
    return packed, rows


def _all_eliminated(x: Any) -> tuple[Any, Any]:
    flat = np.reshape(x, (math.prod(x.shape[:-2]), *x.shape[-2:]))
    packed, rows = np.empty_like(flat), np.empty(flat.shape[:-1], np.int64)
    for k, matrix in enumerate(flat):
        packed[k], rows[k] = _eliminated(matrix)
    return np.reshape(packed, x.shape), np.reshape(rows, x.shape[:-1])


def lu(input: Any, output_idx_type: Any = "int32", name: str | None = None) -> Any:
    """Return L (below the diagonal; on it are ones) and U (on and above it) in one matrix, and p: ``input[p] = L @ U``.

    No gradient flows, as in TensorFlow. Raises InvalidArgumentError, when a session runs, for a matrix that has no
    inverse. Source: ``tf.linalg.lu``.
    """
    index_dtype = dtype_or(output_idx_type, "int32")
    x = input if executing_eagerly() else convert(input)
    shape = square(shape_of(x))

    def factors(matrices: Any) -> Any:
        packed, rows = _all_eliminated(array_of(matrices))
        return packed, rows.astype(index_dtype.dtype)

    shapes = [shape, None if shape is None else shape[:-1]]
    dtypes = [None, index_dtype]
    return Lu(*call("Lu", factors, (x,), name=name, shape=shapes, dtype=dtypes, outputs=2, differentiable=False))


def pinv(a: Any, rcond: Any = None, validate_args: bool = False, name: str | None = None) -> Any:
    """Return the inverse in the sense of Moore and Penrose; ``rcond`` times the largest singular value counts as 0.

    Source: ``tf.linalg.pinv``.
    """
    del validate_args
    if (kind := dtype_of(a)).kind not in "fcV":
        raise TypeError(f"Input `a` must have `float`-like `dtype` (saw {kind.name}).")
    if (known := shape_of(a)) is not None and len(known) < 2:
        raise ValueError(f"Input `a` must have at least 2 dimensions (saw: {len(known)}).")

    def inverse(x: Any, *limits: Any) -> Any:
        limit = array_of(limits[0]) if limits else 10.0 * max(x.shape[-2:]) * np.finfo(x.dtype).eps
        return np.linalg.pinv(x, limit)

    def shape_fn(s: Any, *limit: Any) -> Any:
        return None if at_least(2, s) is None else (*s[:-2], s[-1], s[-2])

    return call("pinv", inverse, (a,) if rcond is None else (a, rcond), name=name, shape=shape_fn)


def _packed(lower_upper: Any) -> Any:
    """Return the factors as a tensor; of arrays it is one of float32, as in TensorFlow."""
    return convert_to_tensor(lower_upper, dtype_hint="float32", name="lower_upper")


def lu_reconstruct(lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None) -> Any:
    """Return the matrices of which `lu` gave these factors. Source: ``tf.linalg.lu_reconstruct``."""
    del validate_args

    def product(packed: Any, rows: Any) -> Any:
        eye = np.eye(packed.shape[-1], dtype=packed.dtype)
        back = np.argsort(array_of(rows), -1)
        return np.take_along_axis((np.tril(packed, -1) + eye) @ np.triu(packed), back[..., None], -2)

    inputs = _packed(lower_upper), convert_to_tensor(perm, dtype_hint="int32")
    return call("lu_reconstruct", product, inputs, name=name, shape=lambda s, _: square(s), same=False)


def lu_solve(lower_upper: Any, perm: Any, rhs: Any, validate_args: bool = False, name: str | None = None) -> Any:
    """Return the x for which ``matrix @ x = rhs``, by the factors of `lu`; batches are broadcast.

    Source: ``tf.linalg.lu_solve``.
    """
    del validate_args

    def solved(packed: Any, rows: Any, b: Any) -> Any:
        places, sides = np.broadcast_arrays(array_of(rows)[..., None], unwrap(b)[..., :1])
        b = np.broadcast_to(b, (*sides.shape[:-1], b.shape[-1]))
        lower = np.tril(packed, -1) + np.eye(packed.shape[-1], dtype=packed.dtype)
        first = np.linalg.solve(lower, np.take_along_axis(b, places, -2))
        return solve_triangle(np.triu(packed), first, lower=False)

    packed = _packed(lower_upper)
    inputs = packed, convert_to_tensor(perm, dtype_hint="int32"), convert_to_tensor(rhs, dtype_hint=packed.dtype)
    return call(
        "lu_solve",
        solved,
        inputs,
        name=name,
        shape=lambda a, _, b: broadcast_solution(square(a), b),
        same=False,
    )


def lu_matrix_inverse(lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None) -> Any:
    """Return the inverse by the factors of `lu`. Source: ``tf.linalg.lu_matrix_inverse``."""
    return matrix_inverse(lu_reconstruct(lower_upper, perm, validate_args), name=name)


def matrix_rank(a: Any, tol: Any = None, validate_args: bool = False, name: str | None = None) -> Any:
    """Return how many singular values are above ``tol``; by default above what rounding makes of 0.

    ``tol`` is broadcast against the singular values: one for each matrix has a last axis of size 1.

    Source: ``tf.linalg.matrix_rank``.
    """
    del validate_args

    def counts(x: Any, *limit: Any) -> Any:
        values = np.linalg.svd(array_of(x), compute_uv=False)
        least = np.finfo(values.dtype).eps * max(x.shape[-2:]) * values.max(-1, keepdims=True, initial=0)
        return (values > (array_of(limit[0]) if limit else least)).sum(-1).astype(np.int32)

    def shape_fn(s: Any, *limit: Any) -> Any:
        if at_least(2, s) is None:
            return None
        values = (*s[:-2], None if None in s[-2:] else min(s[-2:]))
        found = shape_inference.broadcast(values, *limit)
        return None if found is None else found[:-1]

    a = convert_to_tensor(a, dtype_hint="float32")
    inputs = (a,) if tol is None else (a, tol)
    return call("matrix_rank", counts, inputs, name=name, shape=shape_fn, dtype="int32", differentiable=False)
