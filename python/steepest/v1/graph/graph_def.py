"""A graph as TensorFlow's message ``GraphDef``, to the extent that TensorBoard draws: names, types, inputs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

__all__ = ["GraphDef", "NodeDef", "graph_def_of", "node_def_of"]


class NodeDef(NamedTuple):
    """One operation; an input is ``operation``, ``operation:1`` or, for a control dependency, ``^operation``."""

    name: str
    op: str
    input: list[str]
    device: str = ""

    def SerializeToString(self) -> bytes:
        """Return the message's bytes."""
        fields = [(1, self.name), (2, self.op), *((3, each) for each in self.input)]
        fields += [(4, self.device)] if self.device else []
        return b"".join(_field(number, text.encode()) for number, text in fields)


class GraphDef(NamedTuple):
    """The operations of a graph, in the order in which they were made."""

    node: list[NodeDef]

    def SerializeToString(self) -> bytes:
        """Return the message's bytes."""
        return b"".join(_field(1, node.SerializeToString()) for node in self.node)

    def ByteSize(self) -> int:
        """Return how many bytes the message has."""
        return len(self.SerializeToString())


def _field(number: int, data: bytes) -> bytes:
    """Return a field of bytes in protobuf's encoding: its number and kind, the length, the bytes."""
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def graph_def_of(operations: Iterable[Any]) -> GraphDef:
    """Return the message for operations."""
    return GraphDef([node_def_of(op) for op in operations])


def node_def_of(op: Any) -> NodeDef:
    """Return the message for one operation."""
    return NodeDef(op.name, op.type, _inputs(op), op.device)


def _inputs(op: Any) -> list[str]:
    data = [tensor.name.removesuffix(":0") for tensor in op.inputs]
    return [*data, *(f"^{control.name}" for control in op.control_inputs)]
