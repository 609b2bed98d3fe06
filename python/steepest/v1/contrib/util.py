"""``tf.contrib.util``."""

from ..graph.missing import namespace
from ..graph.static_values import constant_value
from ..graph.tensor_protos import make_ndarray, make_tensor_proto

__all__ = ["constant_value", "make_ndarray", "make_tensor_proto"]

__getattr__, __dir__ = namespace(__name__)
