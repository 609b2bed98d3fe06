"""Decoupled weight decay: optimizers that also pull weights towards zero, in torch's meaning and in TensorFlow's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.errors import describe, must
from ..base.typing import Hook, Hyper
from ..ops.symbolic import Symbolic
from .adam import AdamOptimizer
from .hooks import WeightDecay
from .hooks.weight_decay import DecayBeforeUpdate
from .momentum import MomentumOptimizer
from .optimizer import Optimizer
from .parameters import identity_of

__all__ = [
    "AdamW",
    "AdamWOptimizer",
    "DecoupledWeightDecayExtension",
    "MomentumWOptimizer",
    "extend_with_decoupled_weight_decay",
]


class AdamW(AdamOptimizer):
    """Adam with decoupled weight decay, as ``torch.optim.AdamW`` has it: the learning rate scales the decay::

        w = w - learning_rate * weight_decay * w
        w = Adam's step

    **Not** ``tf.contrib.opt.AdamWOptimizer``, whose decay ``w = w - weight_decay * w`` the learning rate does not scale
    and whose first argument is ``weight_decay``: a value for one is a thousand times too small or too large for the
    other. In a sparse update only the batch's rows decay. Slots: ``m``, ``v``, zeros at first.

    The decay is the last of ``hooks``, ``WeightDecay(weight_decay, decoupled=True)``: change its ``rate`` there.
    Epsilon is outside the bias correction, as in all of TensorFlow's Adams, and inside torch's.

    Args:
        learning_rate: a finite number, a scalar Variable or array, or a callable (a schedule); read at every step.
        beta1: in [0, 1), in the same forms: the decay of m.
        beta2: in [0, 1): the decay of v.
        epsilon: at least 0.
        weight_decay: a number of at least 0, times the learning rate.
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        amsgrad: as for `AdamOptimizer`.
        sparse_update: as for `AdamOptimizer`.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for a hyper-parameter outside its range.
        TypeError: for a hyper-parameter that is not one real number.
        TypeError: for a hook that is not callable.

    Example:
        >>> w = np.array([8.0])
        >>> opt = st.AdamW(0.25, weight_decay=0.5)
        >>> opt.apply_gradients([(np.zeros(1), w)])
        >>> w.tolist()
        [7.0]

    Source: ``torch.optim.AdamW``; Loshchilov and Hutter, 2019.
    """

    _rule = "adam"

    def __init__(
        self,
        learning_rate: Hyper = 0.001,
        beta1: Hyper = 0.9,
        beta2: Hyper = 0.999,
        epsilon: Hyper = 1e-8,
        weight_decay: float = 0.01,
        use_locking: bool = False,
        name: str = "AdamW",
        *,
        amsgrad: bool = False,
        sparse_update: str = "full",
        hooks: Iterable[Hook] = (),
    ) -> None:
        decay = WeightDecay(weight_decay, decoupled=True)
        super().__init__(
            learning_rate,
            beta1,
            beta2,
            epsilon,
            use_locking,
            name,
            sparse_update=sparse_update,
            amsgrad=amsgrad,
            hooks=hooks,
        )
        self._hooks.append(decay)


class DecoupledWeightDecayExtension:
    """A base class beside an optimizer's: ``w = w - weight_decay * w``, then the optimizer's own step.

    The learning rate does not scale the decay. It is part of the update: no pass of its own over the parameters.

    Args:
        weight_decay: at least 0: a number, a scalar Variable or a callable, in graph mode a scalar tensor; read at
            every step.
        *args, **kwargs: the optimizer's own arguments.

    Raises:
        ValueError: for a decay that is negative or not finite.
        TypeError: for one that is not a real number.

    Source: ``tf.contrib.opt.DecoupledWeightDecayExtension``.
    """

    def __init__(self, weight_decay: Hyper, *args: Any, **kwargs: Any) -> None:
        self._weight_decay = weight_decay
        self._decay = DecayBeforeUpdate(weight_decay)
        self._decay_var_list: Any = None
        super().__init__(*args, **kwargs)
        self._hooks: list[Any]
        self._hooks.append(self._decay)

    def minimize(self, *args: Any, decay_var_list: Iterable[Any] | None = None, **kwargs: Any) -> Any:
        """Do what ``Optimizer.minimize`` does, and decay only ``decay_var_list``; None or empty: all variables."""
        self._decay_var_list = decay_var_list
        try:
            return super().minimize(*args, **kwargs)  # type: ignore[misc]
        finally:
            self._decay_var_list = None

    def apply_gradients(self, *args: Any, decay_var_list: Iterable[Any] | None = None, **kwargs: Any) -> Any:
        """Do what ``Optimizer.apply_gradients`` does, and decay only ``decay_var_list``; None or empty: all."""
        given = self._decay_var_list if decay_var_list is None else decay_var_list
        only = frozenset(map(_known_by, given or ())) or None
        if only != self._decay.only:
            if any(isinstance(variable, Symbolic) for variable in self._slot_table.variables()):  # type: ignore[attr-defined]
                remedy = "make another optimizer"
                rule = "be the same for all updates of a graph by one optimizer"
                raise ValueError(must("apply_gradients", "decay_var_list", rule, "another one", remedy))
            self._cache.forget()  # type: ignore[attr-defined]
            self._decay.only = only
        return super().apply_gradients(*args, **kwargs)  # type: ignore[misc]


def _known_by(variable: Any) -> Any:
    return variable.op.name if isinstance(variable, Symbolic) else identity_of(variable)  # type: ignore[attr-defined]


def extend_with_decoupled_weight_decay(base_optimizer: type[Optimizer]) -> type[Any]:
    """Return a class that decays weights, ``w = w - weight_decay * w``, and then takes the step of another optimizer.

    Its first argument is ``weight_decay``; ``minimize`` and ``apply_gradients`` take ``decay_var_list``, the variables
    to decay.

    Args:
        base_optimizer: a class derived from `steepest.Optimizer`.

    Raises:
        TypeError: for anything else.

    Example:
        >>> SGDW = st.v1.contrib.opt.extend_with_decoupled_weight_decay(st.GradientDescentOptimizer)
        >>> w, b = np.array([8.0]), np.array([8.0])
        >>> SGDW(0.25, 1.0).apply_gradients([(np.ones(1), w), (np.ones(1), b)], decay_var_list=[w])
        >>> w.tolist(), b.tolist()
        ([5.0], [7.0])

    Source: ``tf.contrib.opt.extend_with_decoupled_weight_decay``.
    """
    if not (isinstance(base_optimizer, type) and issubclass(base_optimizer, Optimizer)):
        rule = "be a class derived from Optimizer"
        raise TypeError(must("extend_with_decoupled_weight_decay", "base_optimizer", rule, describe(base_optimizer)))

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):  # type: ignore[misc, valid-type]
        """An optimizer whose first argument is ``weight_decay``."""

    return OptimizerWithDecoupledWeightDecay


class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    """Momentum with decoupled weight decay: ``w = w - weight_decay * w``, then `MomentumOptimizer`'s step.

    The learning rate does not scale the decay. ``minimize`` and ``apply_gradients`` take ``decay_var_list``, the
    variables to decay. In a sparse update only the batch's rows decay. Slot: ``momentum``.

    Args:
        weight_decay: at least 0: a number, a scalar Variable or a callable, in graph mode a scalar tensor; read at
            every step.
        learning_rate, momentum, use_locking, name, use_nesterov, hooks: as for `MomentumOptimizer`.

    Raises:
        ValueError: for a number outside its range.
        TypeError: for what is not one real number.

    Example:
        >>> w = np.array([8.0])
        >>> opt = st.v1.contrib.opt.MomentumWOptimizer(0.25, 1.0, 0.9)
        >>> opt.apply_gradients([(np.ones(1), w)])
        >>> w.tolist()
        [5.0]

    Source: ``tf.contrib.opt.MomentumWOptimizer``; Loshchilov and Hutter, 2019.
    """

    def __init__(
        self,
        weight_decay: Hyper,
        learning_rate: Hyper,
        momentum: Hyper,
        use_locking: bool = False,
        name: str = "MomentumW",
        use_nesterov: bool = False,
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        super().__init__(weight_decay, learning_rate, momentum, use_locking, name, use_nesterov, hooks=hooks)


class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    """Adam with decoupled weight decay: ``w = w - weight_decay * w``, then `AdamOptimizer`'s step.

    The learning rate does **not** scale the decay, other than in `AdamW` and ``torch.optim.AdamW``. ``minimize`` and
    ``apply_gradients`` take ``decay_var_list``, the variables to decay. In a sparse update only the batch's rows decay.
    Slots: ``m``, ``v``.

    Args:
        weight_decay: at least 0: a number, a scalar Variable or a callable, in graph mode a scalar tensor; read at
            every step.
        learning_rate, beta1, beta2, epsilon, use_locking, name, hooks: as for `AdamOptimizer`.

    Raises:
        ValueError: for a number outside its range.
        TypeError: for what is not one real number.

    Example:
        >>> w = np.array([8.0])
        >>> st.AdamWOptimizer(0.25, 0.5).apply_gradients([(np.zeros(1), w)])
        >>> w.tolist()
        [6.0]

    Source: ``tf.contrib.opt.AdamWOptimizer``; Loshchilov and Hutter, 2019.
    """

    def __init__(
        self,
        weight_decay: Hyper,
        learning_rate: Hyper = 0.001,
        beta1: Hyper = 0.9,
        beta2: Hyper = 0.999,
        epsilon: Hyper = 1e-8,
        use_locking: bool = False,
        name: str = "AdamW",
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        super().__init__(weight_decay, learning_rate, beta1, beta2, epsilon, use_locking, name, hooks=hooks)
