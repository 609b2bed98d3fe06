"""``tf.import_graph_def``: the nodes of a ``GraphDef`` in the default graph, and which nodes others need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...base.errors import must
from ..functions.graph_functions import NotForFilesError
from ..graph.attr_values import AttrValue, attributes_of
from ..graph.branches import branches_of
from ..graph.build import convert
from ..graph.graph import Graph, get_default_graph
from ..graph.graph_def import GraphDef, attributes_from, content_from
from ..graph.node import Node, Operation, Tensor
from ..graph.scopes import name_scope
from .graph_writing import described_alone, meta_graph_of, names_in, text_of
from .meta_graph import content_in, made_from

__all__ = ["graph_of", "import_graph_def", "needed"]


attributes_from(attributes_of, AttrValue)


@content_from
def _content(graph: Graph, names: set[str]) -> bytes:
    """Return what of a graph's operations can be in a file."""
    return text_of(meta_graph_of(graph, None, (), only=names)).encode()


def import_graph_def(
    graph_def: GraphDef,
    input_map: Mapping[Any, Any] | None = None,
    return_elements: Iterable[str] | None = None,
    name: str | None = None,
    op_dict: Any = None,
    producer_op_list: Any = None,
) -> list[Any] | None:
    """Make the nodes of a graph in the default graph, under ``name`` (``import`` by default, none for ``""``).

    Operations with functions of the program's own, such as those of ``py_func``, cannot be in a message; they are left
    out, with what needs them.

    Args:
        graph_def: what ``Graph.as_graph_def`` returns, or was read from a file by ``ParseFromString``.
        input_map: nodes that stand for those of these names, ``"x"`` or ``"x:0"``.
        return_elements: the names of operations and tensors that are returned.
        op_dict, producer_op_list: accepted for TensorFlow's sake.

    Raises TypeError for another kind of graph; ValueError for a name that the graph does not have, for one that is in
    the default graph already, and for a file of TensorFlow's.

    Source: ``tf.import_graph_def``.
    """
    if not isinstance(graph_def, GraphDef):
        raise TypeError("graph_def must be a GraphDef proto.")
    asked = [] if return_elements is None else list(return_elements)
    with name_scope(name, "import") if name != "" else name_scope("") as scope:
        content = content_in(graph_def.content(), "a GraphDef")
        instead = _instead(content, input_map or {})
        operations, _ = made_from(get_default_graph(), content, scope or "", instead=instead)
    return None if return_elements is None else [_element(operations, each, content) for each in asked]


def _instead(content: dict[str, Any], input_map: Mapping[Any, Any]) -> dict[tuple[str, int], Tensor]:
    known = {entry["name"]: len(entry["outputs"]) for entry in content["operations"]}
    found: dict[tuple[str, int], Tensor] = {}
    for given, node in input_map.items():
        name, _, position = str(given).removeprefix("^").partition(":")
        number = int(position or 0)
        if number >= known.get(name, 0):
            raise ValueError(must("import_graph_def", "input_map", "name tensors of the graph", given))
        found[name, number] = get_default_graph().as_graph_element(node) if isinstance(node, Node) else _constant(node)
    return found


def _constant(value: Any) -> Tensor:
    tensor: Tensor = convert(value)._tensor()
    return tensor


def _element(operations: Mapping[str, Operation], given: str, content: dict[str, Any]) -> Any:
    name, _, position = given.partition(":")
    if name not in operations:
        why = content.get("left out", {}).get(name)
        got = given if why is None else f"{given}, which cannot be in a file: {why}"
        raise ValueError(f"Requested return_element {got!r} not found in graph_def.")
    return operations[name].outputs[int(position)] if position else operations[name]


def graph_of(graph_def: GraphDef) -> Graph:
    """Return the graph of a message: the one that it was made of, or a new one."""
    if not isinstance(graph_def, GraphDef):
        raise TypeError(must("graph_util", "graph_def", "be a GraphDef", graph_def))
    if graph_def._graph is not None:
        return graph_def._graph  # type: ignore[no-any-return]
    graph = Graph()
    with graph.as_default():
        made_from(graph, content_in(graph_def.content(), "a GraphDef"))
    return graph


def needed(graph: Graph, names: Iterable[str], values: bool = False) -> set[str]:
    """Return the names of the operations that those of ``names`` need, these included.

    ``values``: variables are enough as they are, without what they begin with. Raises AssertionError for a name that is
    not in the graph.
    """
    found: set[str] = set()
    waiting = list(names)
    inside: dict[Any, list[str]] = {}
    for op in graph.get_operations():
        if op.branch is not None:
            inside.setdefault(op.branch, []).append(op.name)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        if name not in graph._operations:
            raise AssertionError(f"{name} is not in graph")
        found.add(name)
        op = graph._operations[name]
        if values and op._attributes.get("owner") is not None:
            continue
        for branch in branches_of(op):
            waiting.extend(inside.get(branch, ()))
        waiting.extend(_mentioned(op))
    return found


def _mentioned(op: Operation) -> set[str]:
    try:
        return names_in(described_alone(op))
    except NotForFilesError:
        return {tensor.op.name for tensor in op.operands} | {other.name for other in op.control_inputs}
