"""``tf.contrib.compiler``: the old place of `tf.xla.experimental`."""

from ...graph.missing import namespace
from . import jit, xla

__all__ = ["jit", "xla"]

__getattr__, __dir__ = namespace(__name__)
