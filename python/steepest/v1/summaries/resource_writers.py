"""Writers that summaries are written by: summary operations in graphs, and eager code, write to the default one."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from ..graph.build import call
from ..graph.collections import add_to_collection, get_collection
from ..graph.errors import NotFoundError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation
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
    "flush",
    "legacy_raw_flush",
    "summary_writer_initializer_op",
    "text_of",
    "write_to",
]

_INITIALIZERS = "_SUMMARY_WRITER_V2"  # the collection

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
    if isinstance(resource, EventFile):  # of eager mode, in a function's body
        file = _TakenIn(resource)
        resource = call("SummaryWriter", file, (), shape=(), dtype="resource", differentiable=False, same=False)
    full_name = graph._operation_name(name, op_type)
    return Operation(graph, op_type, full_name, run, [resource, *tensors], (), differentiable=False)


class _TakenIn:
    """The function to the file of a writer of eager mode, which it does not keep: without its writer there is none."""

    def __init__(self, file: EventFile) -> None:
        self._file, self._name = weakref.ref(file), file.name

    def __call__(self) -> EventFile:
        file = self._file()
        if file is None:
            told = f"Resource localhost/{self._name}/SummaryWriterInterface does not exist."
            raise NotFoundError(None, None, told)
        return file


def text_of(value: Any) -> str:
    """Return the text in an array of one string."""
    item = array_of(value).item()
    return os.fsdecode(item) if isinstance(item, bytes) else str(item)


class _AsDefault:
    """What ``with writer.as_default()`` enters: the thread's writer is that one, and its step, where one is given."""

    def __init__(self, writer: SummaryWriter, step: Any) -> None:
        self._writer, self._step = writer, step

    def __enter__(self) -> SummaryWriter:
        self._before, state.writer = (state.writer, state.step), self._writer
        if self._step is not None:
            state.step = self._step
        return self._writer

    def __exit__(self, *error: object) -> None:
        state.writer.flush()  # in eager mode and in functions; a graph's is an operation that nobody runs
        state.writer = self._before[0]
        if self._step is not None:
            state.step = self._before[1]


class SummaryWriter:
    """What summaries are written by. Source: ``tf.contrib.summary.SummaryWriter``."""

    def set_as_default(self, step: Any = None) -> None:
        """Have summaries of this thread written by it from now on, for a step as of `set_step` where one is given."""
        self.as_default(step).__enter__()

    def as_default(self, step: Any = None) -> AbstractContextManager[Any]:
        """Have summaries of this thread written by it inside ``with``; what waits is written at its end.

        Args:
            step: of summaries that are given none, inside ``with``; by default it stays what it is.
        """
        return _AsDefault(self, step)

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
            raise RuntimeError(f"SummaryWriter {self!r} is already closed")

    def as_default(self, step: Any = None) -> AbstractContextManager[Any]:
        """Have summaries of this thread written by it inside ``with``; RuntimeError where it is closed."""
        self._check()
        return super().as_default(step)

    def init(self) -> Any:
        """Return the operation that begins the file. Raises RuntimeError where it is closed."""
        self._check()
        return self._init_op if self._once else self._begin(self._resource)

    def flush(self) -> Any:
        """Return the operation that writes what waits."""
        return None if self._ended() else legacy_raw_flush(self._resource)

    def close(self) -> Any:
        """Return the operation that writes what waits and ends the file."""
        if self._ended():
            return None
        self._closed = executing_eagerly()
        with control_dependencies([legacy_raw_flush(self._resource)] if not executing_eagerly() else []):
            return write_to(self._resource, "CloseSummaryWriter", EventFile.close, ())


class NoopSummaryWriter(SummaryWriter):
    """A writer that writes nothing, and does not become the default one."""

    def set_as_default(self, step: Any = None) -> None:
        """Do nothing."""

    @contextmanager
    def as_default(self, step: Any = None) -> Iterator[None]:
        """Do nothing."""
        yield

    def init(self) -> None:
        """Do nothing."""

    def flush(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def flush(writer: Any = None, name: str | None = None) -> Any:
    """Return the operation that writes what waits for a writer's file, by default the thread's; in eager mode do it.

    Args:
        writer: a `SummaryWriter`; by default the thread's. ValueError for anything else.
        name: accepted for TensorFlow's sake.

    Source: ``tf.summary.flush`` of TensorFlow 2.
    """
    del name
    writer = state.writer if writer is None else writer
    if writer is None:
        return no_op()
    if not isinstance(writer, SummaryWriter):
        raise ValueError(f"Invalid argument to flush(): {writer!r}")
    return writer.flush()


def legacy_raw_flush(writer: Any = None, name: str | None = None) -> Any:
    """Do what `flush` does; a writer may also be what stands for one in the graph.

    Source: ``tf.contrib.summary.flush``.
    """
    if writer is None or isinstance(writer, SummaryWriter):
        return flush(writer, name)
    return write_to(writer, "FlushSummaryWriter", EventFile.flush, (), name)


def summary_writer_initializer_op() -> list[Any]:
    """Return the operations that begin the files of the graph's writers. Raises RuntimeError in eager mode.

    Source: ``tf.contrib.summary.summary_writer_initializer_op``.
    """
    if executing_eagerly():
        raise RuntimeError("tf.contrib.summary.summary_writer_initializer_op is only supported in graph mode.")
    found: list[Any] = get_collection(_INITIALIZERS)
    return found
