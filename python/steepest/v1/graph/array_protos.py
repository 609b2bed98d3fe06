"""Arrays with the fields of TensorFlow's messages."""

from __future__ import annotations

from typing import Any

from .data_types import DATA_TYPE
from .dtypes import as_dtype
from .messages import Field, Message
from .shape_protos import TensorShapeProto
from .shapes import TensorShape
from .tensor_messages import array_of_bytes, bytes_of_array

__all__ = ["TensorProto"]


class TensorProto(Message):
    """An array: TensorFlow's number of its type, its shape, and the elements. Source: ``tensor_pb2.TensorProto``."""

    FIELDS = (
        Field("dtype", 1, DATA_TYPE),
        Field("tensor_shape", 2, TensorShapeProto),
        Field("version_number", 3, "int32"),
        Field("tensor_content", 4, "bytes"),
        Field("float_val", 5, "float", repeated=True),
        Field("double_val", 6, "double", repeated=True),
        Field("int_val", 7, "int32", repeated=True),
        Field("string_val", 8, "bytes", repeated=True),
        Field("scomplex_val", 9, "float", repeated=True),
        Field("int64_val", 10, "int64", repeated=True),
        Field("bool_val", 11, "bool", repeated=True),
        Field("dcomplex_val", 12, "double", repeated=True),
        Field("half_val", 13, "int32", repeated=True),
        Field("uint32_val", 16, "int64", repeated=True),
        Field("uint64_val", 17, "int64", repeated=True),
    )
    _given: Any = None
    _waiting: Any = None  # the array of which the elements are yet to become fields

    @classmethod
    def of(cls, array: Any, given: Any = None) -> TensorProto:
        """Return the message of an array; its elements become fields when one of them is asked for.

        ``given`` are those elements of which the last is repeated, where the message has fewer than the array.
        """
        made = cls(as_dtype(array.dtype).as_datatype_enum, TensorShape(array.shape).as_proto())
        made._waiting, made._given = array, given
        return made

    def _filled(self) -> None:
        if self._waiting is not None:
            array, self._waiting = self._waiting, None
            self.ParseFromString(bytes_of_array(array, given=self._given))

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            self._filled()
        return vars(self)[name] if name in vars(self) else super().__getattr__(name)

    def _stored(self, name: str) -> Any:
        self._filled()
        return super()._stored(name)

    @property
    def array(self) -> Any:
        """The array; ValueError where the fields do not fit each other."""
        return array_of_bytes(self.SerializeToString())[1] if self._waiting is None else self._waiting
