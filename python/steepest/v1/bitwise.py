"""``tf.bitwise``: integers bit by bit."""

from .graph.missing import namespace
from .ops.bitwise_ops import bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift

__all__ = ["bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"]

__getattr__, __dir__ = namespace(__name__)
