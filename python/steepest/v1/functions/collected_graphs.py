"""Graphs of functions' bodies that are made meanwhile, for programs that ask for them: `trace_on` of summaries does."""

from __future__ import annotations

import threading
from typing import Any

from ..graph.graph_def import GraphDef
from ..graph.run_messages import FunctionGraphs, RunMetadata

__all__ = ["collect_graphs", "collected", "note_body"]

_lock = threading.Lock()
_graphs: list[Any] | None = None  # None: they are not collected


def collect_graphs(on: bool) -> None:
    """Begin to collect, or end it and forget what was collected."""
    global _graphs
    with _lock:
        _graphs = (_graphs or []) if on else None


def note_body(graph: Any) -> None:
    """Keep the graph of a body, where bodies are collected."""
    if _graphs is not None:
        with _lock:
            if _graphs is not None:
                _graphs.append(graph)


def collected() -> RunMetadata:
    """Return the graphs that were made since the last time, each as it was made and, the same, as it runs."""
    with _lock:
        graphs = list(_graphs or ())
        if _graphs is not None:
            _graphs.clear()
    told = [GraphDef.FromString(graph.as_graph_def(add_shapes=True).told()) for graph in graphs]
    bodies = [FunctionGraphs(partition_graphs=[each], pre_optimization_graph=each) for each in told]
    return RunMetadata(function_graphs=bodies, partition_graphs=told)
