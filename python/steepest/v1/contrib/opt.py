"""``tf.contrib.opt``."""

from ...optim import LazyAdamOptimizer
from ..graph.missing import namespace

__all__ = ["LazyAdamOptimizer"]

__getattr__, __dir__ = namespace(__name__)
