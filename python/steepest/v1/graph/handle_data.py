"""What is known of the value behind a handle, with the fields of TensorFlow's message."""

from __future__ import annotations

from .messages import Field, Message
from .shape_protos import TensorShapeProto

__all__ = ["CppShapeInferenceResult", "FullTypeDef"]


class FullTypeDef(Message):
    """The type of a value that is not told by a number alone."""

    FIELDS = (Field("type_id", 1, "int32"),)


class _ShapeAndType(Message):
    """The shape and the type of one value."""

    FIELDS = (Field("shape", 1, TensorShapeProto), Field("dtype", 2, "int32"), Field("type", 4, FullTypeDef))


class _HandleData(Message):
    """What is known of the values behind a handle, and whether anything is."""

    FIELDS = (Field("is_set", 1, "bool"), Field("shape_and_type", 2, _ShapeAndType, repeated=True))


class CppShapeInferenceResult(Message):
    """The shape of a result, and what is known of the values behind it where it is a handle."""

    HandleShapeAndType = _ShapeAndType
    HandleData = _HandleData

    FIELDS = (Field("shape", 1, TensorShapeProto), Field("handle_data", 4, _HandleData))
