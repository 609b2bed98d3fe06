"""``tf.math``: the mathematics of the top level under its newer name."""

from .graph.missing import namespace
from .nn import l2_normalize, log_softmax, softmax, softplus, softsign, zero_fraction
from .ops import (
    bessel_kinds_ops,
    bessel_ops,
    cast_ops,
    gather_ops,
    integral_ops,
    math_ops,
    matmul_ops,
    position_ops,
    reduce_ops,
    segment_ops,
    special_math_ops,
)
from .ops.bessel_kinds_ops import *
from .ops.bessel_ops import *
from .ops.cast_ops import *
from .ops.complex_ops import angle, conj, imag, real
from .ops.composite_ops import scalar_mul
from .ops.counting_ops import bincount, confusion_matrix, unique, unique_with_counts
from .ops.gather_ops import *
from .ops.incomplete_gamma_ops import betainc, igamma, igammac, polygamma, zeta
from .ops.integral_ops import *
from .ops.linalg_ops import cross
from .ops.math_ops import *
from .ops.matmul_ops import *
from .ops.position_ops import *
from .ops.reduce_ops import *
from .ops.segment_ops import *
from .ops.sort_ops import in_top_k, invert_permutation, searchsorted, top_k
from .ops.special_math_ops import *

__all__ = [
    "angle",
    "conj",
    "imag",
    "real",
    "betainc",
    "bincount",
    "confusion_matrix",
    "cross",
    "igamma",
    "igammac",
    "in_top_k",
    "invert_permutation",
    "polygamma",
    "scalar_mul",
    "searchsorted",
    "top_k",
    "l2_normalize",
    "log_softmax",
    "softmax",
    "softplus",
    "softsign",
    "unique",
    "unique_with_counts",
    "zero_fraction",
    "zeta",
    *bessel_kinds_ops.__all__,
    *bessel_ops.__all__,
    *cast_ops.__all__,
    *gather_ops.__all__,
    *integral_ops.__all__,
    *position_ops.__all__,
    *math_ops.__all__,
    *matmul_ops.__all__,
    *reduce_ops.__all__,
    *segment_ops.__all__,
    *special_math_ops.__all__,
]

__getattr__, __dir__ = namespace(__name__, "special")
