"""``tf.signal``: Fourier transforms, windows."""

from .graph.missing import namespace
from .ops import spectral_ops, window_ops
from .ops.spectral_ops import *
from .ops.window_ops import *

__all__ = [*spectral_ops.__all__, *window_ops.__all__]

__getattr__, __dir__ = namespace(__name__)
