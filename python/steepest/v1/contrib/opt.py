"""``tf.contrib.opt``."""

from ...optimizers import LazyAdamOptimizer
from ..missing import module_getattr

__all__ = ["LazyAdamOptimizer"]

__getattr__ = module_getattr(__name__)
