"""``tf.contrib.layers.initializers``: Glorot's initializer, and draws whose variance depends on the shape."""

from __future__ import annotations

from typing import Any

from ...graph.dtypes import as_dtype
from ...graph.missing import namespace
from ...training.initializers import GlorotNormal, GlorotUniform, VarianceScaling

__all__ = ["variance_scaling_initializer", "xavier_initializer", "xavier_initializer_conv2d"]

__getattr__, __dir__ = namespace(__name__)


def xavier_initializer(uniform: bool = True, seed: int | None = None, dtype: Any = "float32") -> Any:
    """Return Glorot's initializer."""
    return GlorotUniform(seed, dtype) if uniform else GlorotNormal(seed, dtype)


xavier_initializer_conv2d = xavier_initializer


def variance_scaling_initializer(
    factor: float = 2.0, mode: str = "FAN_IN", uniform: bool = False, seed: int | None = None, dtype: Any = "float32"
) -> Any:
    """Return draws of variance ``factor / n``; n is fan-in, fan-out or their mean.

    Raises TypeError for a type that is not floating, and for another ``mode``.
    """
    if not as_dtype(dtype).is_floating:
        raise TypeError("Cannot create initializer for non-floating point type.")
    if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
        raise TypeError(f"Unknown mode {mode} [FAN_IN, FAN_OUT, FAN_AVG]")
    distribution = "uniform" if uniform else "truncated_normal"
    return VarianceScaling(factor, mode.lower(), distribution, seed, dtype)
