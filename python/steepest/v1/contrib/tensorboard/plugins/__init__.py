"""``tf.contrib.tensorboard.plugins``."""

from ....graph.missing import namespace
from . import projector

__all__ = ["projector"]

__getattr__, __dir__ = namespace(__name__)
