"""``tf.keras.constraints``: what weights are made to be after each update."""

from __future__ import annotations

from typing import Any

from ..graph.missing import namespace
from ..ops.cast_ops import cast
from ..ops.clip_ops import clip_by_value
from ..ops.math_ops import sqrt, square
from ..ops.reduce_ops import reduce_sum
from ..ops.sparse_ops import convert_to_tensor
from .by_name import found, serialized

__all__ = [
    "Constraint",
    "MaxNorm",
    "MinMaxNorm",
    "NonNeg",
    "UnitNorm",
    "deserialize",
    "get",
    "max_norm",
    "min_max_norm",
    "non_neg",
    "serialize",
    "unit_norm",
]

_LEAST = 1e-7  # Keras' epsilon, against a division by nothing


class Constraint:
    """Base class: ``constraint(weights)`` returns what the weights shall be."""

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that the constraint was made with."""
        return dict(vars(self))

    def _norms(self, w: Any, axis: Any) -> Any:
        return sqrt(reduce_sum(square(w), axis, keepdims=True))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in vars(self).items())})"


class NonNeg(Constraint):
    """Weights below 0 become 0."""

    def __call__(self, w: Any) -> Any:
        """Return the weights within the constraint."""
        w = convert_to_tensor(w)
        return w * cast(w >= 0.0, w.dtype)


class MaxNorm(Constraint):
    """Norms along ``axis`` are at most ``max_value``."""

    def __init__(self, max_value: float = 2, axis: Any = 0) -> None:
        self.max_value, self.axis = max_value, axis

    def __call__(self, w: Any) -> Any:
        """Return the weights within the constraint."""
        w = convert_to_tensor(w)
        norms = self._norms(w, self.axis)
        return w * (clip_by_value(norms, 0.0, float(self.max_value)) / (_LEAST + norms))


class UnitNorm(Constraint):
    """Norms along ``axis`` are 1."""

    def __init__(self, axis: Any = 0) -> None:
        self.axis = axis

    def __call__(self, w: Any) -> Any:
        """Return the weights within the constraint."""
        w = convert_to_tensor(w)
        return w / (_LEAST + self._norms(w, self.axis))


class MinMaxNorm(Constraint):
    """Norms along ``axis`` go by ``rate`` of the way to the nearest from ``min_value`` to ``max_value``."""

    def __init__(self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0, axis: Any = 0) -> None:
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w: Any) -> Any:
        """Return the weights within the constraint."""
        w = convert_to_tensor(w)
        norms = self._norms(w, self.axis)
        wanted = self.rate * clip_by_value(norms, self.min_value, self.max_value) + (1 - self.rate) * norms
        return w * (wanted / (_LEAST + norms))


max_norm, non_neg, unit_norm, min_max_norm = MaxNorm, NonNeg, UnitNorm, MinMaxNorm

_KNOWN = {
    "max_norm": MaxNorm,
    "non_neg": NonNeg,
    "unit_norm": UnitNorm,
    "min_max_norm": MinMaxNorm,
    **{kind.__name__: kind for kind in (MaxNorm, NonNeg, UnitNorm, MinMaxNorm)},
}


def get(identifier: Any) -> Any:
    """Return a constraint: by its name, by a dict of its class and settings, or as it is; None for None."""
    return found("constraint", _KNOWN, identifier)


deserialize, serialize = get, serialized

__getattr__, __dir__ = namespace(__name__)
