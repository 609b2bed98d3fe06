"""``tf.contrib``: the parts of it that belong to optimizers and eager execution."""

from ..graph.missing import namespace
from . import distributions, eager, framework, layers, opt, util

__all__ = ["distributions", "eager", "framework", "layers", "opt", "util"]

__getattr__, __dir__ = namespace(__name__)
