"""NumPy's random numbers, which NumPy imports only when they are first asked for."""

from __future__ import annotations

import numpy as np

from .locks import lock_across_forks
from .typing import Array

__all__ = ["default_rng", "uniform"]

# In the child of a fork an import by another thread would never end, nor would its draw: a generator has a lock.
_lock = lock_across_forks()


def default_rng(seed: int | None = None) -> np.random.Generator:
    """Return ``np.random.default_rng(seed)``."""
    with _lock:
        return np.random.default_rng(seed)


def uniform(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return draws from [0, 1) of a generator that threads share."""
    with _lock:
        draws: Array = rng.random(shape)
        return draws
