"""``tf.graph_util``: parts of graphs, and graphs whose variables are constants."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.errors import must
from . import logging
from .graph.constants import constant
from .graph.dtypes import as_dtype
from .graph.graph import Graph
from .graph.graph_def import GraphDef, NodeDef
from .graph.missing import namespace
from .graph.node import Operation
from .graph.shapes import TensorShape
from .saving.graph_defs import graph_of, import_graph_def, needed
from .saving.graph_making import made_from
from .saving.graph_writing import meta_graph_of
from .saving.input_maps import Instead

__all__ = ["convert_variables_to_constants", "extract_sub_graph", "import_graph_def", "remove_training_nodes"]

__getattr__, __dir__ = namespace(__name__)


def extract_sub_graph(graph_def: GraphDef, dest_nodes: Iterable[str]) -> GraphDef:
    """Return the part of a graph that the operations of these names need.

    Raises TypeError for names that are one text; AssertionError for one that the graph does not have.

    Source: ``tf.graph_util.extract_sub_graph``.
    """
    if not isinstance(graph_def, GraphDef):
        raise TypeError(f"graph_def must be a graph_pb2.GraphDef proto, but got type {type(graph_def)}.")
    if isinstance(dest_nodes, str):
        told = f"dest_nodes must be an iterable of strings, but got type {type(dest_nodes)}"
        raise TypeError(f"{told}; dest_nodes must be a list.")
    if graph_def.content() is None:  # made by hand: it tells names alone
        found = _reached_from(graph_def, list(dest_nodes))
        return GraphDef(node for node in graph_def.node if node.name in found)
    names = needed(graph_of(graph_def), dest_nodes)
    return GraphDef([node for node in graph_def.node if node.name in names], graph_of(graph_def))


def _reached_from(graph_def: GraphDef, names: list[str]) -> set[str]:
    """Return the names of the operations that some need; AssertionError for one that is not there."""
    nodes = {node.name: node for node in graph_def.node}
    if missing := [name for name in names if name not in nodes]:
        raise AssertionError(f"{missing[0]} is not in graph")
    seen: set[str] = set()
    while names:
        name = names.pop()
        if name not in seen and name in nodes:
            seen.add(name)
            names += [_node_of(each) for each in nodes[name].input]
    return seen


def _node_of(input_name: str) -> str:
    """Return the name of the operation of an input: ``name``, ``name:1`` or ``^name``."""
    return input_name.removeprefix("^").partition(":")[0]


def remove_training_nodes(input_graph: GraphDef, protected_nodes: Iterable[str] | None = None) -> GraphDef:
    """Return the message of a graph without checks of numbers, without identities and `stop_gradient`, for reading.

    Those that control dependencies or places name, or that have some, stay; so do ``protected_nodes``. It tells names,
    types and inputs; what makes the graph again does not go along.

    Source: ``tf.graph_util.remove_training_nodes``.
    """
    kept = set(protected_nodes or ())
    removed = {node.name for node in input_graph.node if node.op == "CheckNumerics" and node.name not in kept}
    nodes = [
        _with_inputs(node, [each for each in node.input if _node_of(each) not in removed])
        for node in input_graph.node
        if node.name not in removed
    ]
    waited_for = {each[1:] for node in nodes for each in node.input if each.startswith("^")}
    near = {text.decode().removeprefix("loc:@") for node in nodes if "_class" in node.attr for text in _places(node)}
    spliced = {
        node.name: node.input[0]
        for node in nodes
        if node.op in ("Identity", "StopGradient")
        and node.name not in kept | waited_for | near
        and not any(each.startswith("^") for each in node.input)
    }

    def source(name: str) -> str:
        while name in spliced:
            name = spliced[name]
        return name

    return GraphDef(
        _with_inputs(node, [source(each) for each in node.input]) for node in nodes if node.name not in spliced
    )


def _places(node: NodeDef) -> list[bytes]:
    """Return the names of the operations in whose places a node is to be."""
    return list(node.attr["_class"].list.s)


def _with_inputs(node: NodeDef, inputs: list[str]) -> NodeDef:
    made = NodeDef()
    made.CopyFrom(node)
    made.input = inputs
    return made


def convert_variables_to_constants(
    sess: Any,
    input_graph_def: GraphDef,
    output_node_names: Iterable[str],
    variable_names_whitelist: Any = None,
    variable_names_blacklist: Any = None,
) -> GraphDef:
    """Return the part of a graph that some operations need, with the values that variables have in a session.

    Args:
        sess: the session.
        input_graph_def: the graph.
        output_node_names: the names of the operations.
        variable_names_whitelist: the variables that become constants, by default all.
        variable_names_blacklist: variables that do not.

    Raises AssertionError for a name that the graph does not have, ValueError for one that cannot be in a file.

    Source: ``tf.graph_util.convert_variables_to_constants``.
    """
    names, graph = list(output_node_names), graph_of(input_graph_def)

    def becomes_constant(name: str) -> bool:
        wanted = variable_names_whitelist is None or name in variable_names_whitelist
        return wanted and name not in (variable_names_blacklist or ())

    within = needed(graph, names, values=True)
    owned = [name for name in within if graph._operations[name]._attributes.get("owner") is not None]
    frozen = sorted(filter(becomes_constant, owned))
    within |= needed(graph, [name for name in owned if not becomes_constant(name)])
    tensors = [graph._operations[name].outputs[0].name for name in frozen]
    values = dict(zip(frozen, sess.run(tensors), strict=True))
    content = meta_graph_of(graph, None, (), only=within.difference(frozen), outside=frozen)
    for name in names:
        if name in content.get("left out", ()):
            got = content["left out"][name]
            raise ValueError(must("convert_variables_to_constants", name, "be an operation that can be in a file", got))
    made = Graph()
    with made.as_default():
        constants = {(name, 0): constant(value, name=name) for name, value in values.items()}
        made_from(made, content, instead=Instead(constants))
    logging.info("Froze %d variables.", len(frozen))
    logging.info("Converted %d variables to const ops.", len(frozen))
    return made.as_graph_def()


_OF_VARIABLES = frozenset(
    (
        *("Assign", "AssignAdd", "AssignSub", "Queue", "TruncatedNormal", "Variable", "VariableV2"),
        *("ScatterAdd", "ScatterSub", "ScatterUpdate"),
    )
)
# Types of operations of which those of some types have no kernel for GPUs, with the attribute that tells the type.
_ON_CPU = {
    "Const": ("dtype", ("int32", "string")),
    "DynamicStitch": ("T", ("int32",)),
    "ParallelDynamicStitch": ("T", ("int32",)),
    "Cast": ("SrcT", ("int32",)),
}


def must_run_on_cpu(node: Any, pin_variables_on_cpu: bool = False) -> bool:
    """Tell whether an operation, or a message of one, has to be on a CPU in TensorFlow.

    Args:
        node: the operation or its message.
        pin_variables_on_cpu: whether variables, and what assigns to them, are to be there.

    Source: ``tf.graph_util.must_run_on_cpu``.
    """
    message = node.node_def if isinstance(node, Operation) else node
    if pin_variables_on_cpu and message.op in _OF_VARIABLES:
        return True
    name, types = _ON_CPU.get(message.op, ("", ()))
    return name in message.attr and as_dtype(message.attr[name].type).name in types


def tensor_shape_from_node_def_name(graph: Graph, input_name: str) -> TensorShape:
    """Return the static shape of a tensor of a graph by its name, or of an operation's first result.

    Source: ``tf.graph_util.tensor_shape_from_node_def_name``.
    """
    tensor = graph.get_tensor_by_name(input_name if ":" in input_name else f"{input_name}:0")
    shape: TensorShape = tensor.get_shape()
    return shape
