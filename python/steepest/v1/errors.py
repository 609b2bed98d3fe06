"""``tf.errors``: what goes wrong while a session runs. The messages name the node."""

from .graph.errors import *
from .graph.errors import __all__ as __all__
from .graph.missing import namespace

__getattr__, __dir__ = namespace(__name__)
