"""What the operations of queues do when a session runs: they make the queue, put elements in, take some out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, starmap
from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.dtypes import DType
from ..graph.errors import InvalidArgumentError
from ..graph.shapes import Shape, TensorShape, bracketed, compatible
from .queue_elements import Fifo, Prioritized, Shuffled
from .queue_waiting import Attempt, Elements
from .random_sequences import Draws, SeededDraws

__all__ = ["Close", "Dequeue", "DequeueMany", "Enqueue", "EnqueueMany", "Kind", "is_closed", "size"]

_numbers = count()


class Kind:
    """What a queue is; called with a session it gives the queue's elements there.

    Args:
        kind: ``FIFOQueue``, ``PaddingFIFOQueue``, ``RandomShuffleQueue`` or ``PriorityQueue``.
        name, shared: the operation's name, and the one under which others of the session find it.
        capacity, kept: how many elements there may be, and how many must stay until it is closed.
        dtypes, shapes: those of an element's components; None where shapes are free.
        seeds: those of the draws.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        shared: str | None,
        capacity: int,
        dtypes: Sequence[DType],
        shapes: Sequence[Shape] | None,
        kept: int = 0,
        seeds: tuple[Any, Any] = (None, None),
    ) -> None:
        self.kind, self.name, self.shared = kind, name, shared
        self.capacity, self.kept, self.seeds = int(capacity), int(kept), seeds
        self.dtypes, self.shapes = list(dtypes), None if shapes is None else list(shapes)

    def __call__(self, session: Any) -> Elements:
        key = (bool(self.shared), self.shared or self.name)
        found: Elements | None = session._queues.get(key)
        if found is None:
            found = session._queues.setdefault(key, self.made())
            if session._closed:
                found.cancel()
        if found.made_by is not self:
            self._check(found.made_by)
        return found

    def made(self) -> Elements:
        """Return the elements of a new queue."""
        called = self.shared or f"_{next(_numbers)}_{self.name}"
        made: Elements
        if self.kind == "RandomShuffleQueue":
            if self.kept < 0:
                self._refuse(f"min_after_dequeue {self.kept} must be >= 0")
            if self.kept >= self.capacity >= 0:
                self._refuse(f"min_after_dequeue {self.kept} must be < capacity {self.capacity}")
            draws = Draws() if self.seeds[1] is None else SeededDraws(self.seeds)
            made = Shuffled(self.kind, called, self.capacity, self.kept, draws)
        else:
            made = (Prioritized if self.kind == "PriorityQueue" else Fifo)(self.kind, called, self.capacity)
        made.made_by = self
        return made

    def _check(self, first: Kind) -> None:
        """Raise InvalidArgumentError where another operation has made a queue of another kind under the name."""
        if first.kind != self.kind:
            self._refuse(f"Expected {first.kind}, found {self.kind}")
        for what, has, asked in (
            ("capacity", first.capacity, self.capacity),
            ("component types", _names(first.dtypes), _names(self.dtypes)),
            ("component shapes", _shown(first.shapes), _shown(first.shapes if self._fits(first) else self.shapes)),
            ("min_after_dequeue", first.kept, self.kept),
            ("random seeds", first.seeds, self.seeds),
        ):
            if has != asked:
                self._refuse(f"Shared queue {self.shared!r} has {what} {has} but requested {what} was {asked}")

    def _fits(self, first: Kind) -> bool:
        """Tell whether shapes, which a queue that pads knows in part, may be those of another operation."""
        if self.kind != "PaddingFIFOQueue" or self.shapes is None or first.shapes is None:
            return False
        return all(starmap(_agree, zip(self.shapes, first.shapes, strict=False)))

    def _refuse(self, why: str) -> None:
        raise InvalidArgumentError(None, None, why)


def _names(dtypes: Sequence[DType]) -> str:
    return ", ".join(dtype.name for dtype in dtypes)


def _shown(shapes: Sequence[Shape] | None) -> str:
    return f"[{','.join(bracketed(shape) for shape in shapes or ())}]"


def _agree(one: Shape, other: Shape) -> bool:
    return TensorShape(one).is_compatible_with(other)


def _check_shape(position: int, expected: Shape, shape: tuple[int, ...]) -> None:
    if not compatible(expected, shape):
        raise InvalidArgumentError(
            None,
            None,
            f"Shape mismatch in tuple component {position}. Expected {bracketed(expected)}, got {bracketed(shape)}",
        )


class Enqueue:
    """Puts one element in."""

    def __call__(self, session: Any, elements: Elements, *values: Any) -> None:
        self.end(session, self.begin(session, elements, *values))

    def begin(self, session: Any, elements: Elements, *values: Any) -> Attempt | None:
        """Begin, and do not wait."""
        del session
        kind: Kind = elements.made_by
        arrays = [np.array(unwrap(value), dtype.dtype) for value, dtype in zip(values, kind.dtypes, strict=False)]
        new = self._elements(kind, arrays)
        return elements.put(new) if new else None

    def end(self, session: Any, attempt: Attempt | None) -> None:
        """Wait until all are in."""
        if attempt is not None:
            attempt.elements.wait(session, attempt)

    def _elements(self, kind: Kind, arrays: list[Any]) -> list[Any]:
        for k, (array, expected) in enumerate(zip(arrays, kind.shapes or (), strict=False)):
            _check_shape(k, expected, array.shape)
        return [tuple(arrays)]


class EnqueueMany(Enqueue):
    """Puts the rows of its arrays in, one after the other."""

    def _elements(self, kind: Kind, arrays: list[Any]) -> list[Any]:
        rows = arrays[0].shape[:1]
        for k, array in enumerate(arrays):
            expected = None if kind.shapes is None else kind.shapes[k]
            if expected is not None or not array.ndim:
                _check_shape(k, (*(rows or (None,)), *(expected or ())), array.shape)
            elif array.shape[:1] != rows:
                sizes = f"component 0 has {rows[0]}, and component {k} has {array.shape[0]}"
                message = f"All input tensors must have the same size in the 0th dimension. {sizes}"
                raise InvalidArgumentError(None, None, message)
        return [tuple(array[k, ...] for array in arrays) for k in range(rows[0])]


class Dequeue:
    """Takes one element out."""

    def __call__(self, session: Any, elements: Elements) -> Any:
        (element,) = elements.take(session)
        return element if len(element) > 1 else element[0]


class DequeueMany:
    """Takes several out, stacked; with ``up_to`` what is left where the queue is closed."""

    def __init__(self, up_to: bool) -> None:
        self.up_to = up_to

    def __call__(self, session: Any, elements: Elements, n: Any) -> Any:
        kind: Kind = elements.made_by
        if kind.shapes is None:
            why = f"{kind.kind}'s DequeueMany and DequeueUpTo require the components to have specified shapes."
            raise InvalidArgumentError(None, None, why)
        if n < 0:
            doing = "DequeueUpTo" if self.up_to else "DequeueMany"
            raise InvalidArgumentError(None, None, f"{doing} must request 0 or more elements, got {int(n)}")
        rows = elements.take(session, int(n), self.up_to) if n else []
        stacked = tuple(
            _stacked([row[k] for row in rows], dtype, shape)
            for k, (dtype, shape) in enumerate(zip(kind.dtypes, kind.shapes, strict=True))
        )
        return stacked if len(stacked) > 1 else stacked[0]


def _stacked(arrays: list[Any], dtype: DType, shape: Shape) -> Any:
    """Return arrays below each other; smaller ones are filled up with zeros or empty texts."""
    if not arrays:
        return np.zeros((0, *(size or 0 for size in shape or ())), dtype.dtype)
    if shape is None or None not in shape:
        return np.stack(arrays)
    largest = tuple(max(sizes) for sizes in zip(*(array.shape for array in arrays), strict=True))
    stacked = np.full((len(arrays), *largest), b"" if dtype == "string" else 0, dtype.dtype)
    for k, array in enumerate(arrays):
        stacked[k][tuple(slice(size) for size in array.shape)] = array
    return stacked


class Close:
    """Closes a queue; with ``cancel`` what waits to enter is cancelled."""

    def __init__(self, cancel: bool) -> None:
        self.cancel = cancel

    def __call__(self, session: Any, elements: Elements) -> None:
        elements.close(session, self.cancel)


def size(session: Any, elements: Elements) -> Any:
    """Return how many elements there are."""
    del session
    return np.int32(len(elements))


def is_closed(session: Any, elements: Elements) -> Any:
    """Tell whether nothing enters any more."""
    del session
    return np.bool_(elements.closed)
