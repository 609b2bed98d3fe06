"""Initial values of variables: objects that are called with a shape and a type."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.symbolic import Symbolic
from ..graph.bound_names import name_functions
from ..graph.build import call
from ..graph.constants import constant, constant_array
from ..graph.dtypes import as_dtype
from ..graph.shapes import as_shape
from ..ops.creation_ops import fill, zero_array
from ..ops.random_ops import drawn, random_normal, random_uniform, truncated_normal
from .orthogonal import orthogonal, orthogonal_shape

__all__ = [
    "Constant",
    "GlorotNormal",
    "GlorotUniform",
    "Identity",
    "Initializer",
    "Ones",
    "Orthogonal",
    "RandomNormal",
    "RandomUniform",
    "TruncatedNormal",
    "UniformUnitScaling",
    "VarianceScaling",
    "Zeros",
    "he_normal",
    "he_uniform",
    "lecun_normal",
    "lecun_uniform",
]


class Initializer:
    """Base class: ``initializer(shape, dtype=None)`` returns the initial value, a node or in eager mode an array.

    Where neither the call nor the initializer has a type, it is float32.
    """

    dtype: Any = None
    _normal: Any = staticmethod(random_normal)
    _uniform: Any = staticmethod(random_uniform)
    _truncated: Any = staticmethod(truncated_normal)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        """Return the initial value for a shape, which ``partition_info`` tells to be a part of a larger one."""
        sizes = as_shape(shape)
        assert sizes is not None
        return self._part(
            tuple(int(size or 0) for size in sizes), as_dtype(dtype or self.dtype or "float32"), partition_info
        )

    def _part(self, shape: tuple[int, ...], dtype: Any, partition_info: Any) -> Any:
        return self._value(shape, dtype)  # most draw each element for itself

    def _value(self, shape: tuple[int, ...], dtype: Any) -> Any:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that the initializer was made with."""
        dtype = getattr(self, "dtype", None)
        named = {"dtype": "float32" if dtype is None else as_dtype(dtype).name} if "dtype" in vars(self) else {}
        accepted = inspect.signature(type(self).__init__).parameters  # a subclass may take fewer
        return {key: value for key, value in {**vars(self), **named}.items() if key in accepted}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """Return an initializer made with the given arguments."""
        return cls(**config)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r:.40}' for k, v in vars(self).items())})"


def _floating(dtype: Any) -> Any:
    """Return the type of what is drawn; ValueError for one that is not floating."""
    if dtype is not None and not as_dtype(dtype).is_floating:
        raise ValueError(f"Argument `dtype` is expected to be floating point. Received: {dtype}.")
    return dtype


class Zeros(Initializer):
    """Zeros."""

    def __init__(self, dtype: Any = None) -> None:
        self.dtype = dtype

    def _value(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return fill(shape, zero_array((), dtype.dtype), name="zeros")


class Ones(Initializer):
    """Ones."""

    def __init__(self, dtype: Any = None) -> None:
        self.dtype = dtype

    def _value(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return fill(shape, np.ones((), dtype.dtype), name="ones")


class Constant(Initializer):
    """A constant: a scalar for every element, or an array of as many elements as the shape has.

    Raises ValueError for an array with too many elements; where it has fewer, the last is repeated.
    """

    def __init__(self, value: Any = 0, dtype: Any = None, verify_shape: bool = False) -> None:
        plain = np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray, bool, str, bytes))
        if isinstance(value, Symbolic) or not plain:
            raise TypeError(
                f"Invalid type for initial value: {type(value)} (expected Python scalar, list or tuple of values, or "
                "numpy.ndarray)."
            )
        self.value, self.dtype, self._verifies = value, dtype, verify_shape

    def __call__(
        self, shape: Any, dtype: Any = None, partition_info: Any = None, verify_shape: bool | None = None
    ) -> Any:
        """Return the constant in a shape."""
        dtype = as_dtype(dtype or self.dtype or "float32")
        # Not by way of float32: float64(float32(0.1)) != 0.1. Integers hold no fractions, numbers no texts.
        fits = isinstance(self.value, (np.ndarray, np.generic)) and np.asarray(self.value).dtype.kind in "biuf"
        array = np.asarray(self.value).astype(dtype.dtype) if fits else constant_array(self.value, dtype)
        if not array.ndim:
            return fill(tuple(int(s or 0) for s in as_shape(shape) or ()), array)
        return constant(array, dtype, shape, verify_shape=bool(verify_shape or self._verifies))


class RandomNormal(Initializer):
    """Draws from the normal distribution."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 1.0, seed: int | None = None, dtype: Any = None) -> None:
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, _floating(dtype)

    def _value(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return self._normal(shape, self.mean, self.stddev, dtype, self.seed)


class TruncatedNormal(Initializer):
    """Draws from the normal distribution, within two standard deviations."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 1.0, seed: int | None = None, dtype: Any = None) -> None:
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, _floating(dtype)

    def _value(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return self._truncated(shape, self.mean, self.stddev, dtype, self.seed)


class RandomUniform(Initializer):
    """Draws from ``[minval, maxval)``."""

    def __init__(self, minval: Any = 0, maxval: Any = None, seed: int | None = None, dtype: Any = None) -> None:
        self.minval, self.maxval, self.seed, self.dtype = minval, maxval, seed, dtype

    def _value(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return self._uniform(shape, self.minval, self.maxval, dtype, self.seed)


def _of_whole(shape: tuple[int, ...], partition_info: Any) -> tuple[int, ...]:
    return shape if partition_info is None else tuple(partition_info.full_shape)


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return fan-in and fan-out: the last two axes, times the sizes before them."""
    if len(shape) < 2:
        return (shape[0], shape[0]) if shape else (1, 1)
    window = math.prod(shape[:-2])
    return shape[-2] * window, shape[-1] * window


class VarianceScaling(Initializer):
    """Draws whose variance is ``scale / n``, where n is fan-in, fan-out or their mean, as ``mode`` says.

    ``distribution``: ``"truncated_normal"`` (also ``"normal"``), ``"untruncated_normal"`` or ``"uniform"``.
    Raises ValueError for a scale that is not positive, another mode or another distribution.
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
        dtype: Any = None,
    ) -> None:
        if scale <= 0.0:
            raise ValueError(f"Argument `scale` must be a positive float. Received: {scale}")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(f"Argument `mode` should be one of ('fan_in', 'fan_out', 'fan_avg'). Received: {mode}")
        if distribution not in ("normal", "uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError(
                "Argument `distribution` should be one of ('normal', 'uniform', 'truncated_normal', "
                f"'untruncated_normal'). Received: {distribution}"
            )
        self.scale, self.mode, self.distribution = scale, mode, distribution
        self.seed, self.dtype = seed, _floating(dtype)

    def _part(self, shape: tuple[int, ...], dtype: Any, partition_info: Any) -> Any:
        fan_in, fan_out = fans(_of_whole(shape, partition_info))
        count = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        variance = self.scale / max(1.0, count)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return self._uniform(shape, -limit, limit, dtype, self.seed)
        if self.distribution == "untruncated_normal":
            return self._normal(shape, 0.0, math.sqrt(variance), dtype, self.seed)
        # Cut off at two standard deviations, a normal distribution has a standard deviation smaller by this factor.
        return self._truncated(shape, 0.0, math.sqrt(variance) / 0.87962566103423978, dtype, self.seed)


class UniformUnitScaling(Initializer):
    """Draws from a uniform distribution that keeps the scale of its input."""

    def __init__(self, factor: float = 1.0, seed: int | None = None, dtype: Any = None) -> None:
        self.factor, self.seed, self.dtype = factor, seed, _floating(dtype)

    def _part(self, shape: tuple[int, ...], dtype: Any, partition_info: Any) -> Any:
        size = max(1, math.prod(_of_whole(shape, partition_info)[:-1]))
        limit = math.sqrt(3 / size) * self.factor
        return self._uniform(shape, -limit, limit, dtype, self.seed)


class GlorotUniform(VarianceScaling):
    """Uniform draws of variance ``2 / (fan_in + fan_out)``: float32 unless a call says else. Source: Glorot, 2010."""

    def __init__(self, seed: int | None = None, dtype: Any = None) -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed)
        del dtype  # TensorFlow does not heed it either


class GlorotNormal(VarianceScaling):
    """Truncated normal draws of variance ``2 / (fan_in + fan_out)``; see `GlorotUniform` for their type."""

    def __init__(self, seed: int | None = None, dtype: Any = None) -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed)
        del dtype


class Orthogonal(Initializer):
    """A random orthogonal matrix, times ``gain``. Raises ValueError for fewer than two axes."""

    def __init__(self, gain: float = 1.0, seed: int | None = None, dtype: Any = None) -> None:
        self.gain, self.seed, self.dtype = gain, seed, _floating(dtype)

    def _value(self, shape: tuple[int, ...], dtype: Any) -> Any:
        if len(shape) < 2:
            raise ValueError(f"The tensor to initialize must be at least two-dimensional. Received: shape={shape}")
        if not dtype.is_floating:
            raise TypeError(f"An orthogonal matrix is of a floating type, got {dtype.name}")

        def draw(draws: Any, sizes: Any) -> Any:
            return self.gain * orthogonal(draws.normals(orthogonal_shape(sizes), dtype.dtype), sizes)

        return drawn("orthogonal", shape, dtype, self.seed, None, draw, kernel="RandomStandardNormal")


class Identity(Initializer):
    """An identity matrix, times ``gain``."""

    def __init__(self, gain: float = 1.0, dtype: Any = None) -> None:
        self.gain, self.dtype = gain, _floating(dtype)

    def _part(self, shape: tuple[int, ...], dtype: Any, partition_info: Any) -> Any:
        whole, begin = _of_whole(shape, partition_info), getattr(partition_info, "var_offset", (0, 0))
        if len(whole) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        key = tuple(slice(first, first + size) for first, size in zip(begin, shape, strict=True))
        gain = constant_array(self.gain, dtype)  # TypeError for a fraction beside integers
        return call("Eye", lambda: np.eye(*whole, dtype=dtype.dtype)[key] * gain, (), shape=shape, dtype=dtype)


def fan_in_makers(kind: Callable[..., Any]) -> tuple[Callable[..., Any], ...]:
    """Return ``he_normal``, ``he_uniform``, ``lecun_normal`` and ``lecun_uniform``, which make initializers of a kind.

    ``kind`` is a class `VarianceScaling`, of which there are two: one draws for a seed as TensorFlow 1 does, one as 2.
    """

    def scaled(scale: float, distribution: str, source: str) -> Callable[..., Any]:
        def make(seed: int | None = None) -> Any:
            return kind(scale, "fan_in", distribution, seed)

        make.__doc__ = f"Return draws of variance ``{scale:g} / fan_in``, {distribution}. Source: {source}."
        return make

    sources = ((2.0, "He et al., 2015"), (1.0, "LeCun et al., 1998"))
    return tuple(scaled(scale, each, source) for scale, source in sources for each in ("truncated_normal", "uniform"))


he_normal, he_uniform, lecun_normal, lecun_uniform = fan_in_makers(VarianceScaling)
name_functions(__name__)
