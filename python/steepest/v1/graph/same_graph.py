"""The graph that several nodes are of."""

from __future__ import annotations

from typing import Any

from .composites import is_composite
from .graph import get_default_graph
from .node import Node, Operation

__all__ = ["_assert_same_graph", "_get_graph_from_inputs"]


def _assert_same_graph(original_item: Any, item: Any) -> None:
    """Raise ValueError where two nodes are of different graphs."""
    if original_item.graph is not item.graph:
        raise ValueError(f"{item} must be from the same graph as {original_item}.")


def _get_graph_from_inputs(op_input_list: Any, graph: Any = None) -> Any:
    """Return the graph of nodes, which is the one given or else the default one for none; ValueError for others'."""
    nodes = [each for each in op_input_list if isinstance(each, (Node, Operation)) or is_composite(each)]
    nodes = [each for each in nodes if hasattr(each, "graph")]  # rows of arrays have none
    for node in nodes:
        if graph is not None and node.graph is not graph:
            raise ValueError(f"{node!r} is not from the passed-in graph.")
        _assert_same_graph(nodes[0], node)
    return graph or (nodes[0].graph if nodes else get_default_graph())
