"""``tf.dtypes``: the element types, and conversions between them."""

from typing import Any

from .graph.dtype_names import QUANTIZED_DTYPES
from .graph.dtypes import OTHERS, TYPES, DType, as_dtype
from .graph.missing import namespace
from .ops.cast_ops import cast, saturate_cast
from .ops.complex_ops import complex
from .ops.string_ops import as_string

__all__ = ["QUANTIZED_DTYPES", "DType", "as_dtype", "as_string", "cast", "complex", "saturate_cast", *TYPES, *OTHERS]

globals().update(TYPES | OTHERS)
half, double = TYPES["float16"], TYPES["float64"]

_SMALL = ("float4_e2m1fn", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
_LATE = frozenset({"bfloat16", *_SMALL, "int2", "int4", "uint2", "uint4"})  # they need ml_dtypes
# TensorFlow has those of few bits in `tf.dtypes.experimental`: this module stands for it.
_missing, __dir__ = namespace(__name__, "experimental")


def __getattr__(name: str) -> Any:
    return as_dtype(name) if name in _LATE else _missing(name)
