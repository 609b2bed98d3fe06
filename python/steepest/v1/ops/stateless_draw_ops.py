"""Random values of more distributions, orders and seeds that follow from a pair of integers alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.arguments import as_vector, call_with
from ..graph.build import call
from ..graph.dtypes import as_dtype
from ..graph.node import Tensor
from ..graph.run_values import array_of
from ..graph.shape_inference import shape_value
from .bounded_normal_ops import between_bounds
from .concat_ops import stack
from .random_gamma_ops import gamma_draws
from .random_ops import count_draws, rates_of
from .seed_pairs import draws_of
from .sparse_ops import convert_to_tensor
from .stateless_random_ops import stateless_uniform

__all__ = [
    "fold_in",
    "split",
    "stateless_parameterized_truncated_normal",
    "stateless_random_binomial",
    "stateless_random_gamma",
    "stateless_random_poisson",
    "stateless_shuffle",
]


def _of_each(
    op_type: str,
    draw: Callable[..., Any],
    shape: Any,
    seed: Any,
    parameters: tuple[Any, ...],
    dtype: Any,
    name: str | None,
    flows: bool = False,
) -> Any:
    """Return draws of a whole shape, which ends with that of the parameters."""
    kind = as_dtype(dtype).base_dtype

    def compute(sizes: Any, pair: Any, *values: Any) -> Any:
        given = list(values) if flows else [array_of(value) for value in values]
        each = np.broadcast_shapes(*(np.shape(value) for value in given))
        if tuple(sizes)[len(sizes) - len(each) :] != each:
            raise ValueError(f"Shape passed in must end with broadcasted shape: {list(sizes)} and {list(each)}")
        draws = draw(draws_of(pair), tuple(sizes), *given)
        return draws if flows else np.asarray(draws).astype(kind.dtype)

    def shape_fn(sizes: Any, *_: Any) -> Any:
        return shape_value(sizes) if isinstance(sizes, Tensor) else sizes

    numbers = [value if hasattr(value, "dtype") else np.asarray(value, kind.dtype) for value in parameters]
    options: Any = {"differentiable": flows, "same": False}
    inputs = (seed, *numbers)
    return call_with(op_type, [(shape, as_vector)], compute, inputs, shape=shape_fn, name=name, dtype=kind, **options)


def stateless_random_gamma(
    shape: Any, seed: Any, alpha: Any, beta: Any = None, dtype: Any = "float32", name: str | None = None
) -> Any:
    """Return draws from the gamma distributions of ``alpha`` and the rate ``beta`` (1); ``shape`` is the result's.

    Gradients flow to both.
    """
    rate = 1.0 if beta is None else beta
    return _of_each("StatelessRandomGammaV2", gamma_draws(dtype), shape, seed, (alpha, rate), dtype, name, True)


def stateless_random_poisson(shape: Any, seed: Any, lam: Any, dtype: Any = "int32", name: str | None = None) -> Any:
    """Return draws from the Poisson distributions of rates ``lam``; ``shape`` is that of the result."""
    draw = count_draws(as_dtype(dtype).base_dtype)
    return _of_each("StatelessRandomPoisson", draw, shape, seed, (rates_of(lam),), dtype, name)


def stateless_random_binomial(
    shape: Any, seed: Any, counts: Any, probs: Any, output_dtype: Any = "int32", name: str | None = None
) -> Any:
    """Return how many of ``counts`` trials come true, with a probability of ``probs`` each."""

    def draw(rng: np.random.Generator, sizes: Any, trials: Any, chance: Any) -> Any:
        draws = rng.binomial(trials.astype(np.int64), np.clip(np.nan_to_num(chance), 0, 1), sizes)
        unknown = np.isnan(chance) & (trials > 0)
        return np.where(unknown, np.nan, draws) if unknown.any() else draws

    given = counts, probs if hasattr(probs, "dtype") else np.asarray(probs, np.float32)
    return _of_each("StatelessRandomBinomial", draw, shape, seed, given, output_dtype, name)


def stateless_parameterized_truncated_normal(
    shape: Any,
    seed: Any,
    means: Any = 0.0,
    stddevs: Any = 1.0,
    minvals: Any = -2.0,
    maxvals: Any = 2.0,
    name: str | None = None,
) -> Any:
    """Return draws from normal distributions of which only what is between bounds is left; they end the shape."""
    given = means, stddevs, minvals, maxvals
    dtype = convert_to_tensor(means).dtype.base_dtype
    return _of_each("StatelessParameterizedTruncatedNormal", between_bounds, shape, seed, given, dtype, name)


def stateless_shuffle(value: Any, seed: Any, alg: Any = "auto_select", name: str | None = None) -> Any:
    """Return the rows in an order that follows from ``seed``, two integers, alone. ``alg`` has no effect."""

    def compute(x: Any, pair: Any) -> Any:
        rows = array_of(x)
        return rows[draws_of(pair).order(len(rows))] if rows.ndim else rows

    options: Any = {"shape": lambda known, _: known, "same": False, "differentiable": False}
    dtype = convert_to_tensor(value).dtype.base_dtype
    return call("StatelessShuffle", compute, (value, seed), name=name, dtype=dtype, **options)


def split(seed: Any, num: int = 2, alg: Any = "auto_select") -> Any:
    """Return ``num`` seeds below each other that follow from one."""
    pair = convert_to_tensor(seed)
    return stateless_uniform([num, 2], pair, None, None, pair.dtype.base_dtype, alg=alg)


def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Any:
    """Return a seed that follows from another and a number."""
    number = convert_to_tensor(data)
    return stack([stateless_uniform([], seed, None, None, number.dtype.base_dtype, alg=alg), number])
