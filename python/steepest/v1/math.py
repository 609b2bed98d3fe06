"""``tf.math``: the mathematics of the top level under its newer name."""

from . import cast_ops, index_ops, math_ops, product_ops, reduce_ops, segment_ops
from .cast_ops import *
from .index_ops import *
from .math_ops import *
from .matrix_ops import cross
from .missing import namespace
from .nn import l2_normalize, log_softmax, softmax, softplus, softsign, zero_fraction
from .order_ops import bincount, confusion_matrix, in_top_k, top_k
from .product_ops import *
from .reduce_ops import *
from .segment_ops import *

__all__ = [
    "bincount",
    "confusion_matrix",
    "cross",
    "in_top_k",
    "top_k",
    "l2_normalize",
    "log_softmax",
    "softmax",
    "softplus",
    "softsign",
    "zero_fraction",
    *cast_ops.__all__,
    *index_ops.__all__,
    *math_ops.__all__,
    *product_ops.__all__,
    *reduce_ops.__all__,
    *segment_ops.__all__,
]

__getattr__, __dir__ = namespace(__name__)
