"""``tf.contrib.layers.initializers``: Glorot's initializer, and draws whose variance depends on the shape."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...graph.dtypes import as_dtype
from ...graph.missing import namespace
from ...graph.shapes import TensorShape
from ...ops.random_ops import random_uniform, truncated_normal

__all__ = ["variance_scaling_initializer", "xavier_initializer", "xavier_initializer_conv2d"]

__getattr__, __dir__ = namespace(__name__)


def xavier_initializer(uniform: bool = True, seed: int | None = None, dtype: Any = "float32") -> Callable[..., Any]:
    """Return Glorot's initializer."""
    return variance_scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)


xavier_initializer_conv2d = xavier_initializer


def variance_scaling_initializer(
    factor: float = 2.0, mode: str = "FAN_IN", uniform: bool = False, seed: int | None = None, dtype: Any = "float32"
) -> Callable[..., Any]:
    """Return the function that draws with variance ``factor / n``; n is fan-in, fan-out or their mean.

    A normal draw is truncated, with the deviation ``sqrt(1.3 factor / n)`` before that. Raises TypeError for a type
    that is not floating, and for another ``mode``.
    """

    def check(kind: Any) -> Any:
        if not as_dtype(kind).is_floating:
            raise TypeError("Cannot create initializer for non-floating point type.")
        return as_dtype(kind)

    check(dtype)
    if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
        raise TypeError(f"Unknown mode {mode} [FAN_IN, FAN_OUT, FAN_AVG]")

    def draw(shape: Any, dtype: Any = dtype, partition_info: Any = None) -> Any:
        kind = check(dtype)
        sizes: list[Any] = TensorShape(shape).as_list()
        field = math.prod(sizes[:-2])
        fan_in = field * float((sizes[-2] if len(sizes) > 1 else sizes[-1]) if sizes else 1)
        fan_out = field * float(sizes[-1] if sizes else 1)
        n = {"FAN_IN": fan_in, "FAN_OUT": fan_out, "FAN_AVG": (fan_in + fan_out) / 2.0}[mode]
        if uniform:
            limit = math.sqrt(3.0 * factor / n)
            return random_uniform(sizes, -limit, limit, kind, seed)
        return truncated_normal(sizes, 0.0, math.sqrt(1.3 * factor / n), kind, seed)

    return draw
