"""Muon: momentum whose matrix is brought near an orthogonal one before each step."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np

from ..base.dtypes import Array
from ..base.errors import describe, must
from ..base.typing import Hook, Hyper
from .hyperparameters import scalar
from .moving_average import MovingAverage
from .optimizer import Optimizer
from .parameters import Parameter

__all__ = ["Muon"]

_A, _B, _C = 3.4445, -4.7750, 2.0315  # make the polynomial of a step steep at 0, so that few steps are enough


class Muon(Optimizer):
    """Momentum orthogonalized by Newton and Schulz's iteration; for matrices, a first axis of R rows and C columns::

        m = m + (g - m) * (1 - momentum)
        u = g + (m - g) * momentum                            with use_nesterov, else m
        x = u / norm(u), then newton_schulz_steps times
            x = a x + (b s + c s s) x    with s = x x', a, b, c = 3.4445, -4.775, 2.0315
        w = w - x * learning_rate * ratio

    ``ratio`` is ``sqrt(max(1, R / C))``, or with ``match_adam`` ``0.2 sqrt(max(R, C))``, with which a learning rate and
    a weight decay tuned for Adam fit. Axes after the first are taken together, as the filters of a convolution are.
    Embeddings, biases and other vectors have no matrix to be orthogonalized: give them to another optimizer.
    The products are NumPy's, in float32 at least; their last bits depend on its BLAS. Slot: ``momentum`` (m), zeros.

    Args:
        learning_rate: a finite number, a scalar Variable or array, or a callable (a schedule); read at every step.
        momentum: in [0, 1).
        use_nesterov: look ahead by one step.
        newton_schulz_steps: an integer of at least 1.
        match_adam: which ratio.
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for a parameter that is no matrix, or a number outside its range.
        TypeError: for a sparse gradient, or a hyper-parameter that is not one real number.
        TypeError: for a hook that is not callable.

    Example:
        >>> w = np.zeros((2, 2))
        >>> st.Muon(1.0).apply_gradients([(np.array([[3.0, 0.0], [0.0, 3.0]]), w)])
        >>> bool(np.all(np.abs(w + np.eye(2)) < 0.35))  # singular values come near 1, not to it
        True

    Source: Jordan et al., 2024, "Muon: an optimizer for hidden layers"; ``torch.optim.Muon``.
    """

    _SLOTS: ClassVar = ("momentum",)  # of the parameter's shape, zeros at first: what ranks must know beforehand

    def __init__(
        self,
        learning_rate: Hyper = 0.02,
        momentum: Hyper = 0.95,
        use_nesterov: bool = True,
        newton_schulz_steps: int = 5,
        match_adam: bool = False,
        use_locking: bool = False,
        name: str = "Muon",
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._momentum = momentum
        self._use_nesterov, self._match_adam = bool(use_nesterov), bool(match_adam)
        if isinstance(newton_schulz_steps, bool) or not isinstance(newton_schulz_steps, int) or newton_schulz_steps < 1:
            raise ValueError(
                must("Muon", "newton_schulz_steps", "be an integer of at least 1", describe(newton_schulz_steps))
            )
        self._newton_schulz_steps = newton_schulz_steps
        self._blend = MovingAverage(0.0, name=name)
        super().__init__(use_locking, name, hooks=hooks)

    def _create_slots(self, var_list: Sequence[Parameter]) -> None:
        for parameter in var_list:
            if len(parameter.shape) < 2:
                remedy = "give vectors to another optimizer"
                got = f"{parameter.name!r} of shape {parameter.shape}"
                raise ValueError(must(self._name, "parameter", "have at least two axes", got, remedy))
            self._zeros_slot(parameter, "momentum", self._name)

    def _prepare(self) -> None:
        momentum = scalar(self._name, "momentum", self._momentum)
        if not 0 <= momentum < 1:
            raise ValueError(must(self._name, "momentum", "be in [0, 1)", f"{momentum!r}"))
        self._blend.learning_rate = 1 - momentum

    def _apply_dense(self, grad: Any, var: Any) -> None:
        slot = self.get_slot(var, "momentum")
        assert slot is not None
        m: Array = slot._kept
        g = np.asarray(grad, m.dtype)
        self._blend.apply_gradients([(g, slot)])
        u = g + (m - g) * m.dtype.type(1 - self._blend.learning_rate) if self._use_nesterov else m
        matrix = u.reshape(len(u), -1)
        rows, columns = matrix.shape
        ratio = 0.2 * math.sqrt(max(rows, columns)) if self._match_adam else math.sqrt(max(1.0, rows / max(1, columns)))
        rate = scalar(self._name, "learning_rate", self._learning_rate)
        step = orthogonalized(matrix, self._newton_schulz_steps).reshape(u.shape) * m.dtype.type(rate * ratio)
        var.assign_sub(step)

    def _apply_sparse(self, grad: Any, var: Any) -> None:
        rule, remedy = "be dense", "give embeddings to another optimizer"
        raise TypeError(must(self._name, "gradient", rule, f"IndexedSlices for {var.name!r}", remedy))


def orthogonalized(matrix: Array, steps: int) -> Array:
    """Return a matrix of the same singular vectors, with singular values near 1; zeros for zeros."""
    x = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
    x = x / (np.linalg.norm(x) + x.dtype.type(1e-7))
    a, b, c = (x.dtype.type(number) for number in (_A, _B, _C))
    for _ in range(steps):
        s = x @ x.T
        x = a * x + (b * s + c * (s @ s)) @ x
    found: Array = x if matrix.shape[0] <= matrix.shape[1] else x.T
    return found
