"""Writing a graph to a file."""

from __future__ import annotations

import os
from typing import Any

from ..graph.graph import Graph
from ..graph.graph_def import GraphDef

__all__ = ["write_graph"]


def write_graph(graph_or_graph_def: Any, logdir: str, name: str, as_text: bool = True) -> str:
    """Write a graph's message to ``logdir/name``, as text or as a message; return the path.

    Source: ``tf.train.write_graph``.
    """
    found: GraphDef = graph_or_graph_def.as_graph_def() if isinstance(graph_or_graph_def, Graph) else graph_or_graph_def
    os.makedirs(logdir, exist_ok=True)
    path = os.path.join(os.fspath(logdir), name)
    with open(path, "wb") as file:
        file.write(str(found).encode() if as_text else found.SerializeToString())
    return path
