"""``tf.contrib.tensorboard``: what TensorBoard's plugins read."""

from ...graph.missing import namespace
from . import plugins

__all__ = ["plugins"]

__getattr__, __dir__ = namespace(__name__)
