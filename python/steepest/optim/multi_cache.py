"""Repeating a step of several optimizers natively, in one call, as `StepCache` does for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import _core
from .counters import is_counter
from .hooks import refuse_step
from .remembered import ANOTHER_LIST, RememberedHooks, RememberedPart, entries, name_of
from .updates import targets_of

if TYPE_CHECKING:
    from .multi_step import Group
    from .optimizer import Optimizer

__all__ = ["MultiStepCache"]


class MultiStepCache:
    """The last step of a `MultiOptimizer`, where native rules and hooks made all of it."""

    enabled = False  # for steps in a session

    def __init__(self) -> None:
        self._remembered: tuple[Any, list[tuple[Optimizer, RememberedPart]], RememberedHooks] | None = None

    def step(self, source: Optimizer, pairs: Any, global_step: Any) -> bool:
        """Repeat the last step with these gradients; False, with nothing changed, where the step is another one."""
        if self._remembered is None or (global_step is not None and not is_counter(global_step)):
            return False
        work, parts, common = self._remembered
        hooks = source._hooks
        if hooks and not common.know(hooks):
            return False
        facts = [part.check(optimizer) for optimizer, part in parts]
        known = [fact for fact in facts if fact is not None]
        if len(known) < len(parts):
            return False
        slots = tuple(part.updater.slots.by_name for _, part in parts)
        if any(runs_code for _, _, runs_code in known) and not _core.matches(work, pairs, slots):
            return False
        read = [
            part.read(optimizer, sources, unchanged)
            for (optimizer, part), (sources, unchanged, _) in zip(parts, known, strict=True)
        ]
        values, powers, own, advances = zip(*read, strict=True)
        advance = tuple({id(scalar[0]): scalar for scalars in advances for scalar in scalars}.values())
        native = common.native(hooks, parts[0][0])
        if len(parts) == 1:  # a list of one job has its hooks in one list
            outcome = _core.repeat(
                work, pairs, slots[0], values[0], powers[0], [*native, *own[0]], global_step, advance
            )
        else:
            outcome = _core.repeat(work, pairs, slots, values, powers, (native, *own), global_step, advance)
        if outcome == ANOTHER_LIST:
            return False
        if outcome >= 0:
            target = pairs[outcome][1]
            of_parts = (each for each, part in parts if part.updater.slots.parameters.find(target) is not None)
            names = [name_of(part.updater.slots, target) for _, part in parts]
            chain = [*hooks, *next(of_parts)._hooks]
            refuse_step(chain, next((name for name in names if name != "an array"), names[0]))
        return True

    def forget(self) -> None:
        """Forget the last step, so that the next one is checked."""
        self._remembered = None

    def remember(self, source: Optimizer, pairs: Any, groups: Sequence[Group], common: list[Any]) -> None:
        """Remember a checked step, where it can be repeated natively."""
        hooks = source._hooks
        every = [group.optimizer for group in groups]
        fused = len(common) == len(hooks) and all(len(g.fused) == len(g.optimizer._hooks) for g in groups)
        if not groups or not fused or not all(optimizer._cache.enabled for optimizer in every):
            return
        by_variable: dict[int, list[Any]] = {}
        for job, group in enumerate(groups):
            remembered = entries(job, group.updater, group.updates)
            if remembered is None:
                return
            for entry in remembered:
                by_variable.setdefault(id(entry[-1]), []).append(entry)
        # In the order of the pairs; a variable that comes twice is in one group, whose entries are in that order.
        given = [id(variable) for gradient, variable in pairs if gradient is not None]
        if sorted(given) != sorted(id(entry[-1]) for of_one in by_variable.values() for entry in of_one):
            return  # a parameter that is neither a Variable nor an ndarray
        ordered = [by_variable[variable].pop(0) for variable in given]
        parts = [(g.optimizer, RememberedPart(g.optimizer, g.updater, g.fused, targets_of(g.updates))) for g in groups]
        slots = [group.updater.slots.by_name for group in groups]
        work = _core.remember([group.updater.rule for group in groups], ordered, pairs, slots)
        if work is not None:
            self._remembered = work, parts, RememberedHooks(common, [entry[-1] for entry in ordered])
