"""``tf.saved_model.loader``: makes the graph of a saved model again, and gives its variables their values."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from ...base.errors import must
from ..graph.errors import NotFoundError
from ..graph.missing import namespace
from ..graph.session import Session
from ..saving.graph_writing import FORMAT, MetaGraph
from ..saving.meta_graph import import_meta_graph
from . import constants
from .signature_def_utils import SignatureDef

__all__ = ["load", "maybe_saved_model_directory"]

__getattr__, __dir__ = namespace(__name__)


class LoadedModel(MetaGraph):
    """What `load` returns: the signatures by name under ``signature_def``, and the tags. Source: ``MetaGraphDef``."""

    def __init__(self, content: dict[str, Any]) -> None:
        super().__init__(content)
        self.signature_def = {name: SignatureDef.of(each) for name, each in content["signatures"].items()}
        self.tags = list(content["tags"])


def maybe_saved_model_directory(export_dir: Any) -> bool:
    """Tell whether there is a saved model in a folder. Source: ``tf.saved_model.maybe_saved_model_directory``."""
    return os.path.exists(os.path.join(os.fsdecode(export_dir), constants.SAVED_MODEL_FILENAME))


def load(
    sess: Session, tags: Sequence[str], export_dir: Any, import_scope: str | None = None, **saver_kwargs: Any
) -> LoadedModel:
    """Make the nodes of the model with these tags in a session's graph, and restore its variables.

    Raises OSError where there is no saved model, RuntimeError where none of its graphs has exactly these tags,
    ValueError for one of another version (docs/graphs.md) and for names that are in the graph already.

    Source: ``tf.saved_model.loader.load``.
    """
    folder = os.fsdecode(export_dir)
    if not maybe_saved_model_directory(folder):
        raise OSError(f"SavedModel file does not exist at: {folder}/{constants.SAVED_MODEL_FILENAME}")
    with open(os.path.join(folder, constants.SAVED_MODEL_FILENAME), encoding="utf-8") as file:
        found = json.load(file)
    if any(found.get(key) != value for key, value in FORMAT.items()):
        rule = (
            f"hold a model that was written by Python {FORMAT['python']} in version {FORMAT['version']} of the format"
        )
        got = f"one of Python {found.get('python')}, version {found.get('version')}"
        raise ValueError(must("load", "export_dir", rule, got))
    wanted = {tags} if isinstance(tags, str) else set(tags)
    content = next((each for each in found["graphs"] if set(each["tags"]) == wanted), None)
    if content is None:
        raise RuntimeError(f"MetaGraphDef associated with tags {wanted} could not be found in SavedModel.")
    prefix = f"{import_scope}/" if import_scope else ""
    with sess.graph.as_default():
        saver = import_meta_graph(LoadedModel(content), import_scope=import_scope, **saver_kwargs)
    if saver is not None:
        path = os.path.join(folder, constants.VARIABLES_DIRECTORY, constants.VARIABLES_FILENAME)
        saver.restore(sess, path)
    if content["first"] is not None:
        try:
            sess.run(sess.graph.get_operation_by_name(prefix + content["first"]))
        except KeyError as error:
            raise NotFoundError(None, None, f"load: {content['first']} could not be in the file") from error
    return LoadedModel(content)
