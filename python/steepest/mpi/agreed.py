"""The moment in which all ranks step on their shards: they agree, and find norms of whole parameters together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from ..base.typing import Array
from ..optim.commit import StepCommit
from ..optim.multi_step import Group, native_work
from ..optim.native import Item, Job
from ..variables.variable import Variable
from .meeting import Meeting
from .norms import roots
from .parts import leaves_rows_waiting

__all__ = ["AgreedCommit", "Split"]

_ARRAY, _WITH_NORMS = 3, 10  # the array's place in an item; fields of an item that has norms already


class Split(NamedTuple):
    """A parameter whose rows several ranks have, and whose rule takes its norms (LARS, LAMB)."""

    array: Array | None  # what this rank updates; None where it has no rows
    wide: bool  # float64


class AgreedCommit(StepCommit):
    """A step that asks all ranks just before its native call, after its own checks.

    Args:
        step: what counts steps, or None.
        meeting: of the ranks.
        agree: called once, when all that may fail has been done.
        splits: the parameters whose norms ranks find together, the same on all of them.
    """

    __slots__ = ("_agree", "_meeting", "_norms", "_splits")

    def __init__(
        self, step: Variable | None, meeting: Meeting, agree: Callable[[], None], splits: Sequence[Split]
    ) -> None:
        super().__init__(step)
        self._meeting, self._agree, self._splits = meeting, agree, splits
        self._norms: dict[int, tuple[float, float]] | None = None  # by the array's id, once ranks have agreed

    def settle(self, who: str, groups: list[Group]) -> None:
        """Agree already now where the native call holds a lock: other optimizers of this process may wait for it."""
        late = [group for group in groups if leaves_rows_waiting(group.optimizer)]
        if late:
            for group in late:
                group.updater.read_hyper(group.optimizer)
            jobs, items, _, _ = native_work([group for group in groups if group not in late])
            self._find_norms(who, jobs, items, [])

    def ready(self, who: str, jobs: list[Job], items: list[Item], hooks: list[Any]) -> list[Item]:
        """Return the items with their norms, once all ranks are ready to take the step."""
        if self._norms is None:
            self._find_norms(who, jobs, items, hooks)
        norms: Any = self._norms
        return [
            (*item, None, norms[id(item[_ARRAY])]) if id(item[_ARRAY]) in norms and len(item) < _WITH_NORMS else item
            for item in items
        ]

    def _find_norms(self, who: str, jobs: list[Job], items: list[Item], hooks: list[Any]) -> None:
        """Agree, and find the norms of parameters whose rows several ranks have."""
        places = {id(item[_ARRAY]): place for place, item in enumerate(items)}
        measured: dict[float, list[Array]] = {}

        def at(scale: float) -> list[Array]:
            if scale not in measured:
                measured[scale] = _core.measure(who, jobs, items, hooks, scale)
            return measured[scale]

        def sums(scales: Sequence[float]) -> list[Array]:
            numbers = [(split.array, number) for split in self._splits for number in (0, 1)]
            return [
                np.empty(0) if array is None else np.ascontiguousarray(at(scale)[places[id(array)]][:, number])
                for (array, number), scale in zip(numbers, scales, strict=True)
            ]

        if self._splits:
            at(1.0)  # it may fail, which the others must know
        self._agree()
        self._norms = {}
        if self._splits:
            with self._meeting.inseparable():
                found = roots(self._meeting.wire, [split.wide for split in self._splits for _ in range(2)], sums)
            for k, split in enumerate(self._splits):
                if split.array is not None:
                    self._norms[id(split.array)] = (found[2 * k], found[2 * k + 1])
