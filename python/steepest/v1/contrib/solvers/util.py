"""``tf.contrib.solvers.util``: operators of matrices, and the products and norms of columns that the solvers take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...graph.missing import namespace
from ...ops.array_ops import shape as shape_of
from ...ops.complex_ops import conj
from ...ops.math_ops import sqrt, square
from ...ops.matmul_ops import matmul
from ...ops.reduce_ops import reduce_sum

__all__ = ["create_operator", "dot", "identity_operator", "l2norm", "l2norm_squared", "l2normalize"]

__getattr__, __dir__ = namespace(__name__)


class LinearOperator(NamedTuple):
    """What the solvers ask of a matrix: its shape and dtype, and its products, and its adjoint's, with a column."""

    shape: Any
    dtype: Any
    apply: Callable[[Any], Any]
    apply_adjoint: Callable[[Any], Any]


def _operator(matrix: Any, apply: Callable[[Any], Any], apply_adjoint: Callable[[Any], Any]) -> LinearOperator:
    known = matrix.get_shape()
    shape = known.as_list() if known.is_fully_defined() else shape_of(matrix)
    return LinearOperator(shape, matrix.dtype, apply, apply_adjoint)


def create_operator(matrix: Any) -> LinearOperator:
    """Return the operator that multiplies columns by ``matrix``. See: ``tf.contrib.solvers.util.create_operator``.

    Args:
        matrix: A tensor [m, n]. The operator's ``shape`` is a list if the tensor's is known, else a tensor.
    """
    return _operator(matrix, lambda v: matmul(matrix, v), lambda v: matmul(matrix, v, adjoint_a=True))


def identity_operator(matrix: Any) -> LinearOperator:
    """Return the operator of ``matrix``'s shape and dtype that leaves columns as they are.

    See: ``tf.contrib.solvers.util.identity_operator``.
    """
    return _operator(matrix, lambda v: v, lambda v: v)


def dot(x: Any, y: Any) -> Any:
    """Return the sum of conj(x) y, a scalar. See: ``tf.contrib.solvers.util.dot``."""
    return reduce_sum(conj(x) * y)


def l2norm_squared(v: Any) -> Any:
    """Return the sum of the squares of ``v``, a scalar. See: ``tf.contrib.solvers.util.l2norm_squared``."""
    return reduce_sum(square(v))


def l2norm(v: Any) -> Any:
    """Return the length of ``v``, a scalar. See: ``tf.contrib.solvers.util.l2norm``."""
    return sqrt(l2norm_squared(v))


def l2normalize(v: Any) -> tuple[Any, Any]:
    """Return ``v`` divided by its length, and the length. See: ``tf.contrib.solvers.util.l2normalize``."""
    norm = l2norm(v)
    return v / norm, norm
