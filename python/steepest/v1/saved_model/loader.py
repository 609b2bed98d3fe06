"""``tf.saved_model.loader``: makes the graph of a saved model again, and gives its variables their values."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ...base.errors import must
from ...variables.collections import GraphKeys
from ..graph.errors import NotFoundError
from ..graph.graph import Graph, get_default_graph
from ..graph.missing import namespace
from ..graph.session import Session
from ..saving.graph_writing import FORMAT
from ..saving.meta_graph import import_meta_graph
from ..saving.meta_graph_messages import MetaGraphDef
from ..saving.saver import Saver
from . import constants
from .assets import collection_of, files_of, paths_of
from .signature_def_utils import SignatureDef

__all__ = [
    "SavedModel",
    "SavedModelLoader",
    "contains_saved_model",
    "load",
    "maybe_saved_model_directory",
    "parse_saved_model",
]

__getattr__, __dir__ = namespace(__name__)


class LoadedModel(MetaGraphDef):
    """What `load` returns: signatures by name under ``signature_def``, tags, and files. Source: ``MetaGraphDef``."""

    def __init__(self, content: dict[str, Any]) -> None:
        super().__init__(content)
        self.signature_def = {name: SignatureDef.of(each) for name, each in content["signatures"].items()}
        self.tags = list(content["tags"])
        self.asset_file_def = files_of(content.get("assets", []))
        self.collection_def = {constants.ASSETS_KEY: collection_of(content.get("assets", []))}

    def _stored(self, name: str) -> Any:  # its files are in a form of their own
        return None if name == "collection_def" else super()._stored(name)

    def content(self) -> dict[str, Any] | None:
        """Return the graph's form in the file."""
        return self._content  # type: ignore[no-any-return]


def maybe_saved_model_directory(export_dir: Any) -> bool:
    """Tell whether there is a saved model in a folder. Source: ``tf.saved_model.maybe_saved_model_directory``."""
    return _file_in(os.fsdecode(export_dir)) is not None


contains_saved_model = maybe_saved_model_directory


def _file_in(folder: str) -> str | None:
    """Return the path of the file of graphs, which may be one of TensorFlow's own, or None."""
    return next(filter(os.path.exists, (os.path.join(folder, name) for name in _FILES)), None)


_FILES = (constants.SAVED_MODEL_FILENAME, constants.SAVED_MODEL_FILENAME_PBTXT, constants.SAVED_MODEL_FILENAME_PB)


def get_train_op(meta_graph_def: LoadedModel, import_scope: str | None = None) -> Any:
    """Return the operation or tensor that a graph was saved with as ``train_op``, in the default graph, or None."""
    return _kept(meta_graph_def, "train", import_scope)


def get_init_op(meta_graph_def: LoadedModel, import_scope: str | None = None) -> Any:
    """Return the operation that a loaded graph begins with, in the default graph, or None."""
    return _kept(meta_graph_def, "first", import_scope)


def _kept(model: LoadedModel, key: str, scope: str | None) -> Any:
    name = (model.content() or {}).get(key)
    if name is None:
        return None
    return get_default_graph().as_graph_element(f"{scope}/{name}" if scope else name)


class SavedModel(NamedTuple):
    """What is in a saved model's file: its graphs. Source: ``SavedModel`` of ``saved_model_pb2``."""

    saved_model_schema_version: int
    meta_graphs: list[LoadedModel]


def parse_saved_model(export_dir: Any) -> SavedModel:
    """Return what is in the file of the saved model in a folder.

    Raises OSError where there is no saved model, or its file is damaged; ValueError for one of another version
    (docs/graphs.md).

    Source: ``parse_saved_model`` of TensorFlow's ``saved_model.loader_impl``.
    """
    folder = os.fsdecode(export_dir)
    path = _file_in(folder)
    if path is None:
        raise OSError(f"SavedModel file does not exist at: {folder}{os.path.sep}{{{'|'.join(_FILES)}}}")
    if not path.endswith(constants.SAVED_MODEL_FILENAME):
        raise OSError(f"Cannot parse file {path}: saved models of TensorFlow's own are not read (docs/graphs.md).")
    with open(path, encoding="utf-8") as file:
        try:
            found = json.load(file)
        except ValueError as error:
            raise OSError(f"Cannot parse file {path}: {error}.") from error
    if any(found.get(key) != value for key, value in FORMAT.items()):
        written = f"by Python {FORMAT['python']} in version {FORMAT['version']} of the format"
        got = f"one of Python {found.get('python')}, version {found.get('version')}"
        raise ValueError(must("load", "export_dir", f"hold a model that was written {written}", got))
    return SavedModel(constants.SAVED_MODEL_SCHEMA_VERSION, [LoadedModel(each) for each in found["graphs"]])


_LAST = object()


class SavedModelLoader:
    """Makes the graph of a saved model, gives its variables their values and runs what it begins with: step by step.

    Args:
        export_dir: the folder.

    Raises:
        OSError, ValueError: as `parse_saved_model` does.

    Source: ``SavedModelLoader`` of TensorFlow's ``saved_model.loader_impl``.
    """

    def __init__(self, export_dir: Any) -> None:
        self._folder = os.fsdecode(export_dir)
        self._graphs = [each.content() or {} for each in parse_saved_model(export_dir).meta_graphs]
        # Where the nodes are, by graph and the scope that was asked for; and where the last ones are.
        self._scopes: WeakKeyDictionary[Graph, dict[Any, str]] = WeakKeyDictionary()

    @property
    def export_dir(self) -> str:
        """The folder."""
        return self._folder

    @property
    def variables_path(self) -> str:
        """The path of the checkpoint with the values of the variables."""
        return os.path.join(self._folder, constants.VARIABLES_DIRECTORY, constants.VARIABLES_FILENAME)

    def get_meta_graph_def_from_tags(self, tags: Any) -> LoadedModel:
        """Return the graph with exactly these tags; RuntimeError where there is none."""
        return LoadedModel(self._content(tags))

    def _content(self, tags: Any) -> dict[str, Any]:
        wanted = {tags} if isinstance(tags, str) else set(tags)
        for content in self._graphs:
            if set(content["tags"]) == wanted:
                return content
        there = [content["tags"] for content in self._graphs]
        raise RuntimeError(
            f"MetaGraphDef associated with tags {wanted} could not be found in SavedModel. Its graphs have the tags "
            f"{there}."
        )

    def load_graph(
        self,
        graph: Graph,
        tags: Any,
        import_scope: str | None = None,
        return_elements: Sequence[str] | None = None,
        **saver_kwargs: Any,
    ) -> tuple[Saver | None, list[Any] | None]:
        """Make the nodes; return the saver of the variables, and the nodes of the names in ``return_elements``.

        Raises RuntimeError where no graph has these tags, ValueError for names that are in the graph already, or are
        not in the file.
        """
        content = self._content(tags)
        names = {operation["name"] for operation in content["operations"]}
        for element in return_elements or ():
            if element.partition(":")[0] not in names:
                raise ValueError(f"Requested return_element '{element}' not found in graph_def.")
        with graph.as_default():
            scope = graph.unique_name(import_scope, mark_as_used=False) if import_scope else graph.get_name_scope()
            saver = import_meta_graph(LoadedModel(content), import_scope=import_scope, **saver_kwargs)
        self._scopes.setdefault(graph, {}).update({import_scope: scope, _LAST: scope})
        prefix = f"{scope}/" if scope else ""
        if "objects" in content:  # of which functions take the paths, at any time
            for name, path in paths_of(content["assets"], self._folder, scope).items():
                graph.get_tensor_by_name(name).op._attributes["value"] = np.array(path.encode(), object)
        if return_elements is None:
            return saver, None
        return saver, [graph.as_graph_element(prefix + element) for element in return_elements]

    def restore_variables(self, sess: Session, saver: Saver | None, import_scope: str | None = None) -> None:
        """Give variables their values; ValueError where there are some, and no saver."""
        if isinstance(saver, Saver):
            saver.restore(sess, self.variables_path)
        elif saver is not None or sess.graph.get_collection(GraphKeys.GLOBAL_VARIABLES, import_scope):
            raise ValueError(
                "No tf.train.Saver object was passed to the function SavedModelLoader.restore_variables. Since there "
                "are variables in the graph, a saver is required."
            )

    def run_init_ops(self, sess: Session, tags: Any, import_scope: str | None = None) -> None:
        """Run the operation with which the graph begins, where it has one; below the scope of `load_graph`.

        It is given the names of the model's own files. Raises NotFoundError where it is not in the graph. One that the
        graph had as ``main_op`` is found below the last scope, too.
        """
        content, graph = self._content(tags), sess.graph
        scopes = self._scopes.get(graph, {})
        elsewhere = import_scope if content.get("by_signature") or import_scope else scopes.get(_LAST)
        scope = scopes.get(import_scope, elsewhere)
        first = content["first"]
        if first is None:
            return
        try:
            op = graph.get_operation_by_name(f"{scope}/{first}" if scope else first)
        except KeyError as error:
            raise NotFoundError(None, None, f"load: {first} could not be in the file") from error
        sess.run(op, paths_of(content.get("assets", []), self._folder, scope))

    def load(self, sess: Session, tags: Any, import_scope: str | None = None, **saver_kwargs: Any) -> LoadedModel:
        """Do all of it, in a session; return the graph's description."""
        saver, _ = self.load_graph(sess.graph, tags, import_scope, **saver_kwargs)
        if saver is not None:
            self.restore_variables(sess, saver, import_scope)
        self.run_init_ops(sess, tags, import_scope)
        return self.get_meta_graph_def_from_tags(tags)


def load(
    sess: Session, tags: Sequence[str], export_dir: Any, import_scope: str | None = None, **saver_kwargs: Any
) -> LoadedModel:
    """Make the nodes of the model with these tags in a session's graph, and restore its variables.

    Raises OSError where there is no saved model, or its file is damaged, RuntimeError where none of its graphs has
    exactly these tags, ValueError for one of another version (docs/graphs.md) and for names that are in the graph
    already.

    Source: ``tf.saved_model.loader.load``.
    """
    return SavedModelLoader(export_dir).load(sess, tags, import_scope, **saver_kwargs)
