"""One optimizer's part of a step that may be repeated: what was read for it, and what may change from step to step."""

from __future__ import annotations

import operator
from typing import Any

from .. import _core
from ..base.dtypes import code_of
from .chosen import Chosen
from .commit import Advance
from .counters import Counters
from .hooks import FUSED, Hook, decays_of
from .hyperparameters import runs_code
from .native import NativeUpdater
from .rule_source import RuleSource
from .slots import SlotTable
from .updates import Update, targets_of

__all__ = ["ANOTHER_LIST", "RememberedHooks", "RememberedPart", "entries", "name_of"]

ANOTHER_LIST = -2  # what _core.repeat returns for pairs that are not the remembered ones

_EXCLUDED = operator.attrgetter("_excluded")


class RememberedHooks:
    """Hooks that were part of a native update, and which of its items those with ``exclude`` leave alone."""

    def __init__(self, fused: list[Hook], targets: list[Any]) -> None:
        self._decays: dict[Chosen, bytes] = {
            hook._excluded: decays_of(hook._excluded, targets) for hook in fused if hook._excluded is not None
        }
        self._known: set[Chosen | None] = {None, *self._decays}

    def know(self, chain: list[Any]) -> bool:
        """Tell whether the hooks of this step can be part of the native update, leaving alone what was known."""
        return FUSED.issuperset(map(type, chain)) and self._known.issuperset(map(_EXCLUDED, chain))

    def native(self, chain: list[Any], source: RuleSource) -> list[Any]:
        """Return the hooks of this step in the native core's form."""
        hooks = [hook.native(source) for hook in chain]
        for position, hook in enumerate(chain if self._decays else ()):
            if hook._excluded is not None:
                hooks[position] = (*hooks[position][:3], self._decays[hook._excluded])
        return hooks


class RememberedPart:
    """What one optimizer does in a remembered step."""

    def __init__(self, source: RuleSource, updater: NativeUpdater, fused: list[Hook], targets: list[Any]) -> None:
        """``targets``: the parameters, as the pairs have them."""
        self.updater = updater  # not the source: it holds what holds this
        table = updater.slots
        self._of = (table.parameters.met, len(table.non_slots))
        self._hooks = RememberedHooks(fused, targets)
        self._powers = source._counters.powers(table.non_slots, source._hyper())
        self._sources_run_code = any(map(runs_code, source._counters.sources()))
        self._counts = type(source._counters) is not Counters  # whether the rule has scalars that steps advance

    def check(self, source: RuleSource) -> tuple[Any, bool, bool] | None:
        """Return None where the step is another one; else what hyper-parameters come from, and of these two facts:

        whether they come from the objects of the last step, and whether reading them may run a user's functions.
        """
        table, hyper, chain = self.updater.slots, self.updater.hyper, source._hooks
        if self._of != (table.parameters.met, len(table.non_slots)) or (chain and not self._hooks.know(chain)):
            return None
        sources = source._hyper()
        unchanged = _core.same_values(sources, hyper.sources)
        return sources, unchanged, hyper.runs_code or self._sources_run_code or not unchanged

    def read(
        self, source: RuleSource, sources: Any, unchanged: bool
    ) -> tuple[list[float], Any, list[Any], tuple[Advance, ...]]:
        """Return the rule's values, the powers that follow them, hooks, and what else the step advances."""
        hyper, non_slots = self.updater.hyper, self.updater.slots.non_slots
        if not unchanged:
            self._powers = source._counters.powers(non_slots, sources)
        if hyper.varying or not unchanged:
            hyper.read(source._name, sources, unchanged)
        values = hyper.values
        advance: tuple[Advance, ...] = hyper.counting
        if self._counts and not self._powers:  # else there is nothing to count, or it is done with the powers
            values = values + source._counters.scalars(non_slots)
            advance = (*advance, *source._counters.advances(non_slots, hyper.values))
        chain = source._hooks
        return values, self._powers, self._hooks.native(chain, source) if chain else [], advance


def entries(job: int, updater: NativeUpdater, updates: list[Update]) -> list[tuple[Any, ...]] | None:
    """Return what the native work list is to know of each update; None where only a checked step tells them apart."""
    key, find = updater.slots.parameters.key, updater.slots.parameters.find
    targets = targets_of(updates)
    if any(find(target) is not u.parameter for u, target in zip(updates, targets, strict=True)):
        return None  # two owners of the same memory came in one list
    return [
        (job, key(update.parameter), code_of(update.target.dtype), target)
        for update, target in zip(updates, targets, strict=True)
    ]


def name_of(table: SlotTable, target: Any) -> str:
    """Return the name of a parameter for a message."""
    parameter = table.parameters.find(target)
    return "an array" if parameter is None else parameter.name
