"""``tf.contrib.distributions``: those of ``tf.distributions``."""

from ..distributions import *
from ..distributions import __all__ as _names
from ..graph.missing import namespace

__all__ = list(_names)

__getattr__, __dir__ = namespace(__name__)
