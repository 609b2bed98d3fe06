"""``tf.gradients``: a node that asks the tape of the run, which recorded the forward pass once for all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ops.indexed_slices import IndexedSlices
from ..graph.build import convert
from ..graph.constants import constant_node
from ..graph.dtypes import DType, as_dtype
from ..graph.graph import Graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation, Tensor
from ..graph.same_graph import _get_graph_from_inputs
from ..graph.shapes import Shape, compatible, text
from ..ops.array_ops import shape
from ..ops.creation_ops import ones_like, zeros_like
from ..ops.matmul_ops import add_n
from ..variables.handles import Handle
from .body_tapes import tape_of_body
from .composite_gradients import get_flat_tensors_for_gradients, has_parts, replace_flat_tensors_for_gradients
from .dependence import Dependence, check_loop_values, ops_between, reaches, stopped_with
from .gradient_run import GradientRun, HessianRun
from .row_gradients import Lookups, lookups

__all__ = ["AggregationMethod", "gradients", "hessians"]


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
        RuntimeError: in eager mode, but in a `tf.function` whose code names ``gradients``.
        ValueError: for lists that do not fit, an unknown aggregation method or ``unconnected_gradients``, nodes of
            several graphs.

    Source: ``tf.gradients``.
    """
    del colocate_gradients_with_ops, gate_gradients
    if has_parts(xs):
        flat, more = get_flat_tensors_for_gradients(_as_list(xs)), (stop_gradients, unconnected_gradients)
        found = gradients(ys, flat, grad_ys, name, False, False, aggregation_method, *more)
        return replace_flat_tensors_for_gradients(_as_list(xs), found)
    tape = tape_of_body() if executing_eagerly() else None
    if tape is None and executing_eagerly():
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
    if tape is not None:
        lists = _as_list(ys), _as_list(xs), None if grad_ys is None else _as_list(grad_ys), _as_list(stop_gradients)
        return tape.gradients_of(*lists, unconnected)  # type: ignore[no-any-return]  # of Any: a list
    graph = _get_graph_from_inputs([*_as_list(ys), *_as_list(xs), *_as_list(stop_gradients), *_as_list(grad_ys)])
    with graph.as_default():
        targets = [_tensor(y, "ys") for y in _as_list(ys)]
        sources = [_tensor(x, "xs") for x in _as_list(xs)]
        stops = stopped_with(_tensor(s, "stop_gradients") for s in _as_list(stop_gradients))
    with graph.as_default(), graph.name_scope(name):
        if len(targets) == len(sources) == 1 and _is_passed_on(targets[0], sources[0], grad_ys):
            return _as_list(grad_ys)
        seeds = _seeds(targets, grad_ys)
        return _gradient_node(graph, targets, sources, seeds, stops, unconnected == "zero")


def _as_list(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


def _tensor(value: Any, what: str) -> Tensor:
    """Return the tensor of a node, or of a number or an array, to which no path leads; a path stops at nodes only."""
    if isinstance(value, Node):
        return value._variable._tensor() if isinstance(value, Handle) else value._tensor()
    if value is None or what == "stop_gradients":
        raise TypeError(f"gradients: {what} must be tensors or variables of the graph, got {value!r:.80}")
    return convert(value)


def _seeds(targets: Sequence[Tensor], grad_ys: Any) -> list[Tensor | None]:
    arriving = [None] * len(targets) if grad_ys is None else _as_list(grad_ys)
    if len(arriving) != len(targets):
        raise ValueError(f"Passed {len(arriving)} grad_ys for {len(targets)} ys")
    seeds: list[Tensor | None] = []
    for target, seed in zip(targets, arriving, strict=True):
        if seed is None and target.dtype.is_complex:
            dtype = target.dtype.base_dtype
            said = f"Gradients of complex tensors must set grad_ys (y.dtype = {dtype!r})"
            raise TypeError(f"{said}: {target.name} must set grad_ys (y.dtype = {dtype.name})")
        if seed is not None:
            if isinstance(seed, IndexedSlices) and seed.dense_shape is None:
                seed = IndexedSlices(seed.values, seed.indices, _dense_shape(target))
            seed = convert(seed, None if isinstance(seed, Node) else target.dtype.base_dtype)
            if seed.dtype != target.dtype:
                raise TypeError(
                    f"Gradient type {seed.dtype.name} given for {target.op.name} does not match {target.dtype.name}"
                )
            if not compatible(seed._shape, target._shape) and _size(seed) != _size(target):
                raise ValueError(
                    f"Shapes {text(seed._shape)} and {text(target._shape)} of grad_ys and {target.name} differ"
                )
        seeds.append(seed)
    return seeds


def _is_passed_on(target: Tensor, source: Tensor, grad_ys: Any) -> bool:
    """Whether slices arrive at what is the source under other names: they are its gradient as they are."""
    slices = _as_list(grad_ys)
    while target is not source and target.op.type == "Identity":
        target = target.op.operands[0]
    return target is source and len(slices) == 1 and isinstance(slices[0], IndexedSlices)


def _size(tensor: Tensor) -> int | None:
    return None if tensor._shape is None or None in tensor._shape else math.prod(size or 0 for size in tensor._shape)


def _gradient_node(
    graph: Graph,
    targets: list[Tensor],
    sources: list[Tensor],
    seeds: list[Tensor | None],
    stops: list[Tensor],
    zero: bool,
) -> list[Any]:
    dependence = Dependence(targets, stops)
    made: dict[Tensor, Any] = {}
    connected: list[tuple[Tensor, bool]] = []
    found_for: dict[int, Lookups | Tensor] = {}
    for k, source in enumerate(sources):
        if not dependence.way(source):
            continue
        rows_of = lookups(dependence, source)
        found_for[k] = source if rows_of is None else rows_of
        if rows_of is None:
            connected.append((source, False))
            continue
        for table, others in rows_of.tables.items():
            if not others:
                connected.append((table, True))
            elif table not in made:
                (made[table],) = _gradient_node(graph, targets, [table], seeds, [*stops, *others], False)
    connected = list(dict.fromkeys(connected))
    results: list[Any] = [_arriving(source, targets, seeds) for source in sources]
    if zero:
        results = [zeros_like(sources[k]) if result is None else result for k, result in enumerate(results)]
    if not connected:
        return results
    outputs: list[tuple[DType, Shape]] = []
    for source, rows in connected:
        dtype, shape = source.dtype.base_dtype, source._shape
        if rows:
            count = dependence.rows_taken(source)
            outputs.append((dtype, None if shape is None else (count, *shape[1:])))
            outputs.append((as_dtype(dependence.index_type(source)), (count,)))
        else:
            outputs.append((dtype, shape))
    present_seeds = [seed for seed in seeds if seed is not None]
    unique_stops = list(dict.fromkeys(stops))
    between: list[frozenset[Operation]] = []
    of: list[Tensor] = []
    for source, rows in connected:
        ops = frozenset(dependence.ops(source))
        check_loop_values(ops, source, stops, graph._context.branch)
        between += [ops] * (2 if rows else 1)
        of += [source] * (2 if rows else 1)
    for op in frozenset().union(*between):
        if op.type == "Gradients":
            _record(op)
    of_complex = any(tensor.dtype.is_complex for tensor in (*targets, *sources))
    sparse = [rows for _, rows in connected]
    run = GradientRun(len(targets), [seed is not None for seed in seeds], sparse, len(unique_stops), of_complex)
    run.of_lists = any(target.dtype.base_dtype == "variant" for target in targets)
    # TensorFlow looks up each id of a row of ids once, whose gradient comes once therefore.
    run.once = frozenset(
        k
        for k, (source, rows) in enumerate(connected)
        if rows and [op.type for op in dependence.users(source)] == ["embedding_lookup_sparse"]
    )
    inputs = [*targets, *(source for source, _ in connected), *present_seeds, *unique_stops]
    watched = (*(source for source, _ in connected), *unique_stops)
    attributes = {"sources": watched, "between": between, "of": of, "arriving": present_seeds}
    operation = Operation(graph, "Gradients", graph.unique_name("grad"), run, inputs, outputs, attributes=attributes)
    values = iter(operation.outputs)
    for source, rows in connected:
        first = next(values)
        made[source] = IndexedSlices(first, next(values), _dense_shape(source)) if rows else first
    for k, found in found_for.items():
        results[k] = made[found] if isinstance(found, Tensor) else found.gradient(made, _dense_shape(sources[k]))
    return results


def _arriving(source: Tensor, targets: Sequence[Tensor], seeds: Sequence[Tensor | None]) -> Tensor | None:
    """Return the gradient of integers that are themselves targets, though nothing flows to them; None of others."""
    if source.dtype.has_gradients or source.dtype.base_dtype in ("string", "bool"):
        return None
    found = [
        ones_like(source) if seed is None else seed
        for target, seed in zip(targets, seeds, strict=True)
        if target is source
    ]
    return add_n(found) if len(found) > 1 else found[0] if found else None


def _record(op: Operation) -> None:
    """Note of a gradient node that a later one differentiates it."""
    run: GradientRun | HessianRun = op.function  # type: ignore[assignment]  # a gradient node's function
    run.differentiated = True


def _dense_shape(source: Tensor) -> Tensor:
    if source._shape is not None and None not in source._shape:
        return constant_node(np.array(source._shape, np.int32), "Shape")
    sizes: Tensor = shape(source)
    return sizes


def hessians(
    ys: Any,
    xs: Any,
    name: str = "hessians",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: Any = None,
) -> list[Any]:
    """Return for each x of shape s the second derivatives of ``sum(ys)``, of shape ``(*s, *s)``.

    ``colocate_gradients_with_ops``, ``gate_gradients`` and ``aggregation_method`` are accepted for TensorFlow's sake.
    Raises ValueError where ys, or their gradient, do not depend on an x. Source: ``tf.hessians``.
    """
    tape = tape_of_body() if executing_eagerly() else None
    if tape is not None:
        return [tape.jacobian(gradients(ys, x)[0], x) for x in _as_list(xs)]
    return [_hessian(ys, _tensor(x, "xs"), name) for x in _as_list(xs)]


def _hessian(ys: Any, source: Tensor, name: str) -> Tensor:
    (gradient,) = gradients(ys, source, name=name)
    first = None if gradient is None else convert(gradient)
    if first is None or not reaches([first], source):
        of = "ys" if first is None else "the gradient of ys"
        raise ValueError(
            f"hessians: {of} must depend on {source.name}, but there is no path: None values not supported."
        )
    between = frozenset(ops_between([first], source))
    for op in between:
        if op.type == "Gradients":
            _record(op)
    shape = None if source._shape is None else source._shape * 2
    graph = source.graph
    with graph.name_scope(name):
        operation = Operation(
            graph,
            "Gradients",
            graph.unique_name("hessian"),
            HessianRun(),
            [first, source],
            [(source.dtype.base_dtype, shape)],
            attributes={"sources": (source,), "between": [between]},
        )
    return operation.outputs[0]
