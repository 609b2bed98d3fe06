"""Whether two messages of graphs say the same, in whatever order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..graph.graph_def import GraphDef, NodeDef
from ..graph.tensor_protos import make_ndarray

__all__ = ["graph_defs_equal"]


def graph_defs_equal(graph_def_1: GraphDef, graph_def_2: GraphDef, treat_nan_as_equal: bool = False) -> bool:
    """Tell whether two graphs have the same operations and the same functions; their order does not matter.

    A constant that has a NaN equals none, but where ``treat_nan_as_equal``. Raises TypeError for what is no graph.

    Source: ``graph_util_impl.graph_defs_equal``.
    """
    for place, given in enumerate((graph_def_1, graph_def_2), 1):
        if not isinstance(given, GraphDef):
            raise TypeError(f"graph_def_{place} must be a graph_pb2.GraphDef proto, but got type {type(given)}.")
    if not treat_nan_as_equal and any(map(_has_nan, _nodes(graph_def_1))):
        return False
    return bool(_content(graph_def_1) == _content(graph_def_2))


def _content(graph_def: GraphDef) -> Any:
    functions = [
        (_bytes(each.signature), tuple(sorted(each.ret.items())), frozenset(Counter(map(_key, each.node_def)).items()))
        for each in graph_def.library.function
    ]
    return Counter(map(_key, graph_def.node)), Counter(functions)


def _nodes(graph_def: GraphDef) -> Iterator[NodeDef]:
    yield from graph_def.node
    for each in graph_def.library.function:
        yield from each.node_def


def _key(node: NodeDef) -> Any:
    attributes = tuple(sorted((name, _bytes(value)) for name, value in node.attr.items()))
    return node.name, node.op, tuple(node.input), node.device, attributes


def _bytes(message: Any) -> bytes:
    found: bytes = message.SerializeToString()
    return found


def _has_nan(node: NodeDef) -> bool:
    tensors = [value.tensor for value in node.attr.values() if value.WhichOneof("value") == "tensor"]
    arrays = [make_ndarray(tensor) for tensor in tensors]
    return any(array.dtype.kind in "fc" and np.isnan(array).any() for array in arrays)
