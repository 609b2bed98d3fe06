"""Draws whose place and width are tensors or arrays: gradients flow to them, and they may have more axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.scopes import name_scope
from .math_ops import add, multiply, subtract
from .random_sequences import Draws
from .sparse_ops import convert_to_tensor

__all__ = ["are_numbers", "between", "shifted", "uniform"]


def are_numbers(*parameters: Any) -> bool:
    """Tell whether all are plain numbers, which are constants of the draw itself."""
    return all(isinstance(value, (int, float, np.number)) for value in parameters)


def uniform(draws: Draws, sizes: Any, low: Any, high: Any, dtype: Any) -> Any:
    """Return draws from ``[low, high)`` that rounding to ``dtype`` leaves below ``high``."""
    low, high = np.asarray(low, dtype), np.asarray(high, dtype)
    drawn = draws.units(sizes, dtype) * (high - low) + low
    return np.minimum(drawn, np.nextafter(high, low)) if np.all(low < high) else drawn


def shifted(
    draw: Callable[..., Any], shape: Any, place: Any, width: Any, dtype: Any, seed: int | None, name: str | None
) -> Any:
    """Return draws of a width around a place, as TensorFlow makes them: sizes follow from all three."""
    with name_scope(name or draw.__name__) as scope:
        place, width = convert_to_tensor(place, dtype, "mean"), convert_to_tensor(width, dtype, "stddev")
        standard = draw(shape, dtype=dtype, seed=seed, name="RandomStandardNormal")
        return add(multiply(standard, width), place, name=scope)


def between(
    draw: Callable[..., Any], shape: Any, low: Any, high: Any, dtype: Any, seed: int | None, name: str | None
) -> Any:
    """Return draws between two bounds, as TensorFlow makes them."""
    with name_scope(name or draw.__name__) as scope:
        low, high = convert_to_tensor(low, dtype, "min"), convert_to_tensor(high, dtype, "max")
        standard = draw(shape, dtype=dtype, seed=seed, name="RandomUniform")
        return add(multiply(standard, subtract(high, low)), low, name=scope)
