"""Names of ``tensorflow.python.eager.core``, and the class of eager tensors under its name in ``framework.ops``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.tensor import Tensor as _Tensor
from ..graph import log as logging
from ..graph.dtypes import as_dtype
from ..graph.errors import OpError, UnknownError, exception_type_from_error_code
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["EagerTensor", "_FallbackException", "_NotOkStatusException", "_status_to_exception"]


class _Kind(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _Tensor)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, _Tensor)


class EagerTensor(metaclass=_Kind):
    """A tensor of eager mode: ``isinstance`` tells them, and a call makes one, on the device that is named.

    Args:
        value: a number, a list or an array.
        device: accepted; there is one device.
        dtype: the number of a type, None for that of the value.

    Raises:
        TypeError: without a device, or for what is not the number of a type.
    """

    def __new__(cls, value: Any, device: Any = None, dtype: Any = None) -> Any:
        if device is None:
            raise TypeError("Required argument 'device' (pos 2) not found")
        if dtype is None:
            return convert_to_tensor(value)
        if not isinstance(dtype, int):
            raise TypeError(f"Expecting a DataType value for dtype. Got {type(dtype).__name__}")
        try:
            wanted = as_dtype(dtype)
        except TypeError:
            raise TypeError(f"Invalid dtype argument value {dtype}") from None
        own = isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc"
        return convert_to_tensor(value.astype(wanted.as_numpy_dtype) if own else value, wanted)


class _NotOkStatusException(Exception):
    """What TensorFlow's own language says of an error: its words, and its number."""

    def __init__(self, message: str, code: int, payloads: Any = None) -> None:
        super().__init__()
        self.message, self.code, self.payloads = message, code, payloads

    def __str__(self) -> str:
        return f"{type(self).__name__}: Error Code {self.code}: {self.message}"


class _FallbackException(Exception):
    """What the way by which operations are called fast cannot do: TensorFlow takes the other one then."""


def _status_to_exception(code: Any, message: str | None = None) -> OpError:
    """Return the error with a number, UnknownError for one that has no class.

    TensorFlow 1 gives the number and the words, TensorFlow 2 a `_NotOkStatusException`, which is logged.
    """
    if isinstance(code, _NotOkStatusException):
        logging.error_log(str(code))
        code, message = code.code, code.message
    assert message is not None
    try:
        kind: type[OpError] = exception_type_from_error_code(code)
    except KeyError:
        kind = UnknownError
    return kind(None, None, message)
