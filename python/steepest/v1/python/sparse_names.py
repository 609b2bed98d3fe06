"""Operations of sparse tensors that TensorFlow has in its internal modules alone, under their names there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..graph.build import call, dtype_of
from ..graph.run_values import array_of
from ..ops.sparse_cross_ops import DEFAULT_KEY as _DEFAULT_HASH_KEY
from ..ops.sparse_cross_ops import sparse_cross, sparse_cross_hashed
from ..ops.sparse_cross_ops import sparse_cross as _sparse_cross
from ..ops.sparse_cross_ops import sparse_cross_hashed as _sparse_cross_hashed
from ..ops.sparse_dense_ops import sparse_tensor_dense_matmul
from ..ops.sparse_making_ops import sparse_expand_dims, sparse_eye
from ..ops.sparse_map_ops import add_many_sparse_to_tensors_map as _add_many_sparse_to_tensors_map
from ..ops.sparse_map_ops import add_sparse_to_tensors_map as _add_sparse_to_tensors_map
from ..ops.sparse_map_ops import take_many_sparse_from_tensors_map as _take_many_sparse_from_tensors_map
from ..ops.sparse_math_ops import with_dense
from ..ops.sparse_ops import SparseTensor

__all__ = [
    "_DEFAULT_HASH_KEY",
    "_add_many_sparse_to_tensors_map",
    "_add_sparse_to_tensors_map",
    "_sparse_cross",
    "_sparse_cross_hashed",
    "_take_many_sparse_from_tensors_map",
    "sparse_cross",
    "sparse_cross_hashed",
    "sparse_dense_cwise_add",
    "sparse_dense_cwise_div",
    "sparse_dense_cwise_mul",
    "sparse_expand_dims",
    "sparse_eye",
    "sparse_fill_empty_rows_grad",
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


class SparseFillEmptyRowsGrad(NamedTuple):
    """The gradients of the values, and of what the empty rows were filled with."""

    d_values: Any
    d_default_value: Any


def sparse_fill_empty_rows_grad(reverse_index_map: Any, grad_values: Any, name: str | None = None) -> Any:
    """Return the gradients of ``sparse_fill_empty_rows``, of those of its values and where each input value went.

    Raises ValueError for arguments that are no vectors.
    """

    def parted(places: Any, grads: Any) -> Any:
        places, grads = array_of(places).astype(np.int64), array_of(grads)
        if np.any((places < 0) | (places >= grads.size)):
            raise ValueError(f"Elements in reverse index must be in [0, {grads.size}) but got {places.tolist()}")
        others = np.ones(grads.shape, bool)
        others[places] = False
        return grads[places], np.sum(grads[others], dtype=grads.dtype)

    def shape_fn(places: Any, grads: Any) -> Any:
        for shape in (places, grads):
            if shape is not None and len(shape) != 1:
                raise ValueError(f"Shape must be rank 1 but is rank {len(shape)}")
        return [places, ()]

    inputs = [grads if hasattr(grads, "dtype") else np.asarray(grads) for grads in (reverse_index_map, grad_values)]
    options: dict[str, Any] = {"dtype": [dtype_of(inputs[1])] * 2, "outputs": 2, "same": False}
    parts = call("SparseFillEmptyRowsGrad", parted, inputs, name=name, shape=shape_fn, **options)
    return SparseFillEmptyRowsGrad(*parts)


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
