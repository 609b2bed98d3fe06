"""What sessions hold of conditional accumulators: sums of gradients that are given away once enough have come."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import log
from ..graph.dtypes import DType
from ..graph.errors import InvalidArgumentError
from ..graph.run_values import array_of
from ..graph.shapes import Shape, bracketed, compatible
from .queue_waiting import Attempt, Elements

__all__ = ["Accumulated", "AccumulatorKind", "RowsAccumulated"]


class _Take(Attempt):
    """Waits for so many gradients, and takes what they make."""

    doing = "TakeGrad"

    def __init__(self, elements: Accumulated, required: int) -> None:
        super().__init__(elements)
        self._held, self._required = elements, required
        self.taken: Any = None

    def advance(self) -> bool:
        if len(self._held) < self._required:
            return False
        self.taken, self.done = self._held.given_away(), True
        return True


class Accumulated(Elements):
    """The sum of dense gradients in one session, and how many there are.

    Args:
        kind: what the accumulator is.
        name: what messages call it.
    """

    def __init__(self, kind: AccumulatorKind, name: str) -> None:
        super().__init__(kind.kind, name, -1)
        self.made_by = kind
        self._shape, self._mean = kind.shape, kind.mean
        self._count, self._step = 0, 0
        self._sum: Any = None

    def __len__(self) -> int:
        return self._count

    def apply(self, local_step: Any, *parts: Any) -> None:
        """Add a gradient; one of an earlier step than the accumulator's is left out."""
        with self._changed:
            if int(local_step) < self._step:
                return
            arrays = [array_of(part) for part in parts]
            self._check(arrays)
            self._add(arrays)
            self._count += 1
            self._advance()

    def take_gradient(self, session: Any, required: int) -> Any:
        """Return the mean, or the sum, once there are so many gradients; begin anew with the next step."""
        if required <= 0:
            raise InvalidArgumentError(None, None, f"Argument num_required must be positive, but was {required}")
        attempt = _Take(self, required)
        self.wait(session, self._entered(attempt, self._leaving))
        return attempt.taken

    def set_step(self, step: int) -> None:
        """Set the accumulator's step: gradients of earlier ones are left out from now on."""
        with self._changed:
            if step < self._step:
                log.warning("The global step of %s goes back from %d to %d", self.called, self._step, step)
            self._step = step

    def given_away(self) -> Any:
        """Return what is held, and forget it."""
        found = self._made()
        self._count, self._sum = 0, None
        self._step += 1
        return found

    # What dense gradients and rows differ in ----------------------------------------------------

    def _check(self, arrays: list[Any]) -> None:
        (gradient,) = arrays
        for expected in (self._shape, None if self._sum is None else self._sum.shape):
            if not compatible(expected, gradient.shape):
                _mismatch(f"expected {bracketed(expected)}, got {bracketed(gradient.shape)}")

    def _add(self, arrays: list[Any]) -> None:
        self._sum = arrays[0].copy() if self._sum is None else self._sum + arrays[0]

    def _made(self) -> Any:
        total = self._sum
        return (total / self._count).astype(total.dtype) if self._mean else total


class RowsAccumulated(Accumulated):
    """The sums of rows of gradients in one session: each row is divided by how many gradients had it."""

    def _check(self, arrays: list[Any]) -> None:
        indices, values, sizes = arrays[0], arrays[1], arrays[2].reshape(-1)
        known = self._shape or ()
        if indices.ndim != 1:
            _refuse(f"Input indices should be vector but received shape: {bracketed(indices.shape)}")
        if not values.ndim:
            _refuse("Values cannot be 0-dimensional.")
        if len(indices) != len(values):
            _refuse(f"Expected {len(indices)} non-empty input values, got {len(values)}")
        if sizes.size:
            if len(known) > sizes.size:
                _mismatch(f"expected shape rank at least {len(known)}, got {sizes.size}")
            for k, size in enumerate(known):
                if size is not None and size != sizes[k]:
                    _mismatch(f"expected shape dim {k} to be {size}, got {sizes[k]}")
        if known and known[0] is not None and (beyond := np.flatnonzero(indices >= known[0])).size:
            which = f"index is {indices[beyond[0]]} exceeded {known[0]}"
            _mismatch(f"index of slice {beyond[0]} exceeded limits of shape; {which}")
        if self._sum is None:
            if len(known) > values.ndim:
                _mismatch(f"expected values rank at least {len(known)}, got {values.ndim}")
        else:
            known = self._sum[1].shape
            if len(known) != values.ndim:
                _mismatch(f"expected values rank {len(known)}, got {values.ndim}")
        for k in range(1, len(known)):
            if known[k] is not None and known[k] != values.shape[k]:
                _mismatch(f"expected values dim {k} to be {known[k]}, got {values.shape[k]}")

    def _add(self, arrays: list[Any]) -> None:
        indices, values, _ = arrays
        if self._sum is None:
            self._sum = indices.copy(), values.copy(), np.ones(len(indices), np.int64)
            return
        # Two lists of rows in order become one, in which a row of both is summed. As in TensorFlow a row that
        # comes twice in one gradient stays two rows.
        own, rows, counts = self._sum
        picks: list[tuple[int, int]] = []
        i = j = 0
        while i < len(own) and j < len(indices):
            left, right = own[i] <= indices[j], indices[j] <= own[i]
            picks.append((i if left else -1, j if right else -1))
            i, j = i + left, j + right
        picks += [(k, -1) for k in range(i, len(own))] + [(-1, k) for k in range(j, len(indices))]
        first, second = (np.array(side, np.int64) for side in zip(*picks, strict=True)) if picks else (own[:0],) * 2
        summed = np.zeros((len(picks), *rows.shape[1:]), rows.dtype)
        merged, numbers = np.zeros(len(picks), np.int64), np.zeros(len(picks), np.int64)
        for chosen, ids, given, times in ((first, own, rows, counts), (second, indices, values, 1)):
            here = chosen >= 0
            merged[here] = ids[chosen[here]]
            summed[here] += given[chosen[here]]
            numbers[here] += times if isinstance(times, int) else times[chosen[here]]
        self._sum = merged, summed, numbers

    def _made(self) -> Any:
        indices, values, counts = self._sum
        if self._mean:
            values = (values / counts.reshape(-1, *[1] * (values.ndim - 1))).astype(values.dtype)
        rows = self._shape[0] if self._shape else None
        return indices, values, np.array([-1 if rows is None else rows, *values.shape[1:]], np.int64)


class AccumulatorKind:
    """What an accumulator is; called with a session it gives what is accumulated there.

    Args:
        kind: ``ConditionalAccumulator`` or ``SparseConditionalAccumulator``.
        name, shared: the operation's name, and the one under which others of the session find it.
        dtype, shape: those of gradients, as far as they are known.
        mean: whether the mean is given away, or the sum.
    """

    def __init__(self, kind: str, name: str, shared: str | None, dtype: DType, shape: Shape, mean: bool) -> None:
        self.kind, self.name, self.shared = kind, name, shared
        self.dtype, self.shape, self.mean = dtype, shape, mean

    def __call__(self, session: Any) -> Accumulated:
        key = (bool(self.shared), self.shared or self.name)
        found = session._queues.get(key)
        if found is None:
            made = RowsAccumulated if self.kind.startswith("Sparse") else Accumulated
            found = session._queues.setdefault(key, made(self, self.shared or self.name))
            if session._closed:
                found.cancel()
        first = found.made_by
        if not isinstance(found, Accumulated) or first.kind != self.kind:
            raise InvalidArgumentError(None, None, f"Expected {first.kind}, found {self.kind}")
        if first.dtype != self.dtype:
            names = f"Shared accumulator {self.shared!r} has dtype {first.dtype.name} but requested {self.dtype.name}"
            _refuse(names)
        if first.shape != self.shape:
            shapes = f"{bracketed(first.shape)} but requested {bracketed(self.shape)}"
            _refuse(f"Shared accumulator {self.shared!r} has shape {shapes}")
        return found


def _refuse(why: str) -> None:
    raise InvalidArgumentError(None, None, why)


def _mismatch(why: str) -> None:
    _refuse(f"Shape mismatch: {why}")
