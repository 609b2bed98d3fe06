"""What optimizers around another one share: steps of the inner one, each followed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

import numpy as np

from ...base.dtypes import compute_dtype
from ...base.errors import describe, must
from ...ops.symbolic import Symbolic
from ...variables.variable import Variable
from ..apply import EitherPair, Step
from ..attributes import inner_learning_rate
from ..counters import checked_step
from ..moving_average import MovingAverage
from ..optimizer import Optimizer
from ..updates import array_of, to_pairs

__all__ = ["Wrapper"]


class Wrapper(Optimizer):
    """Base class of optimizers around another one, which takes the steps and computes the gradients.

    ``learning_rate`` and ``hooks`` are the inner optimizer's; so are its slots, which `get_slot` finds too. After each
    step that was taken, and none that a hook has held back, the wrapper does its part, in one native call: should an
    interrupt come between the two, it is done before anything else.

    Args:
        optimizer: an optimizer of any class, with a state of its own.
        name: part of the names of the wrapper's slots.

    Raises:
        TypeError: for what is no optimizer.
    """

    _SLOT: ClassVar[str]  # the slot that the wrapper keeps beside each parameter; it starts at the parameter's values

    def __init__(self, optimizer: Optimizer, name: str) -> None:
        who = type(self).__name__
        if not isinstance(optimizer, Optimizer):
            raise TypeError(must(who, "optimizer", "be an Optimizer", describe(optimizer)))
        self._optimizer = optimizer
        super().__init__(name=name)
        self._hooks = optimizer._hooks
        self._taken = Variable(np.int64(0), trainable=False, name=f"{name}_taken")
        self._followed = Variable(np.int64(0), trainable=False, name=f"{name}_followed")
        self._blend = MovingAverage(1.0, name=name)
        # Of a step that is being taken: its parameters, and what counts steps, with the values before it.
        self._due: tuple[list[Any], Variable, Any, Any] | None = None

    optimizer = property(lambda self: self._optimizer, doc="The optimizer inside.")

    learning_rate = inner_learning_rate

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the inner optimizer's gradients; arguments as there."""
        return self._optimizer.compute_gradients(loss, *args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Iterable[EitherPair], global_step: Step | None = None, name: str | None = None
    ) -> None:
        """Take one step of the inner optimizer, then do the wrapper's part; arguments and errors as there.

        Raises:
            TypeError: for nodes of a graph; ``tf.train.ExponentialMovingAverage`` and ``tf.contrib.opt`` are for these.
        """
        who = type(self).__name__
        pairs = to_pairs("apply_gradients", grads_and_vars)
        if any(isinstance(variable, Symbolic) for _, variable in pairs):
            raise TypeError(must(who, "grads_and_vars", "be arrays and Variables", "nodes of a graph"))
        targets = [variable for gradient, variable in pairs if gradient is not None]
        self._around(targets, global_step, lambda counter: self._optimizer.apply_gradients(pairs, counter))

    def _around(self, targets: list[Any], global_step: Any, take: Callable[[Variable], None]) -> None:
        """Take a step of the inner optimizer, and do the wrapper's part for its parameters.

        Args:
            targets: the parameters that have a gradient.
            global_step: what counts steps, or None.
            take: takes the inner step, with what counts it.
        """
        who, step = type(self).__name__, checked_step("apply_gradients", global_step)
        self._catch_up()
        counter = self._taken if step is None else step
        if counter.dtype.kind not in "iu":
            raise TypeError(must(who, "global_step", "be an integer Variable or None", describe(counter.dtype)))
        made = [parameter for target in targets for parameter in self._make_slot(target)]
        self._due = targets, counter, counter._value.copy(), self._followed._value.copy()
        try:
            take(counter)
        finally:
            if counter._value == self._due[2]:  # no step was taken: by the next one the parameters may be others
                for slots, key in made:
                    slots.pop(key, None)
        self._catch_up()

    def _make_slot(self, target: Any) -> list[tuple[dict[Any, Variable], Any]]:
        """Make the slot of a parameter where it has none; return where it was put."""
        parameter = self._slot_table.parameters.meet("apply_gradients", target)
        key, slots = self._slot_table.parameters.key(parameter), self._slot_dict(self._SLOT)
        if key in slots:
            return []
        value = array_of(target)
        self._get_or_make_slot(target, value.astype(compute_dtype(value.dtype)), self._SLOT, self._name)
        return [(slots, key)]

    def _catch_up(self) -> None:
        """Do the wrapper's part of the last step, where the inner optimizer has taken it and this is not done yet."""
        if self._due is None:
            return
        targets, counter, before, followed = self._due
        if counter._value != before and self._followed._value == followed:
            pairs = self._follow(targets)
            if pairs:
                self._blend.apply_gradients(pairs, self._followed)
            else:
                self._followed.assign_add(1)
        self._due = None

    def _inner(self) -> tuple[Optimizer, ...]:
        return (self._optimizer,)

    def _moves_parameters(self) -> bool:
        """Tell whether the wrapper has moved parameters, all of their rows, after the last step."""
        return False

    def _follow(self, targets: Sequence[Any]) -> list[tuple[Any, Any]]:
        """Return (values, array) pairs that one step of ``_blend`` is to move by."""
        raise NotImplementedError

    def get_slot(self, var: Any, name: str) -> Variable | None:
        """Return a slot of the wrapper's or of the inner optimizer's, None where neither has it."""
        own = super().get_slot(var, name)
        return self._optimizer.get_slot(var, name) if own is None else own

    def get_slot_names(self) -> list[str]:
        """Return the names of all slots made so far, sorted."""
        return sorted({*super().get_slot_names(), *self._optimizer.get_slot_names()})

    def variables(self) -> list[Variable]:
        """Return every variable that holds state, the inner optimizer's too, sorted by name."""
        return sorted([*super().variables(), *self._optimizer.variables()], key=lambda variable: variable.name)
