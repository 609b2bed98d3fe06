"""``tf.contrib.signal``: windows, frames and mel scales of signals, under their names before `tf.signal`."""

from ..graph.missing import namespace
from ..ops import frame_ops, window_ops
from ..ops.frame_ops import *
from ..ops.mel_ops import linear_to_mel_weight_matrix, mfccs_from_log_mel_spectrograms
from ..ops.window_ops import *

__all__ = [
    *frame_ops.__all__,
    *window_ops.__all__,
    "linear_to_mel_weight_matrix",
    "mfccs_from_log_mel_spectrograms",
]

__getattr__, __dir__ = namespace(__name__)
