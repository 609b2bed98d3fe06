"""``tf.keras.regularizers``: what is added to a loss for the size of weights."""

from __future__ import annotations

from typing import Any

from ..graph.constants import constant
from ..graph.missing import namespace
from ..ops.math_ops import abs as _abs
from ..ops.math_ops import square
from ..ops.reduce_ops import reduce_sum
from ..ops.sparse_ops import convert_to_tensor
from .by_name import found, serialized

__all__ = ["L1L2", "Regularizer", "deserialize", "get", "l1", "l1_l2", "l2", "serialize"]


class Regularizer:
    """Base class: ``regularizer(weights)`` returns a number."""

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Regularizer:
        """Return a regularizer made with the given arguments."""
        return cls(**config)


class L1L2(Regularizer):
    """``l1 * sum(|x|) + l2 * sum(x ** 2)``; without the half of ``tf.nn.l2_loss``. Source: ``keras.regularizers``."""

    def __init__(self, l1: float = 0.0, l2: float = 0.0) -> None:
        self.l1, self.l2 = float(l1), float(l2)

    def __call__(self, x: Any) -> Any:
        """Return the number of the weights."""
        x = convert_to_tensor(x)
        parts = [self.l1 * reduce_sum(_abs(x))] if self.l1 else []
        parts += [self.l2 * reduce_sum(square(x))] if self.l2 else []
        return sum(parts[1:], parts[0]) if parts else constant(0.0)

    def get_config(self) -> dict[str, float]:
        """Return both factors."""
        return {"l1": self.l1, "l2": self.l2}

    def __repr__(self) -> str:
        return f"L1L2(l1={self.l1:g}, l2={self.l2:g})"


def l1(l: float = 0.01, l1: float | None = None) -> L1L2:  # noqa: E741 - Keras' name, later called l1
    """Return the regularizer ``l * sum(|x|)``."""
    return L1L2(l1=l if l1 is None else l1)


def l2(l: float = 0.01, l2: float | None = None) -> L1L2:  # noqa: E741 - Keras' name, later called l2
    """Return the regularizer ``l * sum(x ** 2)``."""
    return L1L2(l2=l if l2 is None else l2)


def l1_l2(l1: float = 0.01, l2: float = 0.01) -> L1L2:
    """Return the regularizer ``l1 * sum(|x|) + l2 * sum(x ** 2)``."""
    return L1L2(l1, l2)


_KNOWN = {"l1": l1, "l2": l2, "l1_l2": l1_l2, "L1L2": L1L2}


def get(identifier: Any) -> Any:
    """Return a regularizer: by its name, by a dict of its class and settings, or as it is; None for None."""
    return found("regularizer", _KNOWN, identifier)


deserialize, serialize = get, serialized

__getattr__, __dir__ = namespace(__name__)
