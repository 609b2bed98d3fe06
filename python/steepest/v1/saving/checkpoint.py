"""``tf.train.Checkpoint``: what objects hold, in a file, by the names of their attributes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...variables.variable import Variable as CoreVariable
from ..functions.concrete_functions import ConcreteFunction
from ..functions.traced_functions import Function
from ..graph.default_session import get_default_session
from ..graph.mode import executing_eagerly
from ..graph.session import Session
from ..variables.variables import Variable
from .checkpoint_options import CheckpointOptions, call_when_written
from .checkpoint_state import record
from .checkpoint_writing import write_checkpoint
from .data_structures import AutoTrackable
from .object_graphs import OBJECT_GRAPH, Children, encoded, listed_objects, objects_by_saver, saved_graph
from .registered_calls import saved_registered
from .restore_statuses import restored
from .saveables import SaveableObject, taken
from .saved_variables import read_variable
from .trackable import PythonStringStateSaveable, TrackableReference, children_of, is_trackable

__all__ = ["Checkpoint", "write_objects"]


class Checkpoint(AutoTrackable):
    """Variables, optimizers, layers, and lists, dicts and checkpoints of them, that are saved and restored together.

    ``Checkpoint(step=step, optimizer=optimizer, weights=[w, b])`` names the values by attributes: they are found again
    though variables are called otherwise. Of optimizers the slots of variables that belong to the checkpoint are saved.
    Names in the file are TensorFlow's, and it says which objects there are as TensorFlow's files do.

    Raises:
        ValueError: for an attribute that is nothing of these.

    Source: ``tf.train.Checkpoint``.
    """

    _counter: Any = None
    _counting: Any = None  # in a graph, the operation that counts

    def __init__(self, **kwargs: Any) -> None:
        for key, value in kwargs.items():
            if not is_trackable(value) and not isinstance(value, (Function, ConcreteFunction)):
                raise ValueError(
                    f"`Checkpoint` was expecting {key} to be a trackable object (a variable, an optimizer, a layer, "
                    f"a metric, a Checkpoint, or a list or dict of them), got {value!r:.80}"
                )
            setattr(self, key, value)

    def _whole(self) -> tuple[Any, Sequence[TrackableReference]]:
        """Return the object that is saved, and what else it is to depend on in the file."""
        return self, ()

    def write(self, file_prefix: Any, session: Session | None = None, options: CheckpointOptions | None = None) -> str:
        """Write the values to ``<file_prefix>.safetensors``; return ``file_prefix``.

        Raises RuntimeError in graph mode where there is no session.
        """
        root, attached = self._whole()
        path = write_objects(root, os.fspath(file_prefix), session, attached)
        call_when_written(options, path)
        return path

    def save(self, file_prefix: Any, session: Session | None = None, options: CheckpointOptions | None = None) -> str:
        """Write the values to ``<file_prefix>-<n>.safetensors``, n counting the calls; return that path without suffix.

        The file ``checkpoint`` of the folder then names it as the newest.
        """
        session = session or get_default_session()  # type: ignore[assignment]
        number = self._counted(session)
        root, attached = self._whole()
        path = write_objects(root, f"{os.fspath(file_prefix)}-{number}", session, attached)
        record(Path(path).parent / "checkpoint", [path])
        call_when_written(options, path)
        return path

    def sync(self) -> None:
        """Wait until all is written: it is, when `save` and `write` return."""

    @property
    def save_counter(self) -> Any:
        """The variable that counts the calls of `save`; it is made when it is first asked for."""
        if self._counter is None:
            counter = Variable(np.zeros((), np.int64), trainable=False, name="save_counter", collections=[])
            object.__setattr__(self, "_counter", counter)
            self._attach("save_counter", counter)
        return self._counter

    def _attach(self, name: str, value: Any) -> None:
        """Let what is saved depend on a value too."""
        self._track_trackable(value, name)

    def _counted(self, session: Session | None) -> int:
        """Advance the number of saves, and return it."""
        counter = self.save_counter
        if executing_eagerly():
            counter.assign_add(1)
            return int(counter.numpy())
        if session is None:
            raise RuntimeError("Checkpoint.save: there is no session: give one, or call it within one")
        if session._read(counter.op) is None:
            session.run(counter.initializer)
        if self._counting is None:  # one operation: a graph may be finalized after the first save
            object.__setattr__(self, "_counting", counter.assign_add(1))
        return int(session.run(self._counting))

    def restore(self, save_path: Any, options: CheckpointOptions | None = None) -> Any:
        """Give the variables the values in a checkpoint; in graph mode when the returned status is told to.

        Returns a status: ``assert_consumed()``, ``assert_existing_objects_matched()``, ``expect_partial()``,
        ``run_restore_ops(session)``, ``initialize_or_restore(session)``. None for a path restores nothing. In eager
        mode what becomes an attribute later gets its values then, once.

        Raises NotFoundError for a path without a checkpoint.
        """
        del options
        root, attached = self._whole()
        status = restored(root, None if save_path is None else os.fspath(save_path), attached)
        if self._counter is None and "save_counter" in getattr(root, "_deferred", ()):
            self.save_counter  # noqa: B018  # it is made, and gets its value
        return status

    read = restore


def write_objects(
    root: Any,
    file_prefix: str,
    session: Session | None = None,
    attached: Sequence[TrackableReference] = (),
    children: Children = children_of,
) -> str:
    """Write what an object and its dependencies hold to ``<file_prefix>.safetensors``; return ``file_prefix``."""
    where: Any = session or get_default_session()
    nodes, values = saved_graph(root, attached, children)
    if values and where is None and not executing_eagerly():
        raise RuntimeError(
            "Unable to save checkpoint in graph mode without a default session: use `with tf.Session():` to create a "
            "session, or give one"
        )
    Path(file_prefix).parent.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Any] = {OBJECT_GRAPH: _text(encoded(nodes))}
    if any(node.saver is not None for node in nodes):
        arrays.update(
            saved_registered(objects_by_saver(nodes, listed_objects(root, attached, children)), file_prefix, where)
        )
    for key, saved in values.items():
        arrays.update(_arrays(where, key, saved))
    write_checkpoint(file_prefix, arrays)
    return file_prefix


def _text(data: bytes) -> Any:
    out = np.empty((), object)
    out[()] = data
    return out


def _arrays(session: Any, key: str, saved: Any) -> dict[str, Any]:
    """Return what is saved under a key, as arrays by their names in the file."""
    if isinstance(saved, PythonStringStateSaveable):
        return {key: _text(saved.state)}
    if isinstance(saved, SaveableObject):
        return taken(saved).arrays(session)
    if executing_eagerly() and isinstance(saved, CoreVariable):
        return {key: np.array(saved._array, np.dtype(saved.dtype))}
    return {key: np.asarray(read_variable(session, saved))}
