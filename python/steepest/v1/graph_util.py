"""``tf.graph_util``: parts of graphs, and graphs whose variables are constants."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.errors import must
from . import logging
from .graph.constants import constant
from .graph.graph import Graph
from .graph.graph_def import GraphDef
from .graph.missing import namespace
from .saving.graph_defs import graph_of, needed
from .saving.graph_writing import meta_graph_of
from .saving.meta_graph import made_from

__all__ = ["convert_variables_to_constants", "extract_sub_graph"]

__getattr__, __dir__ = namespace(__name__)


def extract_sub_graph(graph_def: GraphDef, dest_nodes: Iterable[str]) -> GraphDef:
    """Return the part of a graph that the operations of these names need.

    Raises TypeError for names that are one text; AssertionError for one that the graph does not have.

    Source: ``tf.graph_util.extract_sub_graph``.
    """
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be a list.")
    names = needed(graph_of(graph_def), dest_nodes)
    return GraphDef([node for node in graph_def.node if node.name in names], graph_of(graph_def))


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
        made_from(made, content, instead=constants)
    logging.info("Froze %d variables.", len(frozen))
    logging.info("Converted %d variables to const ops.", len(frozen))
    return made.as_graph_def()
