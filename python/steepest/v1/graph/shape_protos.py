"""Shapes with the fields of TensorFlow's messages."""

from __future__ import annotations

from collections.abc import Iterator

from .messages import Field, Message

__all__ = ["TensorShapeProto"]


class TensorShapeProto(Message):
    """A shape: the sizes of ``dim``, -1 for one that is not known."""

    class Dim(Message):
        """One axis."""

        FIELDS = (Field("size", 1, "int64"), Field("name", 2, "string"))

    FIELDS = (Field("dim", 2, Dim, repeated=True), Field("unknown_rank", 3, "bool"))

    def __iter__(self) -> Iterator[int | None]:
        """Give the sizes, None for those that are not known."""
        return (None if each.size < 0 else each.size for each in self.dim)
