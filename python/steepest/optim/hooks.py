"""Hooks: what happens to gradients between compute and apply.

A hook is any callable that takes the list of ``(gradient, variable)`` pairs and returns such a list. The hooks of this
module act on what a row or an element really receives: duplicates of `IndexedSlices` count as their sum. Those marked
*fused* cost no copy of the gradients with the library's own optimizers: they become part of the native update.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import must
from ..ops.indexed_slices import IndexedSlices
from .clip import clip_by_global_norm, clip_by_norm, clip_by_value, global_norm
from .duplicates import sum_duplicates
from .hyperparameters import scalar
from .parameters import memory_of
from .updates import Update, array_of, check_bounds, rows_of, to_pairs

if TYPE_CHECKING:
    from .optimizer import Optimizer

__all__ = [
    "Accumulate",
    "CheckFinite",
    "ClipByGlobalNorm",
    "ClipByNorm",
    "ClipByValue",
    "GradientNoise",
    "Hook",
    "WeightDecay",
    "run_hooks",
]

Pairs = list[tuple[Any, Any]]
# Kind and two operands, in the order of the native core's Hook::Kind.
NativeHook = tuple[int, float, float]
_CLIP_BY_VALUE, _L2, _DECOUPLED, _CLIP_BY_NORM, _CLIP_BY_GLOBAL_NORM, _CHECK_FINITE = range(6)


def _limit(who: str, name: str, value: Any) -> float:
    number = scalar(who, name, value)
    if not 0 <= number < np.inf:
        raise ValueError(must(who, name, "be at least 0 and finite", f"{number!r}"))
    return number


def _summed(gradient: Any) -> Any:
    return sum_duplicates("hook", gradient) if isinstance(gradient, IndexedSlices) else gradient


class Hook:
    """A declarative hook: it can be called on pairs, or be fused into the native update."""

    def __call__(self, pairs: Pairs) -> Pairs:
        """Return the pairs with processed gradients."""
        raise NotImplementedError(must(type(self).__name__, "class", "define __call__(pairs)", "none"))

    def native(self, optimizer: Optimizer) -> NativeHook:
        """Return the hook in the native core's form, for this step."""
        raise NotImplementedError(must(type(self).__name__, "class", "define native(optimizer)", "none"))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in vars(self).items() if k[0] != '_')})"


class ClipByValue(Hook):
    """Clip every element to ``[low, high]``: ``g = max(min(g, high), low)``; NaN stays. Fused.

    Raises ValueError where low or high is NaN or low > high.
    """

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = scalar("ClipByValue", "low", low), scalar("ClipByValue", "high", high)
        if not self.low <= self.high:
            raise ValueError(must("ClipByValue", "low", "be at most high", f"low={self.low!r}, high={self.high!r}"))

    def __call__(self, pairs: Pairs) -> Pairs:
        return [(clip_by_value(_summed(g), self.low, self.high), v) for g, v in pairs]

    def native(self, optimizer: Optimizer) -> NativeHook:
        return _CLIP_BY_VALUE, self.low, self.high


class ClipByNorm(Hook):
    """Scale each gradient whose Euclidean norm exceeds ``norm`` down to it. Fused, at one extra read."""

    def __init__(self, norm: float) -> None:
        self.norm = _limit("ClipByNorm", "norm", norm)

    def __call__(self, pairs: Pairs) -> Pairs:
        return [(clip_by_norm(_summed(g), self.norm), v) for g, v in pairs]

    def native(self, optimizer: Optimizer) -> NativeHook:
        return _CLIP_BY_NORM, self.norm, 0.0


class ClipByGlobalNorm(Hook):
    """Scale all gradients together so that their common norm is at most ``norm``. Fused, at one extra read.

    Source: Pascanu, Mikolov, Bengio, 2013.
    """

    def __init__(self, norm: float) -> None:
        self.norm = _limit("ClipByGlobalNorm", "norm", norm)

    def __call__(self, pairs: Pairs) -> Pairs:
        clipped, _ = clip_by_global_norm([_summed(g) for g, _ in pairs], self.norm)
        return [(g, v) for g, (_, v) in zip(clipped, pairs, strict=True)]

    def native(self, optimizer: Optimizer) -> NativeHook:
        return _CLIP_BY_GLOBAL_NORM, self.norm, 0.0


class WeightDecay(Hook):
    """Pull weights towards zero. Fused. With sparse gradients only the batch's rows decay.

    ``decoupled=False``: L2 regularization, ``g = g + rate * w``. ``decoupled=True``: ``w = w - learning_rate * rate *
    w`` before the update, which leaves adaptive rules' statistics alone (AdamW; Loshchilov and Hutter, 2019).
    """

    def __init__(self, rate: float, decoupled: bool = False) -> None:
        self.rate, self.decoupled = _limit("WeightDecay", "rate", rate), bool(decoupled)

    def __call__(self, pairs: Pairs) -> Pairs:
        if self.decoupled:
            rule = "be given to an optimizer when it is decoupled"
            raise TypeError(must("WeightDecay", "hook", rule, "a call", "put it into hooks=[...]"))
        return [(None if g is None else self._with_decay(g, v), v) for g, v in pairs]

    def _with_decay(self, gradient: Any, variable: Any) -> Any:
        rate = variable.dtype.type(self.rate)
        if isinstance(gradient, IndexedSlices):
            gradient = sum_duplicates("WeightDecay", gradient)
            rows = rows_of(variable, array_of(gradient.indices))
            return IndexedSlices(array_of(gradient.values) + rows * rate, gradient.indices, gradient.dense_shape)
        return array_of(gradient) + array_of(variable) * rate

    def native(self, optimizer: Optimizer) -> NativeHook:
        if self.decoupled:
            return _DECOUPLED, optimizer._rate() * self.rate, 0.0
        return _L2, self.rate, 0.0


class CheckFinite(Hook):
    """Refuse gradients with a NaN or an infinity. Fused, at one extra read.

    ``action="raise"``: ValueError that names the variable, nothing changed. ``action="skip"``: the step is left out,
    and ``skipped`` counts it.
    """

    def __init__(self, action: str = "raise") -> None:
        if action not in ("raise", "skip"):
            raise ValueError(must("CheckFinite", "action", "be 'raise' or 'skip'", action))
        self.action, self.skipped = action, 0

    def __call__(self, pairs: Pairs) -> Pairs:
        for gradient, variable in pairs:
            if gradient is not None and not np.isfinite(global_norm([gradient])):
                return self.found(getattr(variable, "name", "an array"), pairs)
        return pairs

    def found(self, name: str, pairs: Pairs) -> Pairs:
        """Raise, or count a skipped step and return pairs without gradients."""
        if self.action == "raise":
            rule = "be finite"
            raise ValueError(must("apply_gradients", f"gradient of {name!r}", rule, "a NaN or an infinity in it"))
        self.skipped += 1
        return [(None, variable) for _, variable in pairs]

    def native(self, optimizer: Optimizer) -> NativeHook:
        return _CHECK_FINITE, 0.0, 0.0


class GradientNoise:
    """Add Gaussian noise of standard deviation ``stddev / (1 + t) ** (decay / 2)`` at step t = 0, 1, ...

    ``seed`` makes it reproducible. Source: Neelakantan et al., 2015 (their eta is stddev squared, their gamma decay).
    """

    def __init__(self, stddev: float, decay: float = 0.0, seed: int | None = None) -> None:
        self.stddev = _limit("GradientNoise", "stddev", stddev)
        self.decay = _limit("GradientNoise", "decay", decay)
        self.step = 0
        self._rng = np.random.default_rng(seed)

    def __call__(self, pairs: Pairs) -> Pairs:
        stddev = self.stddev / (1 + self.step) ** (self.decay / 2)
        self.step += 1

        def noisy(gradient: Any) -> Any:
            if gradient is None:
                return None
            if isinstance(gradient, IndexedSlices):
                gradient = sum_duplicates("GradientNoise", gradient)
                return IndexedSlices(noisy(array_of(gradient.values)), gradient.indices, gradient.dense_shape)
            values = array_of(gradient)
            noise = self._rng.standard_normal(values.shape) * stddev
            return (values + noise).astype(values.dtype if values.dtype.kind not in "iub" else np.float64)

        return [(noisy(g), v) for g, v in pairs]

    def __repr__(self) -> str:
        return f"GradientNoise(stddev={self.stddev!r}, decay={self.decay!r})"


class Accumulate:
    """Update once in ``steps`` calls, by the average (or, ``average=False``, the sum) of their gradients.

    The other calls change nothing: not the variables, the slots nor ``global_step``. `IndexedSlices` stay sparse.
    """

    def __init__(self, steps: int, average: bool = True) -> None:
        if not isinstance(steps, (int, np.integer)) or isinstance(steps, bool) or steps < 1:
            raise ValueError(must("Accumulate", "steps", "be an integer of at least 1", steps))
        self.steps, self.average = int(steps), bool(average)
        self._calls = 0
        self._sums: dict[Any, Any] = {}

    def __call__(self, pairs: Pairs) -> Pairs:
        sums, calls = dict(self._sums), self._calls + 1
        seen: set[Any] = set()
        for gradient, variable in pairs:
            key = _identity(variable)
            if gradient is not None and key not in seen:
                sums[key] = _add(sums.get(key), gradient)
            elif gradient is not None:
                rule = "come once in the list when gradients are accumulated"
                raise ValueError(must("Accumulate", "variable", rule, getattr(variable, "name", "an array")))
            seen.add(key)
        self._sums, self._calls = (sums, calls) if calls < self.steps else ({}, 0)
        if calls < self.steps:
            return [(None, variable) for _, variable in pairs]
        factor = 1 / self.steps if self.average else 1.0
        return [(_times(sums.get(_identity(variable)), factor), variable) for _, variable in pairs]

    def __repr__(self) -> str:
        return f"Accumulate(steps={self.steps}, average={self.average})"


def _identity(variable: Any) -> Any:
    if isinstance(variable, np.ndarray):
        return memory_of(variable)
    return id(variable)


def _add(total: Any, gradient: Any) -> Any:
    if isinstance(gradient, IndexedSlices):
        values, indices = array_of(gradient.values), array_of(gradient.indices)
        if total is None:
            return IndexedSlices(values.copy(), indices.copy(), gradient.dense_shape)
        if isinstance(total, IndexedSlices):
            values = np.concatenate([array_of(total.values), values])
            indices = np.concatenate([array_of(total.indices), indices])
            return IndexedSlices(values, indices, gradient.dense_shape or total.dense_shape)
        return total + IndexedSlices(values, indices, total.shape).to_dense()
    dense = array_of(gradient)
    if isinstance(total, IndexedSlices):
        total = IndexedSlices(total.values, total.indices, dense.shape).to_dense()
    return dense.copy() if total is None else total + dense


def _times(gradient: Any, factor: float) -> Any:
    if gradient is None or factor == 1:
        return gradient
    if isinstance(gradient, IndexedSlices):
        return IndexedSlices(_times(array_of(gradient.values), factor), gradient.indices, gradient.dense_shape)
    return gradient * (gradient.dtype.type(factor) if gradient.dtype.kind not in "iub" else factor)


def run_hooks(
    who: str, hooks: Sequence[Callable[[Pairs], Pairs]], pairs: Pairs, updates: list[Update], fuses: bool
) -> tuple[Pairs, list[Hook], bool]:
    """Call the hooks in order, but leave to the native update what it can fuse.

    Returns the pairs, the fused hooks, and whether the pairs have changed. Decoupled weight decay touches variables
    and not gradients, so it is always left to the update.
    """
    callables = [k for k, hook in enumerate(hooks) if not (fuses and isinstance(hook, Hook))]
    first_fused = callables[-1] + 1 if callables else 0
    fused: list[Hook] = []
    changed = False
    for k, hook in enumerate(hooks):
        deferred = isinstance(hook, WeightDecay) and hook.decoupled
        if isinstance(hook, Hook) and (k >= first_fused or deferred):
            fused.append(hook)
            continue
        if not changed:  # what a hook keeps (Accumulate) must not be spoilt by a batch that is refused later
            for position, update in enumerate(updates):
                check_bounds(who, position, update)
        result = hook(list(pairs))
        if not isinstance(result, (list, tuple)):
            rule = "return a list of (gradient, variable) pairs"
            raise TypeError(must(who, f"hook {hook!r:.60}", rule, result))
        pairs, changed = to_pairs(who, result), True
    return pairs, fused, changed
