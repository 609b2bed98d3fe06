"""Operations on arrays that TensorFlow has in its internal modules alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ops.scatter import scattered
from ..graph.build import call
from ..graph.run_values import array_of
from ..graph.shape_inference import shape_value
from .array_ops import identity, shape
from .math_ops import add, logical_or
from .position_ops import scatter_nd
from .rounding_ops import quantize_and_dequantize, quantize_and_dequantize_v2
from .slice_ops import masked_key
from .sparse_array_ops import checked_sparse
from .sparse_math_ops import with_dense
from .sparse_ops import SparseTensor, convert_to_tensor

__all__ = [
    "quantize_and_dequantize",
    "quantize_and_dequantize_v2",
    "scatter_nd_non_aliasing_add",
    "snapshot",
    "sparse_dense_cwise_add",
    "strided_slice_grad",
]


def snapshot(input: Any, name: str | None = None) -> Any:
    """Return the tensor."""
    return identity(input, name)


def scatter_nd_non_aliasing_add(input: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """Return ``input`` with ``updates`` added at ``indices``; repeated positions sum, of truth values any counts."""
    base = convert_to_tensor(input)
    new = convert_to_tensor(updates, base.dtype.base_dtype)
    put = logical_or if base.dtype.is_bool else add
    return put(base, scatter_nd(indices, new, shape(base)), name)


def sparse_dense_cwise_add(sp_t: Any, dense_t: Any) -> SparseTensor:
    """Return the values of a sparse tensor with those added that a dense one has at their places."""
    return with_dense("SparseDenseCwiseAdd", np.add, checked_sparse(sp_t), dense_t)


def strided_slice_grad(
    shape: Any,
    begin: Any,
    end: Any,
    strides: Any,
    dy: Any,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    name: str | None = None,
) -> Any:
    """Return zeros of ``shape`` with ``dy`` where `tf.strided_slice` of such bounds and masks takes its values from.

    Raises TypeError unless shape and bounds have one type.
    """
    key = masked_key(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    sizes = convert_to_tensor(shape)
    bounds = [convert_to_tensor(bound) for bound in (begin, end, strides)]
    own = sizes.dtype.base_dtype
    for told, bound in zip(("begin", "end", "strides"), bounds, strict=True):
        if bound.dtype.base_dtype != own:
            raise TypeError(
                f"Input '{told}' of 'StridedSliceGrad' Op has type {bound.dtype.base_dtype.name} that does not match "
                f"type {own.name} of argument 'shape'."
            )

    def spread(slopes: Any, sizes: Any, *bounds: Any) -> Any:
        whole = tuple(array_of(sizes).tolist())
        count = math.prod(whole)
        places = np.arange(count).reshape(whole)[key(*(array_of(bound).tolist() for bound in bounds))]
        return np.reshape(scattered(np.reshape(slopes, (-1,)), places.ravel(), (count,)), whole)

    inputs = (convert_to_tensor(dy), sizes, *bounds)
    known = shape_value(sizes) if hasattr(sizes, "op") else None
    return call("StridedSliceGrad", spread, inputs, name=name, shape=known, same=False)
