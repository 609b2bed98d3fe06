"""Making writers of files of events, as TensorFlow 1 and 2 have them."""

from __future__ import annotations

import itertools
import os
from typing import Any

from ..functions.function_bodies import NotLiftedError
from ..graph.graph import get_default_graph
from ..graph.log import warn
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.scopes import init_scope, name_scope
from .event_files import EventFile
from .resource_writers import NoopSummaryWriter, ResourceSummaryWriter, SummaryWriter, text_of, write_to

__all__ = [
    "create_file_writer",
    "create_file_writer_v2",
    "create_noop_writer",
    "create_summary_file_writer",
    "eval_dir",
]

_unshared = itertools.count()


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
    logdir: Any,
    max_queue: Any = None,
    flush_millis: Any = None,
    filename_suffix: Any = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: Any = None,
) -> ResourceSummaryWriter:
    """Return the writer of a file of events of its own in a folder; arguments as for `create_file_writer`.

    In the body of a function it is made outside of it, once; the program keeps it.

    Args:
        experimental_trackable, experimental_mesh: accepted for TensorFlow's sake.

    Raises ValueError for None as a folder, and for nodes of a graph in eager mode, or of a function's body.

    Source: ``tf.summary.create_file_writer`` of TensorFlow 2.
    """
    del experimental_trackable, experimental_mesh
    if logdir is None:
        raise ValueError("Argument `logdir` cannot be None")
    graph = get_default_graph()
    inside = not executing_eagerly() and bool(graph.building_function)
    with name_scope(name, "create_file_writer") as scope, init_scope():
        given = {
            "logdir": logdir,
            "max_queue": max_queue,
            "flush_millis": flush_millis,
            "filename_suffix": filename_suffix,
        }
        for argument, value in given.items() if executing_eagerly() else ():
            if isinstance(value, Node):
                told = f"Invalid graph Tensor argument '{argument}={value}' to "
                if not inside:
                    raise ValueError(f"{told}eagerly executed create_file_writer().")
                raise NotLiftedError(
                    f"{told}create_file_writer() inside an @tf.function. The create call will be lifted into the outer "
                    "eager execution context, so it cannot consume graph tensors defined inside the function body."
                )
        shared = f"writer_{next(_unshared)}"
        return _file_writer(logdir, max_queue, flush_millis, filename_suffix, shared, scope.rstrip("/"), True)


def eval_dir(model_dir: str, name: str | None = None) -> str:
    """Return the folder for summaries of an evaluation. Source: ``tf.contrib.summary.eval_dir``."""
    return os.path.join(model_dir, "eval" if not name else f"eval_{name}")
