"""The parameters that ranks train together, in an order that is the same on all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from ..base.errors import must
from ..optim.attributes import given_hyper
from ..optim.hyperparameters import is_constant
from ..optim.optimizer import Optimizer
from ..optim.parameters import identity_of
from ..variables.variable import Variable
from .layout import Spec
from .meeting import Meeting
from .naming import key_of
from .sharded import ShardedVariable
from .wire import raw

__all__ = ["Roster", "value_of"]


class Roster:
    """The parameters met so far, each with its position; they are kept alive.

    Args:
        program: what else must be the same on all ranks, as text.
    """

    def __init__(self, program: str) -> None:
        self.program, self.settings = program, ""
        self._noted: Any = None
        self.targets: list[Any] = []
        self.specs: list[Spec] = []
        self._positions: dict[Any, int] = {}
        self.key = key_of(self.about)

    @property
    def about(self) -> list[Any]:
        """What must be the same on all ranks."""
        return [self.program, self.settings, *self.specs]

    def note(self, optimizer: Any) -> None:
        """Take note of what a step depends on: numbers, and hooks, which may exchange messages, too."""
        noted = [(type(each), *_numbers(each), *map(type, each._hooks)) for each in _all_of(optimizer)]
        if noted != self._noted:
            self._noted, self.settings = noted, "; ".join(map(_described, _all_of(optimizer)))
            self.key = key_of(self.about)

    def position(self, target: Any) -> int | None:
        """Return a parameter's position, None before it is met."""
        return self._positions.get(identity_of(target))

    def meet(self, targets: Sequence[Any]) -> None:
        """Add those that are new, in their order."""
        known = len(self.targets)
        for target in targets:
            if self.position(target) is None:
                name = target.name if hasattr(target, "name") else f"array {len(self.targets)}"
                dtype, sharded = target.dtype.name, isinstance(target, ShardedVariable)
                self._positions[identity_of(target)] = len(self.targets)
                self.targets.append(target)
                self.specs.append(Spec(name, tuple(target.shape), dtype, sharded))
        if len(self.targets) > known:
            self.key = key_of(self.about)

    def forget(self, count: int) -> None:
        """Forget the last parameters again, until so many are left."""
        if len(self.targets) > count:
            for target in self.targets[count:]:
                del self._positions[identity_of(target)]
            del self.targets[count:], self.specs[count:]
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


def _all_of(optimizer: Any) -> list[Any]:
    """Return an optimizer and those inside."""
    inside = optimizer._inner() if isinstance(optimizer, Optimizer) else ()
    return [optimizer, *(each for part in inside for each in _all_of(part))]


def _numbers(optimizer: Any) -> list[tuple[str, Any]]:
    """Return the hyper-parameters that are numbers; a function's or a Variable's may change in the midst of a step."""
    if getattr(optimizer, "_rule", None) is None:
        return []
    return [(name, value) for name, value in given_hyper(optimizer).items() if is_constant(value)]


def _described(optimizer: Any) -> str:
    numbers = ", ".join(f"{name}={value}" for name, value in _numbers(optimizer))
    hooks = ", ".join(getattr(type(hook), "__name__", "?") for hook in optimizer._hooks)
    return f"{type(optimizer).__name__}({numbers}) with hooks [{hooks}]"


def value_of(target: Any) -> Any:
    """Return the array of a Variable, or the array itself."""
    return target._value if isinstance(target, Variable) else target
