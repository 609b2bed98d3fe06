"""``tf.errors``: what goes wrong while a session runs."""

from .graph.errors import *
from .graph.missing import namespace

__getattr__, __dir__ = namespace(__name__)
