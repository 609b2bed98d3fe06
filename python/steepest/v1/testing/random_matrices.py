"""Random tensors for tests of matrices: real or complex, positive definite, triangular, with columns that are near."""

from __future__ import annotations

import math
from typing import Any

from ..graph.dtypes import DType, as_dtype
from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from ..ops import random_ops
from ..ops.array_ops import matrix_transpose
from ..ops.cast_ops import cast
from ..ops.check_ops import is_tensor
from ..ops.complex_ops import complex as _complex
from ..ops.diagonal_ops import matrix_set_diag
from ..ops.linalg_ops import matrix_band_part
from ..ops.math_ops import sign
from ..ops.matmul_ops import matmul

__all__ = [
    "random_normal",
    "random_normal_correlated_columns",
    "random_positive_definite_matrix",
    "random_sign_uniform",
    "random_tril_matrix",
    "random_uniform",
]


def _parts(draw: Any, dtype: DType, seed: int | None) -> Any:
    """Return one draw, or two as the parts of complex numbers."""
    first = draw(dtype.real_dtype, seed)
    return _complex(first, draw(dtype.real_dtype, None if seed is None else seed + 1)) if dtype.is_complex else first


def random_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", seed: int | None = None
) -> Any:
    """Return normal numbers; of complex ones each part is normal."""
    with name_scope("random_normal"):
        return _parts(lambda kind, s: random_ops.random_normal(shape, mean, stddev, kind, s), as_dtype(dtype), seed)


def random_uniform(
    shape: Any, minval: Any = None, maxval: Any = None, dtype: Any = "float32", seed: int | None = None
) -> Any:
    """Return numbers that are spread evenly; of complex ones each part is."""
    least = 0.0 if minval is None else minval
    with name_scope("random_uniform"):
        return _parts(lambda kind, s: random_ops.random_uniform(shape, least, maxval, kind, s), as_dtype(dtype), seed)


def random_sign_uniform(
    shape: Any, minval: Any = None, maxval: Any = None, dtype: Any = "float32", seed: int | None = None
) -> Any:
    """Return numbers of `random_uniform`, half of them negated."""
    with name_scope("random_sign_uniform"):
        numbers = random_uniform(shape, minval, maxval, dtype, seed)
        signs = sign(random_ops.random_uniform(shape, -1.0, 1.0, seed=None if seed is None else seed + 2))
        return numbers * cast(signs, numbers.dtype)


def random_tril_matrix(shape: Any, dtype: Any, force_well_conditioned: bool = False, remove_upper: bool = True) -> Any:
    """Return lower triangles; well conditioned, the absolute values of the diagonal are from 1 to 2."""
    kind = as_dtype(dtype)
    with name_scope("random_tril_matrix"):
        matrix = random_normal(shape, dtype=kind)
        if remove_upper:
            matrix = matrix_band_part(matrix, -1, 0)
        if not force_well_conditioned:
            return matrix
        return matrix_set_diag(matrix, random_sign_uniform(shape[:-1], 1.0, math.sqrt(2.0), kind))


def random_positive_definite_matrix(shape: Any, dtype: Any, force_well_conditioned: bool = False) -> Any:
    """Return products of random lower triangles with their adjoints. Raises ValueError unless they are square."""
    if not is_tensor(shape):
        shape = TensorShape(shape)
        shape[-1].assert_is_compatible_with(shape[-2])
    with name_scope("random_positive_definite_matrix"):
        triangle = random_tril_matrix(shape, dtype, force_well_conditioned)
        return matmul(triangle, triangle, adjoint_b=True)


def random_normal_correlated_columns(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = "float32",
    eps: float = 1e-4,
    seed: int | None = None,
) -> Any:
    """Return normal matrices, with at least as many columns as rows near to a space of one dimension less.

    Raises ValueError for fewer than two axes.
    """
    if len(shape) < 2:
        raise ValueError(f"Argument shape must be at least length 2.  Found: {shape}")
    *batch, m, n = shape
    if n < 2 or n < m:
        return random_normal(shape, mean, stddev, dtype, seed)
    with name_scope("random_normal_correlated_columns"):
        small = random_normal([*batch, m, n - 1], 0.0, 1 / math.sqrt(n - 1), dtype, seed)
        wide = random_normal([*batch, n, n - 1], dtype=dtype, seed=None if seed is None else seed + 2)
        near = matrix_transpose(matmul(wide, small, transpose_b=True))
        return near + random_normal(shape, stddev=eps, dtype=dtype) + cast(mean, near.dtype)
