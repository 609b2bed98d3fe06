"""Hooks where each rank has the gradients of its shards only: they do what they would do to whole gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.typing import Array
from ..ops.indexed_slices import IndexedSlices
from ..optim.clip import clip_by_value
from ..optim.clip.scale import scaled
from ..optim.hooks import (
    Accumulate,
    CheckFinite,
    ClipByGlobalNorm,
    ClipByNorm,
    ClipByValue,
    CowClip,
    GradientNoise,
    Hook,
    WeightDecay,
)
from ..optim.hooks.weight_decay import DecayBeforeUpdate
from ..optim.updates import rows_of
from .gradients import Rows, no_rows, summed, values_in, with_values
from .layout import Layout
from .meeting import Meeting
from .norms import combined, norms
from .roster import value_of

__all__ = ["ShardHooks", "why_not_here"]

Gradients = dict[int, "Array | Rows"]
"""By position the rows that this rank owns: a matrix, or rows with the ids of the whole parameter."""

_BY_ELEMENT = (ClipByValue, WeightDecay, DecayBeforeUpdate)
_KNOWN = (*_BY_ELEMENT, Accumulate, CheckFinite, ClipByGlobalNorm, ClipByNorm, CowClip, GradientNoise)


def why_not_here(hooks: Sequence[Any]) -> str | None:
    """Return which of the hooks must see whole gradients, None where none must."""
    names = [getattr(type(hook), "__name__", "?") for hook in hooks if type(hook) not in _KNOWN]
    return f"the hook {names[0]}, which sees whole gradients" if names else None


class ShardHooks:
    """Runs the hooks that no update by elements can do.

    Args:
        meeting: of the ranks.
        layout: who owns what.
        shards: by position this rank's shard, or what stands for none.
        wholes: by position the whole parameter.
        order: the positions, in the order in which hooks see parameters.
    """

    def __init__(
        self, meeting: Meeting, layout: Layout, shards: Sequence[Any], wholes: Sequence[Any], order: Sequence[int]
    ) -> None:
        self.meeting, self.layout, self.shards, self.wholes, self.order = meeting, layout, shards, wholes, order
        self.refused: tuple[CheckFinite, str] | None = None  # who has refused the step, and for which parameter

    def run(self, hooks: Sequence[Any], gradients: Gradients, fuses: bool) -> tuple[Gradients, list[Any]]:
        """Return the gradients after the hooks, none where one holds the step back, and what is left to the update.

        ``fuses``: whether one process leaves declarative hooks to the update, but those before one that it calls.
        """
        first_fused = max((k + 1 for k, hook in enumerate(hooks) if not isinstance(hook, Hook)), default=0)
        first_fused = first_fused if fuses else len(hooks)
        left_from = max((k + 1 for k, hook in enumerate(hooks) if type(hook) not in _BY_ELEMENT), default=first_fused)
        left: list[Any] = []
        for k, hook in enumerate(hooks):
            if k >= max(first_fused, left_from) or (isinstance(hook, WeightDecay) and hook.decoupled):
                left.append(hook)
            elif gradients:
                gradients = self._run(hook, gradients, k < first_fused)
        return gradients, left

    def _run(self, hook: Any, gradients: Gradients, called: bool) -> Gradients:
        if isinstance(hook, ClipByValue):
            return _mapped(gradients, lambda p, values: clip_by_value(values, hook.low, hook.high))
        if isinstance(hook, WeightDecay):
            return {p: self._decayed(hook, p, gradient, called) for p, gradient in gradients.items()}
        if isinstance(hook, (ClipByNorm, ClipByGlobalNorm)):
            return self._clipped(hook, gradients)
        if isinstance(hook, CowClip):
            return {p: self._rows_clipped(hook, p, gradient) for p, gradient in gradients.items()}
        if isinstance(hook, CheckFinite):
            return self._checked(hook, gradients)
        return self._noisy(hook, gradients) if isinstance(hook, GradientNoise) else self._accumulated(hook, gradients)

    def _decayed(self, hook: WeightDecay, p: int, gradient: Array | Rows, called: bool) -> Array | Rows:
        """Add the decay; one that is called multiplies in the parameter's type, one that is fused in the gradient's."""
        if hook._excluded is not None and self.wholes[p] in hook._excluded:
            return gradient
        values = values_in(gradient)
        weights = self._weights(p, gradient) if isinstance(gradient, Rows) else value_of(self.shards[p])
        weights = weights.reshape(values.shape).astype(weights.dtype if called else values.dtype)
        return with_values(gradient, values + weights * weights.dtype.type(hook.rate))

    def _weights(self, p: int, gradient: Rows) -> Array:
        """Return the rows of the parameter that have a gradient."""
        return rows_of(self.shards[p], gradient.ids - self._begin(p))

    def _rows_clipped(self, hook: CowClip, p: int, gradient: Array | Rows) -> Array | Rows:
        if not isinstance(gradient, Rows) or gradient.counts is None:
            return gradient
        weights = self._weights(p, gradient).reshape(gradient.values.shape)
        return gradient._replace(values=hook._limited(gradient.values, weights, gradient.counts))

    def _begin(self, p: int) -> int:
        return self.layout.owned(p, self.meeting.wire.rank)[0]

    def _clipped(self, hook: ClipByNorm | ClipByGlobalNorm, gradients: Gradients) -> Gradients:
        each = norms(self.meeting.wire, list(gradients.values()))
        if isinstance(hook, ClipByNorm):
            hook._measured[0] = np.array(each, np.float64)
            factors = [1.0 if norm <= hook.norm else hook.norm / norm for norm in each]
        else:
            norm = combined(each)
            hook._measured[0] = np.asarray(norm, np.float64)
            one = 1.0 if norm <= hook.norm else hook.norm / norm if np.isfinite(norm) else np.nan
            factors = [one] * len(each)
        by_position = dict(zip(gradients, factors, strict=True))
        return _mapped(gradients, lambda p, values: scaled(type(hook).__name__, values, by_position[p]))

    def _checked(self, hook: CheckFinite, gradients: Gradients) -> Gradients:
        bad = [p for p, gradient in gradients.items() if not np.isfinite(values_in(gradient)).all()]
        table = self.meeting.wire.all_gather(np.array([min(bad, default=-1)], np.int64))
        found = table[table >= 0]
        if not found.size:
            return gradients
        self.refused = hook, self.layout.specs[int(found.min())].name
        return {}

    def _noisy(self, hook: GradientNoise, gradients: Gradients) -> Gradients:
        """Draw the noise of the whole gradients on every rank, the same everywhere, and take what is of the shards."""
        wire = self.meeting.wire
        counts = [g.ids.size if isinstance(g, Rows) else len(g) for g in gradients.values()]
        table = wire.all_gather(np.array(counts, np.int64))
        stddev = hook.stddev / (1 + hook.step) ** (hook.decay / 2)
        hook.step += 1
        out: Gradients = {}
        for k, (p, gradient) in enumerate(gradients.items()):
            values = values_in(gradient)
            noise = hook._rng.standard_normal((int(table[:, k].sum()), *values.shape[1:])) * stddev
            first = int(table[: wire.rank, k].sum())
            own = noise[first : first + len(values)]
            out[p] = with_values(gradient, (values + own).astype(values.dtype))
        return out

    def _accumulated(self, hook: Accumulate, gradients: Gradients) -> Gradients:
        positions = [p for p in self.order if p in gradients or hook._sums.get(self.shards[p]) is not None]
        results = hook([(self._slices(p, gradients.get(p)), self.shards[p]) for p in positions])
        if hook._calls:
            return {}
        return {p: self._joined(p, result) for p, (result, _) in zip(positions, results, strict=True)}

    def _slices(self, p: int, gradient: Array | Rows | None) -> Any:
        if not isinstance(gradient, Rows):
            return gradient
        begin, end = self.layout.owned(p, self.meeting.wire.rank)
        return IndexedSlices(gradient.values, gradient.ids - begin, (end - begin, gradient.values.shape[1]))

    def _joined(self, p: int, result: Any) -> Array | Rows:
        if not isinstance(result, IndexedSlices):
            array: Array = result
            return array
        if not result.indices.size:
            return no_rows(self.layout.specs[p])
        ids, values = summed(np.ascontiguousarray(result.values), result.indices, int(result.indices.max()) + 1)
        return Rows(ids + self._begin(p), values)


def _mapped(gradients: Gradients, change: Callable[[int, Array], Array]) -> Gradients:
    return {p: with_values(gradient, change(p, values_in(gradient))) for p, gradient in gradients.items()}
