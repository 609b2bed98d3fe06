"""Gaussian noise on gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.indexed_slices import IndexedSlices
from ..duplicates import sum_duplicates
from ..updates import array_of
from .declarative import Pairs, check_limit

__all__ = ["GradientNoise"]


class GradientNoise:
    """Add Gaussian noise of standard deviation ``stddev / (1 + t) ** (decay / 2)`` at step t = 0, 1, ...

    ``seed`` makes it reproducible. Source: Neelakantan et al., 2015 (their eta is stddev squared, their gamma decay).
    """

    def __init__(self, stddev: float, decay: float = 0.0, seed: int | None = None) -> None:
        self.stddev = check_limit("GradientNoise", "stddev", stddev)
        self.decay = check_limit("GradientNoise", "decay", decay)
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
