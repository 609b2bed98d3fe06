"""A graph as TensorFlow's message ``GraphDef``, to the extent that TensorBoard draws: names, types, inputs.

What this library needs to make the graph again goes along in a field of its own, which other readers pass over
(docs/graphs.md).
"""

from __future__ import annotations

import dataclasses
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from .wire_format import field_of, fields_in

__all__ = [
    "FunctionDefLibrary",
    "GraphDef",
    "NodeDef",
    "VersionDef",
    "attributes_from",
    "content_from",
    "graph_def_of",
    "node_def_of",
]

_CONTENT = 1000  # the number of the field with the graph's own form
_writer: list[Callable[[Any, set[str]], bytes]] = []
_attributes: list[Callable[..., Any]] = []


def content_from(function: Callable[[Any, set[str]], bytes]) -> Callable[[Any, set[str]], bytes]:
    """Register what gives the own form of a graph's operations of some names; it is imported later than this file."""
    _writer[:] = [function]
    return function


def attributes_from(function: Callable[..., dict[str, Any]], kind: Callable[[], Any]) -> None:
    """Take what gives the attributes of an operation, and an empty one; it is imported later than this file."""
    _attributes[:] = [function, kind]


@dataclasses.dataclass(slots=True)
class NodeDef:
    """One operation; an input is ``operation``, ``operation:1`` or, for a control dependency, ``^operation``."""

    name: str = ""
    op: str = ""
    input: list[str] = dataclasses.field(default_factory=list)
    device: str = ""
    operation: Any = dataclasses.field(default=None, repr=False, compare=False)  # of which it is the message
    _attr: dict[str, Any] | None = dataclasses.field(default=None, repr=False, compare=False)
    _read: bytes | None = dataclasses.field(default=None, repr=False, compare=False)  # of which it was made

    def as_made(self) -> NodeDef | None:
        """Return the message as it was when it was made of an operation or of bytes, None of one made by hand."""
        if self.operation is not None:
            return node_def_of(self.operation)
        return None if self._read is None else _node_of(self._read)

    @property
    def attr(self) -> dict[str, Any]:
        """The attributes by name, as `AttrValue`; a message from a file has none, until they are asked for."""
        if self._attr is None:
            given = self.operation is not None
            self._attr = _attributes[0](self.operation) if given else defaultdict(_attributes[1])
        return self._attr

    def SerializeToString(self) -> bytes:
        """Return the message's bytes."""
        fields = [(1, self.name), (2, self.op), *((3, each) for each in self.input)]
        fields += [(4, self.device)] if self.device else []
        return b"".join(field_of(number, text.encode()) for number, text in fields)

    def CopyFrom(self, other: NodeDef) -> None:
        """Become what another one is."""
        self.name, self.op, self.input, self.device = other.name, other.op, list(other.input), other.device
        self.operation, self._attr, self._read = other.operation, other._attr, other._read

    def __str__(self) -> str:
        fields = [("name", self.name), ("op", self.op), *(("input", each) for each in self.input)]
        fields += [("device", self.device)] if self.device else []
        return "".join(f'{name}: "{text}"\n' for name, text in fields)


class _Nodes(list[NodeDef]):
    """The operations of a message: ``add()`` appends one and returns it."""

    def add(self, **fields: Any) -> NodeDef:
        """Append an operation, and return it."""
        self.append(NodeDef(**fields))
        return self[-1]


@dataclasses.dataclass(slots=True)
class VersionDef:
    """The version of a graph's form: ``tf.GRAPH_DEF_VERSION``. Source: ``versions_pb2.VersionDef``."""

    producer: int = 134
    min_consumer: int = 0


@dataclasses.dataclass(slots=True)
class FunctionDefLibrary:
    """The functions that operations of a graph call. Source: ``function_pb2.FunctionDefLibrary``."""

    function: list[Any] = dataclasses.field(default_factory=list)
    gradient: list[Any] = dataclasses.field(default_factory=list)


class GraphDef:
    """The operations of a graph, in the order in which they were made. Source: ``tf.GraphDef``."""

    def __init__(self, node: Iterable[NodeDef] = (), graph: Any = None) -> None:
        self.node = _Nodes(node)
        self._graph = graph  # of which the operations are
        self.versions = VersionDef() if graph is None else dataclasses.replace(graph.graph_def_versions)
        self._content: bytes | None = None

    @property
    def library(self) -> FunctionDefLibrary:
        """The functions that the graph calls, where the message was made of a graph."""
        called = [] if self._graph is None else self._graph._functions.values()
        return FunctionDefLibrary([function.definition for function in called])

    def drawn(self) -> bytes:
        """Return the message's bytes without what makes the graph again: all that TensorBoard needs."""
        return b"".join(field_of(1, node.SerializeToString()) for node in self.node)

    def content(self) -> bytes | None:
        """Return the graph's own form, None where the message has none."""
        graph = self._graph or self._graph_of_nodes()
        if self._content is None and graph is not None:
            self._content = _writer[0](graph, {node.name for node in self.node})
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
                return node
        return None

    def SerializeToString(self) -> bytes:
        """Return the message's bytes; of edited nodes without what makes the graph again, which is not of these."""
        content = self.content() if self.edited() is None else None
        return self.drawn() + (b"" if content is None else field_of(_CONTENT, content))

    def ParseFromString(self, serialized: bytes) -> int:
        """Become the graph of these bytes; ValueError for what is no message. Returns how many bytes there were."""
        self.node, self._graph, self._content = _Nodes(), None, None
        for number, data in _fields(serialized):
            if number == 1:
                self.node.append(_node_of(data))
            elif number == _CONTENT:
                self._content = data
        return len(serialized)

    @classmethod
    def FromString(cls, serialized: bytes) -> GraphDef:
        """Return the graph of the bytes of a message."""
        made = cls()
        made.ParseFromString(serialized)
        return made

    def CopyFrom(self, other: GraphDef) -> None:
        """Become what another graph is."""
        self.node = _Nodes(dataclasses.replace(node, input=list(node.input)) for node in other.node)
        self._graph, self._content = other._graph, other._content
        self.versions = dataclasses.replace(other.versions)

    def ByteSize(self) -> int:
        """Return how many bytes the message has."""
        return len(self.SerializeToString())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GraphDef) and self.node == other.node

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return "".join(f"node {{\n{textwrap.indent(str(node), '  ')}}}\n" for node in self.node)

    def __repr__(self) -> str:
        return f"<GraphDef of {len(self.node)} nodes>"


def _fields(data: bytes) -> Iterable[tuple[int, bytes]]:
    """Return the fields of bytes of a message, with their numbers; ValueError for what is none."""
    return [(number, value) for number, value in fields_in(data) if isinstance(value, bytes)]


def _node_of(data: bytes) -> NodeDef:
    node = NodeDef("", "", [], _read=data)
    for number, text in _fields(data):
        if number == 3:
            node.input.append(text.decode())
        elif number in _TEXTS:
            setattr(node, _TEXTS[number], text.decode())
    return node


_TEXTS = {1: "name", 2: "op", 4: "device"}


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
