"""Gradient descent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.typing import Hook, Hyper
from .optimizer import Optimizer

__all__ = ["GradientDescentOptimizer"]


class GradientDescentOptimizer(Optimizer):
    """Gradient descent: ``w = w - learning_rate * g``.

    Args:
        learning_rate: a finite number, a callable, a Variable or a schedule; read at every step.
        use_locking: accepted for TensorFlow's sake.
        name: part of no slot's name here: this optimizer has no slots.
        hooks: callables on the list of (gradient, variable) pairs; see `steepest.hooks`.

    Raises:
        ValueError: for a learning rate that is NaN or infinite, here or when it is read.

    Source: ``tf.train.GradientDescentOptimizer``.
    """

    _rule = "sgd"

    def __init__(
        self,
        learning_rate: Hyper,
        use_locking: bool = False,
        name: str = "GradientDescent",
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        self._learning_rate = learning_rate
        super().__init__(use_locking, name, hooks=hooks)

    def _hyper(self) -> dict[str, Any]:
        return {"learning_rate": self._learning_rate}
