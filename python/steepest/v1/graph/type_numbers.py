"""TensorFlow's numbers of element types, and which of the types are another package's."""

from __future__ import annotations

__all__ = ["EXTENSIONS", "NAMES", "NUMBERS"]

NAMES = {1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 7: "string", 9: "int64"}
NAMES |= {8: "complex64", 18: "complex128"}
NAMES |= {11: "qint8", 12: "quint8", 13: "qint32", 15: "qint16", 16: "quint16", 20: "resource", 21: "variant"}
NAMES |= {10: "bool", 14: "bfloat16", 17: "uint16", 19: "float16", 22: "uint32", 23: "uint64"}
# Types that ml_dtypes has and NumPy has not.
_EXTENSIONS = {14: "bfloat16", 24: "float8_e5m2", 25: "float8_e4m3fn", 26: "float8_e4m3fnuz", 27: "float8_e4m3b11fnuz"}
_EXTENSIONS |= {28: "float8_e5m2fnuz", 29: "int4", 30: "uint4", 31: "int2", 32: "uint2", 33: "float4_e2m1fn"}
EXTENSIONS = tuple(_EXTENSIONS.values())
NAMES |= _EXTENSIONS
NUMBERS = {name: number for number, name in NAMES.items()}
