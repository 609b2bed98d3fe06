"""State that has been loaded before the optimizer has met its parameters: it waits for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import must
from ..variables.variable import Variable

if TYPE_CHECKING:
    from .hooks.accumulate import Accumulate

__all__ = ["Entry", "Waiting", "entry_mismatch"]

Entry = dict[str, Any]
"""A parameter's state: ``name`` (None for an array), ``shape``, ``dtype``, ``slots`` by name, ``accumulated`` sums.

``pending``, where rows wait: what their moves start from (`pending_state`).
"""


def entry_mismatch(entry: Entry, target: Any) -> str | None:
    """Return how a parameter differs from the one whose state this is, None where it fits."""
    shape, dtype = tuple(entry["shape"]), entry["dtype"]
    if shape != tuple(target.shape):
        return f"shape {tuple(target.shape)}, where the state is of shape {shape}"
    if dtype != str(target.dtype):
        return f"dtype {target.dtype}, where the state is of dtype {dtype}"
    return None


class Waiting:
    """Entries that wait: a Variable claims the one of its name, the next array the next one without a name.

    ``place(target, entry)`` puts an entry's values into the optimizer. ``summing``: hooks that hold sums, by what
    entries call them; an update by a hook that comes before a parameter is met ends the sums that wait for it.
    """

    def __init__(
        self,
        entries: list[Entry],
        place: Callable[[Any, Entry], None],
        partial: bool,
        summing: dict[str, Accumulate],
    ) -> None:
        self.entries = entries
        self.partial = partial
        self.place = place
        self._windows = [(position, hook, hook._window) for position, hook in summing.items()]

    def current(self, entry: Entry) -> Entry:
        """Return an entry without the sums that an update has ended."""
        over = {position for position, hook, window in self._windows if hook._window is not window}
        return {**entry, "accumulated": {k: total for k, total in entry["accumulated"].items() if k not in over}}

    def claim(self, target: Any) -> Entry | None:
        """Return the entry of a parameter that is met for the first time, None where it has none.

        Raises:
            ValueError: for a parameter that does not fit its entry, or has none while some wait.
        """
        if not self.entries:
            return None
        name = target._name if isinstance(target, Variable) else None
        entry = next((entry for entry in self.entries if entry["name"] == name), None)
        who = "apply_gradients"
        if entry is None:
            if self.partial:
                return None
            waiting = ", ".join(repr(entry["name"] or "an array") for entry in self.entries)
            shown = f"an array of shape {np.shape(target)}" if name is None else repr(name)
            remedy = "name them in load_state_dict(state, parameters=[...]), or ask for partial=True"
            raise ValueError(
                must(who, "variable", f"be one that the loaded state is of ({waiting} wait)", shown, remedy)
            )
        wrong = entry_mismatch(entry, target)
        if wrong is not None:
            remedy = "arrays claim loaded state in the order in which they are met; load_state_dict takes parameters="
            raise ValueError(must(who, f"variable {name or 'array'!r}", "fit the loaded state", wrong, remedy))
        return entry

    def settle(self, target: Any, entry: Entry) -> None:
        """Give a parameter its entry's values; the entry waits no longer."""
        self.entries = [other for other in self.entries if other is not entry]
        self.place(target, self.current(entry))
