"""Says so, once, when the state of arrays is lost because each step brings new ones."""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from typing import Any

from ..base.errors import must

__all__ = ["LostState", "StateWarning"]

_OFTEN = 3
_MOST_KINDS = 256
_PACKAGE = __name__.partition(".")[0]


class StateWarning(UserWarning):
    """An optimizer's slots are lost at each step, because each step brings new arrays in the place of the old ones.

    An array is known by its memory, and its slots go when it does. Given once by each optimizer that keeps slots: when
    all arrays that it knew are gone and it is given one that it has never seen, or when for the third time an array
    takes the place of one of its shape and type that is gone.

    Example:
        >>> import warnings
        >>> opt, w = st.MomentumOptimizer(0.5, 0.5), np.ones(2)
        >>> with warnings.catch_warnings(record=True) as caught:
        ...     warnings.simplefilter("always")
        ...     for _ in range(3):
        ...         w = w * 1.0  # another array: write w *= 1.0
        ...         opt.apply_gradients([(np.ones(2), w)])
        >>> [warning.category.__name__ for warning in caught]
        ['StateWarning']
    """


class LostState:
    """What one optimizer has lost, and whether it has said so."""

    def __init__(self) -> None:
        self._gone: Counter[Any] = Counter()  # shapes and types of arrays that took slots along
        self._replaced: Counter[Any] = Counter()  # how often another one came in their place
        self._told = False

    def array_gone(self, kind: Any) -> None:
        """Note that an array with slots is gone; ``kind`` is its shape and type."""
        if self._told:
            return
        if len(self._gone) >= _MOST_KINDS:
            self._gone.clear()
            self._replaced.clear()
        self._gone[kind] += 1

    def array_comes(self, who: str, kind: Any, nothing_left: bool) -> None:
        """Note an array that was never seen; ``nothing_left``: there is no other parameter any more.

        Warns `StateWarning` where this means that state is lost.
        """
        if self._told or not self._gone:
            return
        if self._gone[kind] > 0:
            self._gone[kind] -= 1
            self._replaced[kind] += 1
        if nothing_left or self._replaced[kind] >= _OFTEN:
            self._told = True
            got = f"a new {kind[1]} array of shape {kind[0]} in the place of one that is gone, and its slots with it"
            remedy = "update in place (w *= 0.5, not w = w * 0.5), keep one view of foreign memory, or use a Variable"
            message = must(who, "variable", "be the same array at each step for its slots to stay", got, remedy)
            warnings.warn(message, StateWarning, stacklevel=_outside())


def _outside() -> int:
    """Return the level of the first caller that is outside of the library."""
    level, frame = 2, sys._getframe(2)
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] == _PACKAGE:
        level, frame = level + 1, frame.f_back
    return level
