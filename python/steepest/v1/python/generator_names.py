"""Names of random generators that TensorFlow has in its internal module of these alone."""

from __future__ import annotations

from typing import Any

from ..ops.philox_ops import Algorithm, non_deterministic_ints
from ..training.random_generator import _counter_size, _signed

__all__ = [
    "DEFAULT_ALGORITHM",
    "PHILOX_COUNTER_SIZE",
    "PHILOX_KEY_SIZE",
    "PHILOX_STATE_SIZE",
    "RNG_ALG_PHILOX",
    "RNG_ALG_THREEFRY",
    "SEED_TYPE",
    "STATE_TYPE",
    "THREEFRY_STATE_SIZE",
    "_get_counter_size",
    "_get_state_size",
    "_uint_to_int",
    "non_deterministic_ints",
]

SEED_TYPE = STATE_TYPE = "int64"
RNG_ALG_PHILOX = DEFAULT_ALGORITHM = Algorithm.PHILOX.value
RNG_ALG_THREEFRY = Algorithm.THREEFRY.value
PHILOX_KEY_SIZE, PHILOX_COUNTER_SIZE, PHILOX_STATE_SIZE, THREEFRY_STATE_SIZE = 1, 2, 3, 2
_get_counter_size, _uint_to_int = _counter_size, _signed


def _get_state_size(alg: Any) -> int:
    """Return how many integers the state of an algorithm has."""
    return _counter_size(alg) + 1
