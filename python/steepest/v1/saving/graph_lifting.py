"""``lift_to_graph``: operations of one graph, made again in another one, with what they are computed from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..functions.function_graphs import FunctionGraph
from ..graph.graph import Graph
from ..graph.node import Node, Operation, Tensor
from ..graph.walks import needs_of, reached
from .graph_making import made_from
from .graph_writing import meta_graph_of
from .input_maps import Instead

__all__ = ["UnliftableError", "lift_to_graph"]


class UnliftableError(Exception):
    """What is to be lifted needs something that has no value outside of its graph."""


def lift_to_graph(
    tensors: Sequence[Any],
    graph: Graph,
    sources: Sequence[Any] | None = None,
    disallowed_placeholders: Any = None,
    add_sources: bool = False,
    handle_captures: bool = False,
    base_graph: Graph | None = None,
    op_map: dict[Any, Any] | None = None,
) -> dict[Any, Any]:
    """Make tensors and operations again in a graph, with all that they need; return the new ones by the old ones.

    Args:
        tensors: nodes and operations of one graph.
        graph: where they are made.
        sources: tensors that the result need not be computed from: placeholders stand for them, or, with
            ``add_sources``, they are what they were.
        disallowed_placeholders: operations that may not be among what is needed.
        handle_captures: what a function takes from outside is taken from there by the new graph, too.
        base_graph: the graph that they are from.
        op_map: what is there already, by the old ones.

    Raises UnliftableError for what needs a disallowed placeholder, or one that is no source.

    Source: ``tensorflow/python/eager/lift_to_graph.py``.
    """
    wanted = [each if isinstance(each, (Operation, Node)) else each.op for each in tensors]
    base: Any = base_graph or wanted[0].graph
    ends = {each.op for each in sources or ()}
    known = dict(op_map or {})
    captures = _captures(base) if handle_captures else {}
    needed = reached(
        [each if isinstance(each, Operation) else each.op for each in wanted],
        lambda op: [] if op in ends or op in captures else needs_of(op),
    )
    for op in needed:
        refused = op in (disallowed_placeholders or ()) or (op.type == "Placeholder" and not add_sources)
        if refused and op not in ends and op not in captures:
            raise UnliftableError(
                f"Unable to lift tensor {wanted[0]!r} because it depends transitively on placeholder {op!r} via at "
                "least one path"
            )
    given = {}
    with graph.as_default():
        for op, value in captures.items():
            if op in needed:
                given[op.outputs[0]] = graph.capture(value)._tensor()  # type: ignore[attr-defined]  # of a function
    given.update({old: new for old, new in known.items() if isinstance(old, Tensor)})
    instead = Instead()
    instead.tensors.update({(old.op.name, old.value_index): new for old, new in given.items()})
    names = {op.name for op in needed if not all(output in given for output in op.outputs) or not op.outputs}
    content = meta_graph_of(base, None, (), names, outside={old.op.name for old in given})
    for entry in content["operations"]:
        entry.get("attributes", {}).pop("_class", None)
    with graph.as_default():
        made, _ = made_from(graph, content, instead=instead, apart=True)
    known.update(given)
    for op in needed:
        if op.name in made:
            known[op] = made[op.name]
            known.update(zip(op.outputs, made[op.name].outputs, strict=True))
    return known


def _captures(graph: Any) -> dict[Operation, Any]:
    """Return what a function's graph takes from outside, by the operations that stand for it."""
    return {node.op: value for value, node in graph._captures.values()} if isinstance(graph, FunctionGraph) else {}
