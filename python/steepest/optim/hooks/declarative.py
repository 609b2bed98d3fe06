"""Declarative hooks: clipping, weight decay and checks that become part of the native update."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...base.errors import must
from ...ops.indexed_slices import IndexedSlices
from ..clip import clip_by_global_norm, clip_by_norm, clip_by_value, global_norm
from ..duplicates import sum_duplicates
from ..hook_kinds import CHECK_FINITE, CLIP_BY_GLOBAL_NORM, CLIP_BY_NORM, CLIP_BY_VALUE, DECOUPLED, L2, NativeHook
from ..hyperparameters import learning_rate_of, scalar
from ..rule_source import RuleSource
from ..updates import array_of, rows_of

__all__ = [
    "FUSED",
    "CheckFinite",
    "ClipByGlobalNorm",
    "ClipByNorm",
    "ClipByValue",
    "Hook",
    "Pairs",
    "WeightDecay",
    "check_limit",
    "refuse_step",
]

Pairs = list[tuple[Any, Any]]


def check_limit(who: str, name: str, value: Any) -> float:
    """Return a number that is at least 0 and finite; else ValueError."""
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

    def native(self, optimizer: RuleSource) -> NativeHook:
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

    def native(self, optimizer: RuleSource) -> NativeHook:
        return CLIP_BY_VALUE, self.low, self.high


class ClipByNorm(Hook):
    """Scale each gradient whose Euclidean norm exceeds ``norm`` down to it. Fused, at one extra read."""

    def __init__(self, norm: float) -> None:
        self.norm = check_limit("ClipByNorm", "norm", norm)

    def __call__(self, pairs: Pairs) -> Pairs:
        return [(clip_by_norm(_summed(g), self.norm), v) for g, v in pairs]

    def native(self, optimizer: RuleSource) -> NativeHook:
        return CLIP_BY_NORM, self.norm, 0.0


class ClipByGlobalNorm(Hook):
    """Scale all gradients together so that their common norm is at most ``norm``. Fused, at one extra read.

    Source: Pascanu, Mikolov, Bengio, 2013.
    """

    def __init__(self, norm: float) -> None:
        self.norm = check_limit("ClipByGlobalNorm", "norm", norm)

    def __call__(self, pairs: Pairs) -> Pairs:
        clipped, _ = clip_by_global_norm([_summed(g) for g, _ in pairs], self.norm)
        return [(g, v) for g, (_, v) in zip(clipped, pairs, strict=True)]

    def native(self, optimizer: RuleSource) -> NativeHook:
        return CLIP_BY_GLOBAL_NORM, self.norm, 0.0


class WeightDecay(Hook):
    """Pull weights towards zero. Fused. With sparse gradients only the batch's rows decay.

    ``decoupled=False``: L2 regularization, ``g = g + rate * w``. ``decoupled=True``: ``w = w - learning_rate * rate *
    w`` before the update, which leaves adaptive rules' statistics alone (AdamW; Loshchilov and Hutter, 2019).
    """

    def __init__(self, rate: float, decoupled: bool = False) -> None:
        self.rate, self.decoupled = check_limit("WeightDecay", "rate", rate), bool(decoupled)

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

    def native(self, optimizer: RuleSource) -> NativeHook:
        if self.decoupled:
            return DECOUPLED, learning_rate_of(optimizer) * self.rate, 0.0
        return L2, self.rate, 0.0


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

    def native(self, optimizer: RuleSource) -> NativeHook:
        return CHECK_FINITE, 0.0, 0.0


FUSED = frozenset({CheckFinite, ClipByGlobalNorm, ClipByNorm, ClipByValue, WeightDecay})
"""The classes that are part of the native update; a subclass of one may do something else."""


def refuse_step(hooks: Iterable[Any], name: str) -> None:
    """Do what the first `CheckFinite` says about a gradient that is not finite: raise, or count a skipped step."""
    next(hook for hook in hooks if isinstance(hook, CheckFinite)).found(name, [])
