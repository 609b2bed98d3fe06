"""``ops.cond_v2`` and ``ops.while_v2``: conditions and loops that keep the structures of their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..functions.function_bodies import awaiting
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor
from ..ops.array_ops import squeeze
from ..ops.control_flow_case import switch_case
from ..ops.control_flow_ops import cond
from ..ops.loop_ops import leaves
from ..ops.loop_ops import while_loop as _while_loop
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["cond_v2", "fast_cond_v2", "indexed_case", "while_loop"]


def cond_v2(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any], name: str | None = "cond") -> Any:
    """Return what `tf.cond` returns, a list or tuple of one as that. ``pred`` may be an array of one.

    Source: ``cond_v2.cond_v2``.
    """
    truth = pred if isinstance(pred, bool) else _one(pred)
    return _after_what_is_named(lambda: cond(truth, true_fn, false_fn, strict=True, name=name))


fast_cond_v2 = cond_v2


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
    return _after_what_is_named(lambda: switch_case(branch_index, list(branch_fns), name=name))


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
        return _while_loop(
            goes_on,
            body,
            loop_vars,
            shape_invariants,
            parallel_iterations,
            back_prop,
            name=name,
            maximum_iterations=maximum_iterations,
            return_same_structure=True,
        )

    results = _after_what_is_named(looped)
    parts = leaves(results)
    if len(parts) == 1 and not return_same_structure:
        return parts[0]
    return list(results) if isinstance(loop_vars, list) else results


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
