"""``framework.config``: names of ``tf.config`` in TensorFlow's internal module, where they say what they are of."""

from ..config import get_experimental_options as get_optimizer_experimental_options
from ..config import get_jit as get_optimizer_jit
from ..config import set_experimental_options as set_optimizer_experimental_options
from ..config import set_jit as set_optimizer_jit

__all__ = [
    "get_optimizer_experimental_options",
    "get_optimizer_jit",
    "set_optimizer_experimental_options",
    "set_optimizer_jit",
]
