"""``tf.spectral``: Fourier transforms."""

from .graph.missing import namespace
from .ops import spectral_ops
from .ops.mel_ops import dct, idct
from .ops.spectral_ops import *

__all__ = [*spectral_ops.__all__, "dct", "idct"]

__getattr__, __dir__ = namespace(__name__)
