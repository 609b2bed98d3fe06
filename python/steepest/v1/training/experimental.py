"""``tf.train.experimental``: losses that are scaled, and objects that are bytes in a checkpoint."""

from ..graph.missing import namespace
from ..saving.trackable import PythonState
from .loss_scales import (
    DynamicLossScale,
    FixedLossScale,
    LossScale,
    MixedPrecisionLossScaleOptimizer,
)
from .mixed_precision import disable_mixed_precision_graph_rewrite, enable_mixed_precision_graph_rewrite

__all__ = [
    "DynamicLossScale",
    "FixedLossScale",
    "LossScale",
    "MixedPrecisionLossScaleOptimizer",
    "PythonState",
    "disable_mixed_precision_graph_rewrite",
    "enable_mixed_precision_graph_rewrite",
]

__getattr__, __dir__ = namespace(__name__)
