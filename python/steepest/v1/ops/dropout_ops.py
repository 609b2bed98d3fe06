"""Dropout, by numbers of its own, of a seed, or of a function of the program's."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from ...base.errors import describe, must
from ...ops.dispatch import Operand, unwrap
from ...ops.symbolic import Symbolic
from ..graph.build import call, dtype_of, shape_of
from ..graph.dtypes import as_dtype
from ..graph.eager_call import RunSession
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..graph.shape_inference import broadcast, merged
from ..graph.static_values import constant_value
from .array_ops import shape as shape_op
from .cast_ops import cast
from .math_ops import greater_equal
from .random_sequences import Sequence
from .sparse_ops import convert_to_tensor
from .stateless_random_ops import stateless_uniform

__all__ = ["dropout", "general_dropout", "stateless_dropout"]


def dropout(
    x: Any,
    keep_prob: Any = None,
    noise_shape: Any = None,
    seed: int | None = None,
    name: str | None = None,
    rate: Any = None,
) -> Any:
    """Return ``x / keep_prob`` with probability ``keep_prob`` and 0 otherwise, for each element.

    ``keep_prob`` or ``rate = 1 - keep_prob`` is a number or a node; nothing is dropped at ``rate = 0``. Elements share
    their fate along the axes where ``noise_shape`` has 1. Raises ValueError for both or neither, or a number outside
    (0, 1].
    """
    if (keep_prob is None) == (rate is None):
        raise ValueError("You must provide exactly one of keep_prob and rate.")
    share: Any = keep_prob if rate is None else rate
    if not _is_share(share):
        raise ValueError(f"`keep_prob` must be a floating point number or Tensor. Received: {share!r:.60}")
    keep: Any = share if rate is None else 1 - share
    x = _input(x, keep)
    sequence = Sequence("RandomUniform", as_dtype(dtype_of(x)), seed)
    if isinstance(keep, numbers.Real) and keep == 1:
        return x
    if isinstance(keep, numbers.Real):
        keep = np.float64(keep)  # a constant of it keeps all digits, which x of float64 is divided by
    inputs = (x, keep, *(() if noise_shape is None else (_sizes(noise_shape, shape_of(x)),)))

    def dropped(session: RunSession, value: Any, probability: Any, sizes: Any = None) -> Any:
        share = float(unwrap(probability))
        shape = value.shape if sizes is None else tuple(int(size) for size in array_of(sizes))
        rate = np.asarray(1 - share, value.dtype)
        mask = sequence.draws(session).units(shape, value.dtype) >= rate
        return value * (mask / share).astype(value.dtype)

    def shape_fn(shape: Any, probability: Any, _: Any = None) -> Any:
        if probability:
            raise ValueError(f"rate must be a scalar, got shape {probability}")
        if noise_shape is None or shape is None:
            return shape
        _check_fits(inputs[2], shape)
        return shape

    with name_scope(name, "dropout"):
        return call("Mul", dropped, inputs, name="mul_1", shape=shape_fn, contextual=True, same=False)


def general_dropout(x: Any, rate: Any, uniform_sampler: Any, noise_shape: Any = None, name: str | None = None) -> Any:
    """Return ``x / (1 - rate)`` where ``uniform_sampler(shape=, dtype=)`` is at least ``rate``, and 0 elsewhere.

    The sampler's numbers are in [0, 1). Elements share their fate along the axes where ``noise_shape`` has 1. Raises
    ValueError for a rate outside [0, 1), and for integers.

    Source: ``tf.nn.experimental.general_dropout`` of TensorFlow 2.
    """
    if not _is_share(rate):
        raise ValueError(f"`rate` must be a scalar or scalar tensor. Received: rate={rate!r:.60}")
    keep = 1 - rate
    x = _input(x, keep)
    if isinstance(keep, numbers.Real) and keep == 1:
        return x
    if isinstance(rate, Symbolic) and convert_to_tensor(rate).shape.ndims not in (None, 0):
        raise ValueError(f"rate must be a scalar, got shape {convert_to_tensor(rate).shape}")
    sizes = shape_op(x) if noise_shape is None else _sizes(noise_shape, shape_of(x))
    if not isinstance(sizes, Operand):
        _check_fits(sizes, shape_of(x))
    with name_scope(name, "dropout"):
        kept = greater_equal(uniform_sampler(shape=sizes, dtype=x.dtype), convert_to_tensor(rate, x.dtype))
        result = x * cast(kept, x.dtype) / convert_to_tensor(keep, x.dtype)
        if not executing_eagerly():
            result.set_shape(x.shape)
        return result


def stateless_dropout(
    x: Any, rate: Any, seed: Any, rng_alg: str = "auto_select", noise_shape: Any = None, name: str | None = None
) -> Any:
    """Do what `general_dropout` does, with numbers that depend on ``seed``, two integers, alone.

    Source: ``tf.nn.experimental.stateless_dropout`` of TensorFlow 2; its numbers are others.
    """
    if rng_alg not in ("auto_select", "philox", "threefry"):
        raise ValueError(must("stateless_dropout", "rng_alg", "be auto_select, philox or threefry", describe(rng_alg)))

    def drawn(shape: Any, dtype: Any) -> Any:
        return stateless_uniform(shape, seed, dtype=dtype)

    return general_dropout(x, rate, drawn, noise_shape, name or "stateless_dropout")


def _input(x: Any, keep: Any) -> Any:
    """Return x as a tensor. ValueError where it, or the share that is kept, is none that dropout can take."""
    if not isinstance(keep, Symbolic) and not 0 < keep <= 1:
        raise ValueError(f"rate must be a scalar tensor or a float in the range [0, 1), got {1 - keep:g}")
    x = convert_to_tensor(x)
    if not x.dtype.is_floating:
        raise ValueError(f"x has to be a floating point tensor since it's going to be scaled. Got {x!r}.")
    if not executing_eagerly() and isinstance(keep, Tensor) and keep.dtype != x.dtype:
        raise ValueError(f"rate must be of the type of x, {x.dtype.name}, got {keep.dtype.name}")
    return x


def _check_fits(noise_shape: Any, shape: Any) -> None:
    """Raise ValueError where the sizes of the random values are known and do not fit x."""
    sizes = constant_value(noise_shape)
    if sizes is not None and merged(broadcast(shape, tuple(int(size) for size in sizes)), shape) is None:
        raise ValueError(f"noise_shape {list(sizes)} does not fit a tensor of shape {shape}")


def _is_share(value: Any) -> bool:
    """Tell whether a value is a number or a node."""
    return isinstance(value, Symbolic) or (
        np.ndim(value) == 0 and isinstance(value, (int, float, np.number, np.ndarray, Operand))
    )


def _sizes(noise_shape: Any, shape: Any) -> Any:
    """Return the sizes of the random values: those of x where ``noise_shape`` has None."""
    if isinstance(noise_shape, (Symbolic, Operand)):
        return noise_shape
    sizes = noise_shape.as_list() if hasattr(noise_shape, "as_list") else list(noise_shape)
    if shape is not None and len(shape) == len(sizes):
        sizes = [own if size is None else size for size, own in zip(sizes, shape, strict=True)]
    return convert_to_tensor(sizes, "int32")
