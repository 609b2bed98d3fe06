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
from . import cotangents as cotangents  # what the sums of gradients leave to Python
from .nest import WHO, collect_sources, collect_targets, in_structure

__all__ = ["gradients", "gradients_within"]


def gradients(
    tape: RecordingTape,
    target: Any,
    sources: Any,
    output_gradients: Any,
    zero: bool,
    constants: frozenset[Any] = frozenset(),
) -> Any:
    """Do what `GradientTape.gradient` documents; no gradient flows through the tensors in ``constants``."""
    allocator = _core.allocate_by(_core.caching_allocator, 1)
    try:
        with np.errstate(all="ignore"):  # an infinity or a NaN shows in the gradient
            return gradients_within(tape, target, sources, output_gradients, zero, constants)
    finally:
        _core.allocate_by(allocator, -1)


def gradients_within(
    tape: RecordingTape,
    target: Any,
    sources: Any,
    output_gradients: Any,
    zero: bool,
    constants: frozenset[Any],
) -> Any:
    """Do the same where the caller has seen to memory that is kept and to warnings that nobody wants."""
    pairs: list[tuple[Any, Any]] = []
    collect_targets(target, output_gradients, pairs)
    targets = [_leaf_of(target) if isinstance(target, Variable) else target for target, _ in pairs]
    flat: list[Any] = []
    collect_sources(sources, flat)
    graph = _core._Graph(targets, flat, tape._intervals, tape._watched, constants)
    results = _backward(graph, [seed for _, seed in pairs])
    for k, result in enumerate(results):
        if result is None and not constants:
            results[k] = _arriving(flat[k], pairs)
    if not (tape._persistent or tape._shared):
        graph.release()
    return in_structure(sources, iter(wrap_result(results)), zero)


def _backward(graph: _core._Graph, seeds: list[Any]) -> list[Any]:
    """Carry gradients from results to arguments; return one or None for each source."""
    compute_on_tensors = recording().floor != math.inf  # under an outer tape
    gradients: list[Any] = graph.backward(seeds, compute_on_tensors)
    return gradients


def _arriving(source: Any, pairs: list[tuple[Any, Any]]) -> Any:
    """Return the gradient of a source that is itself a target, though no tape follows it; None of another."""
    total = None
    for target, seed in pairs:
        if target is source and target.dtype.kind in "biufc":
            leaf = _leaf_of(target) if isinstance(target, Variable) else target
            seed = _seed(leaf, seed, recording().floor != math.inf)
            total = seed if total is None else total + seed
    return total


def _leaf_of(variable: Variable) -> Tensor:
    """Return the tensor for a variable that is itself a target."""
    return Tensor(variable._value, 0, variable, variable._version)


# What the pass leaves to Python


def _seed(root: Tensor, seed: Any, taped: bool) -> Any:
    """Return the gradient that arrives at a target: ones where none is given."""
    shape, dtype = root._value.shape, root._value.dtype
    if seed is None:
        if dtype.kind == "c":
            rule = "be real, or come with output_gradients"
            raise TypeError(must(WHO, "target", rule, f"dtype {dtype}", "take np.real(z), np.abs(z) or the like of it"))
        seed = np.empty(shape, dtype)
        seed.fill(1)
        return seed
    if not isinstance(seed, (Tensor, Variable)):
        seed = to_array(WHO, "output_gradients", seed)
        if not is_real(seed.dtype) and (seed.dtype.kind, dtype.kind) != ("c", "c"):
            raise TypeError(must(WHO, "output_gradients", "be real numbers", describe(seed)))
    if seed.shape != shape:
        rule = f"have the target's shape {shape}"
        raise ValueError(must(WHO, "output_gradients", rule, f"shape {seed.shape}"))
    if not taped:
        seed = unwrap(seed)
    return seed if seed.dtype == dtype else seed.astype(dtype)


def _no_rule(primitive: Primitive, position: int) -> None:
    """Raise the error for a recorded value where the primitive has no rule."""
    what, remedy = f"a recorded value at position {position}", "use stop_gradient(x) there"
    raise TypeError(must(primitive.name, "argument", "be one with a derivative rule", what, remedy))


def _changed_since(leaf: Tensor) -> None:
    """Raise the error for a variable whose value is no longer the one that was read."""
    raise RuntimeError(
        f"{WHO}: variable {leaf.owner.name!r} must not change between its reading and gradient(), got a change; "
        "compute the gradient first, or open the tape with persistent=True, which keeps copies"
    )


def _fitted(primitive: Primitive, r: Any, x: Any) -> Any:
    """Return a gradient in the shape and type of its argument ``x``; rows of it as they are."""
    if cotangents.is_indexed(r):
        return r
    if r.shape != x.shape:
        r = unbroadcast(r, x.shape)
    if r.dtype == x.dtype:
        return r
    if r.dtype.kind == "c" and x.dtype.kind != "c":
        r = np.real(r)  # real numbers move along the real axis alone
    return r if r.dtype == x.dtype else r.astype(x.dtype)


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


_core.register_tape(seed=_seed, no_rule=_no_rule, changed_since=_changed_since, fitted=_fitted)
