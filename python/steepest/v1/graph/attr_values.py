"""Attributes of operations with the fields of TensorFlow's messages."""

from __future__ import annotations

from typing import Any, ClassVar

from .array_protos import TensorProto
from .data_types import DATA_TYPE
from .messages import Field, Message, map_of
from .shape_protos import TensorShapeProto

__all__ = ["AttrValue", "ListValue", "NameAttrList"]


class ListValue(Message):
    """The values of an attribute that is a list. Source: ``AttrValue.ListValue``."""

    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("s", 2, "bytes", repeated=True),
        Field("i", 3, "int64", repeated=True),
        Field("f", 4, "float", repeated=True),
        Field("b", 5, "bool", repeated=True),
        Field("type", 6, DATA_TYPE, repeated=True),
        Field("shape", 7, TensorShapeProto, repeated=True),
        Field("tensor", 8, TensorProto, repeated=True),
    )


class AttrValue(Message):
    """One attribute: the field of its kind is set. Source: ``attr_value_pb2.AttrValue``."""

    ListValue = ListValue

    @property
    def content(self) -> Any:
        """The value itself."""
        return getattr(self, self.WhichOneof("value") or "s")


class NameAttrList(Message):
    """A function by its name, and attributes for it. Source: ``attr_value_pb2.NameAttrList``."""

    FIELDS = (Field("name", 1, "string"), Field("attr", 2, map_of(AttrValue), repeated=True))


AttrValue.FIELDS = (
    Field("s", 2, "bytes", oneof="value"),
    Field("i", 3, "int64", oneof="value"),
    Field("f", 4, "float", oneof="value"),
    Field("b", 5, "bool", oneof="value"),
    Field("type", 6, DATA_TYPE, oneof="value"),
    Field("shape", 7, TensorShapeProto, oneof="value"),
    Field("tensor", 8, TensorProto, oneof="value"),
    Field("list", 1, ListValue, oneof="value"),
    Field("func", 10, NameAttrList, oneof="value"),
    Field("placeholder", 9, "string", oneof="value"),
)
ListValue.FIELDS = (*ListValue.FIELDS, Field("func", 9, NameAttrList, repeated=True))
