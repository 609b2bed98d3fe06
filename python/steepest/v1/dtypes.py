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

_missing, __dir__ = namespace(__name__)


def __getattr__(name: str) -> Any:
    if name == "bfloat16":  # only where ml_dtypes is installed
        return as_dtype(name)
    return _missing(name)
