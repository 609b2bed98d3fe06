"""Kernels that TensorFlow 2's internal modules have beside the public ones: products of two types, sampled ones..."""

from __future__ import annotations

from typing import Any

from ..graph.dtypes import as_dtype
from ..ops.cast_ops import cast
from ..ops.clip_ops import clip_by_value
from ..ops.matmul_ops import matmul
from ..ops.position_ops import gather_nd
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["_clip_by_value", "batch_mat_mul_v3", "sampled_addmm"]


def batch_mat_mul_v3(
    x: Any,
    y: Any,
    Tout: Any,
    adj_x: bool = False,
    adj_y: bool = False,
    grad_x: bool = False,
    grad_y: bool = False,
    name: str | None = None,
) -> Any:
    """Return the products of matrices whose types may differ, of the type ``Tout``. Source: ``gen_math_ops``."""
    del grad_x, grad_y
    return matmul(cast(x, Tout), cast(y, Tout), adjoint_a=adj_x, adjoint_b=adj_y, name=name)


def _clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """Return `tf.clip_by_value` for limits that are scalars or of the shape of t."""
    return clip_by_value(t, clip_value_min, clip_value_max, name)


def sampled_addmm(
    indices: Any,
    values: Any,
    dense_shape: Any,
    mat1: Any,
    mat2: Any,
    beta: Any = 1.0,
    alpha: Any = 1.0,
    output_type: Any = "float32",
) -> tuple[Any, Any, Any]:
    """Return ``beta * S + alpha * (mat1 @ mat2)`` at the places of a sparse matrix S, as its three parts.

    Args:
        indices, values, dense_shape: of S, of shapes [..., N, 2], [..., N] and [2], the places of each matrix of a
            batch its own.
        output_type: the type of the sums.

    Source: ``math_ops.sampled_addmm``.
    """
    indices, dtype = convert_to_tensor(indices), as_dtype(output_type)
    shape = convert_to_tensor(dense_shape, "int32")
    rank = indices.shape.ndims
    product = matmul(cast(mat1, dtype), cast(mat2, dtype))
    taken = gather_nd(product, indices, batch_dims=rank - 2)
    return indices, cast(values, dtype) * cast(beta, dtype) + cast(alpha, dtype) * taken, shape
