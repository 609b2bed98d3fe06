"""``tf.gradients``: a node that asks the tape of the run, which recorded the forward pass once for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...autodiff.backward import gradients as _backward
from ...ops.dispatch import Operand
from ...ops.indexed_slices import IndexedSlices
from ...ops.state import state
from ...ops.tensor import Tensor as EagerTensor
from ..graph.build import convert
from ..graph.constants import hold
from ..graph.dtypes import DType, as_dtype
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation, Tensor
from ..graph.shapes import Shape, compatible, text
from ..ops.array_ops import shape
from ..ops.concat_ops import stack, unstack
from ..ops.creation_ops import zeros_like

__all__ = ["AggregationMethod", "gradients", "hessians", "reaches"]


class AggregationMethod:
    """How the terms of a gradient are added; the sums are equal. Source: ``tf.AggregationMethod``."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: Any = False,
    aggregation_method: int | None = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = "none",
) -> list[Any]:
    """Return the gradients of ``sum(ys)`` with respect to each of ``xs``.

    Args:
        ys: a node or a list of them.
        xs: a node, a variable or a list of them.
        grad_ys: the gradients that arrive at ys, None for ones.
        stop_gradients: nodes that count as constants.
        unconnected_gradients: ``'none'`` gives None where ys do not depend on an x, ``'zero'`` zeros.
        name, colocate_gradients_with_ops, gate_gradients, aggregation_method: the name scope; the rest is checked, and
            makes no difference.

    Returns:
        A list: for each x a tensor, `IndexedSlices` where only rows of x are used, or None.

    Raises:
        RuntimeError: in eager mode. ValueError: for lists that do not fit, an unknown aggregation method or
        ``unconnected_gradients``, nodes of several graphs.

    Source: ``tf.gradients``.
    """
    del colocate_gradients_with_ops, gate_gradients
    if executing_eagerly():
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead."
        )
    if aggregation_method not in (None, 0, 1, 2):
        raise ValueError(f"Invalid `aggregation_method` specified {aggregation_method}. Accepted values are [0, 1, 2].")
    unconnected = getattr(unconnected_gradients, "value", unconnected_gradients)
    if unconnected not in ("none", "zero"):
        raise ValueError(f"Unknown value for unconnected_gradients: {unconnected_gradients!r}")
    if ys is None or xs is None:
        raise TypeError("gradients: ys and xs must be tensors or variables of the graph, got None")
    targets = [_tensor(y, "ys") for y in _as_list(ys)]
    sources = [_tensor(x, "xs") for x in _as_list(xs)]
    stops = [_tensor(s, "stop_gradients") for s in _as_list(stop_gradients)]
    graph = get_default_graph()
    for tensor in (*targets, *sources, *stops):
        if tensor.graph is not graph:
            raise ValueError(f"gradients: Tensor {tensor.name!r} is not an element of this graph.")
    with graph.name_scope(name):
        seeds = _seeds(targets, grad_ys)
        return _gradient_node(graph, targets, sources, seeds, stops, unconnected == "zero")


def _as_list(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


def _tensor(value: Any, what: str) -> Tensor:
    if isinstance(value, IndexedSlices):
        return convert(value)
    if not isinstance(value, Node):
        raise TypeError(f"gradients: {what} must be tensors or variables of the graph, got {value!r:.80}")
    return value._tensor()


def _seeds(targets: Sequence[Tensor], grad_ys: Any) -> list[Tensor | None]:
    arriving = [None] * len(targets) if grad_ys is None else _as_list(grad_ys)
    if len(arriving) != len(targets):
        raise ValueError(f"Passed {len(arriving)} grad_ys for {len(targets)} ys")
    seeds: list[Tensor | None] = []
    for target, seed in zip(targets, arriving, strict=True):
        if seed is not None:
            seed = convert(seed, None if isinstance(seed, Node) else target.dtype.base_dtype)
            if seed.dtype != target.dtype:
                raise TypeError(
                    f"Gradient type {seed.dtype.name} given for {target.op.name} does not match {target.dtype.name}"
                )
            if not compatible(seed._shape, target._shape):
                raise ValueError(
                    f"Shapes {text(seed._shape)} and {text(target._shape)} of grad_ys and {target.name} differ"
                )
        seeds.append(seed)
    return seeds


def _gradient_node(
    graph: Any,
    targets: list[Tensor],
    sources: list[Tensor],
    seeds: list[Tensor | None],
    stops: list[Tensor],
    zero: bool,
) -> list[Any]:
    ways = [reaches(targets, source, stops) for source in sources]
    connected = [(k, source) for k, source in enumerate(sources) if ways[k]]
    results: list[Any] = [_zeros(source) if zero else None for source in sources]
    if not connected:
        return results
    outputs: list[tuple[DType, Shape]] = []
    sparse = [ways[k] == "rows" for k, _ in connected]
    for (_, source), rows in zip(connected, sparse, strict=True):
        dtype, shape = source.dtype.base_dtype, source._shape
        if rows:
            outputs.append((dtype, None if shape is None else (None, *shape[1:])))
            outputs.append((as_dtype(_index_type(targets, source)), (None,)))
        else:
            outputs.append((dtype, shape))
    present_seeds = [seed for seed in seeds if seed is not None]
    unique_stops = list(dict.fromkeys(stops))
    for op in {op for source in sources for op in _behind(targets, source, stops) if op.type == "Gradients"}:
        inner: _Run = op.function  # type: ignore[assignment]  # a gradient node's function
        inner.differentiated = True
    run = _Run(len(targets), [seed is not None for seed in seeds], sparse, len(unique_stops))
    inputs = [*targets, *(source for _, source in connected), *present_seeds, *unique_stops]
    watched = (*(source for _, source in connected), *unique_stops)
    operation = Operation(
        graph, "Gradients", graph.unique_name("grad"), run, inputs, outputs, attributes={"sources": watched}
    )
    values = iter(operation.outputs)
    for (k, source), rows in zip(connected, sparse, strict=True):
        first = next(values)
        results[k] = IndexedSlices(first, next(values), _dense_shape(source)) if rows else first
    return results


def _dense_shape(source: Tensor) -> Tensor:
    if source._shape is not None and None not in source._shape:
        return hold(np.array(source._shape, np.int32), "Shape")
    sizes: Tensor = shape(source)
    return sizes


def _zeros(source: Tensor) -> Any:
    return zeros_like(source)


class _Run:
    """What a gradient node does when a session runs."""

    def __init__(self, targets: int, seeded: list[bool], sparse: list[bool], stops: int) -> None:
        self.targets = targets
        self.seeded = seeded
        self.sparse = sparse
        self.stops = stops
        self.differentiated = False  # whether another gradient node lies behind this one

    def __call__(self, *values: Any) -> Any:
        targets = [_as_target(value) for value in values[: self.targets]]
        sources = list(values[self.targets : self.targets + len(self.sparse)])
        rest = iter(values[self.targets + len(self.sparse) :])
        seeds = [next(rest) if seeded else None for seeded in self.seeded]
        constants = frozenset(value for value in rest if isinstance(value, EagerTensor))
        tapes = state.tapes
        if not self.differentiated:
            state.set_tapes(())  # nobody differentiates this gradient: it need not be recorded
        try:
            gradients = _backward(tapes[-1], targets, sources, seeds, False, constants)
        finally:
            if not self.differentiated:
                state.set_tapes(tapes)
        results: list[Any] = []
        for gradient, source, rows in zip(gradients, sources, self.sparse, strict=True):
            results.extend(_as_rows(gradient, source) if rows else (_as_dense(gradient, source),))
        return results[0] if len(results) == 1 else tuple(results)


def _as_target(value: Any) -> Any:
    return value if isinstance(value, Operand) else EagerTensor(np.asarray(value))


def _as_dense(gradient: Any, source: Any) -> Any:
    if gradient is None:
        return np.zeros(source.shape, source.dtype)
    return gradient.to_dense() if isinstance(gradient, IndexedSlices) else gradient


def _as_rows(gradient: Any, source: Any) -> tuple[Any, Any]:
    if isinstance(gradient, IndexedSlices):
        return gradient.values, gradient.indices
    if gradient is None:
        return np.zeros((0, *source.shape[1:]), source.dtype), np.zeros(0, np.int64)
    return gradient, np.arange(source.shape[0])


# What is known before a session runs


def reaches(targets: Sequence[Tensor], source: Tensor, stops: Sequence[Tensor]) -> str:
    """Tell how targets depend on a source: ``"rows"`` where only rows of it are taken, ``"all"``, or ``""``."""
    if not source.dtype.is_floating:
        return ""
    needed = _behind(targets, source, stops)
    ways: set[str] = set()
    if source in targets:
        ways.add("all")
    for op in needed:
        for position, tensor in enumerate(op.inputs):
            if tensor is source:
                ways.add("rows" if op.rows_of == position else "all")
    return "" if not ways else "rows" if ways == {"rows"} else "all"


def _behind(targets: Sequence[Tensor], source: Tensor, stops: Sequence[Tensor]) -> set[Operation]:
    """Return the operations between the source and the targets through which a gradient flows."""
    stopped = set(stops) - {source}
    connected: dict[Operation, bool] = {}
    order: list[Operation] = []
    stack = [t.op for t in targets if t is not source and t not in stopped and t.dtype.is_floating]
    while stack:
        op = stack.pop()
        if op in connected:
            continue
        connected[op] = False
        order.append(op)
        if op.differentiable:
            stack.extend(t.op for t in _inputs(op) if t is not source and t not in stopped and t.dtype.is_floating)
    order.sort(key=lambda op: op.number)
    for op in order:
        connected[op] = op.differentiable and any(
            t is source or (t not in stopped and connected.get(t.op, False)) for t in _inputs(op) if t.dtype.is_floating
        )
    return {op for op, is_connected in connected.items() if is_connected}


def _inputs(op: Operation) -> list[Tensor]:
    """Return the tensors from which an operation's results come, those inside the branches of a ``cond`` included."""
    if op.type != "Cond":
        return op.inputs
    inside = [result for branch in op.get_attr("branches") for result in branch.results if isinstance(result, Tensor)]
    return [*op.inputs, *inside]


def _index_type(targets: Sequence[Tensor], source: Tensor) -> str:
    """Return the type of the indices of a sparse gradient: int64 where one of the lookups has it."""
    dtypes = [
        op.inputs[1].dtype
        for op in _behind(targets, source, ())
        if op.rows_of is not None and op.inputs[op.rows_of] is source and len(op.inputs) > 1
    ]
    return "int32" if dtypes and all(dtype == "int32" for dtype in dtypes) else "int64"


def hessians(ys: Any, xs: Any, name: str = "hessians", **accepted: Any) -> list[Any]:
    """Return for each vector x the matrix of second derivatives of ``sum(ys)``.

    Raises ValueError where the length of an x is not known. Source: ``tf.hessians``.
    """
    matrices = []
    for x in _as_list(xs):
        (first,) = gradients(ys, x, name=name)
        parts = [gradients(part, x, unconnected_gradients="zero")[0] for part in unstack(first)]
        matrices.append(stack(parts))
    return matrices
