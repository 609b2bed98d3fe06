"""What a graph is in a file: its operations, branches, variables and collections as JSON has them (docs/graphs.md)."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Container, Iterable, Mapping
from typing import Any

from ..functions.graph_functions import NotForFilesError
from ..graph.graph import Graph
from ..graph.graph_def import NodeDef
from ..graph.node import Node, Operation, Tensor
from .collection_items import parts_in_file
from .graph_values import Writing
from .saved_variables import op_names
from .saver_def import SaverDef
from .saver_operations import OF_SAVER

__all__ = [
    "FLAGS",
    "FORMAT",
    "described_alone",
    "meta_graph_of",
    "names_in",
    "text_of",
    "write_text",
]

FORMAT = {"format": "steepest graph", "version": 2, "python": f"{sys.version_info[0]}.{sys.version_info[1]}"}
FLAGS = ("contextual", "writes", "differentiable")


def text_of(content: dict[str, Any]) -> str:
    """Return the text of the file."""
    return json.dumps(content, separators=(",", ":"))


def meta_graph_of(
    graph: Graph,
    saved: SaverDef | None,
    keys: Any = None,
    only: Container[str] | None = None,
    outside: Iterable[str] = (),
) -> dict[str, Any]:
    """Return a graph as JSON has it, or why it cannot be in a file, under ``"refused"``.

    Args:
        saved: what the saver saves, and its settings.
        keys: the collections that go along, by default all.
        only: the operations that go along. What cannot be in a file is then left out, with what depends on it, and
            named under ``"left out"``.
        outside: names that are there where the file is read.
    """
    content: dict[str, Any] = {**FORMAT}
    try:
        content.update(_described(graph, keys, only, set(outside)))
    except NotForFilesError as error:
        content["refused"] = str(error)
    if saved is not None and saved.variables:
        content["saver"] = op_names(saved.variables)
        content["settings"] = saved.settings()
    return content


def _described(graph: Graph, keys: Any, only: Container[str] | None, there: set[str]) -> dict[str, Any]:
    writing = Writing()
    operations = [op for op in graph.get_operations() if only is None or op.name in only]
    operations = [op for op in operations if OF_SAVER not in op._attributes]
    branches: dict[Any, int] = {None: -1}
    for op in operations:
        for branch in (op.branch, *op._attributes.get("branches", ())):
            branches.setdefault(branch, len(branches) - 1)
    left: dict[str, str] = {}
    if only is None:
        described = [_operation(writing, op, branches) for op in operations]
    else:
        tried = (_tried(writing, op, branches, there, left) for op in operations)
        described = [found for found in tried if found is not None]
    inside = [branch for branch in branches if branch is not None]
    ways = [_way(writing, branch, branches, left) for branch in inside]
    collections: dict[str, Any] = {}
    for key in graph.get_all_collection_keys() if keys is None else keys:
        items = [encoded for item in graph.get_collection(key) for encoded in _item(writing, item)]
        if only is not None:
            items = [encoded for encoded in items if names_in(encoded) <= there]
        if isinstance(key, str) and items:
            collections[key] = items
    found: dict[str, Any] = {"left out": left} if left else {}
    return {**found, "seed": graph.seed, "operations": described, "branches": ways, "collections": collections}


def described_alone(op: Operation) -> dict[str, Any]:
    """Return an operation as JSON has it, all that it holds included; NotForFilesError where it cannot be in a file."""
    branches = {None: -1, op.branch: 0} | dict.fromkeys(op._attributes.get("branches", ()), 0)
    return _operation(Writing(), op, branches)


def _way(writing: Writing, branch: Any, branches: Mapping[Any, int], left: Container[str]) -> list[Any]:
    parts = [*branch.effects, *(result for result in branch.results if isinstance(result, Tensor))]
    whole = all(part.op.name not in left for part in parts)
    results, effects = (branch.results, branch.effects) if whole else ([], [])
    return [branches.get(branch.outer, -1), *map(writing.encode, (results, branch.entries, effects))]


def _tried(
    writing: Writing, op: Operation, branches: Mapping[Any, int], there: set[str], left: dict[str, str]
) -> dict[str, Any] | None:
    """Return the description of an operation, None where it, or what it needs, cannot be in the file."""
    mark = writing.mark()
    try:
        found = _operation(writing, op, branches)
        missing = sorted(names_in(found) - there - {op.name} - _initial(found))
        broken = [b for b in op._attributes.get("branches", ()) if any(r.op.name in left for r in _tensors(b.results))]
        if missing or broken:
            raise NotForFilesError(f"it needs {missing[0]!r}" if missing else "a branch of it cannot")
    except NotForFilesError as error:
        writing.take_back(mark)
        left[op.name] = str(error)
        return None
    there.add(op.name)
    return found


def _tensors(results: Any) -> list[Tensor]:
    return [result for result in results if isinstance(result, Tensor)]


def _initial(found: Mapping[str, Any]) -> set[str]:
    """Return the name of a variable's initializer, which is made after it."""
    return {found["variable"][2]} if "variable" in found else set()


def names_in(encoded: Any) -> set[str]:
    """Return the names of the operations and variables that a description mentions."""
    names: set[str] = set()
    waiting = [encoded]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, dict):
            for kind, parts in value.items():
                if kind in ("operation", "variable") and isinstance(parts, str):
                    names.add(parts)
                elif kind == "variable":  # a variable's own description
                    names.add(parts[2])
                    waiting.append(parts)
                elif kind == "tensor":
                    names.add(parts[0])
                elif kind == "inputs":
                    names.update(name for name, _ in parts)
                elif kind == "control":
                    names.update(parts)
                elif kind == "update":
                    names.update(parts[1], (slot for _, _, slot in parts[2]))
                    waiting.append(parts)
                elif isinstance(parts, (dict, list)):
                    waiting.append(parts)
    return names


def _operation(writing: Writing, op: Operation, branches: Mapping[Any, int]) -> dict[str, Any]:
    attributes = dict(op._attributes)
    owner = attributes.pop("owner", None)
    attributes.pop("branches", None)
    found: dict[str, Any] = {"name": op.name, "type": op.type}
    try:
        found["outputs"] = [[t.dtype.name, None if t._shape is None else list(t._shape)] for t in op.outputs]
        found["inputs"] = [[t.op.name, t.value_index] for t in op.operands]
        found["control"] = [other.name for other in op.control_inputs]
        found["flags"] = [bool(getattr(op, flag)) for flag in FLAGS]
        found["rest"] = [op.rows_of, op.folded_calls, branches[op.branch]]
        found["branches"] = [branches[branch] for branch in op._attributes.get("branches", ())]
        # What reads a variable in a session is made anew.
        found["function"] = None if owner is not None else writing.encode(op.function)
        if op.definition is not None:
            messages = op.definition[1]
            found["definition"] = NodeDef(attr=messages).SerializeToString().hex()
            attributes = {name: value for name, value in attributes.items() if name not in messages}
        found["attributes"] = writing.encode(attributes)
        if owner is not None:
            found["variable"] = _variable(writing, owner)
    except NotForFilesError as error:
        raise NotForFilesError(f"{op.name!r} (type {op.type}): {error}") from None
    return found


def _variable(writing: Writing, owner: Any) -> list[Any]:
    writing._variable(owner)
    constraint = None if owner.constraint is None else writing.encode(owner.constraint)
    kinds = owner.synchronization.value, owner.aggregation.value
    return [bool(owner.trainable), writing.encode(owner.initial_value), owner.initializer.name, constraint, *kinds]


def _item(writing: Writing, item: Any) -> list[Any]:
    """Return an item of a collection as JSON has it, in a list; an empty list for what stays behind, as objects do."""
    saver, parts = getattr(item, "saver_def", None), parts_in_file(item)
    if saver is None and parts is None and not isinstance(item, (Node, Operation, bool, int, float, str, bytes)):
        return []
    try:
        if saver is not None:  # a Saver is the variables that it saves, by name
            return [{"saver": writing.encode(dict(saver.variables or {})), "settings": saver.settings()}]
        if parts is not None:
            return [{"item": writing.encode(list(parts))}]
        return [writing.encode(item.encode() if isinstance(item, str) else item)]  # bytes come back, as in TensorFlow
    except NotForFilesError:
        return []


def write_text(path: Any, text: str) -> None:
    """Write the file, whole or not at all."""
    path = os.fspath(path)
    temporary = f"{path}.{os.getpid()}.{threading.get_ident()}.part"  # threads of one process save at once
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
