"""AdagradDecay: Adagrad for streams without an end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..base.dtypes import Array
from ..base.errors import must
from ..base.typing import Hook, Hyper
from ..ops.symbolic import Symbolic
from .counters import StepNumber
from .optimizer import Optimizer
from .parameters import Parameter
from .updates import array_of

__all__ = ["AdagradDecayOptimizer"]


class AdagradDecayOptimizer(Optimizer):
    """Adagrad whose accumulator decays, so that it goes on learning: DeepRec's AdagradDecay.

    With ``period = (global_step + 1) // accumulator_decay_step``, at each visit of a row of w::

        if period > decays:                       # decays: how often this row has decayed
            a = max(a * accumulator_decay_rate, initial_accumulator_value);  decays = decays + 1
        a = a + g * g
        w = w - g * learning_rate / sqrt(a)

    A row that slept through k periods decays once at each of its next visits, as in DeepRec's kernels. With
    ``catch_up`` all come at once: ``a = max(a * accumulator_decay_rate ** k, initial_accumulator_value)``.

    Slots: ``accumulator`` (a), ``accumulator_decay_power`` (decays; int64, one for each row; see `export_slot`).

    Args:
        learning_rate: a finite number, a callable, a Variable or a schedule; read at every step.
        global_step: the Variable that counts steps, a number or a callable. Where it is None the optimizer counts its
            own updates. (DeepRec silently never decays when ``apply_gradients`` is not given the step.)
        initial_accumulator_value: where a starts, and its floor; positive.
        accumulator_decay_step: steps in a period; an integer of at least 1.
        accumulator_decay_rate: in (0, 1).
        use_locking: accepted for TensorFlow's sake.
        name: part of the slots' names.
        catch_up: apply all overdue decays at once.
        hooks: callables on the list of (gradient, variable) pairs; see `steepest.hooks`.

    Raises:
        ValueError: for a hyper-parameter outside its range. TypeError: for a global_step of another kind.

    Source: ``AdagradDecayOptimizer`` of Alibaba's TensorFlow forks (DeepRec).
    """

    _rule = "adagrad_decay"

    def __init__(
        self,
        learning_rate: Hyper,
        global_step: Any = None,
        initial_accumulator_value: Hyper = 0.1,
        accumulator_decay_step: Hyper = 100000,
        accumulator_decay_rate: Hyper = 0.9,
        use_locking: bool = False,
        name: str = "AdagradDecay",
        catch_up: bool = False,
        *,
        hooks: Iterable[Hook] = (),
    ) -> None:
        self._learning_rate = learning_rate
        self._global_step = global_step
        self._initial_accumulator_value = initial_accumulator_value
        self._accumulator_decay_step = accumulator_decay_step
        self._accumulator_decay_rate = accumulator_decay_rate
        self._catch_up = bool(catch_up)
        self._counters: StepNumber = StepNumber("AdagradDecayOptimizer", global_step, f"{name}_step")
        if global_step is not None and not isinstance(global_step, Symbolic):
            self._counters.number(global_step)
        super().__init__(use_locking, name, hooks=hooks)

    def _hyper(self) -> dict[str, Any]:
        return {
            "learning_rate": self._learning_rate,
            "initial_accumulator_value": self._initial_accumulator_value,
            "accumulator_decay_step": self._accumulator_decay_step,
            "accumulator_decay_rate": self._accumulator_decay_rate,
            "catch_up": self._catch_up,
        }

    def _create_slots(self, var_list: Sequence[Parameter]) -> None:
        super()._create_slots(var_list)
        if self._global_step is None:
            self._create_non_slot_variable(np.int64(0), self._counters.name, var_list[0])

    def export_slot(self, var: Any, name: str = "accumulator_decay_power") -> Array | None:
        """Return a slot as the original class stores it in a checkpoint, or None where `get_slot` does.

        The original keeps ``accumulator_decay_power`` in the variable's shape, but uses flat element r for row r and
        leaves the rest zero. Other slots are copied as they are.
        """
        slot = self.get_slot(var, name)
        if slot is None:
            return None
        shape = np.shape(array_of(var))
        out = np.zeros(shape, slot.dtype)
        out.reshape(-1)[: slot.value.size] = slot.value.reshape(-1)
        return out

    def import_slot(self, var: Any, value: Any, name: str = "accumulator_decay_power") -> None:
        """Set a slot from a checkpoint of the original class, in the variable's shape or one value for each row.

        Raises ValueError where there is no such slot yet, or the value has neither shape.
        """
        slot = self.get_slot(var, name)
        if slot is None:
            raise ValueError(must("import_slot", "name", "name a slot of the variable", name, "apply gradients first"))
        given, shape = np.asarray(value), np.shape(array_of(var))
        if given.shape not in (shape, slot.shape):
            rule = f"have shape {shape} or {slot.shape}"
            raise ValueError(must("import_slot", "value", rule, f"shape {given.shape}"))
        slot.assign(given.reshape(-1)[: slot.value.size].reshape(slot.shape))
