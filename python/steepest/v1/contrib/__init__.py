"""``tf.contrib``: the parts of it that belong to optimizers and eager execution."""

from ..graph.missing import namespace
from . import eager, framework, layers, opt

__all__ = ["eager", "framework", "layers", "opt"]

__getattr__, __dir__ = namespace(__name__)
