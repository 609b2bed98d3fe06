"""Writers of ``tf.contrib.summary``: summary operations in graphs, and eager code, write to the default one."""

from __future__ import annotations

import itertools
import os
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..graph.build import call
from ..graph.collections import add_to_collection, get_collection
from ..graph.graph import get_default_graph
from ..graph.log import warn
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation
from ..graph.run_values import array_of
from ..graph.scopes import control_dependencies
from ..ops.control_flow_ops import no_op
from ..ops.sparse_ops import convert_to_tensor
from .event_files import EventFile, FileOf
from .recording import state

__all__ = [
    "NoopSummaryWriter",
    "ResourceSummaryWriter",
    "SummaryWriter",
    "create_file_writer",
    "create_file_writer_v2",
    "create_noop_writer",
    "create_summary_file_writer",
    "eval_dir",
    "flush",
    "summary_writer_initializer_op",
    "text_of",
    "write_to",
]

_INITIALIZERS = "_SUMMARY_WRITER_V2"  # the collection
_unshared = itertools.count()


_eager_files: weakref.WeakValueDictionary[str, EventFile] = weakref.WeakValueDictionary()


def write_to(resource: Any, op_type: str, run: Callable[..., None], inputs: Any, name: str | None = None) -> Any:
    """Return the operation that calls ``run`` with a writer's file and the values; in eager mode call it at once.

    Args:
        resource: what stands for the writer: its node, in eager mode the file.
        op_type, run: the operation's type, and what it does.
        inputs: pairs of values, and the types that they are to have or None.
        name: of the operation.
    """
    tensors = [convert_to_tensor(value, dtype) for value, dtype in inputs]
    if executing_eagerly():
        run(resource, *(array_of(tensor) for tensor in tensors))
        return None
    graph = get_default_graph()
    full_name = graph._operation_name(name, op_type)
    return Operation(graph, op_type, full_name, run, [resource, *tensors], (), differentiable=False)


def text_of(value: Any) -> str:
    """Return the text in an array of one string."""
    item = array_of(value).item()
    return os.fsdecode(item) if isinstance(item, bytes) else str(item)


class SummaryWriter:
    """What summaries are written by. Source: ``tf.contrib.summary.SummaryWriter``."""

    def set_as_default(self) -> None:
        """Have summaries of this thread written by it from now on."""
        raise NotImplementedError

    def as_default(self) -> Any:
        """Have summaries of this thread written by it inside ``with``."""
        raise NotImplementedError

    def init(self) -> Any:
        """Return the operation that begins the file."""
        raise NotImplementedError

    def flush(self) -> Any:
        """Return the operation that writes what waits."""
        raise NotImplementedError

    def close(self) -> Any:
        """Return the operation that writes what waits and ends the file."""
        raise NotImplementedError


class ResourceSummaryWriter(SummaryWriter):
    """A writer of a file of events.

    Args:
        shared_name: the name under which others of the session, or of the eager program, have the same file.
        begin: the function from what stands for the writer to the operation that begins the file.
        once: it cannot be begun again after it was closed.
    """

    def __init__(self, shared_name: str, begin: Callable[[Any], Any], once: bool = False) -> None:
        if executing_eagerly():
            self._resource: Any = _eager_files.setdefault(shared_name, EventFile(shared_name))
        else:
            options: Any = {"contextual": True, "differentiable": False, "same": False}
            self._resource = call("SummaryWriter", FileOf(shared_name), (), shape=(), dtype="resource", **options)
        self._begin, self._once, self._closed = begin, once, False
        self._init_op = begin(self._resource)
        if not executing_eagerly():
            add_to_collection(_INITIALIZERS, self._init_op)

    def _ended(self) -> bool:
        return self._once and self._closed and executing_eagerly()

    def _check(self) -> None:
        if self._ended():
            raise RuntimeError("SummaryWriter is already closed")

    def set_as_default(self) -> None:
        """Have summaries of this thread written by it from now on. Raises RuntimeError where it is closed."""
        self._check()
        state.writer = self

    @contextmanager
    def as_default(self) -> Iterator[SummaryWriter]:
        """Have summaries of this thread written by it inside ``with``; what waits is written at its end in eager mode.

        Raises RuntimeError where it is closed.
        """
        self._check()
        before, state.writer = state.writer, self
        try:
            yield self
            self.flush()
        finally:
            state.writer = before

    def init(self) -> Any:
        """Return the operation that begins the file. Raises RuntimeError where it is closed."""
        self._check()
        return self._init_op if self._once else self._begin(self._resource)

    def flush(self) -> Any:
        """Return the operation that writes what waits."""
        return None if self._ended() else flush(self)

    def close(self) -> Any:
        """Return the operation that writes what waits and ends the file."""
        if self._ended():
            return None
        self._closed = executing_eagerly()
        with control_dependencies([self.flush()] if not executing_eagerly() else []):
            return write_to(self._resource, "CloseSummaryWriter", EventFile.close, ())


class NoopSummaryWriter(SummaryWriter):
    """A writer that writes nothing, and does not become the default one."""

    def set_as_default(self) -> None:
        """Do nothing."""

    @contextmanager
    def as_default(self) -> Iterator[None]:
        """Do nothing."""
        yield

    def init(self) -> None:
        """Do nothing."""

    def flush(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def create_noop_writer() -> NoopSummaryWriter:
    """Return a writer that writes nothing. Source: ``tf.summary.create_noop_writer`` of TensorFlow 2."""
    return NoopSummaryWriter()


def _begun(file: EventFile, logdir: Any, max_queue: Any, flush_millis: Any, suffix: Any) -> None:
    file.open(text_of(logdir), int(max_queue), int(flush_millis), text_of(suffix))


def _file_writer(
    logdir: Any, max_queue: Any, flush_millis: Any, suffix: Any, name: str, op_name: str | None, once: bool
) -> ResourceSummaryWriter:
    inputs = (
        (logdir, "string"),
        (10 if max_queue is None else max_queue, "int32"),
        (120_000 if flush_millis is None else flush_millis, "int32"),
        (".v2" if suffix is None else suffix, "string"),
    )
    kind = "CreateSummaryFileWriter"
    return ResourceSummaryWriter(name, lambda resource: write_to(resource, kind, _begun, inputs, op_name), once)


def create_file_writer(
    logdir: Any, max_queue: Any = None, flush_millis: Any = None, filename_suffix: Any = None, name: str | None = None
) -> SummaryWriter:
    """Return the writer of a file of events in a folder.

    Args:
        logdir: the folder; None for a writer that writes nothing.
        max_queue: how many events may wait, by default 10.
        flush_millis: how long they may wait, in thousandths of a second, by default two minutes.
        filename_suffix: the end of the file's name, by default ``.v2``.
        name: that of the file in the session, by default ``logdir:`` and the folder: writers of one name share a file.

    Source: ``tf.contrib.summary.create_file_writer``.
    """
    if logdir is None:
        return NoopSummaryWriter()
    logdir = str(logdir)
    return _file_writer(logdir, max_queue, flush_millis, filename_suffix, name or f"logdir:{logdir}", None, False)


def create_summary_file_writer(*args: Any, **kwargs: Any) -> SummaryWriter:
    """Do what `create_file_writer` does. Source: ``tf.contrib.summary.create_summary_file_writer``."""
    warn("Deprecation Warning: create_summary_file_writer was renamed to create_file_writer")
    return create_file_writer(*args, **kwargs)


def create_file_writer_v2(
    logdir: Any, max_queue: Any = None, flush_millis: Any = None, filename_suffix: Any = None, name: str | None = None
) -> ResourceSummaryWriter:
    """Return the writer of a file of events of its own in a folder; arguments as for `create_file_writer`.

    Raises ValueError for None as a folder, and for nodes of a graph in eager mode.

    Source: ``tf.summary.create_file_writer`` of TensorFlow 2.
    """
    if logdir is None:
        raise ValueError("logdir cannot be None")
    given = {
        "logdir": logdir,
        "max_queue": max_queue,
        "flush_millis": flush_millis,
        "filename_suffix": filename_suffix,
    }
    for argument, value in given.items() if executing_eagerly() else ():
        if isinstance(value, Node):
            raise ValueError(
                f'Invalid graph Tensor argument "{argument}={value}" to eagerly executed create_file_writer().'
            )
    shared = f"writer_{next(_unshared)}"
    return _file_writer(logdir, max_queue, flush_millis, filename_suffix, shared, name or "create_file_writer", True)


def flush(writer: Any = None, name: str | None = None) -> Any:
    """Return the operation that writes what waits for a writer's file, by default the thread's; in eager mode do it.

    Args:
        writer: a `SummaryWriter`, or what stands for it in the graph; by default the thread's.
        name: of the operation.

    Source: ``tf.contrib.summary.flush``.
    """
    writer = state.writer if writer is None else writer
    if writer is None:
        return no_op()
    resource = writer._resource if isinstance(writer, ResourceSummaryWriter) else writer
    return write_to(resource, "FlushSummaryWriter", EventFile.flush, (), name)


def summary_writer_initializer_op() -> list[Any]:
    """Return the operations that begin the files of the graph's writers. Raises RuntimeError in eager mode.

    Source: ``tf.contrib.summary.summary_writer_initializer_op``.
    """
    if executing_eagerly():
        raise RuntimeError("tf.contrib.summary.summary_writer_initializer_op is only supported in graph mode.")
    found: list[Any] = get_collection(_INITIALIZERS)
    return found


def eval_dir(model_dir: str, name: str | None = None) -> str:
    """Return the folder for summaries of an evaluation. Source: ``tf.contrib.summary.eval_dir``."""
    return os.path.join(model_dir, "eval" if not name else f"eval_{name}")
