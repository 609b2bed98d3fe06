"""What the nodes of first and second derivatives do when a session runs: they ask the tape of the run."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from ...autodiff.backward import gradients_within as _backward  # a run has seen to memory and warnings
from ...ops.dispatch import Operand, conjugated, unwrap
from ...ops.indexed_slices import IndexedSlices
from ...ops.scatter import scattered
from ...ops.state import NothingRecorded, recording
from ...ops.tensor import Tensor as EagerTensor
from ..ops.variant_values import VariantValue

__all__ = ["GradientRun", "HessianRun", "conjugates"]


class GradientRun:
    """What a gradient node does when a session runs."""

    whole: frozenset[int] = frozenset()
    once: frozenset[int] = frozenset()  # the sources of whose gradients a program sees each row once
    of_lists = False  # whether there are lists of tensors among the targets

    def __init__(self, targets: int, seeded: list[bool], sparse: list[bool], stops: int, of_complex: bool) -> None:
        self.targets = targets
        self.seeded = seeded
        self.sparse = sparse
        self.stops = stops
        self.of_complex = of_complex  # whether there are complex numbers among targets and sources
        self.differentiated = False  # whether a later gradient node differentiates this one

    def lending(self, whole: frozenset[int]) -> GradientRun:
        """Return the same for a run in which only updates take the outputs ``whole``: the slices as they are.

        No array is then made of their values, of which the slices of a sum of rows have none.
        """
        run = copy.copy(self)
        run.whole = whole
        return run

    def __call__(self, *values: Any) -> Any:
        sources_end = self.targets + len(self.sparse)
        targets = [_as_target(value) for value in values[: self.targets]]
        sources = list(values[self.targets : sources_end])
        seeds: list[Any] = [None] * len(targets)
        constants: frozenset[Any] = frozenset()
        if sources_end < len(values):
            rest = iter(values[sources_end:])
            given = zip(targets, self.seeded, strict=True)
            seeds = [_fitting(next(rest), target) if seeded else None for target, seeded in given]
            constants = frozenset(value for value in rest if isinstance(value, EagerTensor))
        if self.of_lists:
            targets, seeds = _of_elements(values[: self.targets], seeds)
        tape = recording().tapes[-1]
        # Where nothing differentiates this gradient, the tape need not record it.
        with nullcontext() if self.differentiated else NothingRecorded():
            seeds = [conjugated(seed) for seed in seeds] if self.of_complex else seeds
            gradients = _backward(tape, targets, sources, seeds, False, constants)
            # TensorFlow's gradient by a complex number is the conjugate of the tape's.
            gradients = [conjugates(gradient) for gradient in gradients] if self.of_complex else gradients
        results: list[Any] = []
        for k, (gradient, source, rows) in enumerate(zip(gradients, sources, self.sparse, strict=True)):
            if not rows:
                results.append(gradient if type(gradient) is np.ndarray else _as_dense(gradient, source))
            elif len(results) in self.whole and isinstance(gradient, IndexedSlices):
                ids = gradient.indices
                alone = k in self.once and len(results) + 1 not in self.whole  # a program wants them without the rows
                results += gradient, _summed(np.empty((len(ids), 0)), ids)[1] if alone else ids
            else:
                each = _as_rows(gradient, source)
                results += _summed(*each) if k in self.once and not self.differentiated else each
        return results[0] if len(results) == 1 else results


class HessianRun:
    """What the node of second derivatives does: it carries each element of the gradient back to the source."""

    def __init__(self) -> None:
        self.differentiated = False

    def __call__(self, gradient: Any, source: Any) -> Any:
        target, tape = _as_target(gradient), recording().tapes[-1]
        shape, dtype = target.shape, target.dtype
        rows = []
        with nullcontext() if self.differentiated else NothingRecorded():
            for position in range(math.prod(shape)):
                seed = np.zeros(shape, dtype)
                seed.flat[position] = 1
                (row,) = _backward(tape, [target], [source], [seed], False, frozenset())
                rows.append(_as_dense(conjugates(row), source))
            stacked = np.stack(rows) if rows else np.zeros((0, *shape), dtype)
            return np.reshape(stacked, (*shape, *shape))


def conjugates(gradient: Any) -> Any:
    """Return the gradient that TensorFlow gives, for a tape's: of complex numbers its conjugate."""
    if isinstance(gradient, IndexedSlices):
        if gradient.dtype.kind != "c":
            return gradient
        return IndexedSlices(np.conjugate(gradient.values), gradient.indices, gradient.dense_shape)
    return gradient if gradient is None or gradient.dtype.kind != "c" else np.conjugate(gradient)


def _fitting(seed: Any, target: Any) -> Any:
    """Return a gradient that arrives in the target's shape, where it has as many elements."""
    shapes_differ = np.shape(seed) != target.shape and np.size(unwrap(seed)) == np.size(unwrap(target))
    return np.reshape(seed, target.shape) if shapes_differ else seed


def _of_elements(values: Sequence[Any], seeds: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return the targets and what arrives at them, lists and maps of tensors as their elements.

    Of a list at which nothing arrives, and of elements that nobody wrote, none is a target.
    """
    targets: list[Any] = []
    arriving: list[Any] = []
    for value, seed in zip(values, seeds, strict=True):
        if not isinstance(value, VariantValue):
            targets.append(_as_target(value))
            arriving.append(seed)
        elif isinstance(seed, VariantValue):
            pairs = value.pairs(seed)
            inner = _of_elements([item for item, _ in pairs], [given for _, given in pairs])
            targets += inner[0]
            arriving += inner[1]
    return targets, arriving


def _as_target(value: Any) -> Any:
    return value if isinstance(value, Operand) else EagerTensor(np.asarray(value))


def _as_dense(gradient: Any, source: Any) -> Any:
    if gradient is None:
        return np.zeros(source.shape, source.dtype)
    return gradient.to_dense() if isinstance(gradient, IndexedSlices) else gradient


def _summed(values: Any, ids: Any) -> tuple[Any, Any]:
    """Return rows and their ids with each id once, in the order in which they come first."""
    values, ids = np.asarray(unwrap(values)), np.asarray(unwrap(ids))
    _, first, positions = np.unique(ids, return_index=True, return_inverse=True)
    if len(first) == len(ids):
        return values, ids
    order = np.argsort(first)
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return scattered(values, places[positions.reshape(-1)], (len(order), *values.shape[1:])), ids[first[order]]


def _as_rows(gradient: Any, source: Any) -> tuple[Any, Any]:
    if isinstance(gradient, IndexedSlices):
        return gradient.values, gradient.indices
    if gradient is None:
        return np.zeros((0, *source.shape[1:]), source.dtype), np.zeros(0, np.int64)
    return gradient, np.arange(source.shape[0])
