"""The names of element types at the top of ``tf``."""

from __future__ import annotations

from .dtypes import OTHERS, TYPES

__all__ = [
    *("QUANTIZED_DTYPES", "bool", "complex128", "complex64", "double", "float16", "float32", "float64", "half"),
    *("int16", "int32", "int64", "int8", "qint16", "qint32", "qint8", "quint16", "quint8"),
    *("resource", "string", "uint16", "uint32", "uint64", "uint8", "variant"),
]

float16, float32, float64 = (TYPES[name] for name in ("float16", "float32", "float64"))
half, double = float16, float64
int8, int16, int32, int64 = (TYPES[name] for name in ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = (TYPES[name] for name in ("uint8", "uint16", "uint32", "uint64"))
complex64, complex128 = TYPES["complex64"], TYPES["complex128"]
bool, string = TYPES["bool"], TYPES["string"]
qint8, quint8, qint16, quint16, qint32, resource, variant = OTHERS.values()
QUANTIZED_DTYPES = frozenset([qint8, quint8, qint16, quint16, qint32])
