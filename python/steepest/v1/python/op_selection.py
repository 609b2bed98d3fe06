"""TensorFlow's ``op_selector``: operations and tensors of a graph, chosen by what they take and who takes them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any

from ..graph.graph import Graph
from ..graph.node import Node, Operation
from ..saving.graph_lifting import UnliftableError

__all__ = [
    "UnliftableError",
    "check_graphs",
    "concatenate_unique",
    "get_backward_walk_ops",
    "get_consuming_ops",
    "get_generating_ops",
    "get_tensors",
    "get_unique_graph",
    "graph_inputs",
    "is_differentiable",
    "is_iterable",
    "make_list_of_op",
    "make_list_of_t",
]


def is_differentiable(op: Operation) -> bool:
    """Tell whether gradients flow through an operation."""
    return op.differentiable


def is_iterable(obj: Any) -> bool:
    """Tell whether an object can be gone through, as lists can; tensors cannot."""
    return isinstance(obj, Iterable) and not isinstance(obj, Node)


def concatenate_unique(la: list[Any], lb: Iterable[Any]) -> list[Any]:
    """Append to a list what it does not have yet, and return it."""
    la.extend(each for each in dict.fromkeys(lb) if each not in set(la))
    return la


def get_tensors(graph: Graph) -> list[Any]:
    """Return all tensors of a graph. Raises TypeError for what is no graph."""
    if not isinstance(graph, Graph):
        raise TypeError(f"Expected a graph, got: {type(graph)}")
    return [tensor for op in graph.get_operations() for tensor in op.outputs]


def _check_types(given: Sequence[Any], kinds: Any) -> None:
    several = kinds if isinstance(kinds, tuple) else (kinds,)
    for each in given:
        if not isinstance(each, several):
            raise TypeError(f"Expected a type in {several}, got: {type(each)}")


def get_unique_graph(tops: Any, check_types: Any = None, none_if_empty: bool = False) -> Any:
    """Return the graph of operations and tensors.

    Raises TypeError for what is neither, ValueError for none, or for those of several graphs.
    """
    if isinstance(tops, Graph):
        return tops
    given = list(tops) if is_iterable(tops) else [tops]
    _check_types(given, check_types or (Operation, Node))
    graphs: dict[Any, Any] = {}
    for each in given:
        graphs.setdefault(each.graph._graph_key, each.graph)
    if len(graphs) > 1:
        raise ValueError(f"Operation {given[-1]} does not belong to given graph: they are of {len(graphs)} graphs")
    if not graphs and not none_if_empty:
        raise ValueError("Can't find the unique graph of an empty list")
    return next(iter(graphs.values()), None)


def check_graphs(*args: Any) -> None:
    """Raise ValueError for things of several graphs."""
    graphs = [each.graph for each in args]
    for place, graph in enumerate(graphs):
        if graph is not graphs[0]:
            raise ValueError(f"args[{place}] does not belong to the same graph as other arguments.")


def _listed(
    given: Any, own: Callable[[Graph], list[Any]], kind: type, check_graph: bool, allow: bool, skip: Any
) -> Any:
    if isinstance(given, Graph):
        if not allow:
            raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
        return own(given)
    found = list(given) if is_iterable(given) else [given]
    if not found:
        return []
    if check_graph:
        get_unique_graph(found, None if skip else kind)
    return [each for each in found if not skip or not isinstance(each, skip)]


def make_list_of_op(tops: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ts: bool = False) -> Any:
    """Return operations as a list: of a graph all, of one a list; tensors are left out, or are a TypeError."""
    return _listed(tops, Graph.get_operations, Operation, check_graph, allow_graph, Node if ignore_ts else None)


def make_list_of_t(ts: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ops: bool = False) -> Any:
    """Return tensors as a list: of a graph all, of one a list; operations are left out, or are a TypeError."""
    return _listed(ts, get_tensors, Node, check_graph, allow_graph, Operation if ignore_ops else None)


def get_generating_ops(ts: Any) -> list[Operation]:
    """Return the operations whose results tensors are."""
    return [tensor.op for tensor in make_list_of_t(ts, allow_graph=False)]


def get_consuming_ops(ts: Any) -> list[Operation]:
    """Return the operations that take tensors, each once."""
    tensors = make_list_of_t(ts, allow_graph=False)
    return list(dict.fromkeys(op for tensor in tensors for op in tensor.consumers()))


def _before(op: Operation, control_inputs: bool) -> Iterator[Any]:
    for tensor in op.inputs:
        yield tensor.op, tensor
    for other in op.control_inputs if control_inputs else ():
        yield other, None


def get_backward_walk_ops(
    seed_ops: Any,
    inclusive: bool = True,
    within_ops: Any = None,
    within_ops_fn: Callable[[Operation], Any] | None = None,
    stop_at_ts: Any = (),
    control_inputs: bool = False,
    only_differentiable: bool = False,
) -> list[Operation]:
    """Return the operations that some are computed from, the nearest first.

    Args:
        seed_ops: operations, or tensors, in whose place those are whose results they are.
        inclusive: whether the first ones are among them.
        within_ops, within_ops_fn: those that may be among them.
        stop_at_ts: tensors behind which none is.
        control_inputs: whether what is waited for counts.
        only_differentiable: whether those are left out through which no gradient flows.

    Source: ``tensorflow/python/ops/op_selector.py``.
    """
    given = list(seed_ops) if is_iterable(seed_ops) else [seed_ops]
    seeds = get_generating_ops(given) if given and isinstance(given[0], Node) else make_list_of_op(given, False, False)
    ends = {id(tensor._tensor()) for tensor in make_list_of_t(stop_at_ts)}
    allowed: Container[Operation] | None = (
        None if within_ops is None else set(make_list_of_op(within_ops, False, False))
    )

    def is_within(op: Operation) -> bool:
        inside = (allowed is None or op in allowed) and (within_ops_fn is None or bool(within_ops_fn(op)))
        return inside and (not only_differentiable or is_differentiable(op))

    found: dict[Operation, None] = {}
    wave = [op for op in seeds if is_within(op)]
    while wave:
        found.update(dict.fromkeys(wave))
        near = [other for op in wave for other, tensor in _before(op, control_inputs) if id(tensor) not in ends]
        wave = [op for op in dict.fromkeys(near) if op not in found and is_within(op)]
    return [op for op in found if inclusive or op not in set(seeds)]


def graph_inputs(op: Operation) -> list[Operation]:
    """Return the operations whose results an operation takes, and those that it waits for."""
    return [*(tensor.op for tensor in op.inputs), *op.control_inputs]
