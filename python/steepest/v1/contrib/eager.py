"""``tf.contrib.eager``."""

from ..graph.missing import namespace
from ..graph.mode import enable_eager_execution, executing_eagerly
from ..training.custom_gradients import custom_gradient
from ..training.saver import Saver
from ..training.tapes import (
    GradientTape,
    gradients_function,
    implicit_gradients,
    implicit_value_and_gradients,
    value_and_gradients_function,
)
from ..training.variable_stores import EagerVariableStore
from ..training.variables import Variable

__all__ = [
    "EagerVariableStore",
    "GradientTape",
    "Saver",
    "Variable",
    "custom_gradient",
    "enable_eager_execution",
    "executing_eagerly",
    "gradients_function",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "num_gpus",
    "value_and_gradients_function",
]

__getattr__, __dir__ = namespace(__name__)


def num_gpus() -> int:
    """Return 0: everything runs on the CPU."""
    return 0
