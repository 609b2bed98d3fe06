"""``tf.dtypes``: the element types, and conversions between them."""

from .graph.dtypes import TYPES, DType, as_dtype
from .graph.missing import namespace
from .ops.cast_ops import cast, saturate_cast

__all__ = ["DType", "as_dtype", "cast", "saturate_cast", *TYPES]

globals().update(TYPES)
half, double = TYPES["float16"], TYPES["float64"]

__getattr__, __dir__ = namespace(__name__)
