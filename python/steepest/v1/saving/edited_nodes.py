"""Messages of graphs from which nodes were taken, or whose nodes have other names, places or dependencies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.errors import must
from ..graph.devices import canonical_name
from ..graph.graph_def import GraphDef, NodeDef
from .graph_values import Writing
from .scoped_graphs import with_names

__all__ = ["as_edited"]


def as_edited(graph_def: GraphDef, content: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a message as the message is now.

    Nodes may be missing, have other names, devices and control dependencies, and take values of the same type and
    static shape from elsewhere; of attributes those may change whose names begin with ``_``, and a placeholder's shape.
    Raises ValueError for other changes, since the nodes' functions were made for what they were; for a name of two
    nodes, and for inputs that are no nodes of the message.
    """
    made = _as_made(graph_def, {entry["name"] for entry in content.get("unbound", ())})
    now = {before.name: name for name, before in made.items()}
    nodes = {before.name: node for node, before in zip(graph_def.node, made.values(), strict=True)}
    results = {entry["name"]: entry["outputs"] for entry in content["operations"]}
    operations = []
    for entry in content["operations"]:
        if (node := nodes.get(entry["name"])) is not None:
            before = made[node.name]
            if node.input != [_named(source, now) for source in before.input]:
                entry = _with_inputs(entry, node, made, results)
            operations.append(_put(entry, node))
    content = {**content, "operations": operations}
    if any(before != name for before, name in now.items()):
        content = with_names(content, lambda name: now.get(name, name))
    return content


def _as_made(graph_def: GraphDef, outside: set[str]) -> dict[str, NodeDef]:
    """Return the nodes of a message as they were, by the names that they have now; raises as `as_edited` does.

    ``outside``: what they may take from elsewhere.
    """
    made: dict[str, NodeDef] = {}
    for node in graph_def.node:
        if node.name in made:
            raise ValueError(f"Node '{node.name}' is not unique")
        before = node.as_made()
        if before is None or before.op != node.op:
            raise _refused(node, "type" if before is not None else "origin")
        made[node.name] = before
    for node in graph_def.node:
        for source in node.input:
            if (name := _place(source)[1]) not in made and name not in outside:
                raise ValueError(f"Node '{node.name}': Unknown input node '{source}'")
    return made


def _with_inputs(
    entry: dict[str, Any], node: NodeDef, made: Mapping[str, NodeDef], results: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the entry of a node that takes other values, and waits for other nodes, by the names that these had."""
    places = [(mark, made[name].name if name in made else name, k) for mark, name, k in map(_place, node.input)]
    inputs: list[Any] = [[name, k] for mark, name, k in places if not mark]
    fits = len(inputs) == len(entry["inputs"]) and all(
        old == new or results.get(old[0], [])[old[1] :][:1] == results.get(new[0], [None])[new[1] :][:1]
        for old, new in zip(entry["inputs"], inputs, strict=True)
    )
    if not fits:
        raise _refused(node, "number, type or shape of inputs")
    return {**entry, "inputs": inputs, "control": [name for mark, name, _ in places if mark]}


def _named(source: str, now: Mapping[str, str]) -> str:
    """Return an input with the name that its node has now."""
    mark, name, k = _place(source)
    return f"{mark}{now.get(name, name)}{f':{k}' if k else ''}"


def _place(source: str) -> tuple[str, str, int]:
    """Return ``"^"`` for an input that is only waited for, its node's name, and the number of the node's result."""
    mark = "^" if source.startswith("^") else ""
    name, _, position = source.removeprefix("^").partition(":")
    return mark, name, int(position or 0)


def _refused(node: NodeDef, what: str) -> ValueError:
    remedy = "use input_map, or change the graph before as_graph_def"
    got = f"node {node.name!r} with another {what}"
    return ValueError(must("import_graph_def", "graph_def", "have nodes as they were made", got, remedy))


def _put(entry: dict[str, Any], node: NodeDef) -> dict[str, Any]:
    changed: dict[str, Any] = {"_device": canonical_name(node.device) or None}
    if node.attributes_changed:
        made = node.as_made()
        assert made is not None
        for name in dict.fromkeys([*made.attr, *node.attr]):
            if name == "_output_shapes" or made.attr.get(name) == node.attr.get(name):
                continue
            if name == "shape" and node.op.startswith("Placeholder") and name in node.attr:
                shape = node.attr[name].shape
                entry = {**entry, "outputs": [[entry["outputs"][0][0], None if shape.unknown_rank else list(shape)]]}
            elif name.startswith("_"):
                given = node.attr.get(name)
                changed[name] = given and (list(given.list.s) if given.HasField("list") else given.content)
            elif name in node.attr:
                remedy = "change the graph before as_graph_def"
                raise ValueError(
                    must("import_graph_def", f"{node.name}.attr[{name!r}]", "be as it was", "another", remedy)
                )
    attributes = [pair for pair in entry["attributes"]["dict"] if pair[0] not in changed]
    added = [[name, Writing().encode(value)] for name, value in changed.items() if value is not None]
    return {**entry, "attributes": {"dict": [*attributes, *added]}}
