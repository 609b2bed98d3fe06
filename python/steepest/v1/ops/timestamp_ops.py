"""The time of a run as a tensor."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ..graph.build import call

__all__ = ["timestamp"]


def _now() -> np.ndarray:
    return np.asarray(time.time())


def timestamp(name: str | None = None) -> Any:
    """Return the seconds since 1970 at each run, a scalar of float64. Source: ``tf.timestamp``."""
    return call("Timestamp", _now, (), name=name, shape=(), dtype="float64", differentiable=False)
