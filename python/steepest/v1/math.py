"""``tf.math``: the mathematics of the top level under its newer name."""

from .index_ops import *  # noqa: F403
from .math_ops import *  # noqa: F403
from .missing import module_getattr
from .nn import l2_normalize, log_softmax, softmax, softplus, softsign, zero_fraction
from .reduce_ops import *  # noqa: F403

__all__ = ["l2_normalize", "log_softmax", "softmax", "softplus", "softsign", "zero_fraction"]

__getattr__ = module_getattr(__name__)
