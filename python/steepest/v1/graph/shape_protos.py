"""Shapes with the fields of TensorFlow's messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["TensorShapeProto"]


@dataclass
class TensorShapeProto:
    """A shape: the sizes of ``dim``, -1 for one that is not known."""

    @dataclass
    class Dim:
        """One axis."""

        size: int = 0
        name: str = ""

    dim: list[Dim] = field(default_factory=list)
    unknown_rank: bool = False

    def __iter__(self) -> Iterator[int | None]:
        """Give the sizes, None for those that are not known."""
        return (None if each.size < 0 else each.size for each in self.dim)
