"""Dropout."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from ...ops.dispatch import Operand, unwrap
from ...ops.symbolic import Symbolic
from ..graph.build import call, shape_of
from ..graph.eager_call import RunSession
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor
from ..graph.run_values import array_of
from ..graph.scopes import name_scope
from ..graph.shape_inference import broadcast, merged
from ..graph.static_values import constant_value
from .random_ops import generator, get_seed
from .sparse_ops import convert_to_tensor

__all__ = ["dropout"]


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
    if not isinstance(keep, Symbolic) and not 0 < keep <= 1:
        raise ValueError(f"rate must be a scalar tensor or a float in the range [0, 1), got {1 - keep:g}")
    x = convert_to_tensor(x)
    if not x.dtype.is_floating:
        raise ValueError(f"x has to be a floating point tensor since it's going to be scaled. Got {x!r}.")
    seeds, key = get_seed(seed), object()
    if isinstance(keep, numbers.Real) and keep == 1:
        return x
    inputs = (x, keep, *(() if noise_shape is None else (_sizes(noise_shape, shape_of(x)),)))

    def dropped(session: RunSession, value: Any, probability: Any, sizes: Any = None) -> Any:
        share = float(unwrap(probability))
        shape = value.shape if sizes is None else tuple(int(size) for size in array_of(sizes))
        mask = generator(session, key, seeds).random(shape) < share
        return value * (mask / share).astype(value.dtype)

    def shape_fn(shape: Any, probability: Any, _: Any = None) -> Any:
        if probability:
            raise ValueError(f"rate must be a scalar, got shape {probability}")
        if noise_shape is None or shape is None:
            return shape
        sizes = constant_value(inputs[2])
        if sizes is not None and merged(broadcast(shape, tuple(int(size) for size in sizes)), shape) is None:
            raise ValueError(f"noise_shape {list(sizes)} does not fit a tensor of shape {shape}")
        return shape

    if not executing_eagerly() and isinstance(keep, Tensor) and keep.dtype != x.dtype:
        raise ValueError(f"rate must be of the type of x, {x.dtype.name}, got {keep.dtype.name}")
    with name_scope(name, "dropout"):
        return call("Mul", dropped, inputs, name="mul_1", shape=shape_fn, contextual=True, same=False)


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
