"""``tf.contrib.stateless``: draws that their seed alone decides, under their names before `tf.random`."""

from ..graph.missing import namespace
from ..ops.stateless_random_ops import stateless_multinomial, stateless_truncated_normal
from ..ops.stateless_random_ops import stateless_normal as stateless_random_normal
from ..ops.stateless_random_ops import stateless_uniform as stateless_random_uniform

__all__ = [
    "stateless_multinomial",
    "stateless_random_normal",
    "stateless_random_uniform",
    "stateless_truncated_normal",
]

__getattr__, __dir__ = namespace(__name__)
