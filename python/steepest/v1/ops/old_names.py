"""Names of TensorFlow before 1.0, with their meaning then."""

from __future__ import annotations

from typing import Any

from .array_ops import matrix_transpose
from .concat_ops import concat, stack, unstack
from .counting_ops import setdiff1d
from .decomposition_ops import cholesky, matrix_solve_ls
from .diagonal_ops import matrix_diag, matrix_diag_part, matrix_set_diag
from .gather_ops import where
from .linalg_ops import matrix_band_part, matrix_determinant, matrix_inverse, matrix_solve
from .math_ops import abs as _abs
from .math_ops import multiply, negative, reciprocal, subtract
from .matmul_ops import matmul
from .triangular_ops import cholesky_solve, matrix_triangular_solve

__all__ = [
    "batch_cholesky",
    "batch_cholesky_solve",
    "batch_matmul",
    "batch_matrix_band_part",
    "batch_matrix_determinant",
    "batch_matrix_diag",
    "batch_matrix_diag_part",
    "batch_matrix_inverse",
    "batch_matrix_set_diag",
    "batch_matrix_solve",
    "batch_matrix_solve_ls",
    "batch_matrix_transpose",
    "batch_matrix_triangular_solve",
    "complex_abs",
    "concat_v2",
    "inv",
    "listdiff",
    "mul",
    "neg",
    "pack",
    "select",
    "sub",
    "unpack",
]

complex_abs = _abs
concat_v2 = concat
inv = reciprocal

mul = multiply
neg = negative
sub = subtract

# What takes matrices along the last two axes, and once came in two forms.
batch_cholesky, batch_cholesky_solve = cholesky, cholesky_solve
batch_matrix_band_part, batch_matrix_determinant = matrix_band_part, matrix_determinant
batch_matrix_diag, batch_matrix_diag_part = matrix_diag, matrix_diag_part
batch_matrix_inverse, batch_matrix_set_diag = matrix_inverse, matrix_set_diag
batch_matrix_solve, batch_matrix_solve_ls = matrix_solve, matrix_solve_ls
batch_matrix_transpose, batch_matrix_triangular_solve = matrix_transpose, matrix_triangular_solve


def batch_matmul(x: Any, y: Any, adj_x: bool = False, adj_y: bool = False, name: str | None = None) -> Any:
    """Return the products of matrices along the last two axes, those of x or y turned over where asked for."""
    return matmul(x, y, adjoint_a=adj_x, adjoint_b=adj_y, name=name)


def pack(values: Any, axis: int = 0, name: str = "pack") -> Any:
    """Return tensors of one shape beside each other along a new axis; today's ``tf.stack``."""
    return stack(values, axis, name)


def select(condition: Any, t: Any, e: Any, name: str | None = None) -> Any:
    """Return t where the condition is true, else e; a vector of conditions chooses rows. Today's ``tf.where``."""
    return where(condition, t, e, name)


def unpack(value: Any, num: int | None = None, axis: int = 0, name: str = "unpack") -> Any:
    """Return the list of what lies along an axis; today's ``tf.unstack``."""
    return unstack(value, num, axis, name)


def listdiff(x: Any, y: Any, out_idx: Any = None, name: str | None = None) -> Any:
    """Return the values of x that are not in y, in order, and their positions."""
    return setdiff1d(x, y, "int32" if out_idx is None else out_idx, name)
