"""Reverse-mode differentiation: from targets back to sources over what was recorded."""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from .accumulate import Sums
from .indexed_slices import IndexedSlices
from .messages import must
from .ops.dispatch import given, plain
from .ops.scatter import Placed
from .ops.state import state
from .structure import WHO, collect_sources, collect_targets, in_structure
from .tensor import Tensor
from .variable import Variable

if TYPE_CHECKING:
    from .tape import GradientTape

__all__ = ["gradients"]

_by_number = attrgetter("number")


def gradients(
    tape: GradientTape,
    target: Any,
    sources: Any,
    output_gradients: Any,
    zero: bool,
    constants: frozenset[Any] = frozenset(),
) -> Any:
    """Do what `GradientTape.gradient` documents; no gradient flows through the tensors in ``constants``."""
    seeds: list[tuple[Any, Any]] = []
    collect_targets(target, output_gradients, seeds)
    wanted: list[Any] = []
    collect_sources(sources, wanted)
    with np.errstate(all="ignore"):  # an infinity or a NaN shows in the gradient
        found = _Backward(tape, seeds, wanted, constants).run()
    return in_structure(sources, iter(map(given, found)), zero)


class _Backward:
    """One pass back: the state that its steps share."""

    def __init__(
        self, tape: GradientTape, seeds: list[tuple[Any, Any]], sources: list[Any], constants: frozenset[Any]
    ) -> None:
        self.tape = tape
        self.seeds = seeds
        self.sources = sources
        self.constants = constants
        self.taped = state.floor != math.inf  # an outer tape records: compute on tensors
        self.sums = Sums(self.taped)
        self.leaves: list[Tensor] = []

    def run(self) -> list[Any]:
        """Return one gradient or None for each source."""
        order, seen = self._reach()
        self.expanded = set(order)
        self._check_versions(self.leaves)
        starts = self._starts(seen)
        needed = {leaf for found in starts for leaf in found}
        kept = needed.copy()
        for node in reversed(order):
            for a in node.args:
                if type(a) is Tensor and a in needed:
                    needed.add(node)
                    break
        self.needed, self.kept = needed, kept
        self._seed()
        grads = self.sums.grads
        for node in order:
            if node in needed and node in grads:
                self._step(node)
        results = [self.sums.handed_out(found) for found in starts]
        if not (self.tape._persistent or self.tape._shared):
            for node in order:  # the values are of no more use: free what a kept loss would hold
                node.args, node.primitive, node.mark = (), None, -math.inf
        return results

    def _reach(self) -> tuple[list[Tensor], set[Tensor]]:
        """Return the recorded operations behind the targets, last first, and all tensors that were met."""
        intervals = self.tape._intervals
        first, last = intervals[-1] if intervals else (0, 0)
        single = len(intervals) == 1
        seen: set[Tensor] = set()
        order: list[Tensor] = []
        stack: list[Any] = []
        for target, _ in self.seeds:
            stack.append(_leaf_of(target) if isinstance(target, Variable) else target)
        self.roots = list(stack)
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            if (
                node.primitive is not None
                and node not in self.constants
                and (first <= node.number < last if single else self.tape._recorded(node.number))
            ):
                order.append(node)
                for a in node.args:
                    if type(a) is Tensor:
                        stack.append(a)
            else:
                self.leaves.append(node)
        order.sort(key=_by_number, reverse=True)
        return order, seen

    def _check_versions(self, leaves: list[Tensor]) -> None:
        for leaf in leaves:
            if leaf.mark != -math.inf:
                _check_version(leaf)

    def _starts(self, seen: set[Tensor]) -> list[list[Tensor]]:
        """Return for each source the tensors that stand for it in the graph."""
        watched = self.tape._watched
        of_variable: dict[Variable, list[Tensor]] = {}
        for leaf in self.leaves:
            if leaf.owner is not None and leaf.mark != -math.inf:
                of_variable.setdefault(leaf.owner, []).append(leaf)
        found: list[list[Tensor]] = []
        for source in self.sources:
            if isinstance(source, Variable):
                found.append(of_variable.get(source, []) if source in watched else [])
            elif source in seen and (source in self.expanded or source in watched or source in self.constants):
                found.append([source])
            elif source in seen and source.owner is not None and source.owner in watched:
                found.append([source])  # what read_value() returned
            else:
                found.append([])
        return found

    def _seed(self) -> None:
        for root, (_, seed) in zip(self.roots, self.seeds, strict=True):
            if root not in self.needed:
                continue
            shape, dtype = root.shape, root.dtype
            if seed is None:
                seed = np.ones(shape, dtype)
            else:
                if not isinstance(seed, (Tensor, Variable)):
                    seed = np.asarray(seed)
                if seed.shape != shape:
                    rule = f"have the target's shape {shape}"
                    raise ValueError(must(WHO, "output_gradients", rule, f"shape {seed.shape}"))
                if not self.taped:
                    seed = plain(seed)
                if seed.dtype != dtype:
                    seed = seed.astype(dtype)
            self.sums.add(root, seed, False)

    def _step(self, node: Tensor) -> None:
        """Carry the gradient of one operation's result to its arguments."""
        grads, add = self.sums.grads, self.sums.add
        g = grads[node]
        kind = type(g)
        if kind is IndexedSlices or kind is Placed or kind is list:
            g = grads[node] = self.sums.dense(g, node)
            self.sums.owned.add(node)
        private = node in self.sums.owned and node not in self.kept
        if node not in self.kept:
            del grads[node]
        primitive, args = node.primitive, node.args
        assert primitive is not None
        y: Any
        values: Any
        if self.taped:
            y, values = node, args
        else:
            y = node.value
            values = [a.value if type(a) is Tensor else a for a in args]
        kwargs = node.kwargs
        needed, vjps, every = self.needed, primitive.vjps, primitive.every
        for i, a in enumerate(args):
            if type(a) is not Tensor:
                continue
            if a not in needed:
                if a.owner is not None and a.mark == -math.inf and not primitive.linear:
                    _check_version(a)
                continue
            if every is not None:
                r = every(g, y, i, *values, **(kwargs or {}))
            elif i < len(vjps) and (rule := vjps[i]) is not None:
                r = rule(g, y, *values, **kwargs) if kwargs else rule(g, y, *values)
            else:
                what = f"a recorded value at position {i}"
                remedy = "use stop_gradient(x) there"
                raise TypeError(must(primitive.name, "argument", "be one with a derivative rule", what, remedy))
            if r is None:
                continue
            if type(r) is IndexedSlices or type(r) is Placed:
                values_of = r.values
                fresh = private or (type(values_of) is np.ndarray and values_of is not g and values_of.base is None)
                self.sums.add(a, r, fresh)
                continue
            x = a.value
            if r.shape != x.shape:
                r = unbroadcast(r, x.shape)
            if r.dtype is not x.dtype and r.dtype != x.dtype:
                if r.dtype.kind == "c":
                    rule_text = "stay real on recorded values"
                    raise TypeError(must(primitive.name, "result", rule_text, f"dtype {r.dtype}"))
                r = r.astype(x.dtype)
            if type(r) is not np.ndarray or primitive.custom:
                fresh = False
            elif r is not g and r.base is None:
                fresh = True
            else:
                # The incoming gradient, or a view of it: ours if it was, and if no other argument gets it too.
                fresh = (
                    private
                    and (r is g or r.base is g or r.base is g.base)
                    and r.flags.writeable
                    and _alone(i, args, needed)
                )
            add(a, r, fresh)


def _alone(position: int, args: tuple[Any, ...], needed: set[Tensor]) -> bool:
    """Whether no other argument gets a gradient."""
    others = args[:position] + args[position + 1 :]
    return not any(type(b) is Tensor and b in needed for b in others)


def _leaf_of(variable: Variable) -> Tensor:
    """Return the tensor for a variable that is itself a target."""
    return Tensor(variable.value, 0, variable, variable._version)


def _check_version(leaf: Tensor) -> None:
    if leaf.owner is not None and leaf.version is not None and leaf.version != leaf.owner._version:
        raise RuntimeError(
            f"{WHO}: variable {leaf.owner.name!r} must not change between its reading and gradient(), got a change; "
            "compute the gradient first, or open the tape with persistent=True, which keeps copies"
        )


def unbroadcast(r: Any, shape: tuple[int, ...]) -> Any:
    """Sum ``r`` over the axes along which ``shape`` was broadcast to r's shape."""
    extra = r.ndim - len(shape)
    if extra:
        r = np.sum(r, axis=tuple(range(extra)))
    axes = tuple(i for i, size in enumerate(shape) if size == 1 and r.shape[i] != 1)
    return np.sum(r, axis=axes, keepdims=True) if axes else r
