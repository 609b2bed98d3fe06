"""``tf.linalg``: products and norms."""

from .graph.missing import namespace
from .nn import l2_normalize
from .ops import linear_operator_products as _products  # noqa: F401  # they are registered by the import
from .ops import linear_operator_rules as _rules  # noqa: F401  # as these are
from .ops.array_ops import matrix_transpose
from .ops.clip_ops import global_norm
from .ops.decomposition_ops import (
    adjoint,
    cholesky,
    logdet,
    matrix_solve_ls,
    normalize,
    qr,
    slogdet,
    svd,
)
from .ops.diagonal_ops import matrix_diag, matrix_diag_part, matrix_set_diag
from .ops.eigen_ops import eigh_tridiagonal, eigvalsh, self_adjoint_eig
from .ops.einsum_ops import einsum
from .ops.linalg_ops import cross, matrix_band_part, matrix_determinant, matrix_inverse, matrix_solve, matvec
from .ops.linear_operator import LinearOperator
from .ops.linear_operator_block_diag import LinearOperatorBlockDiag
from .ops.linear_operator_block_lower_triangular import LinearOperatorBlockLowerTriangular
from .ops.linear_operator_blocks import LinearOperatorKronecker
from .ops.linear_operator_circulant import (
    LinearOperatorCirculant,
    LinearOperatorCirculant2D,
    LinearOperatorCirculant3D,
    LinearOperatorToeplitz,
)
from .ops.linear_operator_derived import LinearOperatorAdjoint, LinearOperatorComposition, LinearOperatorInversion
from .ops.linear_operator_identity import LinearOperatorIdentity, LinearOperatorScaledIdentity, LinearOperatorZeros
from .ops.linear_operator_ops import LinearOperatorDiag, LinearOperatorFullMatrix, LinearOperatorLowerTriangular
from .ops.linear_operator_permutation import LinearOperatorPermutation
from .ops.linear_operator_tridiag import LinearOperatorTridiag
from .ops.linear_operator_updates import LinearOperatorHouseholder, LinearOperatorLowRankUpdate
from .ops.lu_ops import lu, lu_matrix_inverse, lu_reconstruct, lu_solve, matrix_rank, pinv
from .ops.matmul_ops import diag as tensor_diag
from .ops.matmul_ops import diag_part as tensor_diag_part
from .ops.matmul_ops import eye, matmul, tensordot, trace
from .ops.matrix_function_ops import matrix_exponential, matrix_logarithm, matrix_square_root
from .ops.norm_ops import norm
from .ops.triangular_ops import cholesky_solve, matrix_triangular_solve
from .ops.tridiagonal_ops import tridiagonal_matmul, tridiagonal_solve

__all__ = [
    "LinearOperator",
    "LinearOperatorAdjoint",
    "LinearOperatorBlockDiag",
    "LinearOperatorBlockLowerTriangular",
    "LinearOperatorCirculant",
    "LinearOperatorCirculant2D",
    "LinearOperatorCirculant3D",
    "LinearOperatorComposition",
    "LinearOperatorDiag",
    "LinearOperatorFullMatrix",
    "LinearOperatorHouseholder",
    "LinearOperatorIdentity",
    "LinearOperatorInversion",
    "LinearOperatorKronecker",
    "LinearOperatorLowRankUpdate",
    "LinearOperatorLowerTriangular",
    "LinearOperatorPermutation",
    "LinearOperatorScaledIdentity",
    "LinearOperatorToeplitz",
    "LinearOperatorTridiag",
    "LinearOperatorZeros",
    "adjoint",
    "band_part",
    "cholesky",
    "cholesky_solve",
    "cross",
    "det",
    "diag",
    "diag_part",
    "eigh",
    "eigh_tridiagonal",
    "eigvalsh",
    "einsum",
    "expm",
    "eye",
    "global_norm",
    "inv",
    "l2_normalize",
    "logdet",
    "logm",
    "lstsq",
    "lu",
    "lu_matrix_inverse",
    "lu_reconstruct",
    "lu_solve",
    "matmul",
    "matrix_rank",
    "matrix_transpose",
    "matvec",
    "norm",
    "normalize",
    "pinv",
    "qr",
    "set_diag",
    "slogdet",
    "solve",
    "sqrtm",
    "svd",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
    "transpose",
    "triangular_solve",
    "tridiagonal_matmul",
    "tridiagonal_solve",
]

band_part, det, inv, solve, set_diag = (
    matrix_band_part,
    matrix_determinant,
    matrix_inverse,
    matrix_solve,
    matrix_set_diag,
)
expm, logm = matrix_exponential, matrix_logarithm
eigh, lstsq, sqrtm, triangular_solve = self_adjoint_eig, matrix_solve_ls, matrix_square_root, matrix_triangular_solve
transpose, diag, diag_part = matrix_transpose, matrix_diag, matrix_diag_part

__getattr__, __dir__ = namespace(__name__)
