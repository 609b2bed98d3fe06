"""Gradient descent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.typing import Hook, Hyper
from .optimizer import Optimizer

__all__ = ["GradientDescentOptimizer"]


class GradientDescentOptimizer(Optimizer):
    """Gradient descent: ``w = w - learning_rate * g``.

    w and g have shape S. It keeps no slots.

    Args:
        learning_rate: a finite number, a scalar Variable or array, or a callable (a schedule); read at every step.
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of no slot's name here, there being none.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for a learning rate that is NaN or infinite, here or when it is read.
        TypeError: for a learning rate that is not one real number.
        TypeError: for a hook that is not callable.

    Example:
        >>> w = np.array([1.0, 2.0])
        >>> st.GradientDescentOptimizer(0.5).apply_gradients([(np.array([1.0, -1.0]), w)])
        >>> w.tolist()
        [0.5, 2.5]

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
