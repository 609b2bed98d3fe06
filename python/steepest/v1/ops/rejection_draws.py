"""TensorFlow's own draws from gamma and Poisson distributions: each has counters of its own, and takes what it needs.

G. Marsaglia and W. Tsang, A simple method for generating gamma variables, 2000; W. Hormann, The transformed rejection
method for generating Poisson random variables, 1993. Source: ``random_op.cc`` and ``random_poisson_op.cc``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import philox_draws
from .special_math_ops import lgamma_value

__all__ = ["EACH", "gamma", "poisson"]

EACH = 256
"""So many counters are set aside for each result."""

_DOUBLE = np.dtype(np.float64)


def _uniform(words: Any) -> Any:
    return philox_draws.unit(words, _DOUBLE)


def _normal(words: Any) -> Any:
    return philox_draws.box_muller(words, _DOUBLE)


class _Streams:
    """What each of some results draws of its words: pairs of doubles, whose second comes first."""

    def __init__(self, words: Any) -> None:
        self._blocks = words.reshape(len(words), -1, 4)
        self._taken = np.zeros(len(words), np.int64)
        self._pairs: dict[Any, tuple[Any, Any]] = {}

    def next(self, kind: Callable[[Any], Any], rows: Any) -> Any:
        """Return the next draw of a kind for some of the results."""
        if kind not in self._pairs:
            self._pairs[kind] = np.zeros((len(self._taken), 2)), np.zeros(len(self._taken), np.int64)
        pairs, left = self._pairs[kind]
        new = rows[left[rows] == 0]
        if new.size:
            pairs[new] = kind(self._blocks[new, np.minimum(self._taken[new], self._blocks.shape[1] - 1)])
            left[new] = 2
            self._taken[new] += 1
        left[rows] -= 1
        return pairs[rows, left[rows]]

    def overdrawn(self, rows: Any) -> Any:
        """Tell which of the results needed more words than they had."""
        return self._taken[rows] > self._blocks.shape[1]


def _each(key: int, counter: int, count: int, draw: Callable[[_Streams, Any, Any], Any]) -> Any:
    """Return results, each of a stream of its own: few need more than eight blocks.

    Args:
        draw: tries once, for the places and the rows of their streams; returns the results, and which are taken.
    """
    found, places, blocks = np.zeros(count), np.arange(count), 8
    words = philox_draws.grouped(key, counter, count, blocks, EACH)
    while places.size:
        streams, rows, again = _Streams(words), np.arange(len(places)), []
        while rows.size:
            drawn, taken = draw(streams, places[rows], rows)
            over = streams.overdrawn(rows)
            again.append(places[rows[over]])
            taken &= ~over
            found[places[rows[taken]]] = drawn[taken]
            rows = rows[~taken & ~over]
        places, blocks = np.concatenate(again), 8 * blocks
        parts = [philox_draws.grouped(key, counter + int(place) * EACH, 1, blocks, 0) for place in places]
        words = np.concatenate(parts) if parts else words[:0]
    return found


def gamma(key: int, counter: int, alphas: Any) -> Any:
    """Return a draw for each alpha, float64, with the rate 1."""
    small = alphas < 1
    d = alphas + np.where(small, 2.0 / 3, -1.0 / 3)
    c = 1.0 / 3 / np.sqrt(d)

    def draw(streams: _Streams, places: Any, rows: Any) -> Any:
        drawn, taken = np.zeros(len(rows)), alphas[places] == 1
        drawn[taken] = -np.log1p(-streams.next(_uniform, rows[taken]))
        tried = np.flatnonzero(~taken)
        x = streams.next(_normal, rows[tried])
        v = 1 + c[places[tried]] * x
        tried, x, v = tried[v > 0], x[v > 0], v[v > 0]
        v = v * v * v
        u, scale = streams.next(_uniform, rows[tried]), d[places[tried]]
        near = u < 1 - 0.0331 * (x * x) * (x * x)
        near |= np.log(np.maximum(u, np.finfo(float).tiny)) < 0.5 * x * x + scale * (1 - v + np.log(v))
        drawn[tried], taken[tried] = scale * v, near
        tried = tried[near & small[places[tried]]]
        drawn[tried] *= streams.next(_uniform, rows[tried]) ** (1 / alphas[places[tried]])
        return drawn, taken

    return _each(key, counter, len(alphas), draw)


def poisson(key: int, counter: int, rates: Any, highest: float) -> Any:
    """Return a draw for each rate, float64, none above the highest number that the type has."""
    with np.errstate(invalid="ignore", divide="ignore"):
        least, logarithm = np.exp(-rates), np.log(rates)
        b = 0.931 + 2.53 * np.sqrt(rates)
        a = -0.059 + 0.02483 * b
        inverse = 1.1239 + 1.1328 / (b - 3.4)

    def few(streams: _Streams, places: Any, rows: Any) -> Any:
        """Multiply uniform draws until the product is below exp(-rate): D. Knuth."""
        drawn, product = np.zeros(len(rows)), np.ones(len(rows))
        left = np.arange(len(rows))
        while left.size:
            product[left] *= streams.next(_uniform, rows[left])
            left = left[(product[left] > least[places[left]]) & ~streams.overdrawn(rows[left])]
            drawn[left] += 1
        return drawn

    def draw(streams: _Streams, places: Any, rows: Any) -> Any:
        drawn, taken = np.zeros(len(rows)), rates[places] < 10
        drawn[taken] = few(streams, places[taken], rows[taken])
        tried = np.flatnonzero(~taken)
        at = places[tried]
        u = streams.next(_uniform, rows[tried]) - 0.5
        v = streams.next(_uniform, rows[tried])
        away = 0.5 - np.abs(u)
        with np.errstate(all="ignore"):
            k = np.floor((2 * a[at] / away + b[at]) * u + rates[at] + 0.43)
            inside = (away >= 0.07) & (v <= 0.9277 - 3.6224 / (b[at] - 2))
            outside = (k < 0) | (away < 0.013) & (v > away)
            bound = np.log(v * inverse[at] / (a[at] / (away * away) + b[at]))
            below = bound <= -rates[at] + k * logarithm[at] - lgamma_value(k + 1)
        drawn[tried] = k
        taken[tried] = (k <= highest) & (inside | ~outside & below)
        return drawn, taken

    return _each(key, counter, len(rates), draw)
