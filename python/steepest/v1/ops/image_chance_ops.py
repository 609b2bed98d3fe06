"""Brightness, contrast and colours of images changed by chance: by what is drawn, or what follows from two integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .image_color_ops import adjust_brightness, adjust_contrast, adjust_hue, adjust_saturation
from .random_ops import random_uniform
from .stateless_random_ops import stateless_uniform

__all__ = [
    "random_brightness",
    "random_contrast",
    "random_hue",
    "random_saturation",
    "stateless_random_brightness",
    "stateless_random_contrast",
    "stateless_random_hue",
    "stateless_random_saturation",
]

Draw = Callable[[float, float], Any]
"""Returns one number between two bounds."""


def _stateful(seed: int | None) -> Draw:
    return lambda low, high: random_uniform([], low, high, seed=seed)


def _stateless(seed: Any) -> Draw:
    return lambda low, high: stateless_uniform([], seed, low, high)


def _around(draw: Draw, most: float, limit: float = float("inf")) -> Any:
    """Return a number between ``-most`` and ``most``."""
    if most > limit:
        raise ValueError(f"max_delta must be <= {limit}.")
    if most < 0:
        raise ValueError("max_delta must be non-negative.")
    return draw(-most, most)


def _between(draw: Draw, lower: float, upper: float) -> Any:
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")
    return draw(lower, upper)


def random_brightness(image: Any, max_delta: float, seed: int | None = None) -> Any:
    """Return `adjust_brightness` by a delta between ``-max_delta`` and ``max_delta``. ValueError for a negative one."""
    return adjust_brightness(image, _around(_stateful(seed), max_delta))


def stateless_random_brightness(image: Any, max_delta: float, seed: Any) -> Any:
    """Return what `random_brightness` does, by a delta that follows from ``seed``, two integers, alone."""
    return adjust_brightness(image, _around(_stateless(seed), max_delta))


def random_contrast(image: Any, lower: float, upper: float, seed: int | None = None) -> Any:
    """Return `adjust_contrast` by a factor in ``[lower, upper)``. Raises ValueError for bounds that are no interval."""
    return adjust_contrast(image, _between(_stateful(seed), lower, upper))


def stateless_random_contrast(image: Any, lower: float, upper: float, seed: Any) -> Any:
    """Return what `random_contrast` does, by a factor that follows from ``seed``, two integers, alone."""
    return adjust_contrast(image, _between(_stateless(seed), lower, upper))


def random_hue(image: Any, max_delta: float, seed: int | None = None) -> Any:
    """Return the image with its hue moved by what is drawn between ``-max_delta`` and ``max_delta``, at most 0.5."""
    return adjust_hue(image, _around(_stateful(seed), max_delta, 0.5))


def stateless_random_hue(image: Any, max_delta: float, seed: Any) -> Any:
    """Return what `random_hue` does, by a share that follows from ``seed``, two integers, alone."""
    return adjust_hue(image, _around(_stateless(seed), max_delta, 0.5))


def random_saturation(image: Any, lower: float, upper: float, seed: int | None = None) -> Any:
    """Return the image with its saturation times what is drawn between two factors."""
    return adjust_saturation(image, _between(_stateful(seed), lower, upper))


def stateless_random_saturation(
    image: Any, lower: float, upper: float, seed: Any = None, name: str | None = None
) -> Any:
    """Return what `random_saturation` does, by a factor that follows from ``seed``, two integers, alone."""
    return adjust_saturation(image, _between(_stateless(seed), lower, upper), name)
