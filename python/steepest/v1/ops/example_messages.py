"""``tf.train.Example``: named lists of bytes, floats or integers, as a message that other programs read and write."""

from __future__ import annotations

from typing import TypeVar

from ..graph.messages import Field, Message, map_of

__all__ = ["BytesList", "Example", "Feature", "Features", "FloatList", "Int64List", "parsed"]

M = TypeVar("M", bound=Message)


class BytesList(Message):
    """A list of bytes. Source: ``tf.train.BytesList``."""

    FIELDS = (Field("value", 1, "bytes", repeated=True),)


class FloatList(Message):
    """A list of numbers of float32. Source: ``tf.train.FloatList``."""

    FIELDS = (Field("value", 1, "float", repeated=True),)


class Int64List(Message):
    """A list of integers. Source: ``tf.train.Int64List``."""

    FIELDS = (Field("value", 1, "int64", repeated=True),)


class Feature(Message):
    """One list, of bytes, of floats or of integers. Source: ``tf.train.Feature``."""

    FIELDS = (
        Field("bytes_list", 1, BytesList, oneof="kind"),
        Field("float_list", 2, FloatList, oneof="kind"),
        Field("int64_list", 3, Int64List, oneof="kind"),
    )


class Features(Message):
    """Features by their names. Source: ``tf.train.Features``."""

    FIELDS = (Field("feature", 1, map_of(Feature), repeated=True),)


class Example(Message):
    """What one example has: features by their names. Source: ``tf.train.Example``."""

    FIELDS = (Field("features", 1, Features),)


def parsed(kind: type[M], text: bytes) -> M:
    """Return the message of an example that a run reads; ValueError in TensorFlow's words for what is none."""
    try:
        return kind.FromString(text)
    except ValueError as error:
        raise ValueError(f"Could not parse example input, value: '{text.decode(errors='replace')}'") from error
