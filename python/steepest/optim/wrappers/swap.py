"""Parameters that hold their averages for a while."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from ...base.errors import must
from ...base.typing import Array
from ...base.typing import Parameter as Target
from ...variables.variable import Variable
from ..slots import SlotTable
from ..updates import array_of

__all__ = ["averaged_weights", "holding_averages"]


def averaged_weights(self: Averaging, *arrays: Target) -> AbstractContextManager[None]:
    """Return a context in which all parameters hold their averages; after it, what they held before.

    Args:
        arrays: the parameters that are plain arrays; Variables are known.

    Raises:
        ValueError: where a plain array that is trained is missing.
    """
    self._slot_table.check_whole(type(self).__name__)
    targets = _average_holders(type(self).__name__, self._slot_table, arrays)
    return holding_averages(targets, self.averaged_value)


class Averaging(Protocol):
    """An optimizer that has an average of each parameter."""

    _slot_table: SlotTable

    def averaged_value(self, var: Target) -> Array:
        """Return the average of a parameter."""


def _average_holders(who: str, table: SlotTable, arrays: Sequence[Target]) -> list[Target]:
    """Return the Variables that an optimizer knows, and ``arrays``; ValueError where it knows an array besides."""
    known = [parameter for _, _, parameter in table.parameters.known()]
    found: list[Target] = [parameter for parameter in known if isinstance(parameter, Variable)]
    given = {id(table.parameters.find(array)) for array in arrays}
    missing = [p for p in known if not isinstance(p, Variable) and id(p) not in given]
    if missing:
        rule = "have every plain array that is trained: the optimizer does not keep them"
        got = f"none of shape {missing[0].shape}"
        raise ValueError(must(who, "arrays", rule, got, "write averaged_weights(w, b)"))
    return [*found, *(array for array in arrays if not isinstance(array, Variable))]


@contextmanager
def holding_averages(targets: Sequence[Target], average_of: Callable[[Any], Array]) -> Iterator[None]:
    """Let the targets hold their averages; afterwards what they held before, whatever happens."""
    kept = [array_of(target).copy() for target in targets]
    averages = [average_of(target) for target in targets]
    try:
        for target, average in zip(targets, averages, strict=True):
            _write(target, average)
        yield
    finally:
        for target, value in zip(targets, kept, strict=True):
            _write(target, value)


def _write(target: Target, value: Array) -> None:
    if isinstance(target, Variable):
        target.assign(value)
    else:
        target[...] = value
