"""``tf.logging``: messages for people, on Python's ``logging`` (the logger ``steepest``)."""

from .graph.log import *
from .graph.log import __all__ as __all__
from .graph.missing import namespace

__getattr__, __dir__ = namespace(__name__)
