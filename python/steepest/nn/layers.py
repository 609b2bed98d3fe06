"""Noise of ``tf.nn``."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.errors import must
from ..base.generators import default_rng, uniform
from ..base.typing import ArrayLike, Value
from ..ops.dispatch import any_recorded, unwrap
from ..variables.names import get_default_store
from .arguments import to_floats, to_number

__all__ = ["dropout"]


def dropout(
    x: ArrayLike,
    keep_prob: float,
    noise_shape: Sequence[int | None] | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Value:
    """Return ``x / keep_prob`` with probability ``keep_prob`` and 0 otherwise, for each element.

    Args:
        x: floats of any shape.
        keep_prob: the probability of keeping an element, in (0, 1].
        noise_shape: a shape that broadcasts to x: elements along its axes of length 1 are kept or dropped together.
        seed: of the draws. Without it they follow ``set_random_seed``.
        name: accepted for TensorFlow's sake.

    Returns:
        The result, in the shape of ``x``.

    Raises:
        TypeError: for what is not an array of real numbers, or a keep_prob that is not a number.
        ValueError: for a keep_prob outside (0, 1].

    Example:
        >>> sorted(set(nn.dropout(np.ones(100), keep_prob=0.5, seed=0).tolist()))
        [0.0, 2.0]
    """
    array = to_floats("dropout", "x", x)
    if not 0 < to_number("dropout", "keep_prob", keep_prob) <= 1:
        raise ValueError(must("dropout", "keep_prob", "be in (0, 1]", keep_prob))
    dropped: Value
    if keep_prob == 1:
        dropped = array if any_recorded(array) else unwrap(array).copy()
        return dropped
    shape = array.shape
    if noise_shape is not None:
        shape = tuple(a if a is not None else b for a, b in zip(noise_shape, shape, strict=False))
    rng = get_default_store().rng if seed is None else default_rng(seed)
    factor = (uniform(rng, shape) < keep_prob) / keep_prob
    dropped = array * factor.astype(array.dtype)
    return dropped
