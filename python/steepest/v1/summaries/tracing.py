"""Summaries of what runs tell of themselves, and of the graphs that functions are made of while it is asked for."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from ..functions.collected_graphs import collect_graphs, collected
from ..graph import log
from ..graph.constants import constant
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.run_messages import RunMetadata
from .protos import event_class
from .recording import choose_step
from .written_tensors import summary_scope, write

__all__ = ["run_metadata", "run_metadata_graphs", "trace_export", "trace_off", "trace_on"]


class _Asked(NamedTuple):
    graph: bool
    profiler: bool


_lock = threading.Lock()
_trace: _Asked | None = None


def run_metadata(name: str, data: Any, step: Any = None) -> Any:
    """Write a ``RunMetadata`` for TensorBoard's graphs; return whether it was written.

    Args:
        name: the tag, below the open scopes.
        data: the ``tf.RunMetadata``.
        step: by default that of `set_step`; ValueError where there is neither, and summaries are recorded.

    Source: TensorFlow's ``summary_ops_v2``.
    """
    return _written(name, "graph_run_metadata", data, step)


def run_metadata_graphs(name: str, data: Any, step: Any = None) -> Any:
    """Write the graphs of a ``RunMetadata``, and nothing else of it; return whether. Arguments as `run_metadata`."""
    graphs = RunMetadata(function_graphs=data.function_graphs, partition_graphs=data.partition_graphs)
    return _written(name, "graph_run_metadata_graph", graphs, step)


def _written(name: str, plugin: str, data: Any, step: Any) -> Any:
    metadata = event_class("SummaryMetadata", "summary")()
    metadata.plugin_data.plugin_name, metadata.plugin_data.content = plugin, _version()
    with summary_scope(name, f"{plugin}_summary") as (tag, _):
        return write(tag, constant(data.SerializeToString()), step, metadata)


def _version() -> Any:
    """Return the version of the content, as text or bytes: tensorboardX's messages have had both."""
    data = event_class("SummaryMetadata", "summary").PluginData
    return b"1" if isinstance(data().content, bytes) else "1"


def _refused(inside: str, outside: str) -> bool:
    """Tell whether a trace can not be begun or written here, which is logged."""
    if executing_eagerly():
        return False
    log.warn(inside if get_default_graph().building_function else outside)
    return True


def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: str | None = None) -> None:
    """Collect, from now on, the graphs that functions are made of, in eager mode; warnings elsewhere.

    Args:
        graph: whether they are collected.
        profiler: collects them too; times are not measured here, which is said.
        profiler_outdir: where a profile would be.

    Source: ``tf.summary.trace_on`` of TensorFlow 2.
    """
    global _trace
    if _refused("Cannot enable trace inside a tf.function.", "Must enable trace in eager mode."):
        return
    with _lock:
        if _trace is not None:
            log.warn("Trace already enabled")
            return
        if profiler:
            told = "times are not measured" if profiler_outdir else "no `profiler_outdir` was passed to trace_on()"
            log.warn("Profiler is not enabled: %s.", told)
        collect_graphs(graph or profiler)
        _trace = _Asked(graph, profiler)


def trace_export(name: str, step: Any = None, profiler_outdir: str | None = None) -> None:
    """Write the graphs that were collected to the thread's writer, and collect no more.

    Args:
        name: the summary's.
        step: by default that of `set_step`.
        profiler_outdir: accepted for TensorFlow's sake.

    Raises ValueError where no trace was begun, and where there is a writer and no step.

    Source: ``tf.summary.trace_export`` of TensorFlow 2.
    """
    del profiler_outdir
    if step is not None:
        choose_step(step)
    if _refused("Cannot export trace inside a tf.function.", "Can only export trace while executing eagerly."):
        return
    asked = _trace
    if asked is None:
        raise ValueError("Must enable trace before export through tf.summary.trace_on.")
    (run_metadata if asked.profiler or not asked.graph else run_metadata_graphs)(name, collected(), step)
    trace_off()


def trace_off() -> None:
    """Collect no more, and forget what was collected. Source: ``tf.summary.trace_off`` of TensorFlow 2."""
    global _trace
    with _lock:
        if _trace is not None:
            collect_graphs(False)
        _trace = None
