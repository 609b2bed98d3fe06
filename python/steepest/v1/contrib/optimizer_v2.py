"""``tf.contrib.optimizer_v2``: optimizers that are those of ``tf.train`` in one process."""

from ... import (
    AdadeltaOptimizer,
    AdagradOptimizer,
    AdamOptimizer,
    GradientDescentOptimizer,
    MomentumOptimizer,
    RMSPropOptimizer,
)
from ..graph.missing import namespace

__all__ = [
    "AdadeltaOptimizer",
    "AdagradOptimizer",
    "AdamOptimizer",
    "GradientDescentOptimizer",
    "MomentumOptimizer",
    "RMSPropOptimizer",
]

# TensorFlow's modules below it are imported from the package itself.
__getattr__, __dir__ = namespace(__name__, "adadelta adagrad adam gradient_descent momentum rmsprop")
