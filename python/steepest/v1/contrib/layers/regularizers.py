"""``tf.contrib.layers.regularizers``: penalties of weights by their absolute values and squares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...graph.missing import namespace
from ...nn import l2_loss
from ...ops.math_ops import abs as _abs
from ...ops.matmul_ops import add_n
from ...ops.reduce_ops import reduce_sum

__all__ = ["l1_l2_regularizer", "l1_regularizer", "l2_regularizer", "sum_regularizer"]

__getattr__, __dir__ = namespace(__name__)


def _regularizer(scale: Any, loss: Callable[[Any], Any]) -> Any:
    if isinstance(scale, int):
        raise ValueError(f"scale cannot be an integer: {scale}")
    if scale < 0.0:
        raise ValueError(f"Setting a scale less than 0 on a regularizer: {scale}")
    if scale == 0.0:
        return lambda _: None
    return lambda weights: loss(weights) * np.float32(scale)


def l1_regularizer(scale: float, scope: str | None = None) -> Any:
    """Return the function ``scale * sum(|w|)``. Raises ValueError for a negative scale."""
    return _regularizer(scale, lambda weights: reduce_sum(_abs(weights)))


def l2_regularizer(scale: float, scope: str | None = None) -> Any:
    """Return the function ``scale * sum(w ** 2) / 2``. Raises ValueError for a negative scale."""
    return _regularizer(scale, l2_loss)


def l1_l2_regularizer(scale_l1: float = 1.0, scale_l2: float = 1.0, scope: str | None = None) -> Any:
    """Return the sum of an L1 and an L2 regularizer."""
    if isinstance(scale_l1, int) or isinstance(scale_l2, int):
        raise ValueError(f"scale_l1 and scale_l2 cannot be integers: {scale_l1}, {scale_l2}")
    parts = [(l1_regularizer(float(scale_l1)), scale_l1), (l2_regularizer(float(scale_l2)), scale_l2)]
    return sum_regularizer([regularizer for regularizer, scale in parts if scale])


def sum_regularizer(regularizer_list: Any, scope: str | None = None) -> Any:
    """Return the sum of several regularizers, of those that give something."""
    functions = [function for function in regularizer_list if function is not None]

    def total(weights: Any) -> Any:
        found = [loss for function in functions if (loss := function(weights)) is not None]
        return add_n(found) if found else None

    return total if functions else None
