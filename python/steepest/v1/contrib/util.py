"""``tf.contrib.util``."""

from ..graph.missing import namespace
from ..graph.static_values import constant_value

__all__ = ["constant_value"]

__getattr__, __dir__ = namespace(__name__)
