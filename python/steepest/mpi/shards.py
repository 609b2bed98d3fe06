"""The rows that this rank owns as parameters of their own, on which the inner optimizer takes its step."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from ..base.errors import must
from ..base.typing import Array
from ..ops.indexed_slices import IndexedSlices
from ..optim.commit import StepCommit
from ..optim.counters import checked_step
from ..optim.hooks import Hook
from ..optim.hyperparameters import SCHEMA
from ..optim.optimizer import Optimizer
from ..optim.overrides import foreign_methods, is_library_class
from ..optim.parameters import identity_of
from ..optim.pending_rows import PendingRowsUpdater
from ..optim.step_cache import LockedStepCache
from ..optim.updates import arrays_at_hand, to_update
from ..variables.variable import Variable
from .agreed import AgreedCommit, Split
from .gradients import Rows, values_in
from .hooks import why_not_here
from .layout import Layout
from .meeting import Meeting
from .sharded import ShardedVariable
from .wire import Wire, raw

__all__ = ["Shards", "check_shards", "leaves_rows_waiting", "moves_every_row", "why_not_shards"]

_WHO = "apply_gradients"


def why_not_shards(optimizer: Any) -> str | None:
    """Return why an optimizer cannot update shards, None where it can."""
    if not isinstance(optimizer, Optimizer) or optimizer._inner():
        return "an optimizer around others"
    if not is_library_class(type(optimizer)) or foreign_methods(type(optimizer)):
        return "a class of your own"
    if optimizer._native is None or optimizer._updater is not optimizer._native:
        return "a rule written in Python"
    return why_not_here(optimizer._hooks)


def check_shards(optimizer: Any) -> None:
    """Raise TypeError for an optimizer that cannot update shards."""
    reason = why_not_shards(optimizer)
    if reason is not None:
        remedy = "shards=False keeps all slots on every rank"
        raise TypeError(must("DistributedOptimizer", "optimizer", "be one that updates shards", reason, remedy))


def leaves_rows_waiting(optimizer: Any) -> bool:
    """Tell whether rows may wait for their update until somebody reads them, which only their owner can."""
    return isinstance(optimizer._updater, PendingRowsUpdater)


def takes_norms(optimizer: Any) -> bool:
    """Tell whether the rule asks for norms of whole parameters."""
    return bool(SCHEMA[optimizer._updater.rule]["ratio"])


def moves_every_row(optimizer: Any) -> bool:
    """Tell whether a sparse gradient moves rows that it leaves out."""
    return bool(SCHEMA[optimizer._updater.rule]["every_row"])


class Shards:
    """This rank's shards.

    Args:
        optimizer: the inner optimizer; its slots are those of the shards.
        layout: who owns what.
        meeting: of the ranks.
    """

    def __init__(self, optimizer: Optimizer, layout: Layout, meeting: Meeting) -> None:
        self.optimizer, self.layout, self.meeting, self.rank = optimizer, layout, meeting, meeting.wire.rank
        self.parts: list[Any] = []  # by position; without rows a Variable that stands for none
        self._wholes: dict[Any, Any] = {}

    def add(self, targets: Sequence[Any]) -> None:
        """Add the shards of more parameters, which the layout has already."""
        for target in targets:
            part = _part(target, *self.layout.owned(len(self.parts), self.rank))
            self.parts.append(part)
            self._wholes[identity_of(part)] = target

    def take_step(
        self, gradients: dict[int, Array | Rows], hooks: Sequence[Hook], step: Any, agree: Callable[[], None]
    ) -> None:
        """Update the shards by their gradients; what the class does in its ``apply_gradients`` is done here too.

        Args:
            gradients: by position.
            hooks: those that are part of the update.
            step: what counts steps, or None.
            agree: called once, when all that may fail has been done.
        """
        optimizer = self.optimizer
        here = [p for p in gradients if self.rank in self.layout.owners(p)]
        pairs = [(self._shaped(p, gradients[p]), self.parts[p]) for p in here]
        splits = [
            Split(here.index(p) if p in here else None, self.layout.specs[p].real == np.float64)
            for p in gradients
            if takes_norms(optimizer) and len(self.layout.owners(p)) > 1
        ]
        late = not leaves_rows_waiting(optimizer)  # else a lock of all such optimizers is held in the native call

        def commit(global_step: Any) -> StepCommit:
            checked = checked_step(_WHO, global_step)
            return AgreedCommit(checked, self.meeting, agree, splits) if late else StepCommit(checked)

        cache = optimizer._cache
        cache.forget()
        fused = [_OfWholes(hook, lambda part: self._wholes[identity_of(part)]) for hook in hooks]
        optimizer._cache = _AgreedStep(commit, None if late else agree, fused)  # type: ignore[assignment]
        try:
            with cache.lock if isinstance(cache, LockedStepCache) else nullcontext():
                optimizer.apply_gradients(pairs, step)
        finally:
            optimizer._cache = cache

    def _shaped(self, p: int, gradient: Array | Rows) -> Any:
        part = self.parts[p]
        values = values_in(gradient)
        if isinstance(gradient, Rows):
            ids = gradient.ids - self.layout.bounds[p][self.rank]
            return IndexedSlices(values.reshape(-1, *part.shape[1:]), ids, part.shape)
        return values.reshape(part.shape)

    def slot_names(self) -> list[str]:
        """Return the names of the slots that the rule keeps."""
        return sorted(slot["name"] for slot in self.optimizer._updater.declared())

    def whole_slot(self, wire: Wire, position: int, name: str) -> Array | None:
        """Return a slot of a whole parameter, put together of all ranks' parts; every rank must ask for it."""
        slot = self.optimizer.get_slot(self.parts[position], name)
        forms = wire.all_objects(None if slot is None else (slot.shape, slot.dtype))
        known = [form for form in forms if form is not None]
        if not known:
            return None
        shape, dtype = known[0]
        if not shape:  # the same number on all ranks that have rows
            forms = [form if [rank] == self.layout.owners(position)[:1] else None for rank, form in enumerate(forms)]
        counts = [0 if form is None else math.prod(form[0]) * form[1].itemsize for form in forms]
        mine = np.empty(0, np.uint8) if slot is None or forms[self.rank] is None else raw(slot._value)
        whole: Array = wire.all_gather_parts(mine, counts).view(dtype)
        return whole.reshape(-1, *shape[1:]) if shape else whole.reshape(shape)


class _OfWholes(Hook):
    """A hook that is asked about whole parameters in the place of their shards."""

    def __init__(self, hook: Hook, whole_of: Callable[[Any], Any]) -> None:
        self.hook, self.whole_of = hook, whole_of

    def _native_for(self, optimizer: Any, targets: Sequence[Any]) -> Any:
        return self.hook._native_for(optimizer, [self.whole_of(target) for target in targets])


class _AgreedStep:
    """Stands in for an optimizer's `StepCache`: takes the step itself, once all ranks are ready to take it."""

    def __init__(
        self, commit_of: Callable[[Any], StepCommit], agree: Callable[[], None] | None, fused: Sequence[Hook]
    ) -> None:
        self._commit_of, self._agree, self._fused = commit_of, agree, fused

    def step(self, optimizer: Any, pairs: list[Any], global_step: Any) -> bool:
        """Take the step, also one of no pairs, which counts on this rank too."""
        table, commit = optimizer._slot_table, self._commit_of(global_step)
        updates = [to_update(_WHO, k, gradient, part, table.parameters) for k, (gradient, part) in enumerate(pairs)]
        optimizer._updater.check(_WHO, updates)
        parameters = [update.parameter for update in updates]
        with arrays_at_hand(updates), table.transaction(parameters, commit):
            if parameters:
                optimizer._create_slots(parameters)
            else:
                optimizer._counters.make(optimizer, None)
            optimizer._prepare()
            if self._agree is not None:
                optimizer._updater.read_hyper(optimizer)
                self._agree()
            optimizer._updater.apply(optimizer, _WHO, updates, list(self._fused), commit)
        return True


def _part(target: Any, begin: int, end: int) -> Any:
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
