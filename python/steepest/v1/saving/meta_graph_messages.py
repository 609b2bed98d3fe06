"""``MetaGraphDef``: a graph as it is in a file, its collections, and what is told of it, as messages."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..graph.graph_def import GIT_VERSION, VERSION, GraphDef, graph_def_of
from ..graph.message_fields import MessageMap
from ..graph.messages import Field, Message, map_of
from ..graph.op_defs import OpDef, OpList
from ..graph.op_registry import defined
from .graph_writing import text_of
from .saver_def import SaverDef

__all__ = ["CollectionDef", "MetaGraphDef", "MetaInfoDef", "graphs_from", "info_of", "items_of", "ops_of", "stripped"]

_maker: list[Callable[[dict[str, Any]], GraphDef]] = []


def graphs_from(function: Callable[[dict[str, Any]], GraphDef]) -> Callable[[dict[str, Any]], GraphDef]:
    """Register what gives the message of a content's nodes; it is imported later than this file."""
    _maker[:] = [function]
    return function


class MetaInfoDef(Message):
    """What is told of a graph in a file. Source: ``MetaGraphDef.MetaInfoDef``."""

    FIELDS = (
        Field("meta_graph_version", 1, "string"),
        Field("stripped_op_list", 2, OpList),
        Field("tags", 4, "string", repeated=True),
        Field("tensorflow_version", 5, "string"),
        Field("tensorflow_git_version", 6, "string"),
        Field("stripped_default_attrs", 7, "bool"),
        Field("function_aliases", 8, map_of("string"), repeated=True),
    )


class NodeList(Message):
    """Names of operations and tensors."""

    FIELDS = (Field("value", 1, "string", repeated=True),)


class BytesList(Message):
    """Texts, and objects as bytes."""

    FIELDS = (Field("value", 1, "bytes", repeated=True),)


class Int64List(Message):
    """Whole numbers."""

    FIELDS = (Field("value", 1, "int64", repeated=True),)


class FloatList(Message):
    """Numbers."""

    FIELDS = (Field("value", 1, "float", repeated=True),)


class CollectionDef(Message):
    """The items of a collection, of one kind. Source: ``meta_graph_pb2.CollectionDef``."""

    FIELDS = (
        Field("node_list", 1, NodeList, oneof="kind"),
        Field("bytes_list", 2, BytesList, oneof="kind"),
        Field("int64_list", 3, Int64List, oneof="kind"),
        Field("float_list", 4, FloatList, oneof="kind"),
    )


class MetaGraphDef(Message):
    """A graph as it is in a file, with its collections. Source: ``MetaGraphDef``.

    Its bytes are those of the file (docs/graphs.md). ``graph_def``, ``collection_def`` and ``meta_info_def`` are made
    when they are first asked for; what is changed in them goes into what is imported of the message.
    """

    FIELDS = (
        Field("meta_info_def", 1, MetaInfoDef),
        Field("graph_def", 2, GraphDef),
        Field("saver_def", 3, SaverDef),
        Field("collection_def", 4, map_of(CollectionDef), repeated=True),
    )
    MetaInfoDef = MetaInfoDef

    def __init__(
        self, content: dict[str, Any] | None = None, operations: tuple[Any, Any] | None = None, **fields: Any
    ) -> None:
        vars(self).update(_content=content, _operations=operations, _strips=False)
        super().__init__(**fields)

    def __getattr__(self, name: str) -> Any:
        content = vars(self).get("_content")
        if content is None or name not in _MADE or (name == "saver_def" and "saver" not in content):
            return super().__getattr__(name)
        made = _MADE[name](self, content)
        vars(self)[name] = made
        return made

    def _stored(self, name: str) -> Any:
        return getattr(self, name)

    def strip_defaults(self) -> None:
        """Have the messages of nodes be without attributes that have the values of their definitions."""
        vars(self)["_strips"] = True

    def content(self) -> dict[str, Any] | None:
        """Return the form that is in the file, None where the message has none; with the collections as they are."""
        content: dict[str, Any] | None = vars(self)["_content"]
        if content is None or "collection_def" not in vars(self):
            return content
        mixed = {key: items for key, items in content["collections"].items() if _of_one_kind(items) is None}
        return {**content, "collections": {**mixed, **{k: items_of(each) for k, each in self.collection_def.items()}}}

    def drop(self, name: str) -> None:
        """Forget a field as it was made."""
        vars(self).pop(name, None)

    def ClearField(self, field_name: str) -> None:
        """Empty one field."""
        vars(self)[field_name] = self.DESCRIPTOR.fields_by_name[field_name].empty()

    def CopyFrom(self, other: Message) -> None:
        """Become what another one is."""
        super().CopyFrom(other)
        vars(self).update(_content=getattr(other, "_content", None), _operations=getattr(other, "_operations", None))

    def SerializeToString(self, deterministic: bool | None = None) -> bytes:
        """Return the bytes of the file; of a message that was made by hand, those of its fields."""
        content = self.content()
        return super().SerializeToString() if content is None else text_of(content).encode()

    def told(self) -> bytes:
        """Return the bytes of TensorFlow's form, which does not make the graph again."""
        return super().SerializeToString()

    def MergeFromString(self, serialized: bytes) -> int:
        """Take the graph of a file's bytes, and return how many there are; ValueError for what is no message."""
        if not serialized.startswith(b"{"):
            return super().MergeFromString(serialized)
        for field in self.FIELDS:
            vars(self).pop(field.name, None)
        vars(self).update(_content=json.loads(serialized), _operations=None)
        return len(serialized)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MetaGraphDef):
            return NotImplemented
        mine, theirs = self.content(), other.content()
        return (mine is not None and theirs is not None and text_of(mine) == text_of(theirs)) or super().__eq__(other)

    __hash__ = None


def _graph_def(message: MetaGraphDef, content: dict[str, Any]) -> GraphDef:
    operations = vars(message)["_operations"]
    made = _maker[0](content) if operations is None else graph_def_of(operations[0], operations[1], True)
    if vars(message)["_strips"]:
        for node in [*made.node, *(node for each in made.library.function for node in each.node_def)]:
            stripped(node)
    return made


def stripped(node: Any) -> None:
    """Take those attributes out of a node's message that have the values of the type's definition."""
    op_def = defined(node.op)
    for attr in () if op_def is None else op_def.attr:
        if attr.HasField("default_value") and node.attr.get(attr.name) == attr.default_value:
            del node.attr[attr.name]


def _collection_def(_: MetaGraphDef, content: dict[str, Any]) -> MessageMap:
    made = MessageMap(MetaGraphDef.DESCRIPTOR.fields_by_name["collection_def"].message)
    for key, items in content["collections"].items():
        if (kind := _of_one_kind(items)) is not None:
            getattr(made[key], kind).value.extend(_in_message(item) for item in items)
    return made


def _of_one_kind(items: list[Any]) -> str | None:
    """Return the field that holds all of a collection's items, None where none can; whole numbers may be floats."""
    kinds = {_field_of(item) for item in items}
    if _field_of(items[0]) == "float_list":
        kinds.discard("int64_list")
    return None if len(kinds) > 1 else _field_of(items[0])


def _field_of(item: Any) -> str:
    if isinstance(item, dict):
        return {"tensor": "node_list", "operation": "node_list", "float": "float_list"}.get(
            next(iter(item)), "bytes_list"
        )
    return "float_list" if isinstance(item, float) else "int64_list"


def _in_message(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    kind, parts = next(iter(item.items()))
    if kind == "tensor":
        return f"{parts[0]}:{parts[1]}"
    if kind == "bytes":
        return base64.b64decode(parts)
    if kind == "operation":
        return parts
    return float(parts) if kind == "float" else json.dumps(item, separators=(",", ":")).encode()


def items_of(message: CollectionDef) -> list[Any]:
    """Return the items of a collection as a file has them."""
    names = [{"tensor": _place(each)} if ":" in each else {"operation": each} for each in message.node_list.value]
    objects = [_object(each) for each in message.bytes_list.value]
    return [*names, *objects, *message.int64_list.value, *message.float_list.value]


def _place(name: str) -> list[Any]:
    op, _, position = name.partition(":")
    return [op, int(position)]


def _object(data: bytes) -> Any:
    """Return an item that was written as text, or the bytes themselves."""
    if data.startswith(b'{"'):
        return json.loads(data)
    return {"bytes": base64.b64encode(data).decode()}


def _meta_info_def(message: MetaGraphDef, content: dict[str, Any]) -> MetaInfoDef:
    info = info_of(message.graph_def, content.get("tags", ()), vars(message)["_strips"])
    objects = content.get("objects", {})
    for alias, (kind, which) in objects.get("aliases", {}).items():
        node = objects["nodes"][which] if kind == "object" else {"kind": "function", "concretes": which}
        for place in node["concretes"] if node["kind"] == "function" else [node["place"]]:
            info.function_aliases[f"__inference_{objects['functions'][place]['name']}"] = alias
    return info


def info_of(graph_def: GraphDef, tags: Iterable[str] = (), strips: bool = False) -> MetaInfoDef:
    """Return what is told of a graph in a file."""
    info = MetaInfoDef(tensorflow_version=VERSION, tensorflow_git_version=GIT_VERSION, tags=tags)
    info.stripped_op_list, info.stripped_default_attrs = ops_of(graph_def), strips
    return info


def _saver_def(_: MetaGraphDef, content: dict[str, Any]) -> SaverDef:
    return SaverDef(**content.get("settings", {}), version=SaverDef.V2)


_MADE: Mapping[str, Callable[[MetaGraphDef, dict[str, Any]], Any]] = {
    "graph_def": _graph_def,
    "collection_def": _collection_def,
    "meta_info_def": _meta_info_def,
    "saver_def": _saver_def,
}


def _functions_named(node: Any) -> list[str]:
    """Return the names of the functions that attributes of a node name."""
    return [func.name for value in node.attr.values() for func in (value.func, *value.list.func) if func.name]


def ops_of(graph_def: Any) -> OpList:
    """Return the definitions of the types of a graph's operations, in the order of their names, once each.

    Of types without a definition there is what one operation tells, or the name.
    """
    functions = {each.signature.name: each for each in graph_def.library.function}
    found: dict[str, OpDef] = {}
    used: set[str] = set()
    waiting = list(graph_def.node)
    while waiting:
        node = waiting.pop()
        if node.op in used:
            continue
        used.add(node.op)
        called = [node.op, *_functions_named(node)] if functions else [node.op]
        waiting.extend(each for name in called if name in functions for each in functions[name].node_def)
        if node.op not in functions:
            known = getattr(node, "operation", None)
            found[node.op] = defined(node.op) or (OpDef(node.op) if known is None else known.op_def)
    return OpList([found[name] for name in sorted(found)])
