"""``tf.contrib.util``."""

from ..graph.constants import constant_value
from ..graph.missing import namespace

__all__ = ["constant_value"]

__getattr__, __dir__ = namespace(__name__)
