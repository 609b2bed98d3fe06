"""Updates once in several calls, by the average of their gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...base.arrays import to_flag
from ...base.errors import describe, must
from ...base.typing import Pair, Pairs
from ...ops.indexed_slices import IndexedSlices
from ..gradient_values import values_of, with_values
from ..parameters import identity_of, owner_of, while_alive
from ..updates import array_of
from .hook import checked_pairs

__all__ = ["Accumulate"]


class Sums:
    """What has been summed up for parameters, while they live: memory that has become another's begins anew."""

    def __init__(self) -> None:
        self._totals: dict[Any, tuple[Callable[[], Any], Any]] = {}

    def __len__(self) -> int:
        return len(self._totals)

    def __iter__(self) -> Iterator[Any]:
        return (total for alive, total in self._totals.values() if alive() is not None)

    def copy(self) -> Sums:
        """Return sums of their own that begin with these."""
        sums = Sums()
        sums._totals = dict(self._totals)
        return sums

    def get(self, target: Any) -> Any:
        """Return a Variable's or an array's sum, None where it has none."""
        return self.known_as(identity_of(target), owner_of(target))

    def known_as(self, identity: Any, owner: Any) -> Any:
        """Return the sum of the parameter that these make known (`identity_of`, `owner_of`), None where it has none."""
        alive, total = self._totals.get(identity, (None, None))
        return total if alive is not None and owner is not None and alive() is owner else None

    def put(self, identity: Any, owner: Any, total: Any) -> None:
        """Set a parameter's sum."""
        self._totals[identity] = (while_alive(owner), total)


class Accumulate:
    """Update once in ``steps`` calls, by the average (or, ``average=False``, the sum) of their gradients.

    The other calls change nothing: not the variables, the slots nor ``global_step``. `IndexedSlices` stay sparse. A
    call whose step is refused, by an error or by a later `CheckFinite`, does not count: the sums are as before it. The
    last of the calls says which variables are updated: what has been summed up for others is dropped.

    Args:
        steps: calls of ``apply_gradients`` for one update; an integer of at least 1.
        average: divide the sum of the gradients by ``steps``.

    Raises:
        ValueError: for steps that are not an integer of at least 1.
        ValueError: in ``apply_gradients``, for a variable that comes more than once in the list.

    Example:
        >>> w = np.zeros(1)
        >>> opt = st.GradientDescentOptimizer(1.0, hooks=[st.Accumulate(2)])
        >>> for gradient in (1.0, 3.0):
        ...     opt.apply_gradients([(np.array([gradient]), w)])
        ...     print(w.item())
        0.0
        -2.0
    """

    def __init__(self, steps: int, average: bool = True) -> None:
        if not isinstance(steps, (int, np.integer)) or isinstance(steps, bool) or steps < 1:
            raise ValueError(must("Accumulate", "steps", "be an integer of at least 1", describe(steps)))
        self.steps, self.average = int(steps), to_flag("Accumulate", "average", average)
        self._calls = 0
        self._sums = Sums()
        self._window = object()  # another one after each update, whose sums are of no use to the next

    def __call__(self, pairs: Sequence[Pair]) -> Pairs:
        """Return the pairs with gradients to apply, None where more calls are to come."""
        pairs = checked_pairs("Accumulate", pairs)
        sums, calls = self._sums.copy(), self._calls + 1
        seen: set[Any] = set()
        for gradient, variable in pairs:
            key = identity_of(variable)
            if gradient is not None and key not in seen:
                sums.put(key, owner_of(variable), _add(sums.get(variable), gradient))
            elif gradient is not None:
                rule = "come once in the list when gradients are accumulated"
                raise ValueError(must("Accumulate", "variable", rule, getattr(variable, "name", "an array")))
            seen.add(key)
        if calls < self.steps:
            self._sums, self._calls = sums, calls
            return [(None, variable) for _, variable in pairs]
        self._sums, self._calls, self._window = Sums(), 0, object()
        factor = 1 / self.steps if self.average else 1.0
        return [(_times(sums.get(variable), factor), variable) for _, variable in pairs]

    def _kept(self) -> tuple[int, Any]:
        """Return what a call changes, for `_put_back` where the step is refused after it."""
        return self._calls, (self._sums, self._window)

    def _put_back(self, kept: tuple[int, Any]) -> None:
        self._calls, (self._sums, self._window) = kept

    def __repr__(self) -> str:
        return f"Accumulate(steps={self.steps}, average={self.average})"


def _add(total: Any, gradient: Any) -> Any:
    if isinstance(gradient, IndexedSlices):
        values, indices = array_of(gradient.values), array_of(gradient.indices)
        if total is None:
            return IndexedSlices(values.copy(), indices.copy(), gradient.dense_shape)
        if isinstance(total, IndexedSlices):
            values = np.concatenate([array_of(total.values), values])
            indices = np.concatenate([array_of(total.indices), indices])
            return IndexedSlices(values, indices, gradient.dense_shape or total.dense_shape)
        return total + IndexedSlices(values, indices, total.shape).to_dense()
    dense = array_of(gradient)
    if isinstance(total, IndexedSlices):
        total = IndexedSlices(total.values, total.indices, dense.shape).to_dense()
    return dense.copy() if total is None else total + dense


def _times(gradient: Any, factor: float) -> Any:
    if gradient is None or factor == 1:
        return gradient
    values = array_of(values_of(gradient))
    return with_values(gradient, values * (values.dtype.type(factor) if values.dtype.kind not in "iub" else factor))
