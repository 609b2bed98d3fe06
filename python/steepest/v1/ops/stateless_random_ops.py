"""Random values that follow from a pair of integers alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.arguments import as_vector, call_with
from ..graph.bound_names import name_functions
from ..graph.build import call, shape_of
from ..graph.dtypes import as_dtype
from ..graph.node import Tensor
from ..graph.run_values import array_of
from ..graph.shape_inference import shape_value
from ..graph.static_values import constant_value
from .random_ops import normal_of
from .random_sequences import Draws
from .seed_pairs import check_pair, draws_of
from .shifted_draws import uniform

__all__ = [
    "stateless_categorical",
    "stateless_multinomial",
    "stateless_normal",
    "stateless_truncated_normal",
    "stateless_uniform",
]


def _drawn(draw: Callable[..., Any], shape: Any, seed: Any, settings: dict[str, Any], dtype: Any, name: Any) -> Any:
    """Return values that follow from the seed alone, a pair of integers."""
    dtype = as_dtype(dtype).base_dtype
    if dtype.is_floating:  # Python's numbers take the type of the draws
        settings = {k: np.asarray(v, dtype.dtype) if isinstance(v, (int, float)) else v for k, v in settings.items()}
    tensors = {key: value for key, value in settings.items() if hasattr(value, "dtype")}

    def compute(sizes: Any, pair: Any, *values: Any) -> Any:
        draws = draws_of(pair)
        given = settings | dict(zip(tensors, map(array_of, values), strict=True))
        return np.asarray(draw(draws, sizes, **given)).astype(dtype.dtype)

    def shape_fn(sizes: Any, pair: Any, *others: Any) -> Any:
        check_pair(pair)
        return shape_value(sizes) if isinstance(sizes, Tensor) else sizes

    return call_with(
        "Stateless",
        [(shape, as_vector)],
        compute,
        (seed, *tensors.values()),
        shape=shape_fn,
        name=name,
        dtype=dtype,
        differentiable=False,
        same=False,
    )


def _check_scalar(what: str, bound: Any) -> None:
    shape = shape_of(bound) if hasattr(bound, "dtype") else ()
    if shape:
        raise ValueError(f"{what} must be a scalar; got a tensor of shape {list(shape)}")


def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = "float32",
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Return draws from ``[minval, maxval)`` that follow from ``seed``, two integers, alone.

    Integers without either bound are of all that their type has. ``alg`` has no effect.
    """
    kind = as_dtype(dtype).base_dtype
    whole = kind.is_integer
    if whole and (minval is None) != (maxval is None):
        raise ValueError(
            f"For integer dtype {kind!r}, argument `minval` and `maxval` must be both None or both non-None. Got "
            f"`minval`={minval} and `maxval`={maxval}. Must specify maxval for integer dtype {kind!r}"
        )
    if minval is None and not whole:
        raise ValueError("None values not supported: minval must be a number, got None")
    every = whole and minval is None
    if whole and not every:
        _check_scalar("minval", minval)
        _check_scalar("maxval", maxval)
    settings = {} if every else {"minval": minval, "maxval": 1 if maxval is None else maxval}

    def draw(draws: Draws, sizes: Any, minval: Any = 0, maxval: Any = 0) -> Any:
        if every:
            return draws.all_integers(sizes, kind.dtype)
        if whole:
            return draws.whole_numbers(sizes, kind.dtype, minval, maxval)
        return uniform(draws, sizes, minval, maxval, kind.dtype)

    return _drawn(draw, shape, seed, settings, dtype, name)


def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = "float32",
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Return draws from the normal distribution that follow from ``seed``, two integers, alone."""
    return _drawn(normal_of(dtype), shape, seed, {"mean": mean, "stddev": stddev}, dtype, name)


def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = "float32",
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Return draws within two standard deviations that follow from ``seed``, two integers, alone."""
    return _drawn(normal_of(dtype, near=True), shape, seed, {"mean": mean, "stddev": stddev}, dtype, name)


def stateless_multinomial(
    logits: Any, num_samples: Any, seed: Any, output_dtype: Any = "int64", name: str | None = None
) -> Any:
    """Return for each row of logits draws of a class that follow from ``seed``, two integers, alone."""
    dtype, count = as_dtype(output_dtype), constant_value(num_samples)

    def compute(x: Any, samples: Any, pair: Any) -> Any:
        return draws_of(pair).classes(array_of(x), int(samples)).astype(dtype.dtype)

    def shape_fn(known: Any, *others: Any) -> Any:
        if known is not None and len(known) != 2:
            raise ValueError(f"Shape must be rank 2 but is rank {len(known)}")
        return (None if known is None else known[0], None if count is None else int(count))

    return call(
        "StatelessMultinomial",
        compute,
        (logits, num_samples, seed),
        name=name,
        shape=shape_fn,
        dtype=dtype,
        differentiable=False,
        same=False,
    )


def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = "int64", name: str | None = None
) -> Any:
    """Return for each row of logits draws of a class that follow from ``seed``, two integers, alone."""
    return stateless_multinomial(logits, num_samples, seed, dtype, name)


name_functions(__name__)
