"""``tf.linalg``: products and norms."""

from .graph.missing import namespace
from .nn import l2_normalize
from .ops.array_ops import matrix_transpose
from .ops.clip_ops import global_norm
from .ops.linalg_ops import (
    cholesky,
    cross,
    matrix_band_part,
    matrix_determinant,
    matrix_diag,
    matrix_diag_part,
    matrix_inverse,
    matrix_set_diag,
    matrix_solve,
    matvec,
)
from .ops.matmul_ops import einsum, eye, matmul, tensordot, trace
from .ops.reduce_ops import norm

__all__ = [
    "band_part",
    "cholesky",
    "cross",
    "det",
    "diag",
    "diag_part",
    "einsum",
    "eye",
    "global_norm",
    "inv",
    "l2_normalize",
    "matmul",
    "matrix_transpose",
    "matvec",
    "norm",
    "set_diag",
    "solve",
    "tensordot",
    "trace",
    "transpose",
]

band_part, det, inv, solve, set_diag = (
    matrix_band_part,
    matrix_determinant,
    matrix_inverse,
    matrix_solve,
    matrix_set_diag,
)
transpose, diag, diag_part = matrix_transpose, matrix_diag, matrix_diag_part

__getattr__, __dir__ = namespace(__name__)
