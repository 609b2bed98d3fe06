"""Weight decay, as a term of the gradient or apart from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.arrays import to_flag
from ...base.errors import describe, must
from ...base.typing import Pair, Pairs
from ...ops.indexed_slices import IndexedSlices
from ..chosen import Choice, Chosen
from ..duplicates import sum_duplicates
from ..gradient_values import with_values
from ..hook_kinds import DECOUPLED, L2, NativeHook
from ..hyperparameters import is_constant, learning_rate_of
from ..parameters import identity_of
from ..rule_source import RuleSource
from ..updates import array_of, rows_of
from .hook import Hook, check_limit, checked_pairs

__all__ = ["DecayBeforeUpdate", "WeightDecay"]


class WeightDecay(Hook):
    """Pull weights towards zero. Fused. With sparse gradients only the batch's rows decay.

    Args:
        rate: at least 0.
        decoupled: False for L2 regularization, ``g = g + rate * w``; True for ``w = w - learning_rate * rate * w``
            before the update, which leaves the statistics of adaptive rules alone (AdamW).
        exclude: what does not decay: a list of Variables and arrays, or a function of one that returns True for it,
            such as ``lambda v: v.ndim == 1`` for biases; asked when a list of pairs is new. None: everything decays.

    Raises:
        ValueError: for a rate that is negative or not finite.
        TypeError: for a rate that is not one real number, or an ``exclude`` that is neither a list nor a function.
        TypeError: for a decoupled hook that is called by hand, or given to an optimizer without a learning rate; both
            when it is used.

    Example:
        >>> w = np.array([2.0, -4.0])
        >>> opt = st.GradientDescentOptimizer(0.5, hooks=[st.WeightDecay(0.25)])
        >>> opt.apply_gradients([(np.zeros(2), w)])
        >>> w.tolist()
        [1.75, -3.5]
        >>> bias = np.array([2.0])
        >>> opt.hooks = [st.WeightDecay(0.25, exclude=[bias])]
        >>> opt.apply_gradients([(np.zeros(2), w), (np.zeros(1), bias)])
        >>> w.tolist(), bias.tolist()
        ([1.53125, -3.0625], [2.0])

    Source: Loshchilov and Hutter, 2019, for the decoupled form.
    """

    def __init__(self, rate: float, decoupled: bool = False, exclude: Choice | None = None) -> None:
        self.rate = check_limit("WeightDecay", "rate", rate)
        self.decoupled = to_flag("WeightDecay", "decoupled", decoupled)
        self.exclude = exclude

    @property
    def exclude(self) -> Any:
        """What does not decay, as it was given."""
        return self._exclude

    @exclude.setter
    def exclude(self, exclude: Choice | None) -> None:
        self._excluded = None if exclude is None else Chosen("WeightDecay", "exclude", exclude)
        self._exclude = exclude

    def __call__(self, pairs: Sequence[Pair]) -> Pairs:
        """Return the pairs with ``rate * w`` added to the gradients."""
        pairs = checked_pairs("WeightDecay", pairs)
        if self.decoupled:
            rule = "be given to an optimizer when it is decoupled"
            raise TypeError(must("WeightDecay", "hook", rule, "a call", "put it into hooks=[...]"))
        left_alone = () if self._excluded is None else self._excluded
        return [(g if g is None or v in left_alone else self._with_decay(g, v), v) for g, v in pairs]

    def _with_decay(self, gradient: Any, variable: Any) -> Any:
        if not isinstance(getattr(variable, "dtype", None), np.dtype):
            raise TypeError(must("WeightDecay", "variable", "be a Variable or an array", describe(variable)))
        rate = variable.dtype.type(self.rate)
        if isinstance(gradient, IndexedSlices):
            gradient = sum_duplicates("WeightDecay", gradient)
            rows = rows_of(variable, array_of(gradient.indices))
            return with_values(gradient, array_of(gradient.values) + rows * rate)
        return array_of(gradient) + array_of(variable) * rate

    def native(self, optimizer: RuleSource) -> NativeHook:
        rate = learning_rate_of(optimizer) * self.rate if self.decoupled else self.rate
        kind = DECOUPLED if self.decoupled else L2
        return (kind, rate, 0.0) if self._excluded is None else (kind, rate, 0.0, self._excluded)

    def __repr__(self) -> str:
        exclude = "" if self.exclude is None else f", exclude={self.exclude!r}"
        return f"{type(self).__name__}(rate={self.rate!r}, decoupled={self.decoupled}{exclude})"


class DecayBeforeUpdate(WeightDecay):
    """``w = w - rate * w`` before the update, whatever the learning rate is.

    ``rate``: at least 0: a number, a scalar Variable or a callable, read at every step.
    """

    def __init__(self, rate: Any) -> None:
        self.decoupled = True
        self.rate = check_limit("DecayBeforeUpdate", "rate", rate) if is_constant(rate) else rate
        self.only = None

    @property
    def only(self) -> frozenset[Any] | None:
        """The parameters that decay, by what `identity_of` says or by name; None: all."""
        return self._only

    @only.setter
    def only(self, only: frozenset[Any] | None) -> None:
        def left_out(target: Any) -> bool:
            return only is not None and only.isdisjoint((identity_of(target), getattr(target, "name", None)))

        self._only = only
        self.exclude = None if only is None else left_out

    def rate_now(self) -> float:
        """Return the rate of this step."""
        return check_limit("apply_gradients", "weight_decay", self.rate)

    def native(self, optimizer: RuleSource) -> NativeHook:
        rate = self.rate_now()
        return (DECOUPLED, rate, 0.0) if self._excluded is None else (DECOUPLED, rate, 0.0, self._excluded)
