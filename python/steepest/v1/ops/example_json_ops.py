"""Examples of JSON's texts."""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable
from typing import Any

from ..graph import shape_inference
from ..graph.build import call
from .example_messages import BytesList, Example, Feature, Features, FloatList, Int64List
from .string_ops import each

__all__ = ["decode_json_example"]


def decode_json_example(json_examples: Any, name: str | None = None) -> Any:
    """Return the serialized messages of examples that are texts in JSON, as protocol buffers write them there.

    InvalidArgumentError, when a session runs, for a text that is none.

    Source: ``tf.io.decode_json_example``.
    """
    options: Any = {"shape": shape_inference.same, "dtype": "string", "differentiable": False}
    return call("DecodeJSONExample", each(_serialized), (json_examples,), name=name, **options)


def _serialized(text: bytes) -> bytes:
    try:
        given = json.loads(text.decode())
        fields = _fields(given, "features")
        features = _fields(fields["features"], "feature") if "features" in fields else {}
        feature = features.get("feature", {})
        if not isinstance(feature, dict):
            raise ValueError("feature: a map is expected")
        if "features" not in fields:
            return b""
        return Example(Features({key: _feature(value) for key, value in feature.items()})).SerializeToString()
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"Error while parsing JSON: {error}") from None


def _fields(given: Any, *allowed: str) -> dict[str, Any]:
    """Return the fields of a message, of which null is none, by their names in protocol buffers."""
    if not isinstance(given, dict):
        raise ValueError("Root element must be a message.")
    out = {}
    for name, value in given.items():
        full = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
        if full not in allowed:
            raise ValueError(f"{name}: Cannot find field.")
        if value is not None:
            out[full] = value
    return out


def _feature(given: Any) -> Feature:
    kinds: dict[str, tuple[Any, Callable[[Any], Any]]] = {
        "bytes_list": (BytesList, _bytes),
        "float_list": (FloatList, _float),
        "int64_list": (Int64List, _integer),
    }
    out: dict[str, Any] = {}
    for field, value in _fields(given, *kinds).items():
        values = _fields(value, "value").get("value", [])
        if not isinstance(values, list):
            raise ValueError(f"{field}: a list is expected")
        make, read = kinds[field]
        out = {field: make([read(one) for one in values])}
    return Feature(**out)


def _bytes(value: Any) -> bytes:
    if not isinstance(value, str) or not re.fullmatch(r"[-+/\w]*={0,2}", value, re.ASCII):
        raise ValueError(f"invalid value {json.dumps(value)} for type TYPE_BYTES")
    bare = value.rstrip("=").replace("+", "-").replace("/", "_")
    return base64.urlsafe_b64decode(bare + "=" * (-len(bare) % 4))


def _float(value: Any) -> float:
    named = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError(f"invalid value {json.dumps(value)} for type TYPE_FLOAT")
    return named[value] if isinstance(value, str) and value in named else float(value)


def _integer(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and value != int(value)):
        raise ValueError(f"invalid value {json.dumps(value)} for type TYPE_INT64")
    number = int(value)
    if not -(2**63) <= number < 2**63:
        raise ValueError(f"invalid value {value} for type TYPE_INT64")
    return number
