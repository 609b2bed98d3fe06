"""One step of a `MultiOptimizer`: everything is checked, then all groups are updated in one native call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from operator import itemgetter
from typing import Any

from ..base.errors import must
from ..base.locks import with_locks
from ..base.typing import Pairs
from .commit import Advance, StepCommit, advance, changed_variables
from .fallback import PythonUpdater, counted_by_schedules
from .hooks import CheckFinite, Hook, WeightDecay, refuse_step, run_hooks
from .native import Item, Job, finishes, native_update
from .optimizer import Optimizer
from .overlaps import share_memory
from .updates import Update, arrays_at_hand, targets_of, to_update

__all__ = ["Group", "check_common", "native_work", "take_step", "update_groups"]

_WHO = "apply_gradients"


class Group:
    """What a step does with one group's parameters; one of no parameters counts the step."""

    def __init__(self, optimizer: Optimizer) -> None:
        self.optimizer = optimizer
        self.updater = optimizer._updater
        self.native = not isinstance(self.updater, PythonUpdater)
        self.pairs: Pairs = []
        self.positions: list[int] = []  # of the pairs, among those of all groups
        self.updates: list[Update] = []
        self.fused: list[Hook] = []

    def check(self) -> None:
        """Check every pair, as for a step of the group's optimizer alone."""
        table = self.updater.slots.parameters
        self.updates = [to_update(_WHO, k, g, v, table) for k, (g, v) in enumerate(self.pairs) if g is not None]
        self.updater.check(_WHO, self.updates)

    def places(self) -> list[int]:
        """Return the position of each update's pair among those of all groups."""
        return [p for p, (gradient, _) in zip(self.positions, self.pairs, strict=True) if gradient is not None]

    def fuses(self, hooks: Sequence[Any]) -> bool:
        """Tell whether these hooks, and all of the group's own, can be part of the native update."""
        own = self.optimizer._hooks
        return all(isinstance(hook, Hook) for hook in own) and self.updater.fuses([*hooks, *own], self.updates)

    def run_hooks(self) -> None:
        """Call the group's own hooks, or leave them to its update."""
        hooks = self.optimizer._hooks
        fuses = self.updater.fuses(hooks, self.updates)
        self.pairs, self.fused, changed = run_hooks(_WHO, hooks, self.pairs, self.updates, fuses)
        if changed:
            if len(self.positions) != len(self.pairs):  # of another list only the order is known
                self.positions = [self.positions[0]] * len(self.pairs)
            self.check()


def take_step(
    optimizers: Sequence[Optimizer],
    hooks: Sequence[Any],
    group_of: Callable[[int, Any], int],
    pairs: Pairs,
    commit: StepCommit,
) -> tuple[list[Group], list[Hook]]:
    """Take one step of several optimizers, all or nothing; ``group_of(position, variable)`` says whose it is.

    Returns:
        The groups that were updated, and of ``hooks`` those that were part of the native update.
    """
    check_common(hooks)
    groups = _checked(optimizers, group_of, pairs)
    if not groups:
        rule = "hold at least one gradient that is not None"
        raise ValueError(must(_WHO, "grads_and_vars", rule, pairs, "No gradients provided for any variable."))
    every = [update for group in groups for update in group.updates]
    own = [hook for group in groups for hook in group.optimizer._hooks]
    decays = any(isinstance(hook, WeightDecay) for hook in (*hooks, *own))
    apart = not (decays and share_memory([update.target for update in every]))
    checks = [hook for hook in (*hooks, *own) if isinstance(hook, CheckFinite)]
    skipped = sum(check.skipped for check in checks)
    calls = not all(isinstance(hook, Hook) for hook in hooks)  # and then other groups may have gradients
    deciding = [Group(optimizer) for optimizer in optimizers] if calls else []
    fuses = apart and all(group.fuses(hooks) for group in [*groups, *deciding])
    pairs, common, changed = run_hooks(_WHO, hooks, pairs, every, fuses)
    if changed:
        groups = _checked(optimizers, group_of, pairs)
    for group in groups:
        if common:
            group.fused = list(group.optimizer._hooks)
        else:
            group.run_hooks()
    groups = [group for group in groups if group.updates]
    if groups and sum(check.skipped for check in checks) == skipped:  # one group's refusal is that of all
        update_groups(groups, common, commit)
    return groups, common


def check_common(hooks: Sequence[Any]) -> None:
    """Raise ValueError for a hook that cannot be common to several optimizers."""
    if any(isinstance(hook, WeightDecay) and hook.decoupled for hook in hooks):
        remedy = "give it to the groups' optimizers"
        raise ValueError(must(_WHO, "common hooks", "take no learning rate", "a decoupled WeightDecay", remedy))


def _checked(optimizers: Sequence[Optimizer], group_of: Callable[[int, Any], int], pairs: Pairs) -> list[Group]:
    """Return the groups that have gradients."""
    groups = [Group(optimizer) for optimizer in optimizers]
    for position, pair in enumerate(pairs):
        group = groups[group_of(position, pair[1])]
        group.pairs.append(pair)
        group.positions.append(position)
    for group in groups:
        group.check()
    return [group for group in groups if group.updates]


def update_groups(groups: list[Group], common: list[Hook], commit: StepCommit) -> None:
    """Update the groups' parameters, which are checked: all of them, or on any error none.

    Args:
        groups: those of which a step is taken.
        common: the hooks that are part of the update of all.
        commit: tells whether the step has been taken.
    """
    every = [update for group in groups for update in group.updates]
    in_python = [group for group in groups if not group.native]
    native = [group for group in groups if group.native]
    with ExitStack() as stack:
        stack.enter_context(arrays_at_hand(every))
        for group in groups:
            parameters = list({id(update.parameter): update.parameter for update in group.updates}.values())
            group.optimizer._assert_valid_dtypes(parameters)
            stack.enter_context(group.optimizer._slot_table.transaction(parameters, commit))
            if parameters:
                group.optimizer._create_slots(parameters)
            else:
                group.optimizer._counters.make(group.optimizer, ())
            group.optimizer._prepare()
        for group in in_python:
            updates = stack.enter_context(group.updater.undone(_WHO, group.updates, commit))
            group.updater.update(group.optimizer, updates, group.fused)
        commit.settle(_WHO, native)
        with_locks([group.updater.lock for group in native], lambda: _commit(groups, native, common, commit))
    if commit:
        for group in native:
            if not finishes(group.optimizer):
                group.optimizer._finish([], "update")


def native_work(groups: Sequence[Group]) -> tuple[list[Job], list[Item], list[Advance], list[Group]]:
    """Return the jobs and items of one native call, what they advance of their own, and of each job the group.

    Items are in the order of the pairs, as they are repeated: a norm of all has the same bits however they are grouped.
    """
    jobs: list[Job] = []
    items: list[Item] = []
    due: list[Advance] = []
    of_jobs: list[Group] = []
    for group in groups:
        its_jobs, its_items, its_due = group.updater.prepared(group.optimizer, group.updates)
        hooks = [hook._native_for(group.optimizer, targets_of(group.updates)) for hook in group.fused]
        due += its_due
        items += [(len(jobs) + item[0], *item[1:]) for item in its_items]
        jobs += [(rule, values, None if k else hooks) for k, (rule, values, _) in enumerate(its_jobs)]
        of_jobs += [group] * len(its_jobs)
    places = [position for group in groups for position in group.places()]
    return jobs, _by_place(places, items), due, of_jobs


def _by_place(places: Sequence[int], things: Sequence[Any]) -> list[Any]:
    return [thing for _, thing in sorted(zip(places, things, strict=True), key=itemgetter(0))]


def _commit(groups: list[Group], native: list[Group], common: list[Hook], commit: StepCommit) -> None:
    """Make the native call that takes the step."""
    jobs, items, counted, of_jobs = native_work(native)
    for group in groups:
        source: Any = group.optimizer
        counted += counted_by_schedules(source)
        if group.native and finishes(source):
            counted += source._counters.advances(group.updater.slots.non_slots, group.updater.hyper.values)
    scalars = commit.with_step(*{id(scalar[0]): scalar for scalar in counted}.values())  # a shared schedule counts once
    every = [update for group in groups for update in group.updates]
    updates = _by_place([p for g in native for p in g.places()], [update for g in native for update in g.updates])
    hooks = [hook._native_for(native[0].optimizer, targets_of(updates)) for hook in common] if native else []
    items = commit.ready(_WHO, jobs, items, hooks)
    if not native:
        advance(scalars, every)
        return
    refused = native_update(_WHO, jobs, items, hooks, scalars, changed_variables(every))
    if refused >= 0:
        refuse_step([*common, *of_jobs[items[refused][0]].fused], items[refused][1])
