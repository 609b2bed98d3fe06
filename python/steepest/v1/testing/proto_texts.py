"""Messages as the texts of protobuf's text form, to compare them with what a test expects."""

from __future__ import annotations

import codecs
import re
from typing import Any, TypeVar

import numpy as np

from ..graph.array_protos import TensorProto
from ..graph.attr_values import AttrValue
from ..graph.dtypes import as_dtype
from ..graph.graph_def import GraphDef, NodeDef
from ..graph.messages import Field, Message
from ..graph.shape_protos import TensorShapeProto

__all__ = ["fields_of", "message_of", "parsed"]

_TOKEN = re.compile(
    r"""\s+|\#[^\n]*|(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?P<mark>[{}<>\[\]:,;])"""
    r"""|(?P<word>[^\s{}<>\[\]:,;"']+)"""
)


Fields = dict[str, list[Any]]
M = TypeVar("M", bound=Message)


def parsed(text: str) -> Fields:
    """Return the fields of a message in protobuf's text form: lists of texts, and of fields of messages in it.

    Raises ValueError for what is no such text.
    """
    tokens = [(found.lastgroup, found.group()) for found in _TOKEN.finditer(text) if found.lastgroup]
    fields, end = _fields(tokens, 0)
    if end != len(tokens):
        raise ValueError(f"{tokens[end][1]!r} is one too many")
    return fields


def _fields(tokens: list[tuple[str, str]], at: int) -> tuple[dict[str, list[Any]], int]:
    found: dict[str, list[Any]] = {}
    while at < len(tokens) and tokens[at][1] not in ("}", ">"):
        name, at = tokens[at][1], at + 1
        if name in (",", ";"):
            continue
        at += tokens[at][1] == ":"
        several = tokens[at][1] == "["
        at += several
        while True:
            value, at = _value(tokens, at)
            found.setdefault(name, []).append(value)
            if not several or tokens[at][1] == "]":
                break
            at += 1
        at += several
    return found, at


def _value(tokens: list[tuple[str, str]], at: int) -> tuple[Any, int]:
    kind, token = tokens[at]
    if token in ("{", "<"):
        inner, at = _fields(tokens, at + 1)
        return inner, at + 1
    whole, at = token, at + 1
    if kind != "text":
        return whole, at
    whole = token[1:-1]
    while at < len(tokens) and tokens[at][0] == "text":  # texts beside each other are one
        whole, at = whole + tokens[at][1][1:-1], at + 1
    return codecs.escape_decode(whole.encode())[0], at


def fields_of(message: Any, expected: dict[str, list[Any]]) -> tuple[Any, Any]:
    """Return what a message says and what the fields of a text say, as things that can be compared.

    Raises TypeError for a message of another kind than those of graphs.
    """
    for kind, pair in _PAIRS.items():
        if isinstance(message, kind):
            own, wanted = pair(message, expected)
            return own, wanted
    if isinstance(message, Message):
        return message, message_of(type(message), expected)
    raise TypeError(f"assertProtoEquals: cannot compare a {type(message).__name__} with a text")


def message_of(kind: type[M], fields: Fields) -> M:
    """Return the message of a class for the fields of a text. ValueError for a field that the class does not have."""
    made = kind()
    for name, values in fields.items():
        field = kind.DESCRIPTOR.fields_by_name.get(name)
        if field is None:
            raise ValueError(f'Message type "{kind.DESCRIPTOR.full_name}" has no field named "{name}".')
        for each in values:
            value = message_of(field.message, each) if field.message else _scalar(field, each)
            if field.mapped:
                getattr(made, name)[value.key] = value.value
            elif field.is_repeated:
                getattr(made, name).append(value)
            else:
                setattr(made, name, value)
                if field.message:
                    value.SetInParent()
    return made


def _scalar(field: Field, given: Any) -> Any:
    if field.kind in ("string", "bytes"):
        return _text(given) if field.kind == "string" else given
    if field.enum_type and given in field.enum_type.values_by_name:
        return field.enum_type.values_by_name[given].number
    if field.kind == "bool":
        return given in ("true", "True", "t", "1") or (given not in ("false", "False", "f", "0") and given)
    return float(given) if field.kind in ("float", "double") else int(given, 0)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _one(fields: dict[str, list[Any]], name: str, default: Any = "") -> Any:
    return fields.get(name, [default])[-1]


def _graph(message: GraphDef, fields: dict[str, list[Any]]) -> tuple[Any, Any]:
    nodes = fields.get("node", [])
    if len(nodes) != len(message.node):
        return len(message.node), len(nodes)
    pairs = [_node(node, each) for node, each in zip(message.node, nodes, strict=True)]
    return [own for own, _ in pairs], [wanted for _, wanted in pairs]


def _node(message: NodeDef, fields: dict[str, list[Any]]) -> tuple[Any, Any]:
    wanted = {name: _text(_one(fields, name)) for name in ("name", "op", "device")}
    attributes = {_text(_one(each, "key")): _one(each, "value", {}) for each in fields.get("attr", [])}
    own = {"name": message.name, "op": message.op, "device": message.device, "input": list(message.input)}
    known = message.attr
    if message.op not in _KNOWN:  # of others what TensorFlow would say of their types is not asked
        known = {name: value for name, value in known.items() if name in attributes or name.startswith("_")}
    pairs = {name: _attribute(known[name], each) for name, each in attributes.items() if name in known}
    return (
        {**own, "attr": sorted(known), **{name: pair[0] for name, pair in pairs.items()}},
        {
            **wanted,
            "input": [_text(each) for each in fields.get("input", [])],
            "attr": sorted(attributes),
            **{name: pair[1] for name, pair in pairs.items()},
        },
    )


_KNOWN = ("Const",)


def _attribute(message: AttrValue, fields: dict[str, list[Any]]) -> tuple[Any, Any]:
    if "tensor" in fields and message.HasField("tensor"):
        return _tensor(message.tensor, fields["tensor"][0])
    return message, message_of(AttrValue, fields)


def _shape(message: TensorShapeProto, fields: dict[str, list[Any]]) -> tuple[Any, Any]:
    sizes = [int(_one(each, "size", 0)) for each in fields.get("dim", [])]
    unknown = _one(fields, "unknown_rank", "false") == "true"
    return ([each.size for each in message.dim], message.unknown_rank), (sizes, unknown)


def _tensor(message: TensorProto, fields: dict[str, list[Any]]) -> tuple[Any, Any]:
    own, wanted = _shape(message.tensor_shape, _one(fields, "tensor_shape", {}))
    kind = as_dtype(_one(fields, "dtype").removeprefix("DT_").lower())
    same = message.dtype == kind.as_datatype_enum and own == wanted
    if same:
        elements = _elements(fields, kind.dtype, tuple(wanted[0]))
        same = np.array_equal(np.asarray(message.array), elements, equal_nan=kind.is_floating)
    return (own, message.dtype, same), (wanted, kind.as_datatype_enum, True)


def _elements(fields: dict[str, list[Any]], dtype: Any, shape: tuple[int, ...]) -> Any:
    count = int(np.prod(shape))
    if "tensor_content" in fields:
        return np.frombuffer(fields["tensor_content"][0], dtype).reshape(shape)
    if "string_val" in fields:
        given = np.empty(len(fields["string_val"]), object)
        given[:] = fields["string_val"]
    else:
        name = next((name for name in fields if name.endswith("_val")), "int_val")
        numbers = [{"true": 1, "false": 0}.get(each, each) for each in fields.get(name, [0])]
        if name == "half_val":
            given = np.array(numbers, np.uint16).view(dtype)
        elif "complex" in name:
            given = np.array(numbers, float).reshape(-1, 2) @ np.array([1, 1j])
        else:
            given = np.array([float(each) if dtype.kind == "f" else int(each) for each in numbers])
        given = given.astype(dtype)
    return np.concatenate([given, np.repeat(given[-1:], max(0, count - len(given)))]).reshape(shape)


_PAIRS: dict[type, Any] = {
    GraphDef: _graph,
    NodeDef: _node,
    AttrValue: _attribute,
    TensorShapeProto: _shape,
    TensorProto: _tensor,
}
