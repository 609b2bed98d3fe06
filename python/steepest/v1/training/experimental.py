"""``tf.train.experimental``: losses that are scaled, and objects that are bytes in a checkpoint."""

from ..graph.missing import namespace
from ..saving.trackable import PythonState
from .loss_scales import DynamicLossScale, FixedLossScale, LossScale

__all__ = ["DynamicLossScale", "FixedLossScale", "LossScale", "PythonState"]

__getattr__, __dir__ = namespace(__name__)
