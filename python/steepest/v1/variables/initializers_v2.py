"""The initializers of TensorFlow 2: they take the type when they are called, and draw the same values for a seed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...ops.dispatch import unwrap
from ..graph.bound_names import name_functions
from ..graph.build import call
from ..graph.constants import constant, constant_array
from ..graph.dtypes import as_dtype
from ..graph.shapes import as_shape
from ..ops.random_ops import random_normal, random_uniform, truncated_normal
from ..ops.stateless_random_ops import stateless_normal, stateless_truncated_normal, stateless_uniform
from . import initializers as first
from .orthogonal import orthogonal, orthogonal_shape
from .partitioned_variable import PartitionInfo

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
    "VarianceScaling",
    "Zeros",
    "constant_initializer",
    "glorot_normal_initializer",
    "glorot_uniform_initializer",
    "he_normal",
    "he_uniform",
    "identity",
    "lecun_normal",
    "lecun_uniform",
    "ones_initializer",
    "orthogonal_initializer",
    "random_normal_initializer",
    "random_uniform_initializer",
    "truncated_normal_initializer",
    "variance_scaling_initializer",
    "zeros_initializer",
]


def _by_seed(plain: Callable[..., Any], stateless: Callable[..., Any]) -> Any:
    """Return a function that draws anew where there is no seed, and with a seed always the same."""

    def draw(shape: Any, low: Any, high: Any, dtype: Any, seed: int | None) -> Any:
        if seed is None:
            return plain(shape, low, high, dtype)
        return stateless(shape, [seed, 0], low, high, dtype)

    return staticmethod(draw)


_PARTS = ["partition_shape", "partition_offset"]


class Initializer(first.Initializer):
    """Base class: ``initializer(shape, dtype="float32")`` returns the initial value.

    With ``partition_shape`` and ``partition_offset`` it is that of a part of a larger variable of the shape ``shape``.
    """

    _of_parts = True  # whether it can be of a part

    _kinds, _expected = "is_floating", "floating point"
    _normal = _by_seed(random_normal, stateless_normal)
    _uniform = _by_seed(random_uniform, stateless_uniform)
    _truncated = _by_seed(truncated_normal, stateless_truncated_normal)

    def __call__(  # type: ignore[override]  # parts are told otherwise
        self, shape: Any, dtype: Any = "float32", **kwargs: Any
    ) -> Any:
        """Return the initial value for a shape.

        Raises ValueError for a type that cannot be drawn, and of a part where that is not supported.
        """
        self._check_parts(kwargs)
        kind = as_dtype(dtype)
        if self._kinds and not any(getattr(kind, each) for each in self._kinds.split()):
            raise ValueError(f"Expected {self._expected} dtype, got {kind!r}.")
        if (part := kwargs.get("partition_shape")) is None:
            return super().__call__(shape, kind)
        whole = [int(size or 0) for size in as_shape(shape) or ()]
        offset = [int(each) for each in kwargs.get("partition_offset") or [0] * len(whole)]
        return super().__call__(part, kind, PartitionInfo(whole, offset))

    def _check_parts(self, kwargs: dict[str, Any]) -> None:
        for name in kwargs:
            if name not in _PARTS:
                raise TypeError(f"Keyword argument should be one of {_PARTS}. Received: {name}")
            if not self._of_parts:
                raise ValueError(f"{type(self).__name__} initializer doesn't support partition-related arguments")

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that the initializer was made with; a type is none of them."""
        return {key: value for key, value in super().get_config().items() if key != "dtype"}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """Return an initializer made with the given arguments, of which a type is left out."""
        return cls(**{key: value for key, value in config.items() if key != "dtype"})


class Zeros(Initializer, first.Zeros):
    """Zeros."""

    _kinds = ""

    def __init__(self) -> None:
        super().__init__()


class Ones(Initializer, first.Ones):
    """Ones: numbers or True."""

    _kinds, _expected = "is_floating is_integer is_complex is_bool", "numeric or boolean"

    def __init__(self) -> None:
        super().__init__()


class Constant(Initializer):
    """A constant, by default of its own type.

    A scalar is every element; TypeError for an array of another number of elements than the shape has. With
    ``support_partition`` it may be that of a part.
    """

    def __init__(self, value: Any = 0, support_partition: bool = False) -> None:
        self.value = first.Constant(value).value
        self._of_parts = support_partition

    def __call__(  # type: ignore[override]  # parts are told otherwise
        self, shape: Any, dtype: Any = None, **kwargs: Any
    ) -> Any:
        """Return the constant in a shape, of its own type where none is given."""
        self._check_parts(kwargs)
        shape = kwargs.get("partition_shape", shape)
        kind = None if dtype is None else as_dtype(dtype)
        array = constant_array(self.value, kind)
        if array.size not in (1, math.prod(size or 0 for size in as_shape(shape) or ())):
            raise TypeError(f"Expected Tensor's shape: {shape}, got {array.shape}.")
        return constant(array, kind, shape)


class RandomUniform(Initializer, first.RandomUniform):
    """Draws from ``[minval, maxval)``."""

    _kinds, _expected = "is_floating is_integer", "float or integer"

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: int | None = None) -> None:
        super().__init__(minval, maxval, seed)


class RandomNormal(Initializer, first.RandomNormal):
    """Draws from the normal distribution."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None) -> None:
        super().__init__(mean, stddev, seed)


class TruncatedNormal(Initializer, first.TruncatedNormal):
    """Draws from the normal distribution, within two standard deviations."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None) -> None:
        super().__init__(mean, stddev, seed)


class VarianceScaling(Initializer, first.VarianceScaling):
    """Draws whose variance is ``scale / n``: as `tf.variance_scaling_initializer`."""

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
    ) -> None:
        super().__init__(scale, mode, distribution, seed)


class GlorotUniform(VarianceScaling):
    """Uniform draws of variance ``2 / (fan_in + fan_out)``. Source: Glorot and Bengio, 2010."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed)


class GlorotNormal(VarianceScaling):
    """Truncated normal draws of variance ``2 / (fan_in + fan_out)``. Source: Glorot and Bengio, 2010."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed)


class Orthogonal(Initializer, first.Orthogonal):
    """A random orthogonal matrix, times ``gain``. Raises ValueError for fewer than two axes."""

    _of_parts = False

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        super().__init__(gain, seed)

    def _value(self, shape: tuple[int, ...], dtype: Any) -> Any:
        if self.seed is None or len(shape) < 2:
            return super()._value(shape, dtype)
        draws = self._normal(orthogonal_shape(shape), 0.0, 1.0, dtype, self.seed)
        gain = self.gain
        return call("Orthogonal", lambda x: gain * orthogonal(unwrap(x), shape), (draws,), shape=shape)


class Identity(Initializer, first.Identity):
    """An identity matrix, times ``gain``."""

    _of_parts = False

    def __init__(self, gain: float = 1.0) -> None:
        super().__init__(gain)


he_normal, he_uniform, lecun_normal, lecun_uniform = first.fan_in_makers(VarianceScaling)

zeros_initializer, ones_initializer, constant_initializer = Zeros, Ones, Constant
orthogonal_initializer, random_normal_initializer, random_uniform_initializer = Orthogonal, RandomNormal, RandomUniform
truncated_normal_initializer, variance_scaling_initializer = TruncatedNormal, VarianceScaling
glorot_uniform_initializer, glorot_normal_initializer, identity = GlorotUniform, GlorotNormal, Identity

name_functions(__name__)
