"""``tf.train.Saver``: the variables of a session in a file, by name, and the record of which files there are."""

from __future__ import annotations

import math
import os
import time
from pathlib import Path
from typing import Any

from ...variables.collections import GraphKeys
from ..graph import log
from ..graph.graph import Graph, get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.session import Session
from .checkpoint_state import (
    checkpoint_exists,
    get_checkpoint_mtimes,
    is_checkpoint,
    record,
    remove_checkpoint,
)
from .checkpoint_writing import write_checkpoint
from .giving_back import give_back
from .graph_writing import meta_graph_of, text_of, write_text
from .meta_graph_messages import MetaGraphDef
from .save_paths import folder_for, with_step
from .saveable_forms import BaseSaverBuilder
from .saved_variables import arrays_to_save, graph_of, variables_by_name
from .saver_def import SaverDef
from .saver_operations import saved_by, saver_operations
from .scoped_graphs import exported, put_collection

__all__ = ["BaseSaverBuilder", "Saver", "_get_saver_or_default"]

_LOCAL = "file://"


class Saver:
    """Saves and restores variables by name.

    The file ``<save_path>.safetensors`` is the project's checkpoint (`steepest.checkpoint`); the safetensors package
    opens it too. Beside it the text file ``checkpoint`` records the newest files. An ``.npz`` of before is read too.

    Args:
        var_list: variables, or a dict from names in the file to variables; by default all that can be saved, with the
            tables that a program fills. The parts of a variable are one tensor in the file. A `SaveableObject` may
            stand where a variable can.
        max_to_keep: how many files stay; older ones are deleted. None or 0: all.
        defer_build: take the variables that there are when `build` is called.
        allow_empty: accept that there is nothing to save: ``save`` and ``restore`` then do nothing.
        reshape: accept values of another shape with as many elements.
        saver_def: what another saver's ``saver_def`` is: its variables and settings, in place of these arguments.
        keep_checkpoint_every_n_hours: of those that ``max_to_keep`` would delete, one in this time stays.
        pad_step_number: write steps in names with eight digits.
        name, filename: the scope of the operations that ``saver_def`` names, and the file of theirs where none is fed.
        sharded, restore_sequentially, builder, write_version, save_relative_paths: accepted for TensorFlow's sake.

    Raises:
        RuntimeError: without ``var_list`` in eager mode.
        ValueError: where there is nothing to save, or for one variable under two names. TypeError: for entries that are
            not variables.

    Source: ``tf.train.Saver``.
    """

    def __init__(
        self,
        var_list: Any = None,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        saver_def: Any = None,
        builder: Any = None,
        defer_build: bool = False,
        allow_empty: bool = False,
        write_version: Any = None,
        pad_step_number: bool = False,
        save_relative_paths: bool = False,
        filename: str | None = None,
    ) -> None:
        if saver_def is not None:
            if not isinstance(saver_def, SaverDef):
                raise ValueError(f"saver_def must be a saver_pb2.SaverDef: {saver_def}")
            max_to_keep, keep_checkpoint_every_n_hours, sharded = saver_def.settings().values()
            var_list = saver_def.variables
            if var_list is None:  # a message that was read: it knows the operations alone
                var_list = dict(saved_by(get_default_graph(), saver_def.save_tensor_name))
        self._reshape = reshape
        self._called = (name, filename)
        self._operations: tuple[str, str, str] | None = None  # their names, once somebody has asked
        self._keep = max_to_keep or 0
        self._settings = (keep_checkpoint_every_n_hours, sharded)
        self._pad = pad_step_number
        self._allow_empty = allow_empty
        if defer_build and var_list is not None:
            remedy = "Either set defer_build=False or var_list=None."
            raise ValueError(f"If `var_list` is provided then build cannot be deferred. {remedy}")
        if executing_eagerly() and var_list is None:
            raise RuntimeError(
                "When eager execution is enabled, `var_list` must specify a list or dict of variables to save"
            )
        self._variables = None if defer_build else variables_by_name(var_list, allow_empty)
        self._saved: list[tuple[str, float]] = []  # and when
        self._next_kept = time.time() + keep_checkpoint_every_n_hours * 3600
        self._graph_text: tuple[Any, str] | None = None  # of the last save, and of which state of the graph

    _write_version = SaverDef.V2  # files of the older format are not written

    @property
    def saver_def(self) -> SaverDef:
        """What another saver is made with that has the same variables."""
        hours, sharded = self._settings
        return SaverDef(
            max_to_keep=self._keep,
            keep_checkpoint_every_n_hours=hours,
            sharded=sharded,
            version=SaverDef.V2,
            variables=self._variables,
            operations=self._operation_names,
        )

    def _operation_names(self) -> tuple[str, str, str]:
        if executing_eagerly():
            return ("", "", "")
        if self._operations is None:
            saved = self._named()
            self._operations = saver_operations(graph_of(saved), *self._called, saved, self._write, self._read)
        return self._operations

    def to_proto(self, export_scope: str | None = None) -> SaverDef:
        """Return what another saver is made with that has the same variables."""
        return self.saver_def

    as_saver_def = to_proto

    @staticmethod
    def from_proto(saver_def: SaverDef, import_scope: str | None = None) -> Saver:
        """Return the saver of a `SaverDef`."""
        return Saver(saver_def=saver_def)

    def build(self) -> None:
        """Take all variables that there are now, where ``defer_build`` was set. Raises as the class does."""
        self._variables = variables_by_name(None, self._allow_empty)

    def _named(self) -> dict[str, Any]:
        if self._variables is None:
            raise RuntimeError("`build()` should be called before save or restore if defer_build==True")
        return self._variables

    @property
    def last_checkpoints(self) -> list[str]:
        """The paths that this saver has written and not deleted, oldest first."""
        return [path for path, _ in self._saved]

    def set_last_checkpoints(self, last_checkpoints: list[str]) -> None:
        """Take paths of an earlier program for those that were saved. As in TensorFlow their files stay, always."""
        self.set_last_checkpoints_with_time([(path, math.inf) for path in last_checkpoints])

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time: list[tuple[str, float]]) -> None:
        """Take these checkpoints for those that were saved, with their times, the oldest first: some are deleted."""
        self._saved = list(last_checkpoints_with_time)

    def recover_last_checkpoints(self, checkpoint_paths: list[str]) -> None:
        """Take those of the paths at which there is a checkpoint for those that were saved, some of which go."""
        there = [path for path in checkpoint_paths if checkpoint_exists(path)]
        self._saved = list(zip(there, get_checkpoint_mtimes(there), strict=True))

    def save(
        self,
        sess: Session,
        save_path: str,
        global_step: Any = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        **accepted: Any,
    ) -> str | None:
        """Write the variables to ``<save_path>[-<global_step>].safetensors``; return the path without the suffix.

        None where there is nothing to save and ``allow_empty``: then the graph's file is written alone. The last folder
        of the path is made where it is missing.

        Raises FailedPreconditionError for a variable without a value, OSError (ValueError for missing folders) when
        the file cannot be written; then the files of before are still there.
        """
        del accepted
        if not save_path:
            raise ValueError("no path specified")
        given = os.fspath(save_path)
        save_path = given.removeprefix(_LOCAL)
        if latest_filename and os.path.basename(latest_filename) != latest_filename:
            raise ValueError("'latest_filename' must not contain path components")
        empty = not self._named()
        state = latest_filename or "checkpoint"
        path = with_step(sess, save_path, global_step, self._pad)
        if path == save_path and os.path.basename(save_path) == state and not self._settings[1]:
            raise ValueError(f"'latest_filename' collides with 'save_path': '{state}' and '{save_path}'")
        folder = folder_for(path, save_path)
        if not empty:
            self._write(sess, path)
        if write_meta_graph and isinstance(sess, Session):
            self._write_graph(f"{path}.{meta_graph_suffix}", sess.graph)
        if empty:
            return None
        if write_state:  # else the file is not this saver's to delete
            self._saved = [*(old for old in self._saved if old[0] != path), (path, time.time())]
            self._sweep()
            record(Path(folder or ".") / state, self.last_checkpoints or [path])
        return _LOCAL + path if given.startswith(_LOCAL) else path

    def _write(self, sess: Any, path: str) -> None:
        write_checkpoint(path, arrays_to_save(sess, self._named()))

    def _sweep(self) -> None:
        """Delete the oldest files beyond ``max_to_keep``, but for one in ``keep_checkpoint_every_n_hours``.

        As in TensorFlow one checkpoint at most goes at a save, and of files that all stay no list is kept.
        """
        if not self._keep:
            self._saved = []
        if len(self._saved) > self._keep:
            path, written = self._saved.pop(0)
            if written > self._next_kept:
                self._next_kept += self._settings[0] * 3600
                return
            remove_checkpoint(path)

    def _write_graph(self, path: str, graph: Graph) -> None:
        """Write the graph beside its values, or why it cannot be in a file; `import_meta_graph` reads it."""
        sizes = tuple((key, len(graph.get_collection_ref(key))) for key in graph.get_all_collection_keys())
        state = (graph, graph.version, graph._edits, sizes)
        if self._graph_text is None or self._graph_text[0] != state:
            self._graph_text = state, text_of(meta_graph_of(graph, self.saver_def))
        write_text(path, self._graph_text[1])

    def export_meta_graph(
        self,
        filename: Any = None,
        collection_list: Any = None,
        as_text: bool = False,
        export_scope: str | None = None,
        clear_devices: bool = False,
        clear_extraneous_savers: bool = False,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> MetaGraphDef:
        """Do what `export_meta_graph` does with the default graph; what is imported has this saver's variables."""
        self._named()  # tells what has to come before
        message = exported(get_default_graph(), self.saver_def, collection_list, filename, export_scope, clear_devices)
        if strip_default_attrs:
            message.strip_defaults()
        return message

    def _add_collection_def(self, meta_graph_def: MetaGraphDef, key: Any, export_scope: str | None = None) -> None:
        """Put a collection of the default graph into a message."""
        put_collection(meta_graph_def, get_default_graph(), key, export_scope)

    def restore(self, sess: Session, save_path: str) -> None:
        """Give the variables the values in ``<save_path>.safetensors``: all of them, or on any error none.

        Where there is only a checkpoint of TensorFlow's (``<save_path>.index``), it is read. Its float32 powers and its
        half-precision slots are widened to what they are here, AdagradDecay's slots to their form here.

        Raises ValueError for a path without a checkpoint, NotFoundError for a name that is not in it,
        InvalidArgumentError for another shape or type, DataLossError for a damaged file.
        """
        if not self._named():
            return
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        save_path = os.fspath(save_path).removeprefix(_LOCAL)
        if not is_checkpoint(save_path):
            raise ValueError(f"The passed save_path is not a valid checkpoint: {save_path}")
        log.info("Restoring parameters from %s", save_path)
        self._read(sess, save_path)

    def _read(self, sess: Any, path: str) -> None:
        give_back(sess, path, self._named(), self._reshape)

    def __repr__(self) -> str:
        count = "all" if self._variables is None else len(self._variables)
        return f"<steepest.v1.train.Saver of {count} variables, keeps {self._keep or 'all'}>"


def _get_saver_or_default() -> Saver:
    """Return the graph's saver, a new one where there is none. Raises RuntimeError where there are several."""
    graph = get_default_graph()
    if not graph.get_collection(GraphKeys.SAVERS):
        graph.add_to_collection(GraphKeys.SAVERS, Saver(allow_empty=True))
    savers: list[Saver] = graph.get_collection(GraphKeys.SAVERS)
    if len(savers) > 1:
        raise RuntimeError("More than one item in collection savers. Please indicate which one to use.")
    return savers[0]
