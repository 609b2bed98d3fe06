"""Adagrad, and its row-wise form for tables whose state must be small."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.typing import Hook, Hyper
from .optimizer import Optimizer

__all__ = ["AdagradOptimizer", "RowWiseAdagradOptimizer"]


class AdagradOptimizer(Optimizer):
    """Adagrad: ``a = a + g * g``, ``w = w - g * learning_rate / sqrt(a)``; slot ``accumulator`` (a). No epsilon.

    w, g and a have shape S. In a sparse update only the batch's rows of w and a move.

    Args:
        learning_rate: a finite number, a scalar Variable or array, or a callable (a schedule); read at every step.
        initial_accumulator_value: where a starts; positive.
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for an initial accumulator that is not positive, or a learning rate that is not finite.
        TypeError: for a hyper-parameter that is not one real number.
        TypeError: for a hook that is not callable.

    Example:
        >>> w = np.zeros(1)
        >>> st.AdagradOptimizer(1.0, initial_accumulator_value=3.0).apply_gradients([(np.ones(1), w)])  # a is 4
        >>> w.tolist()
        [-0.5]

    Source: ``tf.train.AdagradOptimizer``; Duchi, Hazan, Singer, 2011.
    """

    _rule = "adagrad"

    initial_accumulator_value: Hyper

    def __init__(
        self,
        learning_rate: Hyper,
        initial_accumulator_value: Hyper = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value
        super().__init__(use_locking, name, hooks=hooks)

    def _hyper(self) -> dict[str, Any]:
        return {
            "learning_rate": self._learning_rate,
            "initial_accumulator_value": self._initial_accumulator_value,
        }


class RowWiseAdagradOptimizer(Optimizer):
    """Adagrad with one accumulator for each row: a D-th of Adagrad's state for rows of D elements.

    For row r of the gradient, after hooks and with duplicates summed::

        a[r] = a[r] + mean(g[r] * g[r])
        w[r] = w[r] - g[r] * (learning_rate / (sqrt(a[r]) + epsilon))

    Rows are counted along the first axis; each element of a vector is a row, and a scalar is one. In a sparse update
    only the batch's rows move. Slot: ``accumulator`` (a), of shape ``w.shape[:1]``.

    Args:
        learning_rate: a finite number, a scalar Variable or array, or a callable (a schedule); read at every step.
        initial_accumulator_value: where a starts; at least 0. With 0, as in FBGEMM, torchrec and DLRM, a row's first
            step is learning_rate times its gradient over the gradient's root mean square. `AdagradOptimizer` starts at
            0.1.
        epsilon: positive.
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for a hyper-parameter outside its range.
        TypeError: for a hyper-parameter that is not one real number.
        TypeError: for a hook that is not callable.

    Example:
        >>> table = np.zeros((3, 2), np.float32)
        >>> opt = st.RowWiseAdagradOptimizer(0.5)
        >>> opt.apply_gradients([(st.IndexedSlices(np.full((1, 2), 4.0, np.float32), [1]), table)])
        >>> table.tolist(), opt.get_slot(table, "accumulator").numpy().tolist()
        ([[0.0, 0.0], [-0.5, -0.5], [0.0, 0.0]], [0.0, 16.0, 0.0])

    Source: ``EXACT_ROWWISE_ADAGRAD`` of FBGEMM's table-batched embeddings; DLRM (Naumov et al., 2019).
    """

    _rule = "rowwise_adagrad"

    initial_accumulator_value: Hyper
    epsilon: Hyper

    def __init__(
        self,
        learning_rate: Hyper,
        initial_accumulator_value: Hyper = 0.0,
        epsilon: Hyper = 1e-8,
        use_locking: bool = False,
        name: str = "RowWiseAdagrad",
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value
        self._epsilon = epsilon
        super().__init__(use_locking, name, hooks=hooks)

    def _hyper(self) -> dict[str, Any]:
        return {
            "learning_rate": self._learning_rate,
            "initial_accumulator_value": self._initial_accumulator_value,
            "epsilon": self._epsilon,
        }
