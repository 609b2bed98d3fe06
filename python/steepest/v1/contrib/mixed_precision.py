"""``tf.contrib.mixed_precision``."""

from ..graph.missing import namespace
from ..training.loss_scale_managers import (
    ExponentialUpdateLossScaleManager,
    FixedLossScaleManager,
    LossScaleManager,
    LossScaleOptimizer,
)

__all__ = ["ExponentialUpdateLossScaleManager", "FixedLossScaleManager", "LossScaleManager", "LossScaleOptimizer"]

__getattr__, __dir__ = namespace(__name__, "loss_scale_manager loss_scale_optimizer")
