"""Products of matrices and tensors, and sums of several tensors."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...ops.dispatch import conjugated
from ..graph import shape_inference
from ..graph.arguments import as_count, as_sizes, call_with
from ..graph.build import call, dtype_of, shape_of
from ..graph.dtypes import as_dtype
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Tensor
from ..graph.shapes import bracketed, text
from .cast_ops import cast
from .linalg_ops import in_floats
from .operator_arguments import is_operator, told_by

__all__ = [
    "accumulate_n",
    "add_n",
    "diag",
    "diag_part",
    "eye",
    "matmul",
    "sparse_matmul",
    "tensordot",
    "trace",
]


def _turned(transpose: bool) -> Callable[[Any], Any]:
    return lambda s: s if s is None or not transpose or len(s) < 2 else (*s[:-2], s[-1], s[-2])


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    name: str | None = None,
) -> Any:
    """Return the matrix product ``a @ b``, batched over leading axes; either can be transposed first.

    Both are cast to ``output_type``, where one is given; of bfloat16 and float32 the product is float32. Raises
    ValueError where sizes are known not to agree, TypeError for two other types.
    """
    if output_type is not None:
        a, b = cast(a, output_type), cast(b, output_type)
    for side, both in (("a", transpose_a and adjoint_a), ("b", transpose_b and adjoint_b)):
        if both:
            raise ValueError(f"Only one of transpose_{side} and adjoint_{side} can be True.")
    turn_a, turn_b = transpose_a or adjoint_a, transpose_b or adjoint_b

    def product(x: Any, y: Any) -> Any:
        for position, matrix in enumerate((x, y)):
            if matrix.ndim < 2:
                raise ValueError(f"In[{position}] is not a matrix. Instead it has shape {list(matrix.shape)}")
        x, y = np.swapaxes(x, -1, -2) if turn_a else x, np.swapaxes(y, -1, -2) if turn_b else y
        if x.dtype.kind == "V":  # bfloat16, of which NumPy has no products
            return np.matmul(x.astype(np.float32), y.astype(np.float32)).astype(x.dtype)
        try:
            return np.matmul(conjugated(x) if adjoint_a else x, conjugated(y) if adjoint_b else y)
        except ValueError:
            shapes = f"In[0]: {bracketed(x.shape)}, In[1]: {bracketed(y.shape)}"
            raise ValueError(f"Matrix size-incompatible: {shapes}") from None

    def shape_fn(x: Any, y: Any) -> Any:
        return shape_inference.matmul(_turned(turn_a)(x), _turned(turn_b)(y))

    # Of a tensor whose rank is not known a run must tell whether it is a matrix.
    plainly = (
        not (turn_a or turn_b or executing_eagerly())
        and all(getattr(side, "_shape", ()) is not None for side in (a, b))
        and getattr(getattr(a, "dtype", None), "name", "") != "bfloat16"
    )
    try:
        return call("MatMul", operator.matmul if plainly else product, (a, b), name=name, shape=shape_fn)
    except TypeError:
        if is_operator(a) or is_operator(b):
            return _of_operators(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, name)
        if adjoint_a or adjoint_b or {dtype_of(side).name for side in (a, b)} != {"bfloat16", "float32"}:
            raise
    return matmul(cast(a, "float32"), cast(b, "float32"), transpose_a, transpose_b, name=name)


def _of_operators(a: Any, b: Any, transpose_a: bool, transpose_b: bool, *more: Any) -> Any:
    """Return the product of operators, or of an operator and a tensor."""
    adjoint_a, adjoint_b, name = more
    if transpose_a or transpose_b:
        raise ValueError("Transposing not supported at this time.")
    if is_operator(a):
        return told_by(a, "matmul", name, b, adjoint=adjoint_a, adjoint_arg=adjoint_b)
    turned = told_by(b, "matmul", name, a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a)  # (B^H A^H)^H
    return call("Transpose", lambda x: conjugated(np.swapaxes(x, -1, -2)), (turned,), shape=_turned(True))


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Any:
    """Return the sum of products over pairs of axes: a number of the last and first ones, or their positions.

    Raises ValueError for axes that are neither, or do not fit each other.
    """

    def shape_fn(pairs: Any, x: Any, y: Any) -> Any:
        if x is None or y is None or isinstance(pairs, Tensor):
            return None
        first, second = (range(len(x) - pairs, len(x)), range(pairs)) if isinstance(pairs, int) else pairs
        summed_axes = shape_inference.axes_of(list(first), len(x)), shape_inference.axes_of(list(second), len(y))
        for i, j in zip(*summed_axes, strict=True):
            shape_inference.merged((x[i],), (y[j],))
        free_x = (size for axis, size in enumerate(x) if axis not in summed_axes[0])
        free_y = (size for axis, size in enumerate(y) if axis not in summed_axes[1])
        return (*free_x, *free_y)

    def product(pairs: Any, x: Any, y: Any) -> Any:
        try:
            return in_floats(functools.partial(np.tensordot, axes=pairs))(x, y)
        except ValueError as error:
            raise ValueError(_sizes_of_matrices(pairs, np.shape(x), np.shape(y))) from error

    if isinstance(axes, Node):
        return call_with("Tensordot", [(axes, _two_lists)], product, (a, b), name=name, shape=shape_fn)
    known = _summed_pairs(axes)
    for side, along in zip((a, b), (range(known),) * 2 if isinstance(known, int) else known, strict=True):
        if (sizes := shape_of(side)) is not None and isinstance(known, int) and known > len(sizes):
            told = f"Received {known}, vs tensor dimensions {len(sizes)}"
            raise ValueError(f"`axes` must not be larger than the number of dimensions of tensor {side}.  {told}.")
        if sizes is not None and along and not -len(sizes) <= min(along) <= max(along) < len(sizes):
            raise IndexError(f"list index out of range: tensordot of axes {along} of a tensor of {len(sizes)}")
    of_shapes, of_arrays = functools.partial(shape_fn, known), functools.partial(product, known)
    return call("Tensordot", of_arrays, (a, b), name=name, shape=of_shapes)


def _sizes_of_matrices(pairs: Any, x: Any, y: Any) -> str:
    """Tell that the matrices of the axes that are summed and those that are left do not fit."""
    first, second = (range(len(x) - pairs, len(x)), range(pairs)) if isinstance(pairs, int) else pairs
    summed = [math.prod(sizes[axis] for axis in axes) for sizes, axes in ((x, first), (y, second))]
    rows, columns = math.prod(x) // max(summed[0], 1), math.prod(y) // max(summed[1], 1)
    return f"Matrix size-incompatible: In[0]: [{rows},{summed[0]}], In[1]: [{summed[1]},{columns}]"


def _two_lists(axes: Any) -> Any:
    """Return the two lists of axes that a tensor holds; ValueError for one that holds none."""
    if np.ndim(axes) != 2 or len(axes) != 2:
        raise ValueError(f"slice index 1 of dimension 0 out of bounds: axes must hold two lists, got {axes}")
    return _summed_pairs(axes)


def _summed_pairs(axes: Any) -> Any:
    """Return how many axes are summed over, or the lists of them."""
    if isinstance(axes, (int, np.integer, np.ndarray)) and np.ndim(axes) == 0:
        if axes < 0:
            raise ValueError(f"`axes` must be at least 0. Received: {axes}.")
        return int(axes)
    if len(axes) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    first, second = (np.atleast_1d(np.asarray(part)).tolist() for part in axes)
    if len(first) != len(second):
        raise ValueError(f"Different number of contraction axes `a` and `b`, {len(first)} != {len(second)}.")
    return first, second


def trace(x: Any, name: str | None = None) -> Any:
    """Return the sum of the diagonals of the last two axes."""

    def summed(value: Any) -> Any:
        return np.sum(np.diagonal(value, axis1=-2, axis2=-1), axis=-1, dtype=value.dtype)

    try:
        return call("Trace", summed, (x,), name=name)
    except TypeError:
        return told_by(x, "trace", name)


def eye(
    num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = "float32", name: str | None = None
) -> Any:
    """Return an identity matrix."""
    dtype = as_dtype(dtype)

    def compute(rows: int, columns: Any, lead: Any) -> Any:
        matrix = np.eye(rows, rows if columns is None else columns, dtype=dtype.dtype)
        return np.broadcast_to(matrix, (*(lead or ()), *matrix.shape)).copy()

    def shape_fn(rows: Any, columns: Any, lead: Any) -> Any:
        before = () if lead is None else shape_inference.shape_value(lead) if isinstance(lead, Tensor) else lead
        sizes = [None if isinstance(n, Tensor) else n for n in (rows, rows if columns is None else columns)]
        if any(size is not None and size < 0 for size in sizes):
            raise ValueError(f"eye: the numbers of rows and columns must be >= 0, got {sizes}")
        return None if before is None else (*before, *sizes)

    settings = [(num_rows, as_count), (num_columns, as_count), (batch_shape, as_sizes)]
    return call_with("Eye", settings, compute, shape=shape_fn, name=name, dtype=dtype)


def diag(diagonal: Any, name: str | None = None) -> Any:
    """Return the matrix with a vector on its diagonal; of a tensor, one of twice its shape."""

    def compute(v: Any) -> Any:
        flat = np.reshape(v, -1)
        on = np.eye(flat.shape[0], dtype=bool)
        return np.reshape(np.where(on, flat, np.zeros((), v.dtype)), v.shape * 2)

    def shape_fn(shape: Any) -> Any:
        if shape == ():
            raise ValueError("Shape must be at least rank 1 but is rank 0")
        return None if shape is None else shape * 2

    return call("Diag", compute, (diagonal,), name=name, shape=shape_fn)


def diag_part(input: Any, name: str | None = None) -> Any:
    """Return the diagonal of a matrix, or of a tensor whose shape is one twice. Raises ValueError for others."""

    def compute(m: Any) -> Any:
        half = shape_fn(m.shape)
        size = math.prod(half)
        return np.reshape(np.diagonal(np.reshape(m, (size, size))), half)

    def shape_fn(shape: Any) -> Any:
        if shape is None:
            return None
        if not shape or len(shape) % 2:
            raise ValueError(f"Input must have even and non-zero rank, input rank is {len(shape)}")
        return shape_inference.merged(shape[: len(shape) // 2], shape[len(shape) // 2 :])

    return call("DiagPart", compute, (input,), name=name, shape=shape_fn)


def sparse_matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """Return the product of matrices of which the program says that they have many zeros."""
    return matmul(a, b, transpose_a, transpose_b, a_is_sparse=a_is_sparse, b_is_sparse=b_is_sparse, name=name)


def add_n(inputs: Any, name: str | None = None) -> Any:
    """Return the sum of tensors of one shape. Raises ValueError for an empty list or other shapes."""
    parts = list(inputs) if isinstance(inputs, Iterable) else []
    if not parts:
        raise ValueError("inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape")

    def total(*terms: Any) -> Any:
        result = terms[0]
        for k, term in enumerate(terms[1:], 1):
            if np.shape(term) != np.shape(terms[0]):
                different = f"Input 0: {text(np.shape(terms[0]))} != input {k}: {text(np.shape(term))}"
                raise ValueError(f"Inputs to operation AddN must have the same size and shape. {different}")
            result = result + term
        return result if len(terms) > 1 else np.copy(result)

    return call("AddN", total, parts, name=name, shape=shape_inference.merged)


def accumulate_n(inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None) -> Any:
    """Return the sum of tensors of one shape, as `add_n`. Raises ValueError for other shapes or several types."""
    parts = list(inputs) if isinstance(inputs, (list, tuple)) else []
    if not parts or len({dtype_of(part) for part in parts}) > 1:
        raise ValueError("inputs must be a list of at least one Tensor with the same dtype and shape")
    if tensor_dtype is not None and as_dtype(tensor_dtype) != dtype_of(parts[0]).base_dtype:
        raise TypeError(f"tensor_dtype is {as_dtype(tensor_dtype)}, but input is of type {dtype_of(parts[0])}")
    total = add_n(parts, name)
    if shape is not None and isinstance(total, Tensor):
        total.set_shape(total.shape.merge_with(shape))  # a ValueError where it is another
    return total
