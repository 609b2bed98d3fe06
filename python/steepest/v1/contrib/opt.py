"""``tf.contrib.opt``."""

from ...optim.optimizers import LazyAdamOptimizer
from ..graph.missing import namespace

__all__ = ["LazyAdamOptimizer"]

__getattr__, __dir__ = namespace(__name__)
