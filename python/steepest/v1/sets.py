"""``tf.sets``: what rows of tensors have in common or not."""

from .graph.missing import namespace
from .ops.set_ops import set_difference, set_intersection, set_size, set_union

__all__ = ["difference", "intersection", "set_difference", "set_intersection", "set_size", "set_union", "size", "union"]

__getattr__, __dir__ = namespace(__name__)

difference, intersection, size, union = set_difference, set_intersection, set_size, set_union
