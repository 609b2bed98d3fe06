"""Repeating a step natively: what one step has checked need not be checked in the next, if the pairs are the same."""

from __future__ import annotations

import threading
from typing import Any

from .. import _core
from ..base.locks import renew_lock_in_children
from ..ops.bag_slices import BagSlices
from ..ops.indexed_slices import IndexedSlices
from ..variables.variable import Variable
from .counters import is_counter
from .hooks import Hook, refuse_step
from .native import NativeUpdater
from .remembered import ANOTHER_LIST, RememberedPart, entries, name_of
from .rule_source import RuleSource
from .updates import Update, targets_of

__all__ = ["LockedStepCache", "StepCache"]

_core.register_types(Variable, IndexedSlices, BagSlices)


class StepCache:
    """`apply_gradients` for training loops, where the same parameters come in the same order at every step.

    After a checked step a native work list remembers each parameter's memory, shape and type, and the key of its slots.
    At the next call one native function compares every array of the pairs with what was remembered, and updates at once
    where all agree. Otherwise the step is checked again: only then are slots made and errors raised. The work list
    keeps nothing alive.
    """

    def __init__(self, updater: NativeUpdater | None, enabled: bool) -> None:
        """``enabled``: False where a user's class replaces a method that only a checked step calls."""
        self.enabled = enabled and updater is not None and updater.remembers
        self._updater = updater
        self._remembered: tuple[Any, RememberedPart] | None = None  # the native work list, and what goes with it

    def step(self, source: RuleSource, pairs: Any, global_step: Any) -> bool:
        """Repeat the last step with these gradients; False, with nothing changed, where the step is another one."""
        if self._remembered is None or (global_step is not None and not is_counter(global_step)):
            return False
        work, part = self._remembered
        facts = part.check(source)
        if facts is None:
            return False
        sources, unchanged, runs_code = facts
        table = part.updater.slots
        # What the user wants called once in each step is not called before it is clear that this way leads to the end.
        if runs_code and not _core.matches(work, pairs, (table.by_name,)):
            return False
        values, powers, hooks, advance = part.read(source, sources, unchanged)
        outcome = _core.repeat(work, pairs, table.by_name, values, powers, hooks, global_step, advance)
        if outcome == ANOTHER_LIST:
            return False
        if outcome >= 0:
            refuse_step(source._hooks, name_of(table, pairs[outcome][1]))
        return True

    def forget(self) -> None:
        """Forget the last step, so that the next one is checked."""
        self._remembered = None

    def remember(self, source: RuleSource, pairs: Any, updates: list[Update], fused: list[Hook]) -> None:
        """Remember a checked step, where it can be repeated natively."""
        if not self.enabled or self._updater is None or len(fused) != len(source._hooks):
            return
        remembered = entries(0, self._updater, updates)
        if remembered is None:
            return
        part = RememberedPart(source, self._updater, fused, targets_of(updates))
        work = _core.remember([self._updater.rule], remembered, pairs, [self._updater.slots.by_name])
        if work is not None:
            self._remembered = work, part


class LockedStepCache(StepCache):
    """The cache of an optimizer with ``use_locking``: the lock is taken before it is asked, and held for the step."""

    def __init__(self, updater: NativeUpdater | None, enabled: bool) -> None:
        super().__init__(updater, enabled)
        self.lock = threading.RLock()
        renew_lock_in_children(self, "lock")

    def step(self, source: RuleSource, pairs: Any, global_step: Any) -> bool:
        """Leave the step to whoever takes the lock."""
        return False

    def step_inside(self, source: RuleSource, pairs: Any, global_step: Any) -> bool:
        """Do what `StepCache.step` does, with the lock held."""
        return super().step(source, pairs, global_step)
