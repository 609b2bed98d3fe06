"""Writers of TensorBoard's event files."""

from __future__ import annotations

import atexit
import importlib
import os
import time
import warnings
from types import TracebackType
from typing import Any

import numpy as np

from ...base.errors import must
from ..graph.graph import Graph, get_default_graph
from ..graph.graph_def import GraphDef
from ..graph.mode import executing_eagerly
from ..saving.meta_graph_messages import MetaGraphDef, info_of
from ..saving.scoped_graphs import told
from .event_files import FileOf, next_suffix
from .plugin_assets import write_plugin_assets
from .protos import protos

__all__ = ["FileWriter", "FileWriterCache", "add_session_log"]


_PLUGINS_DIR = "plugins"
_CLOSED = (
    "Attempting to use a closed FileWriter. The operation will be a noop unless the FileWriter is explicitly reopened."
)


class FileWriter:
    """Append summaries and graphs to an event file in a folder, which is made.

    Without tensorboardX nothing is written, which is said once.

    Args:
        logdir: the folder.
        graph, graph_def: a ``tf.Graph``, or what its ``as_graph_def`` gives, written at once.
        flush_secs: how long events may wait.
        max_queue: how many events may wait where there is a session; else none waits for a thread.
        filename_suffix: the end of the file's name.
        session: whose file of that folder it writes to: writers of ``tf.contrib.summary`` have it too.

    Source: ``tf.summary.FileWriter``.
    """

    def __init__(
        self,
        logdir: str,
        graph: Any = None,
        max_queue: int = 10,
        flush_secs: int = 120,
        graph_def: Any = None,
        filename_suffix: str | None = None,
        session: Any = None,
    ) -> None:
        if executing_eagerly():
            raise RuntimeError(
                "tf.summary.FileWriter is not compatible with eager execution. Use tf.contrib.summary instead."
            )
        self._logdir = os.fspath(logdir)
        os.makedirs(self._logdir, exist_ok=True)
        self._flush_secs, self._suffix = flush_secs, filename_suffix or ""
        self._session, self._max_queue = session, max_queue
        self._file: Any = None
        self._told: set[str] = set()  # tags whose metadata are written
        self._runs: set[str] = set()
        self._begin()
        if self._file is not None:
            atexit.register(self.close)  # programs seldom close their writers
        if graph is not None or graph_def is not None:
            self.add_graph(graph, graph_def=graph_def)
            given = graph_def if graph is None else graph
            if isinstance(given, Graph):
                self.add_meta_graph(told(given))
            else:
                self.add_meta_graph(MetaGraphDef(meta_info_def=info_of(given), graph_def=given))

    def _begin(self) -> None:
        """Begin a file. Events are written at once: what `flush` has returned from, no later crash can take."""
        self._closed, self._flushed = False, time.monotonic()
        if self._session is not None:
            self._file = FileOf(f"logdir:{self._logdir}")(self._session)
            self._file.open(self._logdir, self._max_queue, int(self._flush_secs * 1000), self._suffix)
        elif protos() is not None:
            writers = importlib.import_module("tensorboardX.event_file_writer")
            # Its own part of the name is the second: a writer that begins in the same one would take the file.
            self._file = writers.EventsWriter(os.path.join(self._logdir, "events"), next_suffix(self._suffix))

    @property
    def closed(self) -> bool:
        """Whether nothing is written any more."""
        return self._closed

    def get_logdir(self) -> str:
        """Return the folder."""
        return self._logdir

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Append a summary: what a summary operation gave, or a ``tf.Summary``."""
        messages = protos()
        if messages is None:
            return
        if isinstance(summary, np.ndarray):
            summary = summary.item()
        if isinstance(summary, bytes):
            summary = messages.summary.Summary.FromString(summary)
        for value in summary.value:  # TensorBoard needs what is said of a tag once
            if value.tag in self._told:
                value.ClearField("metadata")
            elif value.HasField("metadata"):
                self._told.add(value.tag)
        self._add(messages.event.Event(summary=summary), global_step)

    def add_event(self, event: Any) -> None:
        """Append an event that is complete; a warning where the writer is closed."""
        if self._closed:
            warnings.warn(_CLOSED, stacklevel=2)
        if self._file is not None and not self._closed:
            self._file.write_event(event)
            if time.monotonic() - self._flushed > self._flush_secs:
                self.flush()

    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Append the nodes of a graph, with their shapes, or of what its ``as_graph_def`` gives."""
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        given = graph_def if graph is None else graph
        nodes = given.as_graph_def(add_shapes=True) if isinstance(given, Graph) else given
        if not isinstance(nodes, GraphDef):
            raise TypeError(must("add_graph", "graph", "be a tf.Graph or a GraphDef", given))
        if isinstance(given, Graph):
            write_plugin_assets(given, self._logdir)
        messages = protos()
        if messages is not None:
            self._add(messages.event.Event(graph_def=nodes.told()), global_step)

    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Append a graph with its collections. TypeError for what is no ``MetaGraphDef``."""
        if not isinstance(meta_graph_def, MetaGraphDef):
            raise TypeError(f"meta_graph_def must be type MetaGraphDef, saw type: {type(meta_graph_def)}")
        messages = protos()
        if messages is not None:
            self._add(messages.event.Event(meta_graph_def=meta_graph_def.told()), global_step)

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Append what a run tells of itself; ValueError for a tag that another run has."""
        if tag in self._runs:
            raise ValueError("The provided tag was already used for this event type")
        self._runs.add(tag)
        messages = protos()
        if messages is not None:
            told = messages.event.TaggedRunMetadata(tag=tag, run_metadata=run_metadata.SerializeToString())
            self._add(messages.event.Event(tagged_run_metadata=told), global_step)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Append what happened to the session, such as ``tf.SessionLog(status=tf.SessionLog.START)``."""
        messages = protos()
        if messages is not None:
            self._add(messages.event.Event(session_log=session_log), global_step)

    def _add(self, event: Any, global_step: Any) -> None:
        event.wall_time = time.time()
        if global_step is not None:
            event.step = int(np.asarray(global_step).item())
        self.add_event(event)

    def flush(self) -> None:
        """Write what waits."""
        if self._file is not None and not self._closed:
            self._file.flush()
            self._flushed = time.monotonic()

    def close(self) -> None:
        """Write what waits and close the file."""
        if self._file is not None and not self._closed:
            self._file.close()
        self._closed = True

    def reopen(self) -> None:
        """Go on after `close`, in a new file."""
        if self._closed:
            self._begin()

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class FileWriterCache:
    """One writer for each folder. Source: ``tf.summary.FileWriterCache``."""

    _writers: dict[str, FileWriter] = {}  # noqa: RUF012 - shared, as TensorFlow's

    @classmethod
    def get(cls, logdir: str) -> FileWriter:
        """Return the writer of a folder."""
        if logdir not in cls._writers:
            cls._writers[logdir] = FileWriter(logdir, get_default_graph())
        return cls._writers[logdir]

    @classmethod
    def clear(cls) -> None:
        """Close all writers."""
        for writer in cls._writers.values():
            writer.close()
        cls._writers.clear()


def add_session_log(writer: Any, step: Any, status: str, **fields: Any) -> None:
    """Append what happened to the session at a step, where there are messages for it: ``"START"`` and the like."""
    messages = protos()
    if messages is not None and writer is not None:
        kind = messages.event.SessionLog
        writer.add_session_log(kind(status=getattr(kind, status), **fields), step)
