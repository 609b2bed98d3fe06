"""Tensors as strings, the bytes of TensorFlow's message `TensorProto`, and such strings as tensors."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.dtypes import as_dtype, name_in_messages
from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from ..graph.tensor_messages import array_of_bytes, bytes_of_array
from .sparse_ops import convert_to_tensor
from .string_ops import as_bytes

__all__ = ["parse_tensor", "serialize_tensor"]


def serialize_tensor(tensor: Any, name: str | None = None) -> Any:
    """Return a tensor as a string, for `parse_tensor`. Source: ``tf.io.serialize_tensor``."""

    def written(value: Any) -> Any:
        out = np.empty((), object)
        array = array_of(value)
        out[()] = bytes_of_array(array, whole=array.dtype != object)
        return out

    options: Any = {"shape": (), "dtype": "string", "same": False, "differentiable": False}
    return call("SerializeTensor", written, (tensor,), name=name, **options)


def parse_tensor(serialized: Any, out_type: Any, name: str | None = None) -> Any:
    """Return the tensor of a string that `serialize_tensor` gave, or of a ``TensorProto``.

    InvalidArgumentError, when a session runs, for another string, and for a tensor of another type.
    Source: ``tf.io.parse_tensor``.
    """
    wanted = as_dtype(out_type)

    def read(value: Any) -> Any:
        texts = array_of(value)
        if texts.ndim:
            raise ValueError(f"Expected `serialized` to be a scalar, got shape: {bracketed(texts.shape)}")
        data = as_bytes(texts.item())
        try:
            dtype, found = array_of_bytes(data)
        except (ValueError, TypeError) as error:
            shown = f"base64: {base64.b64encode(data).decode()}"  # of TensorFlow 2; the text itself is of TensorFlow 1
            told = f"Could not parse `serialized` as TensorProto, {shown}: '{data.decode(errors='replace')}'"
            raise ValueError(told) from error
        if dtype != wanted:
            told = f"({name_in_messages(dtype)}) and dtype ({name_in_messages(wanted)})"
            raise ValueError(f"Type mismatch between parsed tensor {told}")
        return found

    options: Any = {"shape": None, "dtype": wanted, "same": False, "differentiable": False}
    return call("ParseTensor", read, (convert_to_tensor(serialized, "string"),), name=name, **options)
