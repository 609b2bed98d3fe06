"""Distributions of vectors whose elements follow from those before them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...distributions.distribution import Distribution
from ...distributions.util import gen_new_seed
from ...graph.scopes import name_scope

__all__ = ["Autoregressive"]


class Autoregressive(Distribution):
    """The distribution whose density at x is that of ``distribution_fn(x)``, each element given those before it.

    Args:
        distribution_fn: from samples to a distribution of them, whose element k depends only on elements before k.
        sample0: what it is first called with; None to call it without arguments.
        num_steps: how often samples are drawn anew from the last ones, after the first draw; by default the number of
            a sample's elements, which must be known.
        validate_args: kept.
        allow_nan_stats: whether statistics that are not defined are NaN.
        name: of the scope in which nodes are made.

    Raises:
        ValueError: ``num_steps`` is below 1, or not given, and the shape of a sample is not known.

    Source: ``tf.contrib.distributions.Autoregressive``.
    """

    def __init__(
        self,
        distribution_fn: Callable[..., Distribution],
        sample0: Any = None,
        num_steps: int | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Autoregressive",
    ) -> None:
        given = {"distribution_fn": distribution_fn, "sample0": sample0, "num_steps": num_steps}
        with name_scope(name) as scope:
            first = distribution_fn() if sample0 is None else distribution_fn(sample0)
            if num_steps is None:
                num_steps = first.event_shape.num_elements()
            if num_steps is None:
                raise ValueError("distribution_fn must generate a distribution with fully known `event_shape`.")
            if num_steps < 1:
                raise ValueError(f"num_steps ({num_steps}) must be at least 1.")
        self._distribution_fn, self._distribution0 = distribution_fn, first
        self._sample0, self._num_steps = sample0, num_steps
        super().__init__(first.dtype, first.reparameterization_type, validate_args, allow_nan_stats, given, name=scope)

    @property
    def distribution_fn(self) -> Callable[..., Distribution]:
        """From samples to a distribution of them."""
        return self._distribution_fn

    @property
    def sample0(self) -> Any:
        """What the function is first called with."""
        return self._sample0

    @property
    def num_steps(self) -> int:
        """How often samples are drawn anew."""
        return self._num_steps

    @property
    def distribution0(self) -> Distribution:
        """The distribution of the first samples."""
        return self._distribution0

    def _batch_shape(self) -> Any:
        return self._distribution0.batch_shape

    def _batch_shape_tensor(self) -> Any:
        return self._distribution0.batch_shape_tensor()

    def _event_shape(self) -> Any:
        return self._distribution0.event_shape

    def _event_shape_tensor(self) -> Any:
        return self._distribution0.event_shape_tensor()

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        # The draws of all steps have one seed: elements that are fixed already are drawn alike again.
        if seed is None:
            seed = gen_new_seed(int(np.random.default_rng().integers(2**31)), "autoregressive")
        samples = self._distribution0.sample(n, seed=seed)
        for _ in range(self._num_steps):
            samples = self._distribution_fn(samples).sample(seed=seed)
        return samples

    def _log_prob(self, value: Any) -> Any:
        return self._distribution_fn(value).log_prob(value)

    def _prob(self, value: Any) -> Any:
        return self._distribution_fn(value).prob(value)
