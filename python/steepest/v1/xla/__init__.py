"""``tf.xla``: marks for parts that TensorFlow compiles. Nothing is compiled here."""

from ..graph.missing import namespace
from . import experimental

__all__ = ["experimental"]

__getattr__, __dir__ = namespace(__name__)
