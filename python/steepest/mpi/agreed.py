"""The moment in which all ranks step on their shards: they agree, and find norms of whole parameters together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from ..base.typing import Array
from ..optim.commit import StepCommit
from ..optim.native import Item, Job
from ..variables.variable import Variable
from .meeting import Meeting
from .norms import roots

__all__ = ["AgreedCommit", "Split"]

_WITH_NORMS = 10  # fields of an item that has norms already


class Split(NamedTuple):
    """A parameter whose rows several ranks have, and whose rule takes its norms (LARS, LAMB)."""

    place: int | None  # among the updates of this rank; None where it has no rows
    wide: bool  # float64


class AgreedCommit(StepCommit):
    """A step that asks all ranks just before its native call, after its own checks.

    Args:
        step: what counts steps, or None.
        meeting: of the ranks.
        agree: called once, when all that may fail has been done.
        splits: the parameters whose norms ranks find together, the same on all of them.
    """

    __slots__ = ("_agree", "_meeting", "_splits")

    def __init__(
        self, step: Variable | None, meeting: Meeting, agree: Callable[[], None], splits: Sequence[Split]
    ) -> None:
        super().__init__(step)
        self._meeting, self._agree, self._splits = meeting, agree, splits

    def ready(self, who: str, jobs: list[Job], items: list[Item], hooks: list[Any]) -> list[Item]:
        """Return the items with their norms, once all ranks are ready to take the step."""
        measured: dict[float, list[Array]] = {}

        def at(scale: float) -> list[Array]:
            if scale not in measured:
                measured[scale] = _core.measure(who, jobs, items, hooks, scale)
            return measured[scale]

        def sums(scales: Sequence[float]) -> list[Array]:
            places = [(split.place, number) for split in self._splits for number in (0, 1)]
            return [
                np.empty(0) if place is None else np.ascontiguousarray(at(scale)[place][:, number])
                for (place, number), scale in zip(places, scales, strict=True)
            ]

        if not self._splits:
            self._agree()
            return items
        at(1.0)  # it may fail, which the others must know
        self._agree()
        with self._meeting.inseparable():
            found = roots(self._meeting.wire, [split.wide for split in self._splits for _ in range(2)], sums)
        out = list(items)
        for k, split in enumerate(self._splits):
            if split.place is not None and len(items[split.place]) < _WITH_NORMS:
                out[split.place] = (*items[split.place], None, (found[2 * k], found[2 * k + 1]))
        return out
