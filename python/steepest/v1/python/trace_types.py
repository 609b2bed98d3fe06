"""TensorFlow's ``trace_type`` and ``type_utils``: what functions and messages know of values before they are there."""

from __future__ import annotations

from typing import Any

from ..graph.dtypes import DType, as_dtype
from ..graph.handle_data import FullTypeDef
from ..graph.messages import Field, Message
from ..graph.shape_protos import TensorShapeProto
from ..graph.shapes import TensorShape
from ..ops.type_spec import TypeSpec, type_spec_from_value

__all__ = [
    "InternalCastContext",
    "InternalPlaceholderContext",
    "deserialize",
    "from_value",
    "fulltypes_for_flat_tensors",
    "serialize",
]


class InternalCastContext:
    """What is told where values are cast: whether specs may stand for them."""

    def __init__(self, allow_specs: bool = False) -> None:
        self.allow_specs = allow_specs


class InternalPlaceholderContext:
    """What is told where nodes are made that stand for values."""

    def __init__(self, context_graph: Any = None, placeholder_mapping: Any = None, unnest_only: bool = False) -> None:
        self.context_graph, self.placeholder_mapping, self.unnest_only = context_graph, placeholder_mapping, unnest_only


def from_value(value: Any, context: Any = None) -> Any:
    """Return the spec of a value, a spec as it is."""
    del context
    return value if isinstance(value, TypeSpec) else type_spec_from_value(value)


def fulltypes_for_flat_tensors(element_spec: TypeSpec) -> list[FullTypeDef]:
    """Return a message for each tensor of a value: the numbers of their types tell all."""
    return [FullTypeDef() for _ in element_spec._flat_tensor_specs]


class _SerializedDType(Message):
    """An element type by its number."""

    FIELDS = (Field("datatype", 1, "int32"),)


class _Packed(Message):
    """A message of any kind: the name of its type, and its bytes."""

    FIELDS = (Field("type_url", 1, "string"), Field("value", 2, "bytes"))


class _SerializedTraceType(Message):
    """What `serialize` makes of a type or a shape."""

    FIELDS = (Field("representation", 1, _Packed),)


_DTYPE = "type.googleapis.com/tensorflow.SerializedDType"
_SHAPE = "type.googleapis.com/tensorflow.TensorShapeProto"


def serialize(to_serialize: Any) -> Message:
    """Return the message of an element type or of a shape.

    Source: ``trace_type.serialize``.
    """
    if not isinstance(to_serialize, (DType, TensorShape)):
        told = f"{type(to_serialize).__name__} since it is not Serializable. For object {to_serialize}"
        raise ValueError(f"Can not serialize {told}")
    if isinstance(to_serialize, DType):
        packed = _Packed(_DTYPE, _SerializedDType(to_serialize.as_datatype_enum).SerializeToString())
    else:
        packed = _Packed(_SHAPE, to_serialize.as_proto().SerializeToString())
    return _SerializedTraceType(packed)


def deserialize(proto: Any) -> Any:
    """Return the element type or the shape of which `serialize` made a message.

    Source: ``trace_type.deserialize``.
    """
    packed = proto.representation
    if packed.type_url == _DTYPE:
        return as_dtype(_SerializedDType.FromString(packed.value).datatype)
    if packed.type_url == _SHAPE:
        return TensorShape(TensorShapeProto.FromString(packed.value))
    raise ValueError(
        f"Can not deserialize proto of url: {packed.type_url} since no matching Python class could be found"
    )
