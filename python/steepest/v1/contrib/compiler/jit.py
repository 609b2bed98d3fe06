"""``tf.contrib.compiler.jit``: the scope whose operations TensorFlow compiles."""

from ...graph.missing import namespace
from ...xla.experimental import jit_scope as experimental_jit_scope

__all__ = ["experimental_jit_scope"]

__getattr__, __dir__ = namespace(__name__)
