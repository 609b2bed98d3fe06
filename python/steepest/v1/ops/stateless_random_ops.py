"""Random values that follow from a pair of integers alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.arguments import as_sizes, call_with
from ..graph.bound_names import name_functions
from ..graph.dtypes import as_dtype
from ..graph.node import Tensor
from ..graph.run_values import array_of
from ..graph.shape_inference import shape_value
from .random_ops import truncated

__all__ = ["stateless_normal", "stateless_truncated_normal", "stateless_uniform"]


def _stateless(draw: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function whose values follow from the seed alone, a pair of integers."""

    def operation(
        shape: Any, seed: Any, *bounds: Any, dtype: Any = "float32", name: str | None = None, **more: Any
    ) -> Any:
        dtype = as_dtype(dtype).base_dtype
        options = dict(zip(("minval", "maxval") if draw is _between else ("mean", "stddev"), bounds, strict=False))
        settings = {**options, **more}

        def compute(sizes: Any, pair: Any) -> Any:
            rng = np.random.default_rng(array_of(pair).astype(np.uint32).tolist())
            return np.asarray(draw(rng, sizes, **settings)).astype(dtype.dtype)

        def shape_fn(sizes: Any, _: Any) -> Any:
            return shape_value(sizes) if isinstance(sizes, Tensor) else sizes

        arguments = [(shape, as_sizes)]
        return call_with(
            "Stateless",
            arguments,
            compute,
            (seed,),
            shape=shape_fn,
            name=name,
            dtype=dtype,
            differentiable=False,
            same=False,
        )

    operation.__doc__ = f"Return draws that follow from ``seed``, two integers, alone: {draw.__doc__}."
    return operation


def _between(rng: np.random.Generator, sizes: Any, minval: Any = 0, maxval: Any = 1) -> Any:
    """from ``[minval, maxval)``"""
    return minval + (maxval - minval) * rng.random(sizes)


def _normal(rng: np.random.Generator, sizes: Any, mean: Any = 0.0, stddev: Any = 1.0) -> Any:
    """from the normal distribution"""
    return rng.normal(mean, stddev, sizes)


def _near(rng: np.random.Generator, sizes: Any, mean: Any = 0.0, stddev: Any = 1.0) -> Any:
    """from the normal distribution, within two standard deviations"""
    return truncated(rng, sizes or (1,), mean, stddev).reshape(sizes)


stateless_uniform, stateless_normal = _stateless(_between), _stateless(_normal)
stateless_truncated_normal = _stateless(_near)

name_functions(__name__)
