"""The element types of variables under their names in ``tensorflow.python.framework.dtypes``: ``float32_ref``..."""

from __future__ import annotations

import numpy as np

from ..graph.dtypes import EXTENSIONS, NUMBERS, OTHERS, TYPES, DType, as_dtype

_KNOWN = {**TYPES, **OTHERS}
_TYPE_TO_STRING = {
    number + more: f"{name}{suffix}"
    for more, suffix in ((0, ""), (100, "_ref"))
    for number, name in sorted((number, name) for name, number in NUMBERS.items())
}

__all__ = ["_TYPE_TO_STRING", *(f"{name}_ref" for name in _KNOWN)]
globals().update({f"{name}_ref": dtype.reference() for name, dtype in _KNOWN.items()})


def __getattr__(name: str) -> object:
    if name == "_np_bfloat16":
        return as_dtype("bfloat16").as_numpy_dtype
    base = name.removesuffix("_ref")
    if base not in EXTENSIONS:
        raise AttributeError(name)
    try:
        return as_dtype(name)
    except TypeError:  # without ml_dtypes there are no values; tests of several types name it before any of them runs
        return DType(name, np.dtype([(base, "u1")]))
