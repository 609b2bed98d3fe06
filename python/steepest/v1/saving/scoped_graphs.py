"""A graph, or what is in one of its name scopes, as the content of a file; what it takes from outside has a name."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from typing import Any

from ..graph.graph import Graph
from .graph_writing import meta_graph_of, names_in, text_of, write_text
from .meta_graph_messages import MetaGraphDef
from .saver_def import SaverDef

__all__ = [
    "UNBOUND",
    "exported",
    "in_scope",
    "put_collection",
    "told",
    "with_names",
    "without_devices",
    "without_scope",
]

UNBOUND = "$unbound_inputs_"


def exported(
    graph: Graph,
    saved: SaverDef | None,
    keys: Any,
    filename: Any,
    scope: str | None = None,
    clear_devices: bool = False,
    content: dict[str, Any] | None = None,
    unbound: str | None = "unbound_inputs",
) -> MetaGraphDef:
    """Return a graph as it can be in a file, and write it where a name is given; ValueError where it cannot.

    Args:
        graph, saved, keys: as `meta_graph_of` takes them.
        filename: the file.
        scope: the name scope whose operations go along, by default all; it is taken off their names.
        clear_devices: forget where nodes were asked to run.
        content: what the file has of the graph, in which the scope is looked for; by default all.
        unbound: the collection with the names of what the operations of the scope take from outside.
    """
    whole = content is None and not scope and not clear_devices
    if scope:
        inside = {op.name for op in graph.get_operations() if in_scope(op.name, scope)}
        outputs = {op.name: op.outputs for op in graph.get_operations() if op.name not in inside}
        if content is None:
            content = meta_graph_of(graph, saved, keys, only=inside, outside=outputs)
        content, outside = _scoped(content, inside, {name: _kinds(each) for name, each in outputs.items()}, scope)
        if unbound is not None:
            graph.get_collection_ref(unbound)[:] = outside
            if outside and (keys is None or unbound in keys):
                content["collections"].update(meta_graph_of(graph, None, [unbound], only=())["collections"])
    elif content is None:
        content = meta_graph_of(graph, saved, keys)
    if (why := content.get("refused", next(iter(content.get("left out", {}).values()), None))) is not None:
        raise ValueError(f"export_meta_graph: the graph must be one that can be in a file: {why}")
    if clear_devices:
        content = without_devices(content)
    if filename is not None:
        write_text(filename, text_of(content))
    message = MetaGraphDef(content, (graph.get_operations(), graph) if whole else None)
    if saved is not None:
        message.saver_def = saved
    return message


def put_collection(message: MetaGraphDef, graph: Graph, key: Any, scope: str | None = None) -> None:
    """Put a collection of a graph into a message, where it can be in one."""
    found = exported(graph, None, [key], None, scope).collection_def
    if key in found:
        message.collection_def[key] = found[key]


def told(graph: Graph, saved: SaverDef | None = None) -> MetaGraphDef:
    """Return the message of a graph and its collections for who reads it only: it cannot be made again of this one."""
    content = meta_graph_of(graph, saved, only=(), outside=graph._operations)
    content.setdefault("collections", {})
    return MetaGraphDef(content, (graph.get_operations(), graph))


def without_devices(content: dict[str, Any]) -> dict[str, Any]:
    """Return a content whose nodes may run anywhere."""
    operations = []
    for entry in content["operations"]:
        kept = [pair for pair in entry["attributes"]["dict"] if pair[0] != "_device"]
        operations.append({**entry, "attributes": {"dict": kept}})
    return {**content, "operations": operations}


def in_scope(name: str, scope: str | None) -> bool:
    """Tell whether a name belongs to a scope: begins with it, as in TensorFlow."""
    return not scope or name.startswith(scope)


def without_scope(name: str, scope: str | None) -> str:
    """Return a name without a scope before it."""
    return re.sub(f"^{re.escape(scope.rstrip('/'))}/+", "", name) if scope else name


def _kinds(outputs: Any) -> list[list[Any]]:
    return [[tensor.dtype.name, tensor._shape] for tensor in outputs]


def _scoped(
    content: dict[str, Any], inside: set[str], outputs: Mapping[str, Any], scope: str
) -> tuple[dict[str, Any], list[str]]:
    """Return what is in a scope of a content, and the names of what it takes from outside, as they are in it."""
    taken: dict[str, Any] = {}

    def renamed(name: str) -> str:
        if name in inside:
            return without_scope(name, scope)
        taken.setdefault(name)
        return UNBOUND + name

    operations = []
    outside: dict[str, None] = {}
    for entry in content.get("operations", ()):
        if entry["name"] not in inside:
            continue
        for name, position in entry["inputs"]:
            if name not in inside:
                outside.setdefault(f"{UNBOUND}{name}:{position}" if position else UNBOUND + name)
        outside.update((f"^{UNBOUND}{name}", None) for name in entry["control"] if name not in inside)
        attributes = [_near(pair, scope) for pair in entry["attributes"]["dict"]]
        operations.append({**entry, "attributes": {"dict": attributes}})
    collections = {
        key: [each for each in items if names_in(each) <= inside]
        for key, items in content.get("collections", {}).items()
    }
    kept = {key: items for key, items in collections.items() if items}
    found = with_names({**content, "operations": operations, "collections": kept}, renamed)
    found["unbound"] = [{"name": UNBOUND + name, "type": "", "outputs": outputs[name]} for name in taken]
    if content.get("saver") is not None:
        found["saver"] = _saver(content["saver"], inside, scope)
    return found, list(outside)


def _saver(saver: Mapping[str, Any], inside: set[str], scope: str) -> dict[str, Any]:
    """Return what a saver saves of a scope, under the names in the checkpoint."""
    found: dict[str, Any] = {}
    for name, ops in saver.items():
        parts = [ops] if isinstance(ops, str) else ops
        if all(part in inside for part in parts):
            left = [without_scope(part, scope) for part in parts]
            found[without_scope(name, scope)] = left[0] if isinstance(ops, str) else left
    return found


def _near(pair: list[Any], scope: str) -> list[Any]:
    """Return an attribute of an operation; of what it is near to, what is in the scope, without the scope's name."""
    if pair[0] != "_class":
        return pair
    names = [base64.b64decode(each["bytes"]).decode().removeprefix("loc:@") for each in pair[1]]
    kept = [f"loc:@{without_scope(name, scope)}".encode() for name in names if in_scope(name, scope)]
    return ["_class", [{"bytes": base64.b64encode(each).decode()} for each in kept]]


def with_names(content: dict[str, Any], renamed: Callable[[str], str]) -> dict[str, Any]:
    """Return a content whose operations have other names, where all that mentions them does too."""
    return {
        **content,
        "operations": [
            {**_renamed(entry, renamed), "name": renamed(entry["name"])} for entry in content.get("operations", ())
        ],
        "branches": _renamed(content.get("branches", []), renamed),
        "collections": _renamed(content.get("collections", {}), renamed),
    }


def _renamed(encoded: Any, renamed: Any) -> Any:
    """Return a description with other names of operations and variables."""
    if isinstance(encoded, list):
        return [_renamed(each, renamed) for each in encoded]
    if not isinstance(encoded, dict):
        return encoded
    found: dict[str, Any] = {}
    for kind, parts in encoded.items():
        if kind in ("operation", "variable") and isinstance(parts, str):
            found[kind] = renamed(parts)
        elif kind == "variable":  # a variable's own description
            trainable, initial, initializer, constraint, *kinds = parts
            nodes = _renamed(initial, renamed), renamed(initializer), _renamed(constraint, renamed)
            found[kind] = [trainable, *nodes, *kinds]
        elif kind == "tensor":
            found[kind] = [renamed(parts[0]), parts[1]]
        elif kind == "inputs":
            found[kind] = [[renamed(name), position] for name, position in parts]
        elif kind == "control":
            found[kind] = [renamed(name) for name in parts]
        elif kind == "update":
            optimizer, names, slots, *settings = parts
            places = [[name, position, renamed(op)] for name, position, op in slots]
            found[kind] = [_renamed(optimizer, renamed), [renamed(name) for name in names], places, *settings]
        else:
            found[kind] = _renamed(parts, renamed)
    return found
