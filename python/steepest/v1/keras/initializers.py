"""``tf.keras.initializers``: those of `tf.initializers` with Keras' own settings, by name too."""

from __future__ import annotations

from typing import Any

from ..graph.missing import namespace
from ..variables import initializers as _own
from ..variables.initializers import (
    Constant,
    Identity,
    Initializer,
    Ones,
    Orthogonal,
    VarianceScaling,
    Zeros,
    he_normal,
    he_uniform,
    lecun_normal,
    lecun_uniform,
)
from ..variables.initializers import GlorotNormal as glorot_normal
from ..variables.initializers import GlorotUniform as glorot_uniform
from .by_name import found, serialized

__all__ = [
    "Constant",
    "Identity",
    "Initializer",
    "Ones",
    "Orthogonal",
    "RandomNormal",
    "RandomUniform",
    "TruncatedNormal",
    "VarianceScaling",
    "Zeros",
    "constant",
    "deserialize",
    "get",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "identity",
    "lecun_normal",
    "lecun_uniform",
    "normal",
    "ones",
    "orthogonal",
    "random_normal",
    "random_uniform",
    "serialize",
    "truncated_normal",
    "uniform",
    "zeros",
]


class RandomNormal(_own.RandomNormal):
    """Normal draws, by default of deviation 0.05."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None, dtype: Any = "float32") -> None:
        super().__init__(mean, stddev, seed, dtype)


class TruncatedNormal(_own.TruncatedNormal):
    """Normal draws, by default of deviation 0.05, drawn again where they are farther off than two deviations."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None, dtype: Any = "float32") -> None:
        super().__init__(mean, stddev, seed, dtype)


class RandomUniform(_own.RandomUniform):
    """Uniform draws, by default from -0.05 to 0.05."""

    def __init__(
        self, minval: Any = -0.05, maxval: Any = 0.05, seed: int | None = None, dtype: Any = "float32"
    ) -> None:
        super().__init__(minval, maxval, seed, dtype)


zeros, ones, constant, identity, orthogonal = Zeros, Ones, Constant, Identity, Orthogonal
normal = random_normal = RandomNormal
uniform = random_uniform = RandomUniform
truncated_normal = TruncatedNormal

_KNOWN = {
    "zeros": Zeros,
    "ones": Ones,
    "constant": Constant,
    "glorot_uniform": glorot_uniform,
    "glorot_normal": glorot_normal,
    "he_normal": he_normal,
    "he_uniform": he_uniform,
    "lecun_normal": lecun_normal,
    "lecun_uniform": lecun_uniform,
    "orthogonal": Orthogonal,
    "identity": Identity,
    "normal": RandomNormal,
    "uniform": RandomUniform,
    "random_normal": RandomNormal,
    "random_uniform": RandomUniform,
    "truncated_normal": TruncatedNormal,
    **{kind.__name__: kind for kind in (Zeros, Ones, Constant, Orthogonal, Identity, VarianceScaling)},
    **{kind.__name__: kind for kind in (RandomNormal, RandomUniform, TruncatedNormal, glorot_uniform, glorot_normal)},
}


def get(identifier: Any) -> Any:
    """Return an initializer: by its name, by a dict of its class and settings, of a class, or as it is.

    None for None. Raises ValueError for a name that is not known.
    """
    return found("initializer", _KNOWN, identifier)


deserialize, serialize = get, serialized

__getattr__, __dir__ = namespace(__name__)
