"""What a graph is in a file: its operations, branches, variables and collections as JSON has them (docs/graphs.md)."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from ..graph.graph import Graph
from ..graph.node import Node, Operation
from .graph_functions import NotForFilesError
from .graph_values import Writing
from .variables import Variable

__all__ = ["FLAGS", "FORMAT", "MetaGraph", "meta_graph_of", "text_of", "write_text"]

FORMAT = {"format": "steepest graph", "version": 1, "python": f"{sys.version_info[0]}.{sys.version_info[1]}"}
FLAGS = ("contextual", "writes", "differentiable")


class MetaGraph:
    """A graph as it is in a file. Source: ``MetaGraphDef``."""

    def __init__(self, content: dict[str, Any]) -> None:
        self._content = content

    def SerializeToString(self) -> bytes:
        """Return the bytes of the file."""
        return text_of(self._content).encode()


def text_of(content: dict[str, Any]) -> str:
    """Return the text of the file."""
    return json.dumps(content, separators=(",", ":"))


def meta_graph_of(graph: Graph, saved: Mapping[str, Variable] | None, keys: Any = None) -> dict[str, Any]:
    """Return a graph as JSON has it, or why it cannot be in a file, under ``"refused"``.

    ``saved``: what the saver saves, by the names in the checkpoint.
    """
    content: dict[str, Any] = {**FORMAT}
    try:
        content.update(_described(graph, keys))
    except NotForFilesError as error:
        content["refused"] = str(error)
    if saved is not None:
        content["saver"] = {name: variable.op.name for name, variable in saved.items()}
    return content


def _described(graph: Graph, keys: Any) -> dict[str, Any]:
    writing = Writing()
    operations = graph.get_operations()
    branches: dict[Any, int] = {None: -1}
    for op in operations:
        for branch in (op.branch, *op._attributes.get("branches", ())):
            branches.setdefault(branch, len(branches) - 1)
    described = [_operation(writing, op, branches) for op in operations]
    inside = [branch for branch in branches if branch is not None]
    ways = [
        [branches.get(branch.outer, -1), writing.encode(branch.results), writing.encode(branch.entries)]
        for branch in inside
    ]
    collections: dict[str, Any] = {}
    for key in graph.get_all_collection_keys() if keys is None else keys:
        items = [encoded for item in graph.get_collection(key) for encoded in _item(writing, item)]
        if isinstance(key, str) and items:
            collections[key] = items
    return {"seed": graph.seed, "operations": described, "branches": ways, "collections": collections}


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
        found["attributes"] = writing.encode(attributes)
        if owner is not None:
            found["variable"] = _variable(writing, owner)
    except NotForFilesError as error:
        raise NotForFilesError(f"{op.name!r} (type {op.type}): {error}") from None
    return found


def _variable(writing: Writing, owner: Any) -> list[Any]:
    writing._variable(owner)
    constraint = None if owner.constraint is None else writing.encode(owner.constraint)
    return [bool(owner.trainable), writing.encode(owner.initial_value), owner.initializer.name, constraint]


def _item(writing: Writing, item: Any) -> list[Any]:
    """Return an item of a collection as JSON has it, in a list; an empty list for what stays behind, as objects do."""
    if not isinstance(item, (Node, Operation, bool, int, float, str, bytes)):
        return []
    try:
        return [writing.encode(item.encode() if isinstance(item, str) else item)]  # bytes come back, as in TensorFlow
    except NotForFilesError:
        return []


def write_text(path: Any, text: str) -> None:
    """Write the file, whole or not at all."""
    path = os.fspath(path)
    temporary = f"{path}.{os.getpid()}.part"
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
