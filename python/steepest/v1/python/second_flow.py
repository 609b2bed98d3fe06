"""``ops.cond_v2`` and ``ops.while_v2``: conditions and loops that keep the structures of their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..functions.function_bodies import awaiting
from ..graph.attr_values import AttrValue
from ..graph.branches import Branch, branches_of, function_names
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor
from ..ops.array_ops import identity, squeeze
from ..ops.control_flow_case import switch_case
from ..ops.control_flow_ops import choice, cond
from ..ops.function_flow_ops import as_one_operation
from ..ops.loop_ops import leaves, loop_of, rebuilt
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["cond_v2", "fast_cond_v2", "get_func_graphs", "indexed_case", "while_loop"]


def cond_v2(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any], name: str | None = "cond") -> Any:
    """Return what `tf.cond` returns, a list or tuple of one as that. ``pred`` may be an array of one.

    Source: ``cond_v2.cond_v2``.
    """
    truth = pred if isinstance(pred, bool) else _one(pred)
    if executing_eagerly() or isinstance(pred, bool) or not callable(true_fn) or not callable(false_fn):
        return cond(truth, true_fn, false_fn, strict=True, name=name)
    return _after_what_is_named(lambda: choice(truth, true_fn, false_fn, True, name or "cond", second=True))


def fast_cond_v2(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any], name: str | None = None) -> Any:
    """Return what `cond_v2` does, but the results of the operation itself.

    Source: ``cond_v2.fast_cond_v2``.
    """
    results = cond_v2(pred, true_fn, false_fn, name)
    if executing_eagerly():
        return results
    found = [leaf.op.inputs[0] for leaf in leaves(results)]
    for op in {tensor.op for tensor in found}:
        op._set_attr("_lower_using_switch_merge", AttrValue(b=False))
    return rebuilt(results, found)


def indexed_case(
    branch_index: Any,
    branch_fns: Sequence[Callable[[], Any]],
    name: str = "indexed_case",
    lower_using_switch_merge: Any = None,
) -> Any:
    """Return what the function at a position returns, at any other position what the last one does.

    Source: ``cond_v2.indexed_case``.
    """
    del lower_using_switch_merge
    functions = list(branch_fns)
    if executing_eagerly():
        return switch_case(branch_index, functions)
    packed: list[Any] = []

    def parts() -> Any:
        packed.append(switch_case(branch_index, functions, name="branches"))
        return leaves(packed[0])

    def made() -> Any:
        chosen = as_one_operation("Case", name, parts)
        with get_default_graph().name_scope(f"{chosen[0].op.name}/"):
            return rebuilt(packed[0], [identity(each) for each in chosen])

    return _after_what_is_named(made)


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    maximum_iterations: Any = None,
    name: str | None = None,
    return_same_structure: bool = True,
    back_prop: bool = True,
) -> Any:
    """Return what `tf.while_loop` returns, a list or tuple of one as that, or as its tensor if so asked.

    What ``cond`` returns may be an array of one. Source: ``while_v2.while_loop``.
    """

    def goes_on(*values: Any) -> Any:
        return _one(cond(*values))

    def looped() -> Any:
        return loop_of(
            goes_on, body, loop_vars, shape_invariants, parallel_iterations, back_prop, name, maximum_iterations, True
        )

    results = _after_what_is_named(looped)
    parts = leaves(results)
    if len(parts) == 1 and not return_same_structure:
        return parts[0]
    return list(results) if isinstance(loop_vars, list) else results


class BranchGraph:
    """What a branch of an operation is made of: its operations are in the graph of the operation, as all are here.

    ``inputs`` are what stands in it for the inputs of the operation, ``outputs`` its results.
    """

    is_control_flow_graph = True

    def __init__(self, op: Operation, branch: Branch, name: str) -> None:
        self.outer_graph, self.name, self._branch = op.graph, name, branch
        first = 1 if branch.entries else 0  # a loop is given its limit before the variables
        after = first + len(branch.entries)
        self.inputs = [*op.inputs[:first], *branch.entries, *op.inputs[after or 1 :]]
        self.outputs = [result for result in branch.results if isinstance(result, Tensor)]

    def get_operations(self) -> list[Operation]:
        """Return its operations in the order in which they were made, without those of branches inside it."""
        return [op for op in self.outer_graph.get_operations() if op.branch is self._branch]


def get_func_graphs(op: Operation) -> tuple[BranchGraph, ...]:
    """Return what the branches of a condition, or test and body of a loop, are made of.

    Source: ``cond_v2.get_func_graphs``.
    """
    pairs = zip(branches_of(op), function_names(op).values(), strict=True)
    return tuple(BranchGraph(op, branch, name) for branch, name in pairs)


def _get_graph(while_op: Operation, func_name: str, attr_graph_name: str) -> BranchGraph:
    return get_func_graphs(while_op)[list(function_names(while_op)).index(func_name)]


def _after_what_is_named(make: Callable[[], Any]) -> Any:
    """Return the results of a condition or loop, which wait for what control dependencies inside it name outside."""
    if executing_eagerly():
        return make()
    graph = get_default_graph()
    before = graph.version
    with awaiting() as awaited:
        results = make()
    within = set(graph.get_operations()[before:])
    for op in {leaf.op for leaf in leaves(results) if isinstance(leaf, Tensor) and leaf.op in within}:
        op._add_control_inputs([each for each in dict.fromkeys(awaited) if each not in within | {*op.control_inputs}])
    return results


def _one(truth: Any) -> Any:
    tensor = convert_to_tensor(truth)
    return tensor if tensor.shape.ndims == 0 else squeeze(tensor)
