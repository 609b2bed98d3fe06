"""AdagradDecay: Adagrad for streams without an end."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..base.errors import must
from ..base.typing import Array, ArrayLike, Hook, Hyper
from ..base.typing import Parameter as Target
from ..ops.symbolic import Symbolic
from .counters import StepNumber
from .optimizer import Optimizer
from .updates import array_of

__all__ = ["AdagradDecayOptimizer", "AdagradDecayOptimizerV2", "decays_of_rows"]


class AdagradDecayOptimizer(Optimizer):
    """Adagrad whose accumulator decays, so that it goes on learning: DeepRec's AdagradDecay.

    With ``period = (global_step + 1) // accumulator_decay_step``, at each visit of a row of w::

        if period > decays:                       # decays: how often this row has decayed
            a = max(a * accumulator_decay_rate, initial_accumulator_value);  decays = decays + 1
        a = a + g * g
        w = w - g * learning_rate / sqrt(a)

    A row that no batch had for k periods decays once at each of its next visits, as in DeepRec's kernels. With
    ``catch_up`` all k decays come at once: ``a = max(a * accumulator_decay_rate ** k, initial_accumulator_value)``.

    Slots: ``accumulator`` (a), in w's shape; ``accumulator_decay_power`` (decays), int64, one for each row (see
    `export_slot`).

    Args:
        learning_rate: a finite number, a scalar Variable or array, or a callable (a schedule); read at every step.
        global_step: the Variable that counts steps, a number or a callable. Where it is None the optimizer counts its
            own updates. (DeepRec silently never decays when ``apply_gradients`` is not given the step.)
        initial_accumulator_value: where a starts, and its floor; positive.
        accumulator_decay_step: steps in a period; an integer of at least 1.
        accumulator_decay_rate: in (0, 1).
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        catch_up: apply all overdue decays at once.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for a hyper-parameter outside its range.
        TypeError: for a hyper-parameter or a global_step that is not one real number.
        TypeError: for a hook that is not callable.

    Example:
        >>> w = np.zeros(1)
        >>> opt = st.AdagradDecayOptimizer(1.0, None, 3.0, accumulator_decay_step=2, accumulator_decay_rate=0.875)
        >>> for _ in range(2):  # the second step begins a period: a = 4, then 4 * 0.875 + 1
        ...     opt.apply_gradients([(np.ones(1), w)])
        ...     print(opt.get_slot(w, "accumulator").numpy().item())
        4.0
        4.5

    Source: ``AdagradDecayOptimizer`` of Alibaba's TensorFlow forks (DeepRec).
    """

    _rule = "adagrad_decay"

    initial_accumulator_value: Hyper
    accumulator_decay_step: Hyper
    accumulator_decay_rate: Hyper
    catch_up: bool

    def __init__(
        self,
        learning_rate: Hyper,
        global_step: Hyper | Symbolic | None = None,
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
        super().__init__(use_locking, name, hooks=hooks)

    def export_slot(self, var: Target, name: str = "accumulator_decay_power") -> Array | None:
        """Return a slot as the original class stores it in a checkpoint, or None where `get_slot` does.

        The original keeps ``accumulator_decay_power`` in the variable's shape, but uses flat element r for row r and
        leaves the rest zero. Other slots are copied as they are.

        Args:
            var: the parameter.
            name: the slot.

        Returns:
            A new array in the variable's shape and the slot's dtype, or None.
        """
        slot = self.get_slot(var, name)
        if slot is None:
            return None
        shape = np.shape(array_of(var))
        out = np.zeros(shape, slot.dtype)
        out.reshape(-1)[: slot._kept.size] = slot._kept.reshape(-1)
        return out

    def import_slot(self, var: Target, value: ArrayLike, name: str = "accumulator_decay_power") -> None:
        """Set a slot from a checkpoint of the original class, in the variable's shape or one value for each row.

        Args:
            var: the parameter.
            value: an array in the variable's shape, as `export_slot` returns it, or in the slot's shape.
            name: the slot.

        Raises:
            ValueError: where there is no such slot yet, the value has neither shape, or in the variable's shape is not
                zero where the original class leaves zeros.
            TypeError: for a value that does not convert to the slot's dtype.
        """
        slot = self.get_slot(var, name)
        if slot is None:
            raise ValueError(must("import_slot", "name", "name a slot of the variable", name, "apply gradients first"))
        array, shape = np.asarray(value), np.shape(array_of(var))
        if array.shape == shape and slot.shape != shape:
            array = decays_of_rows("import_slot", array)
        if array.shape != slot.shape:
            rule = f"have shape {shape} or {slot.shape}"
            raise ValueError(must("import_slot", "value", rule, f"shape {array.shape}"))
        slot.assign(array)


class AdagradDecayOptimizerV2(AdagradDecayOptimizer):
    """`AdagradDecayOptimizer` under the name of DeepRec's second version; the formula is the same.

    There it keeps ``accumulator_decay_power`` as one number for each row, as this library always does. Its dense kernel
    counts in the first row alone; here all rows count, with the same effect.

    Args:
        learning_rate: a finite number, a scalar Variable or array, or a callable (a schedule); read at every step.
        global_step: the Variable that counts steps, a number or a callable. Where it is None the optimizer counts its
            own updates.
        initial_accumulator_value: where the accumulator starts, and its floor; positive.
        accumulator_decay_step: steps in a period; an integer of at least 1.
        accumulator_decay_rate: in (0, 1).
        use_locking: one step at a time, whichever thread takes it; else updates of one variable in two threads may be
            lost.
        name: part of the slots' names.
        catch_up: apply all overdue decays at once.
        hooks: callables on the list of (gradient, variable) pairs, run in order at each ``apply_gradients``; see
            `steepest.hooks`.

    Raises:
        ValueError: for a hyper-parameter outside its range.
        TypeError: for a hyper-parameter or a global_step that is not one real number.
        TypeError: for a hook that is not callable.

    Example:
        >>> w = np.zeros((3, 2))
        >>> opt = st.AdagradDecayOptimizerV2(1.0, None, accumulator_decay_step=1)
        >>> opt.apply_gradients([(st.IndexedSlices(np.ones((1, 2)), [1]), w)])
        >>> opt.get_slot(w, "accumulator_decay_power").numpy().tolist()
        [0, 1, 0]

    Source: ``AdagradDecayOptimizerV2`` of Alibaba's TensorFlow forks (DeepRec).
    """


def decays_of_rows(who: str, power: Array) -> Array:
    """Return ``accumulator_decay_power`` of the original class, in the variable's shape, with one value for each row.

    The original's kernels use flat element r for row r, and leave the rest zero; ValueError where it is not.
    """
    flat, rows = power.reshape(-1), power.shape[0]
    if flat[rows:].any():
        got = f"other values in {power.dtype} array of shape {power.shape}"
        raise ValueError(must(who, "accumulator_decay_power", f"be zero but for its first {rows} elements", got))
    return flat[:rows]
