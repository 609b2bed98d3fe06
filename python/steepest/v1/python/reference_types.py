"""The element types of variables under their names in ``tensorflow.python.framework.dtypes``: ``float32_ref``..."""

from __future__ import annotations

import numpy as np

from ..graph.dtypes import OTHERS, TYPES, DType, as_dtype
from ..graph.type_numbers import EXTENSIONS, NUMBERS

_KNOWN = {**TYPES, **OTHERS}
_TYPE_TO_STRING = {
    number + more: f"{name}{suffix}"
    for more, suffix in ((0, ""), (100, "_ref"))
    for number, name in sorted((number, name) for name, number in NUMBERS.items())
}

__all__ = ["_TYPE_TO_STRING", *(f"{name}_ref" for name in _KNOWN)]
globals().update({f"{name}_ref": dtype.reference() for name, dtype in _KNOWN.items()})


def __getattr__(name: str) -> object:
    if name == "TF_VALUE_DTYPES":
        numbers = [known for known in _KNOWN.values() if known.is_numpy_compatible]
        return frozenset([*numbers, *map(_extension, EXTENSIONS)])
    if name.startswith("_np_") and name.removeprefix("_np_") in EXTENSIONS:
        return _extension(name.removeprefix("_np_")).as_numpy_dtype
    if name.removesuffix("_ref") not in EXTENSIONS:
        raise AttributeError(name)
    return _extension(name)


def _extension(name: str) -> DType:
    try:
        return as_dtype(name)
    except TypeError:  # without ml_dtypes there are no values; tests of several types name it before any of them runs
        return DType(name, np.dtype([(name.removesuffix("_ref"), "u1")]))
