"""TensorFlow's ``types_pb2``: the numbers of the element types, ``DT_FLOAT`` and its kin."""

from __future__ import annotations

from ..graph.dtypes import NUMBERS

_NAMES = {"float16": "HALF", "float32": "FLOAT", "float64": "DOUBLE"}

globals().update({f"DT_{_NAMES.get(name, name.upper())}": number for name, number in NUMBERS.items()})
DT_INVALID = 0
__all__ = [name for name in globals() if name.startswith("DT_")]
