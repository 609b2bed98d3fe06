"""Reverse-mode differentiation: from targets back to sources over what was recorded."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _core
from ..base.arrays import to_array
from ..base.dtypes import is_real
from ..base.errors import describe, must
from ..ops.dispatch import unwrap, wrap_result
from ..ops.registry import Primitive
from ..ops.state import RecordingTape, recording
from ..ops.tensor import Tensor
from ..variables.variable import Variable
from .cotangents import Cotangents, is_indexed
from .graph import Graph
from .nest import WHO, collect_sources, collect_targets, in_structure

__all__ = ["gradients"]

ndarray = np.ndarray


def gradients(
    tape: RecordingTape,
    target: Any,
    sources: Any,
    output_gradients: Any,
    zero: bool,
    constants: frozenset[Any] = frozenset(),
) -> Any:
    """Do what `GradientTape.gradient` documents; no gradient flows through the tensors in ``constants``."""
    seeds: list[tuple[Any, Any]] = []
    collect_targets(target, output_gradients, seeds)
    flat: list[Any] = []
    collect_sources(sources, flat)
    allocator = _core.allocate_by(_core.caching_allocator, 1)
    try:
        with np.errstate(all="ignore"):  # an infinity or a NaN shows in the gradient
            graph = Graph(tape, [target for target, _ in seeds], flat, constants)
            results = _backward(graph, [seed for _, seed in seeds])
            if not (tape._persistent or tape._shared):
                graph.release()
    finally:
        _core.allocate_by(allocator, -1)
    return in_structure(sources, iter(map(wrap_result, results)), zero)


def _backward(graph: Graph, seeds: list[Any]) -> list[Any]:
    """Carry gradients from results to arguments, the last operation first; return one or None for each source."""
    taped = recording().floor != math.inf  # an outer tape records: compute on tensors
    needed = graph.needed
    cotangents = Cotangents(taped, graph.kept)
    pop, add, add_foreign, owned = cotangents.pop, cotangents.add, cotangents.add_foreign, cotangents.owned
    for root, seed in zip(graph.roots, seeds, strict=True):
        if root in needed:
            add_foreign(root, _seed(root, seed, taped))
    for node in graph.order:
        g = pop(node)
        if g is None:
            continue
        primitive: Any = node.primitive
        vjps = primitive.vjps
        kwargs = node.kwargs
        if taped:
            y, inputs = node, node.args
        else:
            y, inputs = node.value, node.inputs
        binary = not kwargs and len(inputs) == 2
        if binary:
            left, right = inputs
        together: dict[int, Any] = {}
        if primitive.vjp_argnums is not None:
            positions = [i for i, a in enumerate(node.args) if type(a) is Tensor and a in needed]
            several = primitive.vjp_argnums(g, y, positions, *inputs, **(kwargs or {}))
            together = dict(zip(positions, several, strict=True))
        for i, a in enumerate(node.args):
            if type(a) is not Tensor or a not in needed:
                continue
            if i in together:
                r = together.pop(i)
            elif i >= len(vjps) or (vjp := vjps[i]) is None:
                raise _no_rule(primitive, i)
            elif binary:
                r = vjp(g, y, left, right)  # as below, without the time that * takes
            else:
                r = vjp(g, y, *inputs, **kwargs) if kwargs else vjp(g, y, *inputs)
            if type(r) is not ndarray:
                if r is not None:
                    add(a, r if is_indexed(r) else _fitted(primitive, r, a.value))
                continue
            x = a.value
            if r.shape != x.shape or (r.dtype is not x.dtype and r.dtype != x.dtype):
                r = _fitted(primitive, r, x)
            if (total := owned.get(a)) is not None:
                total += r
            elif primitive.custom:
                add_foreign(a, r)
            else:
                add(a, r)
    return [cotangents.hand_out(tensors) for tensors in graph.ends]


def _seed(root: Tensor, seed: Any, taped: bool) -> Any:
    """Return the gradient that arrives at a target: ones where none is given."""
    shape, dtype = root.shape, root.dtype
    if seed is None:
        seed = np.empty(shape, dtype)
        seed.fill(1)
        return seed
    if not isinstance(seed, (Tensor, Variable)):
        seed = to_array(WHO, "output_gradients", seed)
        if not is_real(seed.dtype):
            raise TypeError(must(WHO, "output_gradients", "be real numbers", describe(seed)))
    if seed.shape != shape:
        rule = f"have the target's shape {shape}"
        raise ValueError(must(WHO, "output_gradients", rule, f"shape {seed.shape}"))
    if not taped:
        seed = unwrap(seed)
    return seed if seed.dtype == dtype else seed.astype(dtype)


def _no_rule(primitive: Primitive, position: int) -> TypeError:
    """Return the error for a recorded value where the primitive has no rule."""
    what, remedy = f"a recorded value at position {position}", "use stop_gradient(x) there"
    return TypeError(must(primitive.name, "argument", "be one with a derivative rule", what, remedy))


def _fitted(primitive: Primitive, r: Any, x: Any) -> Any:
    """Return a gradient in the shape and type of its argument ``x``."""
    if r.shape != x.shape:
        r = unbroadcast(r, x.shape)
    if r.dtype == x.dtype:
        return r
    if r.dtype.kind == "c":
        raise TypeError(must(primitive.name, "result", "stay real on recorded values", f"dtype {r.dtype}"))
    return r.astype(x.dtype)


def unbroadcast(r: Any, shape: tuple[int, ...]) -> Any:
    """Sum ``r`` over the axes along which ``shape`` was broadcast to r's shape."""
    total = np.add.reduce if isinstance(r, np.ndarray) else np.sum
    extra = r.ndim - len(shape)
    if extra:
        r = total(r, axis=0 if extra == 1 else tuple(range(extra)))
    if r.shape == shape:
        return r
    axes = tuple([i for i, size in enumerate(shape) if size == 1 and r.shape[i] != 1])
    return total(r, axis=axes, keepdims=True)
