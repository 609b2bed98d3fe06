"""Operations of sparse tensors that TensorFlow has in its internal modules alone, under their names there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ops.sparse_cross_ops import sparse_cross, sparse_cross_hashed
from ..ops.sparse_cross_ops import sparse_cross as _sparse_cross
from ..ops.sparse_cross_ops import sparse_cross_hashed as _sparse_cross_hashed
from ..ops.sparse_dense_ops import sparse_tensor_dense_matmul
from ..ops.sparse_making_ops import sparse_expand_dims, sparse_eye
from ..ops.sparse_math_ops import with_dense
from ..ops.sparse_ops import SparseTensor

__all__ = [
    "_sparse_cross",
    "_sparse_cross_hashed",
    "sparse_cross",
    "sparse_cross_hashed",
    "sparse_dense_cwise_add",
    "sparse_dense_cwise_div",
    "sparse_dense_cwise_mul",
    "sparse_expand_dims",
    "sparse_eye",
    "sparse_tensor_dense_mat_mul",
]


def _with_dense(op_type: str, function: Callable[..., Any], text: str) -> Callable[..., Any]:
    def operation(sp_indices: Any, sp_values: Any, sp_shape: Any, dense: Any, name: str | None = None) -> Any:
        del name
        return with_dense(op_type, function, SparseTensor(sp_indices, sp_values, sp_shape), dense).values

    operation.__doc__ = text
    return operation


sparse_dense_cwise_add = _with_dense(
    "SparseDenseCwiseAdd", np.add, "Return the values, with those of a dense tensor at their places added."
)
sparse_dense_cwise_mul = _with_dense(
    "SparseDenseCwiseMul", np.multiply, "Return the values, times those of a dense tensor at their places."
)
sparse_dense_cwise_div = _with_dense(
    "SparseDenseCwiseDiv", np.true_divide, "Return the values, divided by those of a dense tensor at their places."
)


def sparse_tensor_dense_mat_mul(
    a_indices: Any,
    a_values: Any,
    a_shape: Any,
    b: Any,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> Any:
    """Return `tf.sparse_tensor_dense_matmul` of a sparse tensor's parts."""
    return sparse_tensor_dense_matmul(SparseTensor(a_indices, a_values, a_shape), b, adjoint_a, adjoint_b, name)
