"""Draws from normal distributions between two bounds, which may both be far out in one tail."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.static_values import constant_value
from .random_ops import drawn

__all__ = ["between_bounds", "parameterized_truncated_normal"]


def _one_tail(rng: np.random.Generator, low: Any, high: Any) -> Any:
    """Draw one try for each pair of bounds with ``0 <= low < high``; NaN where the try is to be made again."""
    rate = (low + np.sqrt(low * low + 4)) / 2
    wide = high - low > 1 / np.maximum(rate, 1)
    uniform = low + np.where(wide, 0, high - low) * rng.random(low.shape)
    tries = np.where(wide, low + rng.exponential(size=low.shape) / rate, uniform)
    with np.errstate(under="ignore"):
        share = np.where(wide, np.exp(-((tries - rate) ** 2) / 2), np.exp((low * low - tries * tries) / 2))
    return np.where((rng.random(low.shape) <= share) & (tries <= high), tries, np.nan)


def _around_zero(rng: np.random.Generator, low: Any, high: Any) -> Any:
    """Draw one try for each pair of bounds with ``low < 0 < high``; NaN where the try is to be made again."""
    wide = high - low > np.sqrt(2 * np.pi)
    normal = rng.standard_normal(low.shape)
    uniform = low + np.where(wide, 0, high - low) * rng.random(low.shape)
    good = np.where(wide, (normal >= low) & (normal <= high), rng.random(low.shape) <= np.exp(-uniform * uniform / 2))
    return np.where(good, np.where(wide, normal, uniform), np.nan)


def _standard(rng: np.random.Generator, low: Any, high: Any) -> Any:
    """Draw a standard normal number between each pair of bounds, by tries that are kept or made again."""
    found = np.full(low.shape, np.nan)
    left = np.arange(low.size)
    while left.size:
        least, most = low[left], high[left]
        mirrored = most <= 0
        least, most = np.where(mirrored, -most, least), np.where(mirrored, -least, most)
        outer = least >= 0
        tries = np.empty(left.size)
        tries[outer] = _one_tail(rng, least[outer], most[outer])
        tries[~outer] = _around_zero(rng, least[~outer], most[~outer])
        found[left] = np.where(mirrored, -tries, tries)
        left = left[np.isnan(tries)]
    return found


def between_bounds(rng: np.random.Generator, sizes: Any, *numbers: Any) -> Any:
    """Draw from normal distributions of means and deviations, between bounds, all of which a shape is made of."""
    centre, width, least, most = (np.broadcast_to(np.asarray(each, np.float64), sizes) for each in numbers)
    if not (np.all(width > 0) and np.all(np.isfinite(centre)) and np.all(least < most)):
        raise ValueError("Invalid parameters")
    low, high = (least - centre) / width, (most - centre) / width
    standard = _standard(rng, np.ravel(low), np.ravel(high)).reshape(sizes)
    return np.clip(standard * width + centre, least, most)


def parameterized_truncated_normal(
    shape: Any,
    means: Any = 0.0,
    stddevs: Any = 1.0,
    minvals: Any = -2.0,
    maxvals: Any = 2.0,
    dtype: Any = "float32",
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Return draws from normal distributions of which only what is between the bounds is left.

    Each parameter is one number, or one for each part of the result along its first axis.

    Raises ValueError, as InvalidArgumentError where a session runs, for a deviation that is not above 0, or for
    bounds of which the lower one is not below the other.
    """
    parameters = (means, stddevs, minvals, maxvals)

    def draw(rng: np.random.Generator, sizes: Any, *numbers: Any) -> Any:
        first = (-1, *[1] * (len(sizes) - 1))
        shaped = (np.reshape(np.asarray(v, np.float64), first if np.size(v) > 1 else ()) for v in numbers)
        return between_bounds(rng, sizes, *shaped)

    for each in parameters:
        known = constant_value(each)
        if known is not None and np.ndim(known) > 1:
            raise ValueError(f"Shape must be at most rank 1 but is rank {np.ndim(known)}")
    return drawn("ParameterizedTruncatedNormal", shape, dtype, seed, name, draw, parameters)
