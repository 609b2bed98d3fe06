"""Random values: each operation has a sequence of its own in each session, fixed by the graph's and its own seed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import shape_inference
from ..graph.arguments import as_vector, call_with, check_vector
from ..graph.build import call, dtype_of, shape_of
from ..graph.constants import constant_array
from ..graph.dtypes import DType, as_dtype, dtype_or
from ..graph.eager_call import RunSession
from ..graph.node import Tensor
from ..graph.run_values import array_of
from ..graph.shape_inference import shape_value, static_sizes
from ..graph.shapes import bracketed
from ..graph.static_values import constant_value
from .random_sequences import Draws, Sequence
from .shifted_draws import are_numbers, between, shifted, uniform
from .sparse_ops import convert_to_tensor

__all__ = [
    "multinomial",
    "random_normal",
    "random_poisson",
    "random_shuffle",
    "random_uniform",
    "truncated_normal",
]


def drawn(
    op_type: str,
    shape: Any,
    dtype: Any,
    seed: int | None,
    name: str | None,
    draw: Callable[..., Any],
    inputs: Any = (),
    kernel: str | None = None,
) -> Any:
    """Return the node of ``draw(draws, sizes, *inputs)``, cast to ``dtype``; ``kernel`` is as in `Sequence`."""
    dtype = as_dtype(dtype).base_dtype
    sequence = Sequence(kernel or op_type, dtype, seed)
    if dtype.is_floating:  # Python's numbers take the type of the draws
        inputs = [np.asarray(v, dtype.dtype) if isinstance(v, (int, float)) else v for v in inputs]

    def compute(sizes: Any, session: RunSession, *values: Any) -> Any:
        if (least := min(sizes, default=0)) < 0:
            raise ValueError(f"Dimension {least} must be >= 0: negative dimensions are not allowed")
        arguments = [array_of(value) for value in values]
        return np.asarray(draw(sequence.draws(session), sizes, *arguments)).astype(dtype.dtype)

    def shape_fn(sizes: Any, *_: Any) -> Any:
        if isinstance(sizes, Tensor):
            check_vector(sizes)
            return shape_value(sizes)
        return static_sizes(sizes)

    return call_with(
        op_type,
        [(shape, as_vector)],
        compute,
        inputs,
        shape=shape_fn,
        name=name,
        dtype=dtype,
        contextual=True,
        differentiable=False,
        same=False,
    )


def random_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = "float32",
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Return draws from the normal distribution; gradients flow to a mean and a deviation that are tensors."""
    _check_floating("random_normal", dtype)
    if not are_numbers(mean, stddev):
        return shifted(random_normal, shape, mean, stddev, dtype, seed, name)
    draw = normal_of(dtype)
    return drawn("random_normal", shape, dtype, seed, name, draw, (mean, stddev), "RandomStandardNormal")


def _check_floating(who: str, dtype: Any) -> None:
    if not as_dtype(dtype).is_floating:
        raise TypeError(f"{who}: dtype must be a floating type, got {as_dtype(dtype).name}")


def normal_of(dtype: Any, near: bool = False) -> Callable[..., Any]:
    """Return what draws normally, within two deviations where near: of draws, sizes, a mean and a deviation."""
    element = as_dtype(dtype).base_dtype.dtype
    return lambda draws, sizes, mean, stddev: (
        (draws.near_normals if near else draws.normals)(sizes, element) * stddev + mean
    )


def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = "float32",
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Return draws from the normal distribution; those beyond two standard deviations are drawn again.

    Gradients flow to a mean and a deviation that are tensors.
    """
    _check_floating("truncated_normal", dtype)
    if not are_numbers(mean, stddev):
        return shifted(truncated_normal, shape, mean, stddev, dtype, seed, name)
    draw = normal_of(dtype, near=True)
    return drawn("truncated_normal", shape, dtype, seed, name, draw, (mean, stddev), "TruncatedNormal")


def random_uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = "float32",
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Return draws from ``[minval, maxval)``; integers for an integer type.

    Gradients flow to bounds that are tensors of floats.

    Raises ValueError for an integer type without ``maxval``, TypeError for bounds of floats then.
    """
    dtype = as_dtype(dtype)
    if maxval is None:
        if dtype.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
        maxval = 1
    if not dtype.is_floating and dtype.name not in ("int32", "int64"):
        raise ValueError(f"Argument `dtype` got invalid value {dtype}; random_uniform draws floats, int32 and int64")
    if dtype.is_floating and not are_numbers(minval, maxval):
        return between(random_uniform, shape, minval, maxval, dtype, seed, name)

    def draw(draws: Draws, sizes: Any, low: Any, high: Any) -> Any:
        if not dtype.is_integer:
            return uniform(draws, sizes, low, high, dtype.dtype)
        if low >= high and np.prod(sizes):
            raise ValueError(f"Need minval < maxval, got {low} >= {high}")
        return draws.whole_numbers(sizes, dtype.dtype, low, max(low + 1, high))

    bounds = (minval, maxval)
    if dtype.is_integer:
        bounds = _whole_bound("minval", minval, dtype), _whole_bound("maxval", maxval, dtype)
    kernel = "RandomUniformInt" if dtype.is_integer else "RandomUniform"
    return drawn("random_uniform", shape, dtype, seed, name, draw, bounds, kernel)


def random_whole_numbers(shape: Any, minval: Any, maxval: Any, seed: Any = None, name: str | None = None) -> Any:
    """Return draws of integers from ``[minval, maxval)``, of the type of ``minval``."""
    low = convert_to_tensor(minval)
    return random_uniform(shape, low, maxval, dtype_of(low), seed, name)


def _whole_bound(which: str, bound: Any, dtype: DType) -> Any:
    """Return a bound of integers; TypeError for a float, ValueError for a tensor of another type or no scalar."""
    bound = constant_array(bound, dtype) if are_numbers(bound) else convert_to_tensor(bound, dtype)
    if known := shape_of(bound):
        told = f"{which} must be a scalar; got a tensor of shape {bracketed(known)}"
        raise ValueError(f"{told}: Shape must be rank 0 but is rank {len(known)} for 'RandomUniformInt'")
    return bound


def of_each(
    op_type: str, shape: Any, parameters: Any, dtype: Any, seed: Any, name: Any, draw: Any, flows: bool = False
) -> Any:
    """Return draws of a shape for each of the parameters, whose shape comes behind it."""
    dtype = as_dtype(dtype).base_dtype
    sequence = Sequence(op_type, dtype, seed)

    def compute(sizes: Any, session: RunSession, *values: Any) -> Any:
        given = list(values) if flows else [array_of(value) for value in values]
        whole = (*sizes, *np.broadcast_shapes(*(np.shape(value) for value in given)))
        if math.prod(map(int, whole)) >= 2**63:
            raise ValueError(f"Encountered overflow when multiplying the sizes of shape {bracketed(whole)}")
        draws = draw(sequence.draws(session), whole, *given)
        return draws if flows else np.asarray(draws).astype(dtype.dtype)

    def shape_fn(sizes: Any, *shapes: Any) -> Any:
        known = shape_value(sizes) if isinstance(sizes, Tensor) else sizes
        each = shape_inference.broadcast(*shapes)
        return None if known is None or each is None else (*known, *each)

    options: Any = {"contextual": True, "differentiable": flows, "same": False}
    numbers = [np.asarray(v, dtype.dtype) if not hasattr(v, "dtype") else v for v in parameters]
    return call_with(op_type, [(shape, as_vector)], compute, numbers, shape=shape_fn, name=name, dtype=dtype, **options)


def random_poisson(
    lam: Any, shape: Any, dtype: Any = "float32", seed: int | None = None, name: str | None = None
) -> Any:
    """Return draws of a shape from each of the Poisson distributions of rates ``lam``."""
    kind = dtype_or(dtype, "int64").base_dtype
    return of_each("random_poisson", shape, (rates_of(lam),), kind, seed, name, count_draws(kind))


def rates_of(lam: Any) -> Any:
    """Return rates as they are, numbers as float64: the counts' type may have no fractions."""
    return lam if hasattr(lam, "dtype") else np.asarray(lam, np.float64)


def count_draws(dtype: Any) -> Callable[..., Any]:
    """Return what draws numbers of a type from Poisson distributions, by a generator: of sizes and rates."""

    def draw(draws: Draws, sizes: Any, rate: Any) -> Any:
        rate = np.asarray(rate)
        known = np.isfinite(rate) & (rate >= 0)
        drawn = draws.counts(np.where(known, rate, 0), sizes, float(dtype.max))
        return drawn if known.all() else np.where(known, drawn, np.where(rate > 0, np.inf, np.nan))

    return draw


def random_shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Any:
    """Return the rows in random order."""
    sequence = Sequence("RandomShuffle", dtype_of(value), seed)

    def compute(session: RunSession, x: Any) -> Any:
        rows = array_of(x)
        return rows[sequence.draws(session).order(len(rows))] if rows.ndim and rows.size else rows

    return call(
        "RandomShuffle", compute, (value,), name=name, shape=shape_inference.same, contextual=True, differentiable=False
    )


def multinomial(
    logits: Any, num_samples: Any, seed: int | None = None, name: str | None = None, output_dtype: Any = "int64"
) -> Any:
    """Return for each row of logits ``num_samples`` draws of a class."""
    dtype = dtype_or(output_dtype, "int64")
    sequence = Sequence("Multinomial", (dtype_of(logits), dtype), seed)
    count = None if shape_of(num_samples) else constant_value(num_samples)

    def shape_fn(known: Any, of_count: Any) -> Any:
        if known is not None and len(known) != 2:
            raise ValueError(f"Shape must be rank 2 but is rank {len(known)}")
        if of_count:
            raise ValueError(f"Shape must be rank 0 but is rank {len(of_count)}")
        if count is not None and count < 0:
            raise ValueError(f"Dimension size, given by scalar input 1, must be non-negative but is {int(count)}")
        return (None if known is None else known[0], None if count is None else int(count))

    def compute(session: RunSession, x: Any, samples: Any) -> Any:
        scores = array_of(x)
        if not scores.shape[1]:
            raise ValueError(f"num_classes should be positive, got {scores.shape[1]}")
        return sequence.draws(session).classes(scores, int(samples)).astype(dtype.dtype)

    return call(
        "Multinomial",
        compute,
        (logits, num_samples),
        name=name,
        shape=shape_fn,
        dtype=dtype,
        contextual=True,
        differentiable=False,
        same=False,
    )
