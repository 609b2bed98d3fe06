"""What TensorFlow's optimizer of graphs leaves of one: constants in the places of what follows from constants."""

from __future__ import annotations

from typing import Any

from ..graph.constants import constant_node
from ..graph.graph import Graph
from ..graph.node import Operation
from ..graph.session import Session

__all__ = ["grappler_optimize"]

_OPEN = ("Placeholder", "PlaceholderWithDefault", "VariableV2", "VarHandleOp", "ReadVariableOp")


def _above(operations: Any) -> dict[int, Operation]:
    found: dict[int, Operation] = {}
    left = list(operations)
    while left:
        op = left.pop()
        if id(op) not in found:
            found[id(op)] = op
            left += [each.op for each in op.inputs] + list(op.control_inputs)
    return found


def _is_open(op: Operation) -> bool:
    """Tell whether an operation has another result in each run."""
    return op.type in _OPEN or "Random" in op.type or "Queue" in op.type or "Table" in op.type


def grappler_optimize(graph: Graph, fetches: Any = None, config_proto: Any = None) -> Any:
    """Return the graph as a message, with constants for those of ``fetches`` that do not depend on what a run is fed.

    Source: ``tensorflow.python.kernel_tests.signal.test_util.grappler_optimize``.
    """
    del config_proto
    wanted = list(fetches or [])
    if not wanted or any(_is_open(op) for each in wanted for op in _above([each.op]).values()):
        return graph.as_graph_def()
    with Session(graph=graph) as session:
        values = session.run(wanted)
    made = Graph()
    with made.as_default():
        for each, value in zip(wanted, values, strict=True):
            constant_node(value, name=each.op.name)
    return made.as_graph_def()
