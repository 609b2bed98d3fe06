"""A graph as TensorFlow's message ``GraphDef``, with the attributes of nodes, and what makes the graph again.

What this library needs to make the graph again goes along in a field of its own, which other readers pass over
(docs/graphs.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from .attr_values import AttrValue
from .message_fields import Messages
from .messages import Field, Message, map_of
from .op_defs import OpDef
from .wire_format import field_of, fields_in

__all__ = [
    "GIT_VERSION",
    "GRAPH_DEF_VERSION",
    "VERSION",
    "FunctionDef",
    "FunctionDefLibrary",
    "GradientDef",
    "GraphDef",
    "NodeDef",
    "VersionDef",
    "attributes_from",
    "content_from",
    "graph_def_of",
    "node_def_of",
]

VERSION, GIT_VERSION = "1.15.5", "unknown"  # of TensorFlow, whose names these are; programs compare them
GRAPH_DEF_VERSION = 134  # of the form of TensorFlow's messages that this one follows
_CONTENT = 1000  # the number of the field with the graph's own form
_writer: list[Callable[[Any, set[str]], bytes]] = []
_attributes: list[Callable[..., Any]] = []


def content_from(function: Callable[[Any, set[str]], bytes]) -> Callable[[Any, set[str]], bytes]:
    """Register what gives the own form of a graph's operations of some names; it is imported later than this file."""
    _writer[:] = [function]
    return function


def attributes_from(function: Callable[..., dict[str, AttrValue]]) -> None:
    """Take what gives the attributes of an operation; it is imported later than this file."""
    _attributes[:] = [function]


class NodeDef(Message):
    """One operation; an input is ``operation``, ``operation:1`` or, for a control dependency, ``^operation``."""

    FIELDS = (
        Field("name", 1, "string"),
        Field("op", 2, "string"),
        Field("input", 3, "string", repeated=True),
        Field("device", 4, "string"),
        Field("attr", 5, map_of(AttrValue), repeated=True),
    )

    def __init__(
        self,
        name: str = "",
        op: str = "",
        input: Sequence[str] = (),
        device: str = "",
        operation: Any = None,
        attr: Mapping[str, AttrValue] | None = None,
        read: bytes | None = None,
    ) -> None:
        parts = {"name": name, "op": op, "input": list(input), "device": device}
        vars(self).update(parts, operation=operation, _read=read)  # of which it is the message, of which it was made
        if attr is not None:
            self._set_attributes(attr)

    def _set_attributes(self, given: Mapping[str, AttrValue]) -> None:
        vars(self)["attr"] = self.DESCRIPTOR.fields_by_name["attr"].holding(given)

    def as_made(self) -> NodeDef | None:
        """Return the message as it was when it was made of an operation or of bytes, None of one made by hand."""
        if self.operation is not None:
            return node_def_of(self.operation)
        return None if self._read is None else NodeDef.FromString(self._read)

    def __getattr__(self, name: str) -> Any:
        if name == "attr" and vars(self).get("operation") is not None:
            self._set_attributes(_attributes[0](self.operation))
            return vars(self)["attr"]
        return super().__getattr__(name)

    def _stored(self, name: str) -> Any:
        return getattr(self, name)

    @property
    def attributes_changed(self) -> bool:
        """Whether an attribute is not as it was when the message was made of an operation or of bytes."""
        made = self.as_made() if "attr" in vars(self) else None
        return made is not None and made.attr != self.attr

    def drawn(self) -> bytes:
        """Return the message's bytes without the attributes: all that TensorBoard needs."""
        return NodeDef(self.name, self.op, self.input, self.device).SerializeToString()

    def MergeFromString(self, serialized: bytes) -> int:
        """Take what bytes say, and return how many there are; ValueError for what is no message."""
        vars(self).setdefault("operation", None)
        vars(self)["_read"] = serialized
        return super().MergeFromString(serialized)

    def __eq__(self, other: object) -> bool:
        """Tell whether both say the same; a message that was drawn says nothing of attributes."""
        if not isinstance(other, NodeDef):
            return NotImplemented
        parts = ("name", "op", "input", "device")
        same = all(getattr(self, part) == getattr(other, part) for part in parts)
        return same and (any(each._read and not each.attr for each in (self, other)) or self.attr == other.attr)

    def CopyFrom(self, other: Message) -> None:
        """Become what another one is."""
        vars(self).update(operation=None, _read=None)
        super().CopyFrom(other)
        vars(self).update(operation=getattr(other, "operation", None), _read=getattr(other, "_read", None))


class VersionDef(Message):
    """The version of a graph's form. Source: ``versions_pb2.VersionDef``."""

    FIELDS = (
        Field("producer", 1, "int32"),
        Field("min_consumer", 2, "int32"),
        Field("bad_consumers", 3, "int32", repeated=True),
    )


class FunctionDef(Message):
    """A function: its signature, the operations of its body, its attributes. Source: ``function_pb2.FunctionDef``.

    ``ret`` tells for each result which tensor of the body it is.
    """

    FIELDS = (
        Field("signature", 1, OpDef),
        Field("node_def", 3, NodeDef, repeated=True),
        Field("attr", 5, map_of(AttrValue), repeated=True),
        Field("ret", 4, map_of("string"), repeated=True),
        Field("control_ret", 6, map_of("string"), repeated=True),
    )


class GradientDef(Message):
    """Which function is the gradient of which. Source: ``function_pb2.GradientDef``."""

    FIELDS = (Field("function_name", 1, "string"), Field("gradient_func", 2, "string"))


class FunctionDefLibrary(Message):
    """The functions that operations of a graph call. Source: ``function_pb2.FunctionDefLibrary``."""

    FIELDS = (Field("function", 1, FunctionDef, repeated=True), Field("gradient", 2, GradientDef, repeated=True))


class GraphDef(Message):
    """The operations of a graph, in the order in which they were made. Source: ``tf.GraphDef``."""

    FIELDS = (
        Field("node", 1, NodeDef, repeated=True),
        Field("library", 2, FunctionDefLibrary),
        Field("version", 3, "int32"),
        Field("versions", 4, VersionDef),
    )

    def __init__(self, node: Iterable[NodeDef] = (), graph: Any = None, **fields: Any) -> None:
        super().__init__(**fields)
        self.node = Messages(NodeDef, node)
        self._graph = graph  # of which the operations are
        self._content: bytes | None = None
        if graph is not None:
            self.versions.CopyFrom(graph.graph_def_versions)

    def __getattr__(self, name: str) -> Any:
        graph = vars(self).get("_graph")
        if name == "library" and graph is not None:  # bodies are made only where somebody asks
            functions = graph._functions.values()
            said = {each.name: each.grad_func_name for each in functions if each.grad_func_name is not None}
            gradients = [GradientDef(function_name=name, gradient_func=of) for name, of in said.items()]
            self.library = FunctionDefLibrary([each.definition for each in functions], gradients)
        return vars(self)[name] if name in vars(self) else super().__getattr__(name)

    def _stored(self, name: str) -> Any:
        with suppress(ValueError):  # of a body that cannot be made in a graph of its own
            return getattr(self, name)

    def drawn(self) -> bytes:
        """Return the message's bytes without what makes the graph again: all that TensorBoard needs."""
        return b"".join(field_of(1, node.drawn()) for node in self.node)

    def told(self) -> bytes:
        """Return the message's bytes with all attributes, and without what makes the graph again."""
        return super().SerializeToString()

    def content(self) -> bytes | None:
        """Return the graph's own form, None where the message has none."""
        graph = self._graph or self._graph_of_nodes()
        if self._content is None and graph is not None:
            made = (node.name if node.operation is None else node.operation.name for node in self.node)
            self._content = _writer[0](graph, set(made))
        return self._content

    def _graph_of_nodes(self) -> Any:
        """Return the graph of which all nodes were taken, None where there is no such graph."""
        graphs = {None if node.operation is None else node.operation.graph for node in self.node}
        return graphs.pop() if len(graphs) == 1 else None

    def edited(self) -> NodeDef | None:
        """Return a node that is not as it was made, but for its device; None where there is none."""
        for node in self.node:
            made = node.as_made()
            if made is None or (made.name, made.op, made.input) != (node.name, node.op, node.input):
                changed: NodeDef = node
                return changed
        return None

    def SerializeToString(self, deterministic: bool | None = None) -> bytes:
        """Return the message's bytes; those of edited nodes are without what makes the graph again."""
        content = self.content() if self.edited() is None else None
        if content is None:
            return super().SerializeToString()
        return self.drawn() + field_of(4, self.versions.SerializeToString()) + field_of(_CONTENT, content)

    def Clear(self) -> None:
        """Take all nodes out."""
        super().Clear()
        self._graph, self._content = None, None

    def MergeFromString(self, serialized: bytes) -> int:
        """Take the graph of these bytes, and return how many there are; ValueError for what is no message."""
        super().MergeFromString(serialized)
        contents = [data for number, data in fields_in(serialized) if number == _CONTENT and isinstance(data, bytes)]
        self._content = contents[-1] if contents else None
        return len(serialized)

    def __eq__(self, other: object) -> bool:
        """Tell whether both have the same nodes in the same versions."""
        return isinstance(other, GraphDef) and (self.node, self.versions) == (other.node, other.versions)

    def CopyFrom(self, other: Message) -> None:
        """Become what another graph is."""
        super().CopyFrom(other)
        self._graph, self._content = getattr(other, "_graph", None), getattr(other, "_content", None)

    def __repr__(self) -> str:
        return f"<GraphDef of {len(self.node)} nodes>"


def graph_def_of(operations: Iterable[Any], graph: Any = None, add_shapes: bool = False) -> GraphDef:
    """Return the message for operations of a graph, with the static shapes of their results where these are asked."""
    return GraphDef([node_def_of(op, add_shapes) for op in operations], graph)


def node_def_of(op: Any, add_shapes: bool = False) -> NodeDef:
    """Return the message for one operation."""
    attributes = _attributes[0](op, True) if add_shapes else None
    return NodeDef(op.name, op.type, _inputs(op), op.device, op, attributes)


def _inputs(op: Any) -> list[str]:
    data = [tensor._as_node_def_input() for tensor in op.inputs]
    return [*data, *(f"^{control.name}" for control in op.control_inputs)]
