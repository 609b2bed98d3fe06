"""``tf.saved_model.save``: an object with its variables, functions and files, in a folder."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from ...base.errors import must
from ..functions.concrete_functions import ConcreteFunction
from ..functions.graph_functions import NotForFilesError
from ..functions.traced_functions import Function
from ..graph.graph import Graph
from ..graph.identity_dicts import ObjectIdentityDictionary
from ..graph.missing import namespace
from ..ops.creation_ops import placeholder, placeholder_with_default
from ..saving.checkpoint import write_objects
from ..saving.graph_writing import FORMAT, meta_graph_of, write_text
from ..saving.object_graphs import listed_objects, saved_graph
from ..saving.saver_def import SaverDef
from ..saving.trackable import VARIABLE_VALUE_KEY, TrackableReference, is_trackable
from ..variables.variables import Variable
from ..variables.variables_initializer import tables_initializer
from . import constants, tag_constants
from .assets import copied_files
from .exported_objects import Exported
from .options import SaveOptions
from .restored_objects import Restored
from .signature_constants import PREDICT_METHOD_NAME
from .signature_def_utils import SignatureDef, build_signature_def
from .signature_maps import SignatureFunction, SignatureMap, canonical_signatures
from .utils import build_tensor_info

__all__ = ["save", "save_and_return_nodes"]

__getattr__, __dir__ = namespace(__name__)


def save(obj: Any, export_dir: Any, signatures: Any = None, options: SaveOptions | None = None) -> None:
    """Write an object into a folder, from which ``load`` of TensorFlow 2 makes one like it, and a session its graph.

    What it depends on goes along: variables with their values, lists, dicts and other objects, files, tables, and
    `tf.function`s with the bodies that were made for their arguments. The folder has ``saved_model.json``
    (docs/graphs.md) and the values in ``variables/variables.safetensors``.

    Args:
        obj: a ``tf.Module``, or another object that a checkpoint can save.
        export_dir: the folder.
        signatures: a function of arguments of known types, or several by name: sessions and servers call these. By
            default the object's only function that has an ``input_signature``.
        options: see `SaveOptions`.

    Raises:
        ValueError: for an object that cannot be saved, for a signature that is no function of arguments of known types
            or gives what is no tensor, and for an object with an attribute ``signatures``. KeyError: for a function
            that takes a variable from outside which the object does not depend on; AssertionError where it is a
            signature.

    Source: ``tf.saved_model.save``.
    """
    save_and_return_nodes(obj, export_dir, signatures, options)


def save_and_return_nodes(
    obj: Any,
    export_dir: Any,
    signatures: Any = None,
    options: SaveOptions | None = None,
    experimental_skip_checkpoint: bool = False,
) -> tuple[list[Any], ObjectIdentityDictionary]:
    """Do what `save` does; return the objects that are saved, and how each is reached from the first one.

    With ``experimental_skip_checkpoint`` variables go along without their values.
    """
    options = options or SaveOptions()
    if not is_trackable(obj) or isinstance(obj, (Function, ConcreteFunction)):
        raise ValueError(
            "Expected an object of type `Trackable`, such as `tf.Module` or a subclass of the `Trackable` class, for "
            f"export. Got {obj} with type {type(obj)}."
        )
    folder = os.fsdecode(export_dir)
    exported = Exported(obj)
    chosen = _default_signature(obj, exported) if signatures is None else signatures
    exported.signatures = SignatureMap(canonical_signatures(chosen))
    _check_free(obj)
    objects = listed_objects(obj, (), exported.children)
    try:
        content: dict[str, Any] = {"nodes": exported.described(objects)}
    except NotForFilesError as error:
        raise ValueError(must("save", "obj", "hold what files of graphs can have", str(error))) from error
    content |= {"aliases": _aliases(options.function_aliases, exported, objects)}
    content |= {"functions": exported.functions, "constants": exported.constants}
    os.makedirs(os.path.join(folder, constants.VARIABLES_DIRECTORY), exist_ok=True)
    path = os.path.join(folder, constants.VARIABLES_DIRECTORY, constants.VARIABLES_FILENAME)
    if not experimental_skip_checkpoint:
        write_objects(obj, path, None, (), exported.children)
    saved = saved_graph(obj, (), exported.children)[0]
    paths = [node["path"] for node in content["nodes"] if node["kind"] == "asset"]
    names = copied_files(paths, folder)
    for node in content["nodes"]:
        if node["kind"] == "asset":
            node["path"] = names.pop(0)
    described = _graph_of(content, folder, saved)
    where = os.path.join(folder, constants.SAVED_MODEL_FILENAME)
    write_text(where, json.dumps({**FORMAT, "graphs": [described]}, separators=(",", ":")))
    return objects, _paths(objects, exported)


def _paths(objects: list[Any], exported: Exported) -> ObjectIdentityDictionary:
    """Return how each object is reached from the first one: a list of `TrackableReference`s."""
    paths = ObjectIdentityDictionary()
    paths[objects[0]] = []
    for each in objects:
        for name, child in exported.children(each):
            if child not in paths:
                paths[child] = [*paths[each], TrackableReference(name, child)]
    return paths


def _aliases(given: Mapping[str, Any], exported: Exported, objects: list[Any]) -> dict[str, list[Any]]:
    """Return which objects, or which functions, have other names. TypeError for what is no function."""
    numbers = {id(each): number for number, each in enumerate(objects)}
    found: dict[str, list[Any]] = {}
    for name, value in given.items():
        if id(value) in numbers:
            found[name] = ["object", numbers[id(value)]]
            continue
        several = value._list_all_concrete_functions() if isinstance(value, Function) else value
        functions = several if isinstance(several, (list, tuple)) else [several]
        if not all(isinstance(each, ConcreteFunction) for each in functions):
            raise TypeError(f"Unsupported type {type(value)} of the function alias {name!r}.")
        found[name] = ["functions", [exported.place_of(each) for each in functions]]
    return found


def _default_signature(obj: Any, exported: Exported) -> Any:
    """Return the object's signature where it has one, or its only function that has a signature, or None."""
    own = getattr(obj, "_default_save_signature", None)
    if own is not None:
        return own
    functions = exported.functions_of(obj).values()
    found = [each for each in functions if isinstance(each, Function) and each.input_signature is not None]
    return found[0] if len(found) == 1 and len(functions) == 1 else None


def _check_free(obj: Any) -> None:
    """Raise ValueError for an object with an attribute of the name that the signatures of a loaded object have."""
    children = obj._trackable_children(save_type="savedmodel") if hasattr(obj, "_trackable_children") else {}
    if "signatures" in children and not isinstance(children["signatures"], SignatureMap):
        raise ValueError(
            f"Exporting an object {obj} which has an attribute named 'signatures'. This is a reserved attribute used "
            "to store SavedModel signatures in objects which come from `tf.saved_model.load`. Delete this attribute "
            "(e.g. `del obj.signatures`) before saving if this shadowing is acceptable."
        )


def _graph_of(content: Mapping[str, Any], folder: str, saved: list[Any]) -> dict[str, Any]:
    """Return the graph of the signatures, for sessions, with the description of the objects."""
    with Graph().as_default() as graph:
        restored = Restored(content, folder, False, saved)
        root = restored.root()
        signatures = {name: _signature(name, each) for name, each in root.signatures.items()}
        first = tables_initializer()
        variables = {number: each for number, each in enumerate(restored.objects) if isinstance(each, Variable)}
        named = {saved[number].attributes[VARIABLE_VALUE_KEY][1]: each for number, each in variables.items()}
        described = meta_graph_of(graph, SaverDef(variables=named), only={op.name for op in graph.get_operations()})
    described["tags"] = [tag_constants.SERVING]
    described["signatures"] = {name: each.described() for name, each in signatures.items()}
    described |= {"first": first.name, "by_signature": True, "train": None, "assets": restored.assets}
    return {**described, "objects": content}


def _signature(key: str, function: SignatureFunction) -> SignatureDef:
    specs, defaults = function._form.named, function._defaults
    word = "".join(each if each.isalnum() or each in "_.\\-/" else "_" for each in key)
    given = {
        name: placeholder_with_default(defaults[name], spec.shape, name=f"{word}_{name}")
        if name in defaults
        else placeholder(spec.dtype, spec.shape, name=f"{word}_{name}")
        for name, spec in specs.items()
    }
    results = function(**given)
    inputs, outputs = ({name: build_tensor_info(each) for name, each in side.items()} for side in (given, results))
    return build_signature_def(inputs, outputs, PREDICT_METHOD_NAME, defaults)
