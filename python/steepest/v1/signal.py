"""``tf.signal``: Fourier transforms."""

from .graph.missing import namespace
from .ops import spectral_ops
from .ops.spectral_ops import *

__all__ = [*spectral_ops.__all__]

__getattr__, __dir__ = namespace(__name__)
