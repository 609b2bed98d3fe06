"""``tf.contrib.opt``."""

from ...optimizers import LazyAdamOptimizer
from ..missing import namespace

__all__ = ["LazyAdamOptimizer"]

__getattr__, __dir__ = namespace(__name__)
