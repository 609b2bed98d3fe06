"""``tf.saved_model.load`` of TensorFlow 2: an object like the one that was saved."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from ..graph.missing import namespace
from ..graph.scopes import init_scope
from ..saving.trackable import children_of
from ..variables.variables import Variable
from ..version import GIT_VERSION, VERSION
from . import graph_models
from .loader import parse_saved_model
from .options import LoadOptions
from .restored_objects import Restored

__all__ = ["load", "load_partial", "load_v2"]

__getattr__, __dir__ = namespace(__name__)


def load(export_dir: Any, tags: Any = None, options: LoadOptions | None = None) -> Any:
    """Return an object like the one that ``save`` wrote: its attributes are variables, functions and other objects.

    In graph mode its variables get the values of the model when their initializers run. ``signatures`` has functions
    by the names of signatures: they take tensors by name, and give tensors by name.

    Args:
        export_dir: the folder.
        tags: what the graph was told by, if anything.
        options: see `LoadOptions`.

    A model of a graph is what `graph_models.load` makes of it.

    Raises:
        OSError: where there is no saved model. ValueError: for one of other tags or of another version.

    Source: ``tf.saved_model.load``.
    """
    if _is_of_graphs(export_dir):
        skips = options is not None and options.experimental_skip_checkpoint
        return _told(graph_models.load(export_dir, tags, skips), {})
    made, restored = _loaded(export_dir, None, tags, options)
    told: dict[str, Any] = {}
    if options is not None and options.experimental_load_function_aliases:
        if hasattr(made["root"], "function_aliases"):
            raise ValueError(
                "Could not load with experimental_load_function_aliases option because the top-level object already "
                "has an attribute with name 'function_aliases'."
            )
        told["function_aliases"] = restored.aliases()
    return _told(made["root"], told)


def _told(root: Any, told: Mapping[str, Any]) -> Any:
    """Return an object with attributes that tell of the model."""
    if hasattr(root, "__dict__"):
        versions = {"tensorflow_version": VERSION, "tensorflow_git_version": GIT_VERSION}
        for name, value in {**versions, **told}.items():
            object.__setattr__(root, name, value)
    return root


def _is_of_graphs(export_dir: Any) -> bool:
    graphs = [each.content() or {} for each in parse_saved_model(export_dir).meta_graphs]
    return len(graphs) != 1 or "objects" not in graphs[0]


load_v2 = load  # its name beside that of TensorFlow 1


def load_partial(export_dir: Any, filters: Any, tags: Any = None, options: LoadOptions | None = None) -> dict[str, Any]:
    """Return objects of a saved model by their paths from the first one, which is ``root``.

    Args:
        export_dir, tags, options: as for `load`.
        filters: the paths, as ``root.layer.kernel``, or objects by paths that stand for those of the model; None for
            the first object.

    Raises what `load` does, but NotImplementedError for a model of a graph; ValueError for functions that need other
    objects than those of the paths, and AssertionError for an object that is given and has variables of which the model
    knows nothing, unless the options allow it.
    """
    if _is_of_graphs(export_dir):
        raise NotImplementedError("Partial loading is not supported for V1 SavedModels.")
    return _loaded(export_dir, filters, tags, options)[0]


def _loaded(export_dir: Any, filters: Any, tags: Any, options: LoadOptions | None) -> tuple[dict[str, Any], Restored]:
    options = options or LoadOptions()
    folder = os.fsdecode(export_dir)
    content = _content(folder, tags)
    numbers = _numbers(content["nodes"], ["root"] if filters is None else filters)
    given = {numbers[path]: each for path, each in filters.items()} if isinstance(filters, Mapping) else {}
    _check_whole(content, numbers.values())
    with init_scope():
        restored = Restored(content, folder, not options.experimental_skip_checkpoint, None, given)
        restored.root()
    if not options.allow_partial_checkpoint:
        _check_bound(content["nodes"], given)
    return {path: restored.objects[number] for path, number in numbers.items()}, restored


def _check_whole(content: Mapping[str, Any], numbers: Iterable[int]) -> None:
    """Raise ValueError where functions of some objects need others, which these do not depend on."""
    nodes, known, waiting = content["nodes"], set(numbers), list(numbers)
    while waiting:
        found = [each for each in nodes[waiting.pop()]["children"].values() if each not in known]
        known.update(found)
        waiting += found
    places = [place for number in known for place in _places(nodes[number])]
    needed = [held[1] for place in places for _, held in content["functions"][place]["captures"] if held[0] == "object"]
    if missing := sorted(set(needed) - known):
        raise ValueError(
            "Error when processing dictionary values passed to nodes_to_load: the object filter does not include all "
            f"required objects for loading: the functions need the objects of the numbers {missing}."
        )


def _places(node: Mapping[str, Any]) -> list[int]:
    return list(node.get("concretes", [node["place"]] if "place" in node else []))


def _check_bound(nodes: list[dict[str, Any]], given: Mapping[int, Any]) -> None:
    """Raise AssertionError for an object that is given and has variables of which the model has none."""
    for number, each in given.items():
        names = [name for name, value in children_of(each) if name not in nodes[number]["children"] and _holds(value)]
        if names:
            raise AssertionError(
                "Some Python objects were not bound to checkpointed values, likely due to changes in the Python "
                f"program: {names}"
            )


def _holds(value: Any) -> bool:
    return isinstance(value, Variable) or any(_holds(each) for _, each in children_of(value))


def _content(folder: str, tags: Any) -> Mapping[str, Any]:
    graphs = [each.content() or {} for each in parse_saved_model(folder).meta_graphs]
    if tags is not None:
        wanted = {tags} if isinstance(tags, str) else set(tags)
        there = [each["tags"] for each in graphs]
        if not any(wanted == set(each) for each in there):
            raise ValueError(
                f"Got an incompatible argument to `tags`: {tags}. The SavedModel at {folder} has one MetaGraph with "
                f"tags {there[0]}. The argument may be omitted, 'None', or a set containing only those tags."
            )
    found: Mapping[str, Any] = graphs[0]["objects"]
    return found


def _numbers(nodes: list[dict[str, Any]], paths: Iterable[str]) -> dict[str, int]:
    """Return the numbers of objects by their paths. ValueError for a path that there is not."""
    numbers: dict[str, int] = {}
    for path in paths:
        first, *names = path.split(".")
        number = 0 if first == "root" else None
        for name in names:
            number = None if number is None else nodes[number]["children"].get(name)
        if number is None:
            raise ValueError(f"The object {path} is not in the SavedModel: paths are like 'root.layer.kernel'.")
        numbers[path] = number
    return numbers
