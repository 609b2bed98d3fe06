"""``tf.quantization``: floats rounded to the numbers that few bits can tell apart."""

from .graph.missing import namespace
from .ops import quantization_ops, rounding_ops
from .ops.quantization_ops import *
from .ops.quantized_ops import dequantize as dequantize
from .ops.quantized_ops import quantize as quantize
from .ops.rounding_ops import *

__all__ = [*quantization_ops.__all__, *rounding_ops.__all__, "dequantize", "quantize"]

__getattr__, __dir__ = namespace(__name__)
