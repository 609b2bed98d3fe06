"""``tf.import_graph_def``: the nodes of a ``GraphDef`` in the default graph, and which nodes others need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...base.errors import must
from ..functions.graph_functions import NotForFilesError
from ..graph.attributes import attributes_of
from ..graph.branches import branches_of
from ..graph.graph import Graph, get_default_graph
from ..graph.graph_def import GraphDef, attributes_from, content_from
from ..graph.node import Operation, Tensor
from ..graph.scopes import name_scope
from .edited_nodes import as_edited
from .graph_making import content_in, made_from
from .graph_writing import described_alone, meta_graph_of, names_in, text_of
from .input_maps import Instead, forget_shapes, instead_of, parsed, text_of_name
from .nodes_by_hand import graph_by_hand

__all__ = ["check_returned", "content_of", "element", "graph_of", "import_graph_def", "needed"]


attributes_from(attributes_of)


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
        input_map: nodes that stand for those of these names, ``"x"`` or ``"x:0"``; for what others wait, ``"^x"``.
        return_elements: the names of operations and tensors that are returned.
        op_dict, producer_op_list: accepted for TensorFlow's sake.

    Raises:
        TypeError: for another kind of graph, for an ``input_map`` that is no map of names, for names that are none.
        ValueError: for a name that the graph does not have, for a tensor of another type than its users take, and for a
            file of TensorFlow's.

    Source: ``tf.import_graph_def``.
    """
    if not isinstance(graph_def, GraphDef):
        raise TypeError("Argument `graph_def` must be a GraphDef proto: graph_def must be a GraphDef proto.")
    asked = None if return_elements is None else [text_of_name(each) for each in return_elements]
    if asked is not None and None in asked:
        told = f"Argument `return_elements` must be a list of strings. Obtained {return_elements}"
        raise TypeError(f"{told}: return_elements must be a list of strings.")
    with name_scope(name, "import") if name != "" else name_scope("") as scope:
        given = {} if input_map is None else input_map
        content, lacking = content_of(graph_def, given, scope or "")
        for each in asked or ():
            check_returned(content, str(each))
        instead = instead_of(content, given, scope or "")
        content = {**content, "operations": [op for op in content["operations"] if op["name"] not in lacking]}
        operations, _ = made_from(get_default_graph(), content, scope or "", instead=instead, apart=True)
        forget_shapes(content, instead, operations)
    versions = get_default_graph().graph_def_versions
    versions.producer = min(versions.producer, graph_def.versions.producer)
    versions.min_consumer = max(versions.min_consumer, graph_def.versions.min_consumer)
    return None if asked is None else [element(operations, instead, str(each)) for each in asked]


def content_of(graph_def: GraphDef, given: Any = None, scope: str = "") -> tuple[dict[str, Any], set[str]]:
    """Return the content of a message, and the names of what it lacks and ``given``, an ``input_map``, has."""
    own = graph_def.content()
    if own is None:
        return _by_hand(graph_def, given, scope)
    return as_edited(graph_def, content_in(own, "a GraphDef")), set()


def _by_hand(graph_def: GraphDef, given: Any, scope: str) -> tuple[dict[str, Any], set[str]]:
    """Return the content of a message that was made by hand, and the names of what it lacks and ``given`` has."""
    tensors = given.items() if isinstance(given, Mapping) else ()
    named = {text_of_name(name): tensor for name, tensor in tensors}
    known = {parsed(name): each for name, each in named.items() if name and isinstance(each, Tensor)}
    asked = {source for node in graph_def.node for source in node.input}
    wanted = {name: tensor for name, tensor in known.items() if asked & {name[0], f"{name[0]}:{name[1]}"}}
    graph, lacking = graph_by_hand(graph_def, wanted, scope)
    return meta_graph_of(graph, None, ()), lacking


def check_returned(content: dict[str, Any], given: str) -> None:
    """Raise ValueError for the name of an operation or a tensor that a graph does not have."""
    name, position = parsed(given)
    outputs = {entry["name"]: len(entry["outputs"]) for entry in content["operations"]}
    if name not in outputs:
        why = content.get("left out", {}).get(name)
        kind = "tensor" if ":" in given else "node"
        known = "" if why is None else f"; {given} cannot be in a file: {why}"
        raise ValueError(f"Requested return {kind} '{given}' not found in graph def{known}")
    if position and position >= outputs[name]:
        raise ValueError(f"Invalid return output {position} of node '{name}', which has {outputs[name]} output(s)")


def element(operations: Mapping[str, Operation], instead: Instead, given: str) -> Any:
    """Return the operation or the tensor that one of a message has become."""
    if ":" not in given:
        return operations[given]
    name, position = parsed(given)
    found = instead.tensors.get((name, position))
    return operations[name].outputs[position] if found is None else found


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
