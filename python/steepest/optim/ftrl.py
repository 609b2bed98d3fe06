"""Follow the regularized leader: descent whose weights become exactly 0, in three forms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.typing import Hook, Hyper
from .optimizer import Optimizer

__all__ = ["FtrlOptimizer", "FtrlProximalOptimizer", "GroupFtrlOptimizer"]


def _own_suffix(self: Any, slot_name: str) -> str:
    """Return the suffix of a slot's name: that of the slots ``accum`` and ``linear`` may be the program's."""
    suffix: str | None = self._accum_name if slot_name == "accum" else self._linear_name
    return suffix or str(self._name)


class FtrlOptimizer(Optimizer):
    """Follow the regularized leader (FTRL): w is made anew from a sum; with l1 most of it is exactly 0::

        p = -learning_rate_power
        z = z + g + 2 * l2_shrinkage * w - ((n + g * g)**p - n**p) / learning_rate * w
        n = n + g * g
        w = -shrink(z, l1) / (n**p / learning_rate + 2 * l2 + beta / learning_rate)
        shrink(u, t) = u moved towards 0 by t, 0 where abs(u) <= t

    In a sparse update only the batch's rows move. Slots: ``accum`` (n); ``linear`` (z), zeros at first. Powers of 0,
    1/4, 1/2, 3/4 and 1 are made of roots; others take several times longer.

    Args:
        learning_rate: positive; a number, a scalar Variable or array, or a callable (a schedule); read at every step.
        learning_rate_power: at most 0; 0 for a fixed learning rate.
        initial_accumulator_value: where n starts; at least 0.
        l1_regularization_strength, l2_regularization_strength: l1 and l2; at least 0.
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        accum_name, linear_name: parts of the two slots' names in place of ``name``.
        l2_shrinkage_regularization_strength: an l2 that is part of the loss, where ``l2`` only stabilizes; at least 0.
        beta: at least 0; None, which is TensorFlow's default, for 0.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for a hyper-parameter outside its range.
        TypeError: for a hyper-parameter that is not one real number.
        TypeError: for a hook that is not callable.

    Example:
        >>> w = np.zeros(3)
        >>> opt = st.FtrlOptimizer(1.0, initial_accumulator_value=0.0, l1_regularization_strength=0.5)
        >>> opt.apply_gradients([(np.array([2.0, -1.0, 0.25]), w)])
        >>> w.tolist()
        [-0.75, 0.5, 0.0]

    Source: ``tf.train.FtrlOptimizer``; McMahan et al., 2013.
    """

    _rule = "ftrl"
    _suffix_of = _own_suffix

    learning_rate_power: Hyper
    initial_accumulator_value: Hyper
    l1_regularization_strength: Hyper
    l2_regularization_strength: Hyper
    l2_shrinkage_regularization_strength: Hyper
    beta: Hyper

    def __init__(
        self,
        learning_rate: Hyper,
        learning_rate_power: Hyper = -0.5,
        initial_accumulator_value: Hyper = 0.1,
        l1_regularization_strength: Hyper = 0.0,
        l2_regularization_strength: Hyper = 0.0,
        use_locking: bool = False,
        name: str = "Ftrl",
        accum_name: str | None = None,
        linear_name: str | None = None,
        l2_shrinkage_regularization_strength: Hyper = 0.0,
        beta: Hyper | None = 0.0,
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._learning_rate_power = learning_rate_power
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._accum_name = accum_name
        self._linear_name = linear_name
        self._l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength
        self._beta = 0.0 if beta is None else beta
        super().__init__(use_locking, name, hooks=hooks)


class FtrlProximalOptimizer(Optimizer):
    """Follow the regularized leader as its paper writes it: l2 is not doubled, ``beta`` is 1, n starts at 0::

        z = z + g - (sqrt(n + g * g) - sqrt(n)) / learning_rate * w
        n = n + g * g
        w = -shrink(z, l1) / ((beta + sqrt(n)) / learning_rate + l2)
        shrink(u, t) = u moved towards 0 by t, 0 where abs(u) <= t

    In a sparse update only the batch's rows move. Slots: ``accum`` (n), ``linear`` (z), zeros at first. The same as
    `FtrlOptimizer` with half of l2, this beta, and 0 for its initial value.

    Args:
        learning_rate: positive; a number, a scalar Variable or array, or a callable (a schedule); read at every step.
        beta: at least 0; how far the first steps are held back.
        l1_regularization_strength, l2_regularization_strength: l1 and l2; at least 0.
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
        >>> w = np.zeros(3)
        >>> opt = st.FtrlProximalOptimizer(1.0, l1_regularization_strength=0.5)
        >>> opt.apply_gradients([(np.array([3.0, -1.0, 0.25]), w)])
        >>> w.tolist()
        [-0.625, 0.25, 0.0]

    Source: McMahan et al., "Ad Click Prediction: a View from the Trenches", 2013, algorithm 1.
    """

    _rule = "ftrl_proximal"

    beta: Hyper
    l1_regularization_strength: Hyper
    l2_regularization_strength: Hyper

    def __init__(
        self,
        learning_rate: Hyper,
        beta: Hyper = 1.0,
        l1_regularization_strength: Hyper = 0.0,
        l2_regularization_strength: Hyper = 0.0,
        use_locking: bool = False,
        name: str = "FtrlProximal",
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._beta = beta
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        super().__init__(use_locking, name, hooks=hooks)


class GroupFtrlOptimizer(Optimizer):
    """FTRL with a sparse group lasso: rows that matter little become zero as a whole, and can be dropped::

        z, n as in FtrlOptimizer, without shrinkage and beta
        u = shrink(z, l1)
        w[r] = -u[r] * max(1 - l21 / sqrt(mean(u[r]**2)), 0) / (n[r]**p / learning_rate + 2 * l2)
        shrink(u, t) = u moved towards 0 by t, 0 where abs(u) <= t

    A row is w's first axis; of a vector each element is one, of a scalar itself. In a sparse update only the batch's
    rows move. Slots: ``accum`` (n); ``linear`` (z), zeros at first. The ``l1`` of DeepRec's FTRL for embedding
    variables, which acts on a row's norm alone, is ``l21 * sqrt(row's width)`` with ``l1=0`` here.

    Args:
        learning_rate: positive; a number, a scalar Variable or array, or a callable (a schedule); read at every step.
        learning_rate_power: at most 0; 0 for a fixed learning rate.
        initial_accumulator_value: where n starts; at least 0.
        l1_regularization_strength, l2_regularization_strength: l1 and l2; at least 0.
        l21_regularization_strength: l21, by which the root mean square of a row is moved towards 0; at least 0.
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        accum_name, linear_name: parts of the two slots' names in place of ``name``.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for a hyper-parameter outside its range.
        TypeError: for a hyper-parameter that is not one real number.
        TypeError: for a hook that is not callable.

    Example:
        >>> w = np.zeros((2, 2))
        >>> opt = st.GroupFtrlOptimizer(1.0, initial_accumulator_value=0.0, l21_regularization_strength=1.0)
        >>> opt.apply_gradients([(np.array([[2.0, -2.0], [1.0, 0.5]]), w)])
        >>> w.tolist() == [[-0.5, 0.5], [0.0, 0.0]]
        True

    Source: Yue et al., "Adaptive Optimizers with Sparse Group Lasso", 2021; ``SparseGroupFtrlOptimizer`` of Ant's
    tfplus; DeepRec's ``FtrlOptimizer``.
    """

    _rule = "group_ftrl"
    _suffix_of = _own_suffix

    learning_rate_power: Hyper
    initial_accumulator_value: Hyper
    l1_regularization_strength: Hyper
    l2_regularization_strength: Hyper
    l21_regularization_strength: Hyper

    def __init__(
        self,
        learning_rate: Hyper,
        learning_rate_power: Hyper = -0.5,
        initial_accumulator_value: Hyper = 0.1,
        l1_regularization_strength: Hyper = 0.0,
        l2_regularization_strength: Hyper = 0.0,
        l21_regularization_strength: Hyper = 0.0,
        use_locking: bool = False,
        name: str = "GroupFtrl",
        accum_name: str | None = None,
        linear_name: str | None = None,
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._learning_rate_power = learning_rate_power
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._l21_regularization_strength = l21_regularization_strength
        self._accum_name = accum_name
        self._linear_name = linear_name
        super().__init__(use_locking, name, hooks=hooks)
