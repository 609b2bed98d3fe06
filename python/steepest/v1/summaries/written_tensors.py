"""What writers write besides summaries of one name: tensors with a tag, events, graphs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...variables.names import get_default_store
from ..graph.constants import constant
from ..graph.default_session import get_default_session
from ..graph.errors import DataLossError
from ..graph.graph import Graph, get_default_graph
from ..graph.graph_def import GraphDef
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..ops.control_flow_ops import no_op
from .event_files import EventFile
from .protos import protos
from .recording import choose_step, get_step, should_record_summaries, state, where_recorded
from .resource_writers import summary_writer_initializer_op, text_of, write_to
from .values import bytes_of, tensor_value
from .written import add_summary, added, done

__all__ = ["graph", "graph_v1", "import_event", "initialize", "summary_scope", "write", "write_raw_pb"]


@contextmanager
def summary_scope(name: str | None, default_name: str = "summary", values: Any = None) -> Iterator[tuple[str, str]]:
    """Open the scope of a summary; ``with`` gives its tag, which need not be unique, and the scope.

    Source: ``tf.summary.experimental.summary_scope`` of TensorFlow 2.
    """
    name = name or default_name
    outer = get_default_store().state.name_scope if executing_eagerly() else get_default_graph().get_name_scope()
    legal = re.sub(r"[^-_/.A-Za-z0-9]", "", name) or None
    with name_scope(legal, default_name, values) as scope:
        yield f"{outer}/{name}" if outer else name, scope


_NO_STEP = (
    "No step set. Please specify one either through the `step` argument or through tf.summary.experimental.set_step()"
)


def _written(op_type: str, step: Any, inputs: Callable[[], Any], run: Callable[..., None], scope: str) -> Any:
    """Write to the thread's writer where summaries are recorded; return whether it was."""
    at = get_step() if step is None else step

    def record() -> Any:
        if at is None:
            raise ValueError(_NO_STEP)
        return done(op_type, run, at, inputs(), scope)

    return where_recorded(True, record, "summary_cond")


def write(tag: str, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None) -> Any:
    """Write a tensor as it is; return whether it was: summaries are recorded unless it is said that they are not.

    Args:
        tag: the tag.
        tensor: any tensor, or a function that returns one, which is called where the summary is recorded.
        step: a number, a tensor or a variable; by default that of `set_step`.
        metadata: a ``SummaryMetadata`` for TensorBoard's plugins, or its bytes.
        name: of the operation.

    Raises ValueError for a step that is no scalar, and where there is none though the summary is recorded.

    Source: ``tf.summary.write`` of TensorFlow 2.
    """

    def run(file: EventFile, at: Any, array: Any, called: Any, told: Any) -> None:
        add_summary(file, at, tensor_value(text_of(called), array, told.item()))

    def inputs() -> Any:
        return (tensor() if callable(tensor) else tensor, None), (tag, "string"), (bytes_of(metadata), "string")

    if step is not None:
        choose_step(step)
    with name_scope(name, "write_summary") as scope:
        return constant(False) if state.writer is None else _written("WriteSummary", step, inputs, run, scope)


def write_raw_pb(tensor: Any, step: Any = None, name: str | None = None) -> Any:
    """Write serialized ``Summary`` messages as one; return whether they were. Raises ValueError as `write`.

    DataLossError, when it runs, for what is no such message.

    Source: ``tf.summary.experimental.write_raw_pb`` of TensorFlow 2.
    """

    def run(file: EventFile, at: Any, parts: Any) -> None:
        messages = protos()
        if messages is None:
            return
        for place, part in enumerate(parts.reshape(-1).tolist()):
            _parsed(messages.summary.Summary, part, f"Summary binary proto tensor string at index {place}")
        add_summary(file, at, b"".join(parts.reshape(-1).tolist()))

    if step is not None:
        choose_step(step)
    with name_scope(name, "write_raw_pb") as scope:
        if state.writer is None:
            return constant(False)
        if step is None and get_step() is None:
            raise ValueError(_NO_STEP)
        return _written("WriteRawProtoSummary", step, lambda: ((tensor, "string"),), run, scope)


def _parsed(kind: Any, data: bytes, what: str) -> Any:
    try:
        return kind.FromString(data)
    except Exception as error:  # of protobuf, which is not imported here
        raise DataLossError(None, None, f"Bad tf.compat.v1.{what}") from error


def import_event(tensor: Any, name: str | None = None) -> Any:
    """Return the operation that writes a serialized ``Event``, whether summaries are recorded or not.

    Source: ``tf.contrib.summary.import_event``.
    """

    def run(file: EventFile, data: Any) -> None:
        messages = protos()
        if messages is not None:
            file.write_event(_parsed(messages.event.Event, data.item(), "Event binary proto tensor string"))

    return write_to(state.writer._resource, "ImportEvent", run, ((tensor, "string"),), name)


def graph(graph_data: Graph | GraphDef) -> Any:
    """Write a graph in eager mode; return whether it was: not without a writer, and not where nothing is recorded.

    Raises ValueError in a graph, and for what is neither a ``tf.Graph`` nor a ``GraphDef``.

    Source: ``tf.summary.graph`` of TensorFlow 2.
    """
    if not executing_eagerly():
        raise ValueError("graph() cannot be invoked inside a graph context.")
    if not array_of(should_record_summaries()):
        return constant(False)
    if not isinstance(graph_data, (Graph, GraphDef)):
        raise ValueError(
            "Argument 'graph_data' is not tf.Graph or tf.compat.v1.GraphDef. "
            f"Received graph_data={graph_data} of type {type(graph_data).__name__}."
        )
    graph_v1(graph_data, 0)
    return constant(True)


def graph_v1(param: Any, step: Any = None, name: str | None = None) -> Any:
    """Return the operation that writes a graph, whether summaries are recorded or not; in eager mode write it.

    Args:
        param: a tensor of a serialized ``GraphDef``; in eager mode also a ``tf.Graph``, a ``GraphDef`` or bytes.
        step: by default the global step.
        name: of the operation.

    Raises TypeError for what is no tensor in graph mode.

    Source: ``tf.contrib.summary.graph``.
    """
    if not executing_eagerly() and not isinstance(param, Node):
        raise TypeError(f"graph() needs a tf.Tensor (e.g. tf.placeholder) in graph mode, but was: {type(param)}")
    if state.writer is None:
        return no_op()
    inputs = (
        (choose_step(step), "int64"),
        (_serialized(param) if isinstance(param, (Graph, GraphDef)) else param, "string"),
    )
    return write_to(state.writer._resource, "WriteGraphSummary", _add_graph, inputs, name)


def _serialized(nodes: Graph | GraphDef) -> bytes:
    return (nodes.as_graph_def(add_shapes=True) if isinstance(nodes, Graph) else nodes).told()


def _add_graph(file: EventFile, step: Any, data: Any) -> None:
    added(file, step, graph_def=GraphDef.FromString(array_of(data).item()).told())


def initialize(graph: Graph | GraphDef | None = None, session: Any = None) -> None:
    """Begin the files of the graph's writers in a session, and write a graph; nothing in eager mode.

    Args:
        graph: a ``tf.Graph``, or its ``GraphDef``.
        session: by default the default session.

    Raises RuntimeError where the thread has no writer, ValueError where there is no session.

    Source: ``tf.contrib.summary.initialize``.
    """
    if executing_eagerly():
        return
    if state.writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    session = get_default_session() if session is None else session
    if session is None:
        raise ValueError("session must be passed if no default session exists")
    session.run(summary_writer_initializer_op())
    if graph is not None:
        inputs = ((0, "int64"), (_serialized(graph), "string"))
        session.run(write_to(state.writer._resource, "WriteGraphSummary", _add_graph, inputs))
