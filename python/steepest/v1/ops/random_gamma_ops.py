"""Draws from gamma distributions, whose gradients flow to the shape and the rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import apply, unwrap
from ...ops.registry import Primitive
from ..graph.dtypes import as_dtype
from .incomplete_gamma_ops import slope_by_a
from .random_ops import of_each
from .random_sequences import Draws
from .special_math_ops import lgamma_value

__all__ = ["gamma_draws", "random_gamma"]


def _slope(alpha: Any, draws: Any) -> Any:
    """Return how draws move with alpha where their share of the distribution stays (Figurnov and others, 2018)."""
    a, z = (np.asarray(unwrap(value), np.float64) for value in (alpha, draws))
    logarithm = np.log(np.maximum(z, np.finfo(np.float64).tiny))
    return (-slope_by_a(a, z) * np.exp(z + lgamma_value(a) - (a - 1) * logarithm)).astype(draws.dtype)


_GAMMA = Primitive(
    lambda alpha, draws: draws, (lambda g, y, alpha, draws: g * _slope(alpha, draws), None), name="gamma"
)


def gamma_draws(dtype: Any) -> Callable[..., Any]:
    """Return what draws numbers of a type by a generator: of sizes, alphas and rates that are broadcast."""
    element = np.dtype(as_dtype(dtype).base_dtype.dtype)
    least = np.finfo(element if element.kind == "f" else np.float32).tiny

    def draw(rng: Draws, sizes: Any, a: Any, b: Any) -> Any:
        alphas = np.asarray(unwrap(a), np.float64)
        alphas = np.broadcast_to(alphas, np.broadcast_shapes(alphas.shape, np.shape(b)))
        standard = rng.gammas(alphas, sizes).astype(element)
        return apply(_GAMMA, (a, np.maximum(standard, element.type(least)))) / b

    return draw


def random_gamma(
    shape: Any, alpha: Any, beta: Any = None, dtype: Any = "float32", seed: int | None = None, name: str | None = None
) -> Any:
    """Return draws of a shape from each of the gamma distributions of ``alpha`` and the rate ``beta`` (1).

    Gradients flow to both.
    """
    return of_each(
        "random_gamma", shape, (alpha, 1.0 if beta is None else beta), dtype, seed, name, gamma_draws(dtype), True
    )
