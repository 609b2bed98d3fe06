"""The element types of variables under their names in ``tensorflow.python.framework.dtypes``: ``float32_ref``..."""

from __future__ import annotations

import numpy as np

from ..graph.dtypes import NUMBERS, OTHERS, TYPES, DType, as_dtype

_KNOWN = {**TYPES, **OTHERS}
_TYPE_TO_STRING = {
    number + more: f"{name}{suffix}"
    for more, suffix in ((0, ""), (100, "_ref"))
    for number, name in sorted((number, name) for name, number in NUMBERS.items())
}

__all__ = ["_TYPE_TO_STRING", *(f"{name}_ref" for name in _KNOWN)]
globals().update({f"{name}_ref": dtype.reference() for name, dtype in _KNOWN.items()})


# Types of TensorFlow 2, which tests of several types name before any of them runs; there are no values of them here.
_LATER = {
    name: DType(name, np.dtype([(name, "u1")]))
    for name in ("float8_e4m3fn", "float8_e5m2", "int2", "int4", "uint2", "uint4")
}
__all__ += list(_LATER)
globals().update(_LATER)


def __getattr__(name: str) -> object:
    if name == "bfloat16_ref":
        return as_dtype(name)
    if name == "_np_bfloat16":
        return as_dtype("bfloat16").as_numpy_dtype
    raise AttributeError(name)
