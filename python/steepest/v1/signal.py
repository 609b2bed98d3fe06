"""``tf.signal``: Fourier transforms, windows, frames, mel scales."""

from .graph.missing import namespace
from .ops import frame_ops, mdct_ops, mel_ops, spectral_ops, window_ops
from .ops.frame_ops import *
from .ops.mdct_ops import *
from .ops.mel_ops import *
from .ops.spectral_ops import *
from .ops.window_ops import *

__all__ = [*spectral_ops.__all__, *window_ops.__all__, *frame_ops.__all__, *mel_ops.__all__, *mdct_ops.__all__]

__getattr__, __dir__ = namespace(__name__)
