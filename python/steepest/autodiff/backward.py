"""Reverse-mode differentiation: from targets back to sources over what was recorded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from .. import _core
from ..base.errors import must
from ..ops.dispatch import unwrap, wrap_result
from ..ops.indexed_slices import IndexedSlices
from ..ops.registry import Primitive
from ..ops.scatter import IndexedCotangent
from ..ops.state import RecordingTape, state
from ..ops.tensor import Tensor
from ..variables.variable import Variable
from .cotangents import Sums
from .nest import WHO, collect_sources, collect_targets, in_structure

__all__ = ["gradients"]

_by_number = attrgetter("number")


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
    wanted: list[Any] = []
    collect_sources(sources, wanted)
    allocator = _core.allocate_by(_core.kept_arrays)
    try:
        with np.errstate(all="ignore"):  # an infinity or a NaN shows in the gradient
            found = _Backward(tape, seeds, wanted, constants).run()
    finally:
        _core.allocate_by(allocator)
    return in_structure(sources, iter(map(wrap_result, found)), zero)


class _Backward:
    """One pass back: the state that its steps share."""

    def __init__(
        self, tape: RecordingTape, seeds: list[tuple[Any, Any]], sources: list[Any], constants: frozenset[Any]
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
        order = self._reach()
        self._check_versions(self.leaves)
        starts = self._starts()
        self.kept = {leaf for found in starts for leaf in found}
        self.needed = self._needed(order)
        self._seed()
        self._carry(order)
        results = [self.sums.handed_out(found) for found in starts]
        if not (self.tape._persistent or self.tape._shared):
            never = -math.inf
            for node in order:  # the values are of no more use: free what a kept loss would hold
                node.args = node.inputs = ()
                node.primitive = None
                node.mark = never
        return results

    def _reach(self) -> list[Tensor]:
        """Return the recorded operations behind the targets, last first; note the tensors met, and the leaves."""
        intervals = self.tape._intervals
        first, last = (intervals[0][0], intervals[-1][1]) if intervals else (0, 0)
        recorded = self.tape._recorded if len(intervals) > 1 else None
        constants, leaves = self.constants, self.leaves
        simple = recorded is None and not constants
        seen: set[Tensor] = set()
        order: list[Tensor] = []
        stack: list[Tensor] = []
        self.roots = [_leaf_of(target) if isinstance(target, Variable) else target for target, _ in self.seeds]
        met: Sequence[Any] = self.roots
        while True:
            for a in met:
                if type(a) is Tensor and a not in seen:
                    seen.add(a)
                    if (
                        a.primitive is not None
                        and first <= a.number < last
                        and (simple or (a not in constants and (recorded is None or recorded(a.number))))
                    ):
                        stack.append(a)
                    else:
                        leaves.append(a)
            if not stack:
                break
            node = stack.pop()
            order.append(node)
            met = node.args
        order.sort(key=_by_number, reverse=True)
        self.seen = seen
        return order

    def _needed(self, order: list[Tensor]) -> set[Tensor]:
        """Return the tensors whose gradients are sources' or lead to them."""
        kept = self.kept
        if all(leaf in kept or (leaf.mark == -math.inf and not leaf.number) for leaf in self.leaves):
            # Whatever was recorded comes from a leaf that was followed, and so from a source.
            return kept.union(order)
        needed = kept.copy()
        for node in reversed(order):
            for a in node.args:
                if type(a) is Tensor and a in needed:
                    needed.add(node)
                    break
        return needed

    def _check_versions(self, leaves: list[Tensor]) -> None:
        for leaf in leaves:
            if leaf.mark != -math.inf:
                _check_version(leaf)

    def _starts(self) -> list[list[Tensor]]:
        """Return for each source the tensors that stand for it in the graph."""
        watched, seen = self.tape._watched, self.seen
        of_variable: dict[Variable, list[Tensor]] = {}
        for leaf in self.leaves:
            if leaf.owner is not None and leaf.mark != -math.inf:
                of_variable.setdefault(leaf.owner, []).append(leaf)
        ends = set(self.leaves)
        found: list[list[Tensor]] = []
        for source in self.sources:
            if isinstance(source, Variable):
                found.append(of_variable.get(source, []) if source in watched else [])
            elif source in seen and (source not in ends or source in watched or source in self.constants):
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
                seed = np.empty(shape, dtype)
                seed.fill(1)
            else:
                if not isinstance(seed, (Tensor, Variable)):
                    seed = np.asarray(seed)
                if seed.shape != shape:
                    rule = f"have the target's shape {shape}"
                    raise ValueError(must(WHO, "output_gradients", rule, f"shape {seed.shape}"))
                if not self.taped:
                    seed = unwrap(seed)
                if seed.dtype != dtype:
                    seed = seed.astype(dtype)
            self.sums.add(root, seed, False)

    def _carry(self, order: list[Tensor]) -> None:
        """Carry the gradients of the operations' results to their arguments, last operation first."""
        needed, kept, sums, taped = self.needed, self.kept, self.sums, self.taped
        grads, owned = sums.grads, sums.owned
        ndarray = np.ndarray
        for node in order:
            g = grads.pop(node, None)
            if g is None:
                continue
            private = node in owned
            if type(g) is not ndarray and not isinstance(g, Tensor):
                g = sums.dense(g, node)
                if type(g) is ndarray:
                    owned.add(node)
                    private = True
            if node in kept:
                grads[node] = g
                private = False
            primitive, args, kwargs = node.primitive, node.args, node.kwargs
            assert primitive is not None
            y, values = (node, args) if taped else (node.value, node.inputs)
            vjps, own = primitive.vjps, not primitive.custom
            holders = 0
            pair = not kwargs and len(values) == 2
            if pair:
                left, right = values
            for i, a in enumerate(args):
                if type(a) is not Tensor:
                    continue
                if a not in needed:
                    if a.owner is not None and a.mark == -math.inf and not primitive.linear:
                        _check_version(a)
                    continue
                if i >= len(vjps) or (rule := vjps[i]) is None:
                    r = _every(primitive, i)(g, y, i, *values, **(kwargs or {}))
                elif pair:
                    r = rule(g, y, left, right)
                else:
                    r = rule(g, y, *values, **kwargs) if kwargs else rule(g, y, *values)
                if type(r) is not ndarray:
                    if r is not None:
                        self._add_other(primitive, a, r, g, private)
                        private = False  # it may keep the incoming gradient
                    continue
                x = a.value
                if r.shape != x.shape:
                    r = unbroadcast(r, x.shape)
                if r.dtype is not x.dtype and r.dtype != x.dtype:
                    r = _cast(primitive, r, x.dtype)
                old = grads.get(a)
                if old is None:
                    grads[a] = r
                    if r is not g and r.base is None:
                        if own:
                            owned.add(a)
                    elif private and own and (r is g or r.base is g or r.base is g.base):
                        holder = a  # of the incoming gradient, or of a view of it
                        holders += 1
                elif a in owned and type(old) is ndarray:
                    old += r
                else:
                    sums.add(a, r, own and r is not g and r.base is None)
            # What was this node's own is now the argument's own, if only one keeps it.
            if holders == 1 and private and grads[holder].flags.writeable:
                owned.add(holder)

    def _add_other(self, primitive: Primitive, a: Tensor, r: Any, g: Any, private: bool) -> None:
        """Add a gradient for ``a`` that is rows, a part, a tensor under an outer tape, or a NumPy scalar."""
        if type(r) is IndexedSlices or type(r) is IndexedCotangent:
            values = r.values
            fresh = private or (type(values) is np.ndarray and values is not g and values.base is None)
            self.sums.add(a, r, fresh)
            return
        if r.shape != a.shape:
            r = unbroadcast(r, a.shape)
        if r.dtype != a.dtype:
            r = _cast(primitive, r, a.dtype)
        self.sums.add(a, r, False)


def _every(primitive: Primitive, position: int) -> Any:
    """Return the rule for any position of a primitive that has no rule for this one."""
    if primitive.vjp_argnum is None:
        what = f"a recorded value at position {position}"
        remedy = "use stop_gradient(x) there"
        raise TypeError(must(primitive.name, "argument", "be one with a derivative rule", what, remedy))
    return primitive.vjp_argnum


def _cast(primitive: Primitive, r: Any, dtype: Any) -> Any:
    """Return a gradient in its argument's type."""
    if r.dtype.kind == "c":
        raise TypeError(must(primitive.name, "result", "stay real on recorded values", f"dtype {r.dtype}"))
    return r.astype(dtype)


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
    total = np.add.reduce if isinstance(r, np.ndarray) else np.sum
    extra = r.ndim - len(shape)
    if extra:
        r = total(r, axis=0 if extra == 1 else tuple(range(extra)))
    if r.shape == shape:
        return r
    axes = tuple([i for i, size in enumerate(shape) if size == 1 and r.shape[i] != 1])
    return total(r, axis=axes, keepdims=True)
