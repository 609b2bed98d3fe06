"""Messages of protobuf's own classes, as those of event files are, compared with others and with texts."""

from __future__ import annotations

import importlib
from typing import Any

from ..graph.messages import Message

__all__ = ["is_protobuf", "like", "rounded"]

_DOUBLE, _FLOAT = 1, 2  # of `FieldDescriptor.type`


def is_protobuf(message: Any) -> bool:
    """Tell whether something is a message of protobuf's."""
    return hasattr(message, "ListFields") and not isinstance(message, Message)


def like(message: Any, text: str) -> Any:
    """Return the message that a text in protobuf's text form stands for, of the class of another message."""
    text_format = importlib.import_module("google.protobuf.text_format")  # there is a message, so it is installed
    return text_format.Parse(text, type(message)())


def rounded(message: Any) -> dict[str, Any]:
    """Return the fields that are set, numbers rounded as TensorFlow's comparison rounds them."""
    return {field.name: _rounded(field, value) for field, value in message.ListFields()}


def _rounded(field: Any, value: Any) -> Any:
    if not hasattr(value, "append") and not hasattr(value, "items") and not hasattr(value, "add"):
        return _one(field, value)
    if hasattr(value, "items"):
        return {key: _one(field, each) for key, each in value.items()}
    return [_one(field, each) for each in value]


def _one(field: Any, value: Any) -> Any:
    if is_protobuf(value):
        return rounded(value)
    digits = {_FLOAT: 6, _DOUBLE: 7}.get(field.type)
    return value if digits is None else round(value, digits)
