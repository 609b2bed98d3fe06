"""TensorFlow's ``types_pb2``: the numbers of the element types, ``DT_FLOAT`` and its kin."""

from __future__ import annotations

from ..graph.data_types import DT_NUMBERS


class Enumeration:
    """Numbers by name, as TensorFlow's messages have them: ``types_pb2.DataType``, ``error_codes_pb2.Code``."""

    def __init__(self, name: str, numbers: dict[str, int]) -> None:
        self._name, self._numbers = name, numbers

    def __call__(self, value: int) -> int:
        return value

    def keys(self) -> list[str]:
        """Return the names."""
        return list(self._numbers)

    def values(self) -> list[int]:
        """Return the numbers."""
        return list(self._numbers.values())

    def items(self) -> list[tuple[str, int]]:
        """Return the names with their numbers."""
        return list(self._numbers.items())

    def Value(self, name: str) -> int:
        """Return the number of a name; ValueError for one that is not known."""
        if name not in self._numbers:
            raise ValueError(f"Enum {self._name} has no value defined for name {name!r}")
        return self._numbers[name]

    def Name(self, number: int) -> str:
        """Return the name of a number; ValueError for one that is not known."""
        for name, known in self._numbers.items():
            if known == number:
                return name
        raise ValueError(f"Enum {self._name} has no name defined for value {number!r}")


DataType = Enumeration("DataType", DT_NUMBERS)
globals().update(DT_NUMBERS)
__all__ = ["DataType", *DT_NUMBERS]
