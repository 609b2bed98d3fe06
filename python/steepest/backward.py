"""Reverse-mode differentiation: from targets back to sources over what was recorded."""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from .indexed_slices import IndexedSlices
from .messages import must
from .ops.dispatch import plain
from .ops.scatter import Placed, add_rows
from .ops.state import state
from .tensor import Tensor
from .variable import Variable

if TYPE_CHECKING:
    from .tape import GradientTape

__all__ = ["gradients"]

_by_number = attrgetter("number")
_WHO = "GradientTape.gradient"


def gradients(tape: GradientTape, target: Any, sources: Any, output_gradients: Any, zero: bool) -> Any:
    """Do what `GradientTape.gradient` documents."""
    if target is None:
        raise TypeError(must(_WHO, "target", "be a value or a nest of them", None, "does the function return a value?"))
    seeds: list[tuple[Any, Any]] = []
    _collect_targets(target, output_gradients, seeds)
    wanted: list[Any] = []
    _collect_sources(sources, wanted)
    with np.errstate(all="ignore"):  # an infinity or a NaN shows in the gradient
        found = _Backward(tape, seeds, wanted).run()
    return _in_structure(sources, iter(found), zero)


def _collect_targets(target: Any, seed: Any, found: list[tuple[Any, Any]]) -> None:
    if isinstance(target, (list, tuple)):
        seeds = [None] * len(target) if seed is None else seed
        if not isinstance(seeds, (list, tuple)) or len(seeds) != len(target):
            raise ValueError(must(_WHO, "output_gradients", "have the structure of target", seed))
        for item, item_seed in zip(target, seeds, strict=True):
            _collect_targets(item, item_seed, found)
    elif isinstance(target, dict):
        _collect_targets(list(target.values()), None if seed is None else [seed[key] for key in target], found)
    elif isinstance(target, (Tensor, Variable)):
        if isinstance(seed, (list, tuple)) and len(seed) == 1 and target.ndim == 0:
            seed = seed[0]
        found.append((target, seed))
    elif target is None or isinstance(target, (str, bytes, IndexedSlices)):
        raise TypeError(must(_WHO, "target", "be a value computed under the tape", target))


def _collect_sources(sources: Any, found: list[Any]) -> None:
    if isinstance(sources, (list, tuple)):
        for item in sources:
            _collect_sources(item, found)
    elif isinstance(sources, dict):
        _collect_sources(list(sources.values()), found)
    elif isinstance(sources, (Tensor, Variable)):
        found.append(sources)
    elif isinstance(sources, (np.ndarray, np.generic, float, int)):
        remedy = "watch a steepest.constant, or use a Variable"
        raise TypeError(must(_WHO, "sources", "be Tensors or Variables", sources, remedy))
    else:
        raise TypeError(must(_WHO, "sources", "be Tensors or Variables", sources))


def _in_structure(sources: Any, found: Any, zero: bool) -> Any:
    if isinstance(sources, (list, tuple)):
        items = [_in_structure(item, found, zero) for item in sources]
        if isinstance(sources, list):
            return items
        return type(sources)(*items) if hasattr(sources, "_fields") else tuple(items)
    if isinstance(sources, dict):
        return {key: _in_structure(item, found, zero) for key, item in sources.items()}
    gradient = next(found)
    return np.zeros(sources.shape, sources.dtype) if gradient is None and zero else gradient


class _Backward:
    """One pass back: the state that its steps share."""

    def __init__(self, tape: GradientTape, seeds: list[tuple[Any, Any]], sources: list[Any]) -> None:
        self.tape = tape
        self.seeds = seeds
        self.sources = sources
        self.taped = state.floor != math.inf  # an outer tape records: compute on tensors
        self.grads: dict[Tensor, Any] = {}
        self.owned: set[Tensor] = set()  # whose gradient is an array that nobody else holds
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
        grads = self.grads
        for node in order:
            if node in needed and node in grads:
                self._step(node)
        results = [self._handed_out(found) for found in starts]
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
            if node.primitive is not None and (
                first <= node.number < last if single else self.tape._recorded(node.number)
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
            elif source in seen and (source in self.expanded or source in watched):
                found.append([source])
            elif source in seen and source.owner is not None and source.owner in watched:
                found.append([source])  # what read_value() returned
            else:
                found.append([])
        return found

    def _seed(self) -> None:
        for root, (target, seed) in zip(self.roots, self.seeds, strict=True):
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
                    raise ValueError(must(_WHO, "output_gradients", rule, f"shape {seed.shape}"))
                if not self.taped:
                    seed = plain(seed)
                if seed.dtype != dtype:
                    seed = seed.astype(dtype)
            self._accumulate(root, seed, False)

    def _step(self, node: Tensor) -> None:
        """Carry the gradient of one operation's result to its arguments."""
        grads = self.grads
        g = grads[node]
        if type(g) in (IndexedSlices, Placed, list):
            g = grads[node] = self._dense(g, node)
            self.owned.add(node)
        private = node in self.owned and node not in self.kept
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
        kwargs = node.kwargs or {}
        needed, vjps, every = self.needed, primitive.vjps, primitive.every
        alone = None
        for i, a in enumerate(args):
            if type(a) is not Tensor:
                continue
            if a not in needed:
                if a.owner is not None and a.mark == -math.inf and not primitive.linear:
                    _check_version(a)
                continue
            if every is not None:
                r = every(g, y, i, *values, **kwargs)
            elif i < len(vjps) and (rule := vjps[i]) is not None:
                r = rule(g, y, *values, **kwargs)
            else:
                what = f"a recorded value at position {i}"
                remedy = "use stop_gradient(x) there"
                raise TypeError(must(primitive.name, "argument", "be one with a derivative rule", what, remedy))
            if r is None:
                continue
            if type(r) is IndexedSlices or type(r) is Placed:
                self._accumulate(a, r, private or (r.values is not g and r.values.base is None))
                continue
            x = a.value
            if r.shape != x.shape:
                r = unbroadcast(r, x.shape)
            if r.dtype != x.dtype:
                if r.dtype.kind == "c":
                    rule_text = "stay real on recorded values"
                    raise TypeError(must(primitive.name, "result", rule_text, f"dtype {r.dtype}"))
                r = r.astype(x.dtype)
            fresh = False
            if type(r) is np.ndarray and not primitive.custom:
                if r is g or r.base is not None:
                    if private and r.flags.writeable and (r is g or r.base is g or r.base is g.base):
                        if alone is None:
                            alone = sum(type(b) is Tensor and b in needed for b in args) == 1
                        fresh = alone
                else:
                    fresh = True
            self._accumulate(a, r, fresh)

    def _accumulate(self, a: Tensor, r: Any, fresh: bool) -> None:
        grads, owned = self.grads, self.owned
        old = grads.get(a)
        if old is None:
            grads[a] = r
            if fresh:
                owned.add(a)
        elif type(r) is np.ndarray and type(old) is np.ndarray:
            if a in owned:
                old += r
            else:
                grads[a] = old + r
                owned.add(a)
        elif isinstance(r, (Placed, IndexedSlices)) or isinstance(old, (Placed, IndexedSlices, list)):
            self._accumulate_sparse(a, old, r, fresh)
        else:
            grads[a] = old + r
            owned.discard(a)

    def _accumulate_sparse(self, a: Tensor, old: Any, r: Any, fresh: bool) -> None:
        grads, owned = self.grads, self.owned
        if type(r) is IndexedSlices and type(old) in (IndexedSlices, list):
            grads[a] = [*old, r] if type(old) is list else [old, r]
            owned.discard(a)
            return
        if self.taped:
            grads[a] = self._dense(old, a) + self._dense(r, a)
            return
        if isinstance(old, np.ndarray) and a in owned and old.flags.c_contiguous:
            buffer = old
        else:
            was_dense = isinstance(old, np.ndarray)
            buffer = old.copy(order="C") if was_dense else np.zeros(a.shape, a.dtype)
            if not was_dense:
                self._add(buffer, old)
        self._add(buffer, r)
        grads[a] = buffer
        owned.add(a)

    def _add(self, buffer: Any, r: Any) -> None:
        if type(r) is list:
            for part in r:
                self._add(buffer, part)
        elif type(r) is Placed:
            r.add_into(buffer)
        elif type(r) is IndexedSlices:
            add_rows(buffer, r.indices, r.values)
        else:
            buffer += r

    def _dense(self, r: Any, a: Tensor) -> Any:
        if type(r) is list:
            r = _concatenated(r)
        if type(r) is Placed:
            return r.dense()
        return r.to_dense() if type(r) is IndexedSlices else r

    def _handed_out(self, found: list[Tensor]) -> Any:
        """Return a source's gradient as arrays of its own."""
        total: Any = None
        for leaf in found:
            r = self.grads.get(leaf)
            if r is None:
                continue
            mine = leaf in self.owned
            if type(r) is list:
                r, mine = _concatenated(r), True
            if type(r) is Placed:
                r, mine = r.dense(), True
            if total is None:
                total, owned = r, mine
            elif type(total) is IndexedSlices and type(r) is IndexedSlices:
                total, owned = _concatenated([total, r]), True
            else:
                total, owned = self._dense(total, leaf) + self._dense(r, leaf), True
        if total is None:
            return None
        return total if self.taped else _own(total, owned and len(found) == 1)


def _leaf_of(variable: Variable) -> Tensor:
    """Return the tensor for a variable that is itself a target."""
    return Tensor(variable.value, 0, variable, variable._version)


def _own(r: Any, owned: bool) -> Any:
    if type(r) is IndexedSlices:
        values = r.values if owned else r.values.copy()
        return IndexedSlices(values, r.indices, r.dense_shape)
    if not isinstance(r, np.ndarray):
        return np.array(plain(r))
    return r if owned else r.copy(order="C")


def _concatenated(parts: list[IndexedSlices]) -> IndexedSlices:
    parts = parts[::-1]  # in the order in which the rows were read
    values = np.concatenate([part.values for part in parts])
    indices = np.concatenate([part.indices for part in parts])
    return IndexedSlices(values, indices, parts[0].dense_shape)


def _check_version(leaf: Tensor) -> None:
    if leaf.version is not None and leaf.version != leaf.owner._version:
        raise RuntimeError(
            f"{_WHO}: variable {leaf.owner.name!r} must not change between its reading and gradient(), got a change; "
            "compute the gradient first, or open the tape with persistent=True, which keeps copies"
        )


def unbroadcast(r: Any, shape: tuple[int, ...]) -> Any:
    """Sum ``r`` over the axes along which ``shape`` was broadcast to r's shape."""
    extra = r.ndim - len(shape)
    if extra:
        r = np.sum(r, axis=tuple(range(extra)))
    axes = tuple(i for i, size in enumerate(shape) if size == 1 and r.shape[i] != 1)
    return np.sum(r, axis=axes, keepdims=True) if axes else r
