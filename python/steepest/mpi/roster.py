"""The parameters that ranks train together, in an order that is the same on all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _core
from ..base.errors import must
from ..optim.parameters import identity_of
from ..variables.variable import Variable
from .layout import Spec
from .meeting import Meeting
from .naming import key_of
from .settings import Settings, settings_of, texts_of
from .sharded import ShardedVariable
from .wire import raw

__all__ = ["Roster", "value_of"]


class Roster:
    """The parameters met so far, each with its position; they are kept alive.

    Args:
        program: what else must be the same on all ranks, as text.
        part_of: returns which of several optimizers updates a parameter, given its position, too.
    """

    def __init__(self, program: str, part_of: Callable[[int, Any], int | None]) -> None:
        self.program, self._part_of = program, part_of
        self._settings: Settings = []
        self._texts: list[str] = []  # the same in words
        self._settings_key = 0
        self.targets: list[Any] = []
        self.specs: list[Spec] = []
        self.order: list[int] = []  # the positions of those that steps have, in the order in which these give them
        self._agreed = 0, 0  # how many targets, and how many in order, are known on all ranks
        self._positions: dict[Any, int] = {}
        self.key = key_of(self.about)

    @property
    def about(self) -> list[Any]:
        """What must be the same on all ranks."""
        return [self.program, *self._ordered()]

    def _ordered(self) -> list[Spec]:
        left = set(range(len(self.specs))) - set(self.order)
        return [self.specs[p] for p in (*self.order, *sorted(left))]

    def of_step(self, optimizer: Any) -> tuple[int, list[Any]]:
        """Return the key and the words of a step: that of `about`, and the numbers that the step depends on.

        Raises:
            TypeError, ValueError: for a hyper-parameter that has no such value now.
        """
        settings = settings_of(optimizer)
        if settings != self._settings:
            self._texts = list(texts_of(settings))
            self._settings, self._settings_key = settings, key_of(self._texts)
        return key_of([self.key, self._settings_key]), [self.program, *self._texts, *self._ordered()]

    def position(self, target: Any) -> int | None:
        """Return a parameter's position, None before it is met."""
        return self._positions.get(identity_of(target))

    def meet(self, targets: Sequence[Any], in_step: bool = True) -> None:
        """Add those that are new, in their order; without ``in_step`` the first step says which order they have."""
        known = len(self.targets) + len(self.order)
        for target in targets:
            if self.position(target) is None:
                name = target.name if hasattr(target, "name") else f"array {len(self.targets)}"
                dtype, sharded = target.dtype.name, isinstance(target, ShardedVariable)
                spec = Spec(name, tuple(target.shape), dtype, sharded, self._part_of(len(self.targets), target))
                self._positions[identity_of(target)] = len(self.targets)
                self.targets.append(target)
                self.specs.append(spec)
        if in_step and len(self.order) < len(self.targets):
            given = [self._positions[identity_of(target)] for target in targets]
            self.order += dict.fromkeys(p for p in given if p not in self.order)
        if len(self.targets) + len(self.order) > known:
            self.key = key_of(self.about)

    def agree(self) -> None:
        """Take note that all ranks know what this one does."""
        self._agreed = len(self.targets), len(self.order)

    def forget(self) -> None:
        """Forget again what not all ranks know."""
        if (len(self.targets), len(self.order)) != self._agreed:
            count, ordered = self._agreed
            for target in self.targets[count:]:
                del self._positions[identity_of(target)]
            del self.targets[count:], self.specs[count:], self.order[ordered:]
            self.key = key_of(self.about)

    def check_values(self, meeting: Meeting, first: int) -> None:
        """Raise ValueError, on every rank, where parameters from position ``first`` on have other values elsewhere."""
        new = range(first, len(self.targets))
        sums = [0 if self.specs[p].sharded else _core.crc32(raw(value_of(self.targets[p]))) for p in new]
        table = meeting.meet(self.key, sums, self.about)
        differs = np.flatnonzero((table != table[0]).any(axis=0))
        if differs.size:
            name = self.specs[first + int(differs[0])].name
            rule, remedy = "begin with the same values on all ranks", "call steepest.mpi.broadcast_variables first"
            raise ValueError(must("steepest.mpi", f"variable {name!r}", rule, "others", remedy))


def value_of(target: Any) -> Any:
    """Return the array of a Variable, or the array itself."""
    return target._value if isinstance(target, Variable) else target
