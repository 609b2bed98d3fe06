"""How sequences of samples are correlated with themselves, and seeds that follow from one."""

from __future__ import annotations

import hashlib
from typing import Any

from ...distributions.util import prefer_static_rank, rotate_transpose
from ...graph.build import dtype_of, shape_of
from ...graph.scopes import name_scope
from ...ops.array_ops import shape
from ...ops.cast_ops import cast
from ...ops.complex_ops import complex as _complex
from ...ops.complex_ops import conj
from ...ops.concat_ops import concat
from ...ops.creation_ops import range as _range
from ...ops.creation_ops import zeros_like
from ...ops.math_ops import minimum
from ...ops.reduce_ops import reduce_mean
from ...ops.sparse_ops import convert_to_tensor
from ...ops.spectral_ops import fft, ifft

__all__ = ["SeedStream", "auto_correlation"]


def auto_correlation(
    x: Any,
    axis: int = -1,
    max_lags: Any = None,
    center: bool = True,
    normalize: bool = True,
    name: str = "auto_correlation",
) -> Any:
    """Return the means of the products of a sequence with itself some steps later, for 0 steps and more along an axis.

    Args:
        x: real or complex sequences.
        axis: the axis of the steps.
        max_lags: the largest number of steps; by default, and at most, one less than there are elements.
        center: whether the mean is subtracted first.
        normalize: whether the result is divided by that of 0 steps.

    Raises TypeError for integers.

    Source: ``tf.contrib.distributions.auto_correlation``.
    """
    with name_scope(name):
        x = convert_to_tensor(x, name="x")
        dtype = dtype_of(x)
        if not (dtype.is_complex or dtype.is_floating):
            raise TypeError(f"Argument x must have either float or complex dtype found: {dtype!r}")
        ranks = prefer_static_rank(x)
        shift = -1 - axis if axis < 0 else ranks - 1 - axis
        turned = rotate_transpose(x, shift)
        if center:
            turned = turned - reduce_mean(turned, -1, keepdims=True)
        known = shape_of(turned)
        length = shape(turned)[-1] if known is None or known[-1] is None else known[-1]
        padded = concat([turned, zeros_like(turned)], -1)  # so that the end does not meet the beginning
        padded = padded if dtype.is_complex else _complex(padded, zeros_like(padded))
        spectrum = fft(padded)
        products = ifft(spectrum * conj(spectrum))
        products = products if dtype.is_complex else cast(products, dtype)
        lags = length - 1 if max_lags is None else _least(length - 1, max_lags)
        counts = cast(length - _range(lags + 1), dtype)
        found = products[..., : lags + 1] / counts
        if normalize:
            found = found / found[..., :1]
        return rotate_transpose(found, -shift)


def _least(length: Any, lags: Any) -> Any:
    return min(length, lags) if isinstance(length, int) and isinstance(lags, int) else minimum(length, lags)


class SeedStream:
    """Seeds that follow from one and a text, a new one at each call; None each time where there is no seed.

    Args:
        seed: an integer, None, or another stream, whose own seed is taken.
        salt: a text that tells the stream from others.

    Source: ``tf.contrib.distributions.SeedStream``.
    """

    def __init__(self, seed: Any, salt: str) -> None:
        self._seed = seed.original_seed if isinstance(seed, SeedStream) else seed
        self._salt, self._count = salt, 0

    def __call__(self) -> int | None:
        """Return the next seed."""
        self._count += 1
        if self._seed is None:
            return None
        text = str((self._seed, self._count, self._salt)).encode("utf-8")
        return int(hashlib.sha512(text).hexdigest(), 16)

    @property
    def original_seed(self) -> Any:
        """The seed that others follow from."""
        return self._seed

    @property
    def salt(self) -> str:
        """The text."""
        return self._salt
