"""The inverse square root: its slope, infinite at 0, counts only where a gradient arrives."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import apply
from ...ops.registry import Primitive, also_complex
from ...ops.vjps.elementwise import where_it_matters

__all__ = ["inverse_root"]


def _slope(g: Any, y: Any, x: Any) -> Any:
    root = where_it_matters(g, y)
    return -0.5 * g * root * root * root


_RSQRT = Primitive(lambda x: 1 / np.sqrt(x), (_slope,), name="rsqrt")
also_complex(_RSQRT)


def inverse_root(x: Any) -> Any:
    """Return ``1 / sqrt(x)``."""
    return apply(_RSQRT, (x,))
