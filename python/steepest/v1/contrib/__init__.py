"""``tf.contrib``: the parts of it that belong to optimizers and eager execution."""

from ..missing import module_getattr
from . import eager, framework, layers, opt

__all__ = ["eager", "framework", "layers", "opt"]

__getattr__ = module_getattr(__name__)
