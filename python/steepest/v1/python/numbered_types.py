"""TensorFlow's ``types_pb2``: the numbers of the element types, ``DT_FLOAT`` and its kin."""

from __future__ import annotations

from ..graph.dtypes import NUMBERS

_NAMES = {"float16": "HALF", "float32": "FLOAT", "float64": "DOUBLE"}

DT_INVALID = 0
_NUMBERS = {f"DT_{_NAMES.get(name, name.upper())}": number for name, number in NUMBERS.items()}
_NUMBERS |= {f"{name}_REF": number + 100 for name, number in _NUMBERS.items()}
_NUMBERS = {"DT_INVALID": DT_INVALID, **_NUMBERS}


class _DataType:
    """The numbers by name: ``types_pb2.DataType``."""

    def __call__(self, value: int) -> int:
        return value

    def keys(self) -> list[str]:
        """Return the names."""
        return list(_NUMBERS)

    def values(self) -> list[int]:
        """Return the numbers."""
        return list(_NUMBERS.values())

    def items(self) -> list[tuple[str, int]]:
        """Return the names with their numbers."""
        return list(_NUMBERS.items())

    def Value(self, name: str) -> int:
        """Return the number of a name; ValueError for one that is not known."""
        if name not in _NUMBERS:
            raise ValueError(f"Enum DataType has no value defined for name {name!r}")
        return _NUMBERS[name]

    def Name(self, number: int) -> str:
        """Return the name of a number; ValueError for one that is not known."""
        for name, known in _NUMBERS.items():
            if known == number:
                return name
        raise ValueError(f"Enum DataType has no name defined for value {number!r}")


DataType = _DataType()
globals().update(_NUMBERS)
__all__ = ["DataType", *_NUMBERS]
