"""Where random numbers come from: the seeds of graphs and operations, and the sequence of each operation in a session.

What seeds fix are TensorFlow's own numbers where `SeededDraws` makes them; other distributions are NumPy's.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...variables.names import set_random_seed as _seed_eagerly
from ..graph.determinism import check_determinism
from ..graph.eager_call import RunSession, eager_session
from ..graph.errors import InvalidArgumentError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from . import philox_draws, rejection_draws

__all__ = ["Draws", "SeededDraws", "Sequence", "get_seed", "set_random_seed"]

_LARGEST = 2**31 - 1
_UNSEEDED = (
    "Random ops require a seed to be set when determinism is enabled. Please set a seed before running the op, "
    "e.g. by calling tf.random.set_seed(1)."
)
_BOTH_ZERO = (
    "When determinism is enabled, random ops must have a seed specified. This can be done in TensorFlow by calling "
    "tf.random.set_seed(1)."
)
DEFAULT_GRAPH_SEED = 87654321

_eager_seed: int | None = None
_eager_seeds = random.Random()


def set_random_seed(seed: int | None) -> None:
    """Fix the graph's seed: every session then draws the same sequences. Source: ``tf.set_random_seed``."""
    global _eager_seed
    if executing_eagerly():
        _eager_seed = seed
        _eager_seeds.seed(seed)
        eager_session._generators.clear()  # what follows is drawn again
        _seed_eagerly(seed)
    get_default_graph().seed = seed


def get_seed(op_seed: int | tuple[int, int] | None) -> tuple[Any, Any]:
    """Return the pair of seeds for a new operation: (None, None) where nothing is fixed.

    What gives both seeds, as TensorFlow's generated modules do, is not asked for the graph's.
    """
    if isinstance(op_seed, tuple):
        check_determinism(op_seed == (0, 0), _BOTH_ZERO, _invalid)
        return (None, None) if op_seed == (0, 0) else op_seed
    graph, eager = get_default_graph(), executing_eagerly()
    graph_seed = _eager_seed if eager else graph.seed
    if graph_seed is None and op_seed is None:
        check_determinism(True, _UNSEEDED, RuntimeError)
        return None, None
    if op_seed is None:
        op_seed = _eager_seeds.randint(0, _LARGEST) if eager else graph._seeds_given
        graph._seeds_given += not eager
    pair = (DEFAULT_GRAPH_SEED if graph_seed is None else graph_seed) % _LARGEST, op_seed % _LARGEST
    return (0, _LARGEST) if pair == (0, 0) else pair  # two zeros would ask for what nothing fixes


def _invalid(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


class Draws(np.random.Generator):
    """Draws that no seed fixes: NumPy's, with TensorFlow's types."""

    def __init__(self, seeds: Any = None) -> None:
        super().__init__(np.random.PCG64(seeds))

    def units(self, sizes: Any, dtype: Any) -> Any:
        """Return floats in [0, 1)."""
        if dtype in (np.float32, np.float64):
            return self.random(sizes, dtype)
        steps = 2**10 if dtype == np.float16 else 2**7  # as many as the type has between 1 and 2
        return (self.integers(steps, size=sizes) / steps).astype(dtype)

    def normals(self, sizes: Any, dtype: Any) -> Any:
        """Return draws from the standard normal distribution."""
        return np.asarray(self.standard_normal(sizes)).astype(dtype)

    def near_normals(self, sizes: Any, dtype: Any) -> Any:
        """Return draws from the standard normal distribution, drawn again beyond two deviations."""
        values = np.asarray(self.standard_normal(sizes))
        outside = np.abs(values) > 2
        while outside.any():
            values[outside] = self.standard_normal(int(outside.sum()))
            outside = np.abs(values) > 2
        return values.astype(dtype)

    def whole_numbers(self, sizes: Any, dtype: Any, low: Any, high: Any) -> Any:
        """Return integers in [low, high)."""
        return np.asarray(self.integers(low, high, sizes)).astype(dtype)

    def all_integers(self, sizes: Any, dtype: Any) -> Any:
        """Return integers among all that the type has."""
        kind = np.iinfo(dtype)
        return self.integers(kind.min, kind.max, sizes, dtype, endpoint=True)

    def order(self, count: int) -> Any:
        """Return a permutation of so many places."""
        return self.permutation(count)

    def words(self, counters: int) -> Callable[[int], Any]:
        """Return what gives the first so many of a sequence of words of 32 bits: four of each counter set aside."""
        known = [np.empty(0, np.uint32)]

        def first(count: int) -> Any:
            missing = count - len(known[0])
            if missing > 0:
                known[0] = np.concatenate([known[0], self.integers(2**32, size=missing, dtype=np.uint32)])
            return known[0][:count]

        return first

    def gammas(self, alphas: Any, sizes: Any) -> Any:
        """Return draws from gamma distributions of rate 1, whose alphas are the last axes of the sizes."""
        return self.standard_gamma(alphas, sizes)

    def counts(self, rates: Any, sizes: Any, highest: float) -> Any:
        """Return draws from Poisson distributions, whose rates are the last axes of the sizes."""
        return self.poisson(rates, sizes)

    def classes(self, logits: Any, count: int) -> Any:
        """Return ``count`` classes for each row of logits, by where uniform draws fall among the sums of their shares.

        Logits that are not finite have no share.
        """
        finite = np.isfinite(logits)
        highest = np.max(logits, axis=1, initial=-np.inf, where=finite, keepdims=True).astype(np.float64)
        scores = np.where(finite, logits.astype(np.float64) - np.where(np.isfinite(highest), highest, 0), -np.inf)
        sums = np.cumsum(np.exp(scores), axis=1)
        found = self._units_of_classes(len(logits), count) * sums[:, -1:]
        return np.sum(sums[:, None, :] <= found[:, :, None], axis=2)

    def _units_of_classes(self, rows: int, count: int) -> Any:
        return self.random((rows, count))


class SeededDraws(Draws):
    """TensorFlow's own draws of two seeds: the words of Philox whose key the first is, from the second on."""

    def __init__(self, seeds: Any) -> None:
        super().__init__([int(seed) for seed in seeds])
        self._key, self._counter = int(seeds[0]), int(seeds[1]) << 64

    def _taken(self, counters: int) -> int:
        """Return the counter, which then moves on."""
        with self.bit_generator.lock:
            counter = self._counter
            self._counter = (counter + counters) % 2**128
        return counter

    def _drawn(self, draw: Any, sizes: Any, *settings: Any) -> Any:
        count = math.prod(sizes)
        counter = self._taken(256 * count)  # TensorFlow sets aside what any distribution may need
        return draw(self._key, counter, count, *settings).reshape(sizes)

    def units(self, sizes: Any, dtype: Any) -> Any:
        return self._drawn(philox_draws.uniform, sizes, dtype)

    def normals(self, sizes: Any, dtype: Any) -> Any:
        return self._drawn(philox_draws.normal, sizes, dtype)

    def near_normals(self, sizes: Any, dtype: Any) -> Any:
        return self._drawn(philox_draws.truncated_normal, sizes, dtype)

    def whole_numbers(self, sizes: Any, dtype: Any, low: Any, high: Any) -> Any:
        return self._drawn(philox_draws.uniform_int, sizes, dtype, int(low), int(high))

    def all_integers(self, sizes: Any, dtype: Any) -> Any:
        return self._drawn(philox_draws.uniform_full_int, sizes, dtype)

    def order(self, count: int) -> Any:
        places = list(range(count))
        if count > 1:
            words = philox_draws.words(self._key, self._taken((count + 2) // 4), count - 1)
            steps = words % np.arange(count, 1, -1, dtype=np.uint32)
            for place, step in enumerate(steps.tolist()):
                other = place + step
                places[place], places[other] = places[other], places[place]
        return np.array(places, np.int64)

    def words(self, counters: int) -> Callable[[int], Any]:
        return partial(philox_draws.words, self._key, self._taken(counters))

    def gammas(self, alphas: Any, sizes: Any) -> Any:
        return self._of_each(rejection_draws.gamma, alphas, sizes)

    def counts(self, rates: Any, sizes: Any, highest: float) -> Any:
        return self._of_each(rejection_draws.poisson, rates, sizes, highest)

    def _of_each(self, draw: Any, parameters: Any, sizes: Any, *settings: Any) -> Any:
        """Return draws whose words are in the order of the parameters: all draws of one of them, then of the next."""
        count = math.prod(sizes)
        each = np.repeat(np.ravel(parameters), count // max(np.size(parameters), 1))
        counter = self._taken(rejection_draws.EACH * count)
        return draw(self._key, counter, each, *settings).reshape(np.size(parameters), -1).T.reshape(sizes)

    def _units_of_classes(self, rows: int, count: int) -> Any:
        counter = self._taken(256 * rows * 2 * (count + 3 & -4))
        return philox_draws.uniform(self._key, counter, rows * count, np.dtype(np.float64)).reshape(rows, count)


class Sequence:
    """The sequence of random numbers that an operation has in each session, fixed by the graph's and its own seed.

    Args:
        kernel: what draws, by its name in TensorFlow. In eager mode calls of the same kernel with the same seed are
            one operation: they go on where the last one was.
        dtype: of what is drawn, or a tuple of what else tells kernels apart.
        op_seed: the operation's own seed, or None; or the pair of both seeds.
    """

    def __init__(self, kernel: str, dtype: Any, op_seed: int | tuple[int, int] | None) -> None:
        self.seeds = get_seed(op_seed)
        self._key: Any = object()
        self._once = False
        if executing_eagerly():
            self._key = (kernel, dtype, self.seeds) if self.seeds[1] is not None else None
            self._once = op_seed is None and self._key is not None  # nothing calls it again: not kept

    def draws(self, session: RunSession) -> Draws:
        """Return what draws for the operation in a session."""
        kept: Draws | None = None if self._once else session._generators.get(self._key)
        if kept is not None:
            return kept
        found = Draws() if self.seeds[1] is None else SeededDraws(self.seeds)
        if not self._once:
            session._generators[self._key] = found
        return found

    def kept(self, session: RunSession, make: Callable[[], Any]) -> Any:
        """Return what the operation keeps in a session beside its draws, made when it is first asked for."""
        key = self._key, "kept"
        found = None if self._once else session._generators.get(key)
        if found is None:
            found = make()
            if not self._once:
                session._generators[key] = found
        return found
