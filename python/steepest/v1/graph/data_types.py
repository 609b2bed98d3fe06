"""The numbers of element types by the names that they have in TensorFlow's messages: ``DT_FLOAT`` and its kin."""

from __future__ import annotations

from .message_fields import Enumeration
from .type_numbers import NUMBERS

__all__ = ["DATA_TYPE", "DT_NUMBERS"]

_NAMES = {"float16": "HALF", "float32": "FLOAT", "float64": "DOUBLE"}
_PLAIN = {f"DT_{_NAMES.get(name, name.upper())}": number for name, number in NUMBERS.items()}
DT_NUMBERS = {"DT_INVALID": 0, **_PLAIN, **{f"{name}_REF": number + 100 for name, number in _PLAIN.items()}}
DATA_TYPE = Enumeration("tensorflow.DataType", DT_NUMBERS)
