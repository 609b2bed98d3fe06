"""``tf.saved_model.builder``: writes graphs, the values of their variables, and signatures into a folder."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ..graph.graph import get_default_graph
from ..graph.missing import namespace
from ..graph.session import Session
from ..saving.graph_writing import FORMAT, meta_graph_of, write_text
from ..saving.saver import Saver
from . import constants, signature_constants, tag_constants
from .assets import copied_assets
from .signature_def_utils import SignatureDef, predict_signature_def

__all__ = ["SavedModelBuilder", "simple_save"]

__getattr__, __dir__ = namespace(__name__)


class _SavedModelBuilder:
    """What `SavedModelBuilder` is, with the arguments that TensorFlow's newer builder has.

    Raises AssertionError for a folder that has something in it.
    """

    _by_signature = True  # what runs first is found by its name alone, and not as one of the graph's collections

    def __init__(self, export_dir: Any) -> None:
        self._folder = os.fsdecode(export_dir)
        if os.path.isdir(self._folder) and os.listdir(self._folder):
            raise AssertionError(
                f"Export directory {self._folder} already exists, and isn't empty. Please choose a different export "
                "directory, or delete all the contents of the specified directory."
            )
        os.makedirs(self._folder, exist_ok=True)
        self._graphs: list[dict[str, Any]] = []

    def add_meta_graph_and_variables(
        self,
        sess: Session,
        tags: Sequence[str],
        signature_def_map: Mapping[str, SignatureDef] | None = None,
        assets_list: Any = None,
        clear_devices: bool = False,
        init_op: Any = None,
        train_op: Any = None,
        strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Write the values of a session's variables, and take its graph along.

        Args:
            sess: the session.
            tags: what the graph is told by.
            signature_def_map: signatures by name.
            assets_list: string constants that name files; these are copied into ``assets/``. What runs first is
                given the names of the copies instead.
            init_op: an operation that runs once the model is loaded.
            train_op: an operation, or a tensor, that `get_train_op` of the loader gives again.
            clear_devices, strip_default_attrs: accepted for TensorFlow's sake.
            saver: what saves the variables, by default all.

        Raises AssertionError where that was called before, and for signatures of tensors without name or type;
        KeyError for signatures under the names of `constants`; FailedPreconditionError for a variable without a value.
        """
        if self._graphs:
            raise AssertionError("Graph state including variables and assets has already been saved.")
        _check(signature_def_map)
        with sess.graph.as_default():
            saver = Saver(allow_empty=True) if saver is None else saver
            assets = copied_assets(assets_list or (), self._folder)
            folder = os.path.join(self._folder, constants.VARIABLES_DIRECTORY)
            os.makedirs(folder, exist_ok=True)
            path = os.path.join(folder, constants.VARIABLES_FILENAME)
            saver.save(sess, path, write_meta_graph=False, write_state=False)
            self._add(tags, signature_def_map, assets, init_op, train_op, saver)

    def add_meta_graph(
        self,
        tags: Sequence[str],
        signature_def_map: Mapping[str, SignatureDef] | None = None,
        assets_list: Any = None,
        clear_devices: bool = False,
        init_op: Any = None,
        train_op: Any = None,
        saver: Saver | None = None,
    ) -> None:
        """Take the default graph along, beside those with the values; AssertionError where there is none yet."""
        if not self._graphs:
            raise AssertionError("Graph state including variables and assets has not been saved yet.")
        _check(signature_def_map)
        saver = Saver(allow_empty=True) if saver is None else saver
        assets = copied_assets(assets_list or (), self._folder)
        self._add(tags, signature_def_map, assets, init_op, train_op, saver)

    def _add(
        self, tags: Sequence[str], signatures: Any, assets: list[list[str]], first: Any, train: Any, saver: Saver
    ) -> None:
        graph = get_default_graph()
        names = {op.name for op in graph.get_operations()}
        content = meta_graph_of(graph, saver.saver_def, only=names)
        content["tags"] = sorted(set(tags))
        content["signatures"] = {name: each.described() for name, each in (signatures or {}).items()}
        content["first"] = None if first is None else first.name
        content["by_signature"] = self._by_signature
        content["train"] = None if train is None else train.name
        content["assets"] = assets
        self._graphs.append(content)

    def save(self, as_text: bool = False) -> str:
        """Write the file of the graphs; return its path."""
        path = os.path.join(self._folder, constants.SAVED_MODEL_FILENAME)
        write_text(path, json.dumps({**FORMAT, "graphs": self._graphs}, separators=(",", ":")))
        return path


class SavedModelBuilder(_SavedModelBuilder):
    """Writes a saved model into a folder of its own.

    The folder has ``saved_model.json`` with the graphs (docs/graphs.md), and the values of variables in
    ``variables/variables.safetensors``. What a file cannot hold, such as ``py_func``, is left out, with what needs it.

    Raises AssertionError for a folder that has something in it.

    Source: ``tf.saved_model.builder.SavedModelBuilder``.
    """

    _by_signature = False

    def add_meta_graph_and_variables(  # type: ignore[override]  # TensorFlow 1's arguments
        self,
        sess: Session,
        tags: Sequence[str],
        signature_def_map: Mapping[str, SignatureDef] | None = None,
        assets_collection: Any = None,
        legacy_init_op: Any = None,
        clear_devices: bool = False,
        main_op: Any = None,
        strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Write the values of a session's variables, and take its graph along.

        Args:
            sess: the session.
            tags: what the graph is told by.
            signature_def_map: signatures by name.
            assets_collection: string constants that name files; these are copied into ``assets/``. What runs first is
                given the names of the copies instead.
            legacy_init_op, main_op: an operation that runs once the model is loaded.
            clear_devices, strip_default_attrs: accepted for TensorFlow's sake.
            saver: what saves the variables, by default all.

        Raises AssertionError where that was called before, and for signatures of tensors without name or type;
        ValueError where the graph has an operation that runs first already; FailedPreconditionError for a variable
        without a value.
        """
        first = _first(sess.graph, main_op or legacy_init_op)
        super().add_meta_graph_and_variables(
            sess, tags, signature_def_map, assets_collection, clear_devices, first, None, strip_default_attrs, saver
        )

    def add_meta_graph(  # type: ignore[override]  # TensorFlow 1's arguments
        self,
        tags: Sequence[str],
        signature_def_map: Mapping[str, SignatureDef] | None = None,
        assets_collection: Any = None,
        legacy_init_op: Any = None,
        clear_devices: bool = False,
        main_op: Any = None,
        strip_default_attrs: bool = False,
        saver: Saver | None = None,
    ) -> None:
        """Take the default graph along, beside those with the values; AssertionError where there is none yet."""
        first = _first(get_default_graph(), main_op or legacy_init_op)
        super().add_meta_graph(tags, signature_def_map, assets_collection, clear_devices, first, None, saver)


def _first(graph: Any, op: Any) -> Any:
    """Return what runs first; ValueError where the graph has such an operation already."""
    for key in (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY) if op is not None else ():
        if graph.get_collection(key):
            raise ValueError(f"Graph already contains one or more main ops under the collection {key}.")
    return op


def _check(signatures: Mapping[str, SignatureDef] | None) -> None:
    """Raise AssertionError for a tensor without name or type, KeyError for a name that is not a program's."""
    for key, signature in (signatures or {}).items():
        for info in (*signature.inputs.values(), *signature.outputs.values()):
            for what, missing in (("name", info.WhichOneof("encoding") is None), ("dtype", not info.dtype)):
                if missing:
                    raise AssertionError(
                        f"All TensorInfo protos used in the SignatureDefs must have the {what} field set: {info}"
                    )
        if key in (constants.INIT_OP_SIGNATURE_KEY, constants.TRAIN_OP_SIGNATURE_KEY):
            raise KeyError(f"SignatureDef map key '{key}' is reserved for initialization and training operations.")


def simple_save(
    session: Session,
    export_dir: Any,
    inputs: Mapping[str, Any],
    outputs: Mapping[str, Any],
    legacy_init_op: Any = None,
) -> None:
    """Write a saved model of a session, for serving, with tensors by name. Source: ``tf.saved_model.simple_save``."""
    signature = predict_signature_def(inputs, outputs)
    builder = SavedModelBuilder(export_dir)
    key = signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    builder.add_meta_graph_and_variables(
        session, [tag_constants.SERVING], {key: signature}, legacy_init_op=legacy_init_op, clear_devices=True
    )
    builder.save()
