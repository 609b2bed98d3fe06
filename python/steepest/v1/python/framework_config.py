"""``framework.config``: names of ``tf.config`` in TensorFlow's internal module, where they say what they are of."""

from ..config import get_experimental_options as get_optimizer_experimental_options
from ..config import get_jit as get_optimizer_jit
from ..config import set_experimental_options as set_optimizer_experimental_options
from ..config import set_jit as set_optimizer_jit
from ..graph.determinism import disable_op_determinism, enable_op_determinism, is_op_determinism_enabled

__all__ = [
    "disable_op_determinism",
    "enable_op_determinism",
    "get_optimizer_experimental_options",
    "get_optimizer_jit",
    "is_op_determinism_enabled",
    "set_optimizer_experimental_options",
    "set_optimizer_jit",
]
