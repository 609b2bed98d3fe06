"""Updates by a native rule: slots and hyper-parameters come from the rule's declaration, the arithmetic is one call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from .. import _core
from ..base.dtypes import code_of, compute_dtype
from ..base.errors import must
from ..ops.symbolic import Symbolic
from ..variables.variable import Variable
from .commit import Advance, StepCommit, changed_variables
from .hooks import Hook, WeightDecay, refuse_step
from .hyperparameters import SCHEMA, HyperReader, check_hyper, is_constant, slot_form
from .overlaps import share_memory
from .overrides import foreign_methods
from .parameters import Parameter
from .rule_source import RuleSource
from .slots import SlotTable, show_like
from .updates import Update, targets_of, to_update

__all__ = ["Item", "Job", "NativeUpdater", "finishes", "native_update"]

# (job, name, dtype code, parameter, slots, gradient, indices or None, gradient is float32
# [, record of pending rows or None[, the two norms that a rule with a ratio takes in place of finding them]])
Item = tuple[Any, ...]

Job = tuple[str, list[float], list[Any] | None]
"""A rule, its numbers for this step, and in the native core's form the hooks of its items alone.

None for hooks: those of the job before work on its items, too, and measure norms of both.
"""


def native_update(
    who: str,
    jobs: list[Job],
    items: list[Item],
    hooks: list[Any],
    scalars: list[Advance],
    changed: list[Variable],
) -> int:
    """Update every item by the rule of its job and advance scalars, in one native call; all checks come before it.

    Args:
        who: what messages begin with.
        jobs: see `Job`.
        items: see `Item`; the first field is a position in ``jobs``.
        hooks: what is fused into the update of all items, in the native core's form.
        scalars: what the step advances.
        changed: the Variables that tapes must know to have changed.

    Returns:
        -1, or the position of the item whose gradient a `CheckFinite` refuses; then nothing has changed.
    """
    return _core.apply(who, jobs, items, hooks, scalars, changed)


def _first_values(parameter: Any) -> Any:
    """Return a parameter's values, in the type of its slots, for a slot that starts there."""
    dtype = compute_dtype(np.dtype(parameter.dtype))
    return parameter._first_values(dtype) if isinstance(parameter, Symbolic) else parameter._value.astype(dtype)


class NativeUpdater:
    """Updates the parameters of one slot table by one rule.

    Its methods take the `RuleSource` they work for: an optimizer holds its updater, and not the other way round.
    """

    remembers = True  # whether a step may be remembered and repeated by `StepCache`
    lock: AbstractContextManager[Any] = nullcontext()  # held while a step is taken

    def __init__(self, rule: str, slots: SlotTable) -> None:
        self.rule = rule
        self.slots = slots
        self.hyper = HyperReader(rule)
        self.was_read = False  # whether the hyper-parameters were read since the optimizer's last `_prepare`

    def another(self) -> NativeUpdater:
        """Return an updater of the same class and rule with a slot table of its own."""
        return type(self)(self.rule, SlotTable())

    def check_constants(self, source: RuleSource) -> None:
        """Refuse hyper-parameters outside the rule's ranges that are known before the first step."""
        for name, value in source._hyper().items():
            if is_constant(value):
                check_hyper(source._name, self.rule, name, value)

    def declared(self) -> list[dict[str, Any]]:
        """Return the slots, as the schema describes them."""
        slots: list[dict[str, Any]] = SCHEMA[self.rule]["slots"]
        return slots

    def create_slots(self, optimizer: Any, parameters: Sequence[Parameter]) -> None:
        """Make the slots that the rule declares, where a parameter has none yet."""
        declared = self.declared()
        existing = [self.slots.by_name.setdefault(slot["name"], {}) for slot in declared]
        keys = [self.slots.key_of(parameter) for parameter in parameters]
        if all(key in slots for slots in existing for key in keys):
            return
        for parameter in parameters:
            for slot in declared:
                initial = slot["initial"]
                if slot["from_parameter"]:
                    made = optimizer._get_or_make_slot(
                        parameter, _first_values(parameter), slot["name"], optimizer._name
                    )
                    show_like(made, parameter)
                    continue
                if slot["initial_hyper"] is not None:
                    name = slot["initial_hyper"]
                    initial = check_hyper(optimizer._name, self.rule, name, optimizer._hyper()[name])
                shape, dtype = slot_form(slot, parameter.shape, np.dtype(parameter.dtype))
                made = optimizer._get_or_make_slot_with_initializer(
                    parameter, initial, shape, dtype, slot["name"], optimizer._suffix_of(slot["name"])
                )
                show_like(made, parameter)

    def read_hyper(self, source: RuleSource) -> None:
        """Read the hyper-parameters of this step."""
        hyper = source._hyper()
        self.hyper.read(source._name, hyper, _core.same_values(hyper, self.hyper.sources))
        self.was_read = True

    # One step ------------------------------------------------------------------------------------

    def check(self, who: str, updates: list[Update]) -> None:
        """Raise where this updater cannot make an update that other updaters can."""
        if SCHEMA[self.rule]["needs_rows"]:
            for update in updates:
                if update.target.ndim == 0:
                    rule, remedy = "have at least one axis for a rule of rows", "use another optimizer for scalars"
                    raise ValueError(must(who, f"variable {update.parameter.name!r}", rule, "a scalar", remedy))

    def fuses(self, hooks: Iterable[Any], updates: list[Update]) -> bool:
        """Tell whether declarative hooks can be part of the native call."""
        # Hooks see parameters as they are before the step; the second update of one would see what the first has left.
        reads = any(isinstance(hook, WeightDecay) and not hook.decoupled for hook in hooks)
        return not (reads and share_memory([update.target for update in updates]))

    def apply(self, source: RuleSource, who: str, updates: list[Update], fused: list[Hook], commit: StepCommit) -> bool:
        """Take the step in one native call; False where a hook held it back. On an error nothing has changed."""
        with self.lock:
            jobs, items, due = self.prepared(source, updates)
            hooks = [hook._native_for(source, targets_of(updates)) for hook in fused]
            scalars = commit.with_step(*due, *self.advances(source)) if finishes(source) else commit.alone(*due)
            refused = native_update(who, jobs, items, hooks, scalars, changed_variables(updates))
        if refused >= 0:
            refuse_step(fused, updates[refused].parameter.name)
        return refused < 0

    def apply_one(self, source: RuleSource, gradient: Any, parameter: Any) -> None:
        """Do what ``super()._apply_dense`` does: update one parameter, with the hyper-parameters of this step."""
        who = "apply_gradients"
        if not self.was_read:  # of an optimizer inside of another one, which has called its `_prepare`
            self.read_hyper(source)
        update = to_update(who, 0, gradient, parameter, self.slots.parameters)
        jobs, items, due = self.work(source, [update])
        native_update(who, jobs, items, [], due, [])

    def prepared(self, source: RuleSource, updates: list[Update]) -> tuple[list[Job], list[Item], list[Advance]]:
        """Read the hyper-parameters of this step, and do what `work` does."""
        self.read_hyper(source)
        return self.work(source, updates)

    def work(self, source: RuleSource, updates: list[Update]) -> tuple[list[Job], list[Item], list[Advance]]:
        """Return what the native call needs: jobs, items, and what these advance of their own."""
        values = self.hyper.values + source._counters.scalars(self.slots.non_slots)
        return [(self.rule, values, [])], [self._scaled(update) for update in updates], []

    def advances(self, source: RuleSource) -> list[Advance]:
        """Return what the rule and its schedules count, for a step with the hyper-parameters that were read last."""
        return [*source._counters.advances(self.slots.non_slots, self.hyper.values), *self.hyper.counting]

    def unscaled(self, update: Update) -> bool:
        """Tell whether a rule with a ratio leaves it out here."""
        return False

    def _scaled(self, update: Update) -> Item:
        item = self._item(update)
        return (*item, None, (0.0, 0.0)) if self.unscaled(update) else item

    def _item(self, update: Update) -> Item:
        key = self.slots.parameters.key(update.parameter)
        slots = tuple(self.slots.by_name[slot["name"]][key]._kept for slot in SCHEMA[self.rule]["slots"])
        name, array = update.parameter.name, update.target
        return 0, name, code_of(array.dtype), array, slots, update.values, update.places, update.wide


def finishes(source: Any) -> bool:
    """Tell whether the native call that updates also counts: a user's class may do so in a ``_finish`` of its own."""
    return "_finish" not in foreign_methods(type(source))
