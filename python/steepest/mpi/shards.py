"""The rows that this rank owns as parameters of their own, on which the inner optimizers take their step."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..base.locks import with_locks
from ..base.typing import Array
from ..ops.indexed_slices import IndexedSlices
from ..optim.counters import checked_step
from ..optim.hooks import Hook, HooksPutBack
from ..optim.multi_step import Group, update_groups
from ..optim.parameters import identity_of
from ..optim.step_cache import LockedStepCache
from ..variables.variable import Variable
from .agreed import AgreedCommit, Split
from .gradients import Rows, values_in
from .hooks import ShardHooks
from .layout import Layout
from .meeting import Meeting
from .parts import Parts
from .roster import Roster, value_of
from .sharded import ShardedVariable
from .spread import spread, spread_rows
from .wire import raw

__all__ = ["Shards", "Work"]

_WHO = "apply_gradients"


class Work(NamedTuple):
    """What a step does with the parameters of one part."""

    part: int
    gradients: dict[int, Array | Rows]  # by position; on every rank of the same ones
    hooks: Sequence[Hook]  # those that are part of the update


class Shards:
    """This rank's shards.

    Args:
        parts: the inner optimizers; their slots are those of the shards.
        roster: the parameters.
        layout: who owns what.
        meeting: of the ranks.
    """

    def __init__(self, parts: Parts, roster: Roster, layout: Layout, meeting: Meeting) -> None:
        self.parts, self.roster, self.layout, self.meeting = parts, roster, layout, meeting
        self.wire, self.rank = meeting.wire, meeting.wire.rank
        self.targets: list[Any] = []  # by position this rank's rows; without any a Variable that stands for none
        self.met: dict[int, None] = {}  # the positions of those that had gradients, in that order, as on one process
        self.stepped: set[int] = set()  # the positions of those that have slots, or would have if their rules kept some
        self._wholes: dict[Any, Any] = {}
        self._share_out(self.wire.size > 1)
        self._hooks = ShardHooks(meeting, layout, self.targets, roster.targets, roster.order)

    def _share_out(self, shared: bool) -> None:
        for optimizer in [*self.parts.wrappers, *self.parts.every]:
            optimizer._slot_table.shared_out = shared

    @contextmanager
    def in_parts(self) -> Iterator[None]:
        """Let the optimizers be read inside although this rank has parts of their slots alone."""
        self._share_out(False)
        try:
            yield
        finally:
            self._share_out(self.wire.size > 1)

    def add(self, targets: Sequence[Any]) -> None:
        """Add the shards of more parameters, which the layout has already."""
        for target in targets:
            shard = _shard(target, *self.layout.owned(len(self.targets), self.rank))
            self.targets.append(shard)
            self._wholes[identity_of(shard)] = target

    def meet(self, positions: Iterable[int]) -> None:
        """Take note of parameters that have a gradient, or a state."""
        self.met |= dict.fromkeys(positions)

    def apply(self, sums: dict[int, Array | Rows], step: Variable | None) -> None:
        """Take the step of all ranks, or on an error of one none.

        Args:
            sums: by position the gradients of the rows that this rank owns; on every rank of the same parameters.
            step: what counts steps, or None.
        """
        met: list[bool] = []
        taken: list[bool] = []

        def agree() -> None:
            met.append(True)
            self.meeting.meet(self.roster.key, [], self.roster.about)
            taken.append(True)

        self.meet(sums)
        with HooksPutBack(self.parts.hooks, taken):
            with self.meeting.inseparable():
                works = self._works(sums)
            if self._hooks.refused is not None:  # on all ranks alike
                check, name = self._hooks.refused
                check.found(name, [])
                return
            if not works:
                return
            try:
                self._take_step(works, list(sums), step, agree)
            except Exception as error:
                if not met:
                    self.meeting.fail(error)
                if not taken:
                    raise
                with self.meeting.inseparable():  # the others go on
                    raise
        updated = {p: value for work in works for p, value in work.gradients.items()}
        self.stepped |= updated.keys()
        if self.wire.size > 1:
            with self.meeting.inseparable():
                self._spread_parameters({**sums, **updated} if self.parts.move_parameters() else updated)

    def _works(self, sums: dict[int, Array | Rows]) -> list[Work]:
        """Return what hooks leave of the gradients for each part, nothing where one holds the step back."""
        specs, self._hooks.refused = self.layout.specs, None
        sums, left = self._hooks.run(self.parts.common, sums, self.parts.fuses({specs[p].part or 0 for p in sums}))
        works = []
        for part, optimizer in enumerate(self.parts.every):
            mine = {p: value for p, value in sums.items() if (specs[p].part or 0) == part}
            if mine and self._hooks.refused is None:
                fuses = optimizer._updater.fuses(optimizer._hooks, [])
                mine, fused = self._hooks.run([*left, *optimizer._hooks], mine, fuses)
                works.append(Work(part, mine, fused))
        return [work for work in works if work.gradients]

    def _take_step(self, works: Sequence[Work], given: Sequence[int], step: Any, agree: Callable[[], None]) -> None:
        """Update the shards by their gradients, as a `MultiOptimizer` updates its groups.

        Args:
            works: one for each part that takes a step, on every rank the same ones.
            given: the positions of all parameters that have had a gradient, also where a hook has held it back.
            step: what counts steps, or None.
            agree: called once, when all that may fail has been done.
        """
        specs = self.layout.specs
        optimizers = [self.parts.every[work.part] for work in works]
        split = [p for work in works for p in work.gradients if self._is_split(p)]
        arrays = [self._array(p) if self.rank in self.layout.owners(p) else None for p in split]
        splits = [Split(array, specs[p].real == np.float64) for p, array in zip(split, arrays, strict=True)]

        def take(counter: Any) -> None:
            for optimizer in optimizers:
                optimizer._enter_step(counter)
            commit = AgreedCommit(checked_step(_WHO, counter), self.meeting, agree, splits)
            for optimizer in {self.parts.optimizer, *optimizers}:
                optimizer._cache.forget()
            update_groups([self._group(work) for work in works], [], commit)

        targets = [self.targets[p] for p in given if self.rank in self.layout.owners(p)]
        for wrapper in reversed(self.parts.wrappers):
            take = partial(wrapper._around, targets, take=take)
        caches = [optimizer._cache for optimizer in optimizers]
        with_locks([cache.lock for cache in caches if isinstance(cache, LockedStepCache)], lambda: take(step))

    def _is_split(self, p: int) -> bool:
        """Tell whether ranks find the norms of a parameter together."""
        return self.parts.takes_norms(self.layout.specs[p]) and len(self.layout.owners(p)) > 1

    def _array(self, p: int) -> Any:
        target = self.targets[p]
        return target._array if isinstance(target, Variable) else target

    def _group(self, work: Work) -> Group:
        """Return a group of the shards that this rank has of a part's parameters, perhaps of none, checked."""
        group = Group(self.parts.every[work.part])
        group.positions = [p for p in work.gradients if self.rank in self.layout.owners(p)]
        group.pairs = [(self._shaped(p, work.gradients[p]), self.targets[p]) for p in group.positions]
        group.fused = [_OfWholes(hook, lambda shard: self._wholes[identity_of(shard)]) for hook in work.hooks]
        group.check()
        return group

    def _shaped(self, p: int, gradient: Array | Rows) -> Any:
        shard = self.targets[p]
        values = values_in(gradient)
        if isinstance(gradient, Rows):
            ids = gradient.ids - self.layout.bounds[p][self.rank]
            return IndexedSlices(values.reshape(-1, *shard.shape[1:]), ids, shard.shape)
        return values.reshape(shard.shape)

    def _spread_parameters(self, sums: dict[int, Array | Rows]) -> None:
        """Send what the owners have updated to everybody."""
        specs = self.layout.specs
        every = {p for p in sums if self.parts.moves_every_row(specs[p])}
        replicas = {p: value_of(self.roster.targets[p]) for p in sums if not specs[p].sharded}
        wholly = [p for p in replicas if p in every or not isinstance(sums[p], Rows)]
        spread(self.wire, self.layout, {p: replicas[p] for p in wholly})
        flat = {p: array.reshape(specs[p].rows, specs[p].width) for p, array in replicas.items() if p not in wholly}
        ids = {p: value.ids for p, value in sums.items() if p in flat and isinstance(value, Rows)}
        for p, (rows, values) in spread_rows(self.wire, {p: (ids[p], flat[p][ids[p]]) for p in flat}).items():
            flat[p][rows] = values
        for p in replicas:
            if isinstance(self.roster.targets[p], Variable):
                self.roster.targets[p]._changed()

    def slot_names(self) -> list[str]:
        """Return the names of the slots made so far, on any rank, sorted."""
        keepers = [self.parts.of(self.layout.specs[p]) for p in self.stepped]
        keepers += self.parts.wrappers if self.stepped else []
        return sorted({slot["name"] for optimizer in keepers for slot in self.parts.declared(optimizer)})

    def whole_slot(self, position: int, name: str) -> Array | None:
        """Return a slot of a whole parameter, put together of all ranks' parts; every rank must ask for it."""
        slot = self.parts.optimizer.get_slot(self.targets[position], name)
        forms = self.wire.all_objects(None if slot is None else (slot.shape, slot.dtype))
        known = [form for form in forms if form is not None]
        if not known:
            return None
        shape, dtype = known[0]
        if not shape:  # the same number on all ranks that have rows
            forms = [form if [rank] == self.layout.owners(position)[:1] else None for rank, form in enumerate(forms)]
        counts = [0 if form is None else math.prod(form[0]) * form[1].itemsize for form in forms]
        mine = np.empty(0, np.uint8) if slot is None or forms[self.rank] is None else raw(slot._kept)
        whole: Array = self.wire.all_gather_parts(mine, counts).view(dtype)
        return whole.reshape(-1, *shape[1:]) if shape else whole.reshape(shape)


class _OfWholes(Hook):
    """A hook that is asked about whole parameters in the place of their shards."""

    def __init__(self, hook: Hook, whole_of: Callable[[Any], Any]) -> None:
        self.hook, self.whole_of = hook, whole_of

    def _native_for(self, optimizer: Any, targets: Sequence[Any]) -> Any:
        return self.hook._native_for(optimizer, [self.whole_of(target) for target in targets])


def _shard(target: Any, begin: int, end: int) -> Any:
    if isinstance(target, ShardedVariable):
        return target.part
    rows = target.shape[0] if target.shape else 1
    if (begin, end) == (0, rows) and rows:
        return target
    if isinstance(target, Variable) or begin == end:
        array = target._value if isinstance(target, Variable) else target
        share = array[begin:end] if target.shape else array.reshape(1)[:0]
        return Variable._unlisted(share, True, getattr(target, "name", "array"))
    return target[begin:end]
