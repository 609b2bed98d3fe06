"""``tf.linalg``: products and norms."""

from .array_ops import matrix_transpose
from .clipping import global_norm
from .missing import module_getattr
from .nn import l2_normalize
from .product_ops import diag, diag_part, einsum, eye, matmul, tensordot, trace
from .reduce_ops import norm

__all__ = [
    "diag",
    "diag_part",
    "einsum",
    "eye",
    "global_norm",
    "l2_normalize",
    "matmul",
    "matrix_transpose",
    "norm",
    "tensordot",
    "trace",
]

__getattr__ = module_getattr(__name__)
