"""``tf.math``: the mathematics of the top level under its newer name."""

from .cast_ops import *
from .index_ops import *
from .math_ops import *
from .missing import module_getattr
from .nn import l2_normalize, log_softmax, softmax, softplus, softsign, zero_fraction
from .product_ops import *
from .reduce_ops import *
from .segment_ops import *

__all__ = ["l2_normalize", "log_softmax", "softmax", "softplus", "softsign", "zero_fraction"]

__getattr__ = module_getattr(__name__)
