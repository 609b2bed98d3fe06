"""``framework.subscribe``: operations that run whenever a tensor is computed, added to a graph that is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..graph.graph import Graph
from ..graph.node import Node, Operation, Tensor
from ..ops.array_ops import identity
from ..variables.variables import Variable

__all__ = ["_is_subscribed_identity", "subscribe"]

_SUBSCRIBED = re.compile(r"(.*?)/subscription/Identity[^/]+")


def subscribe(tensors: Any, side_effects: Any) -> Any:
    """Return tensors, single or in a nest, whose values are there once the side effects are done.

    What takes a tensor or waits for its operation does so for the returned one from then on.

    Args:
        tensors: a tensor, a variable, or lists, tuples and dicts of them.
        side_effects: a function, or several, that return operations or tensors for a tensor.

    Raises:
        TypeError: for something else among the tensors.
    """
    functions = list(side_effects) if hasattr(side_effects, "__iter__") else [side_effects]
    waiting: dict[Operation, list[Operation]] = {}  # found once: several results of an operation are subscribed
    return _each(tensors, lambda tensor: _placed(tensor, functions, waiting))


def _each(tensors: Any, function: Callable[[Tensor], Tensor]) -> Any:
    if isinstance(tensors, Variable):
        return function(tensors._tensor())
    if isinstance(tensors, Tensor):
        return function(tensors)
    if isinstance(tensors, (list, tuple)):
        parts = [_each(part, function) for part in tensors]
        return type(tensors)(*parts) if hasattr(tensors, "_fields") else type(tensors)(parts)
    if isinstance(tensors, dict):
        return {key: _each(part, function) for key, part in tensors.items()}
    raise TypeError(f"_recursive_apply argument {tensors!r} has invalid type {type(tensors)!r}")


def _is_subscribed_identity(tensor: Node) -> bool:
    """Tell whether a tensor is one that `subscribe` returned."""
    found = _SUBSCRIBED.match(tensor.name)
    return tensor.op.type == "Identity" and found is not None and found[1] == tensor.op.inputs[0].op.name


def _placed(tensor: Tensor, functions: list[Any], waiting: dict[Operation, list[Operation]]) -> Tensor:
    """Return the subscribed tensor; what is made is in the branch and at the device of the tensor."""
    if not tensor.dtype.is_numpy_compatible:
        return tensor
    with tensor.graph.device(tensor.device), _in_branch_of(tensor.op):
        if _is_subscribed_identity(tensor):
            return _extended(tensor, functions)
        for op in tensor.consumers():
            if op.outputs and _is_subscribed_identity(op.outputs[0]):
                return _extended(op.outputs[0], functions)
        return _subscribed(tensor, functions, waiting)


@contextmanager
def _in_branch_of(op: Operation) -> Iterator[None]:
    context = op.graph._context
    outside, context.branch = context.branch, op.branch
    try:
        yield
    finally:
        context.branch = outside


def _effects(tensor: Tensor, functions: list[Any]) -> list[Any]:
    return [effect for function in functions for effect in function(tensor)]


def _extended(subscribed: Tensor, functions: list[Any]) -> Tensor:
    (source,) = subscribed.op.inputs
    with subscribed.graph.name_scope(f"{source.op.name}/subscription/"):
        effects = _effects(source, functions)
    subscribed.op._add_control_inputs([effect.op for effect in effects])
    return subscribed


def _subscribed(tensor: Tensor, functions: list[Any], waiting: dict[Operation, list[Operation]]) -> Tensor:
    graph: Graph = tensor.graph
    taking = [(op, place) for op in tensor.consumers() for place, each in _taken(op) if each is tensor]
    waiters = waiting.setdefault(tensor.op, tensor.op._control_outputs)
    with graph.name_scope(f"{tensor.op.name}/subscription/"):
        effects = _effects(tensor, functions)
        with graph.control_dependencies(effects):
            made: Tensor = identity(tensor)
    for op, place in dict.fromkeys(taking):
        op._update_input(place, made)
    if tensor.op.branch is not None:
        results = tensor.op.branch.results
        results[:] = [made if result is tensor else result for result in results]
    for op in waiters:
        kept = [each for each in op.control_inputs if each is not tensor.op]
        op._remove_all_control_inputs()
        op._add_control_inputs([*kept, made.op])
    return made


def _taken(op: Operation) -> list[tuple[int, Tensor]]:
    """Return the places and the tensors of an operation's inputs, but not the variable that it assigns to."""
    own = len(op.inputs) - len(op.operands)
    return list(enumerate(op.inputs))[own:]
