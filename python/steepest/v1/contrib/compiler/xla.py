"""``tf.contrib.compiler.xla``: parts of a graph that TensorFlow compiles."""

from ...graph.missing import namespace
from ...xla.experimental import compile

__all__ = ["compile"]

__getattr__, __dir__ = namespace(__name__)
