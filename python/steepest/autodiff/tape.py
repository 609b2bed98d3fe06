"""Reverse-mode differentiation: the tape that users open."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import numpy as np

from ..base.arrays import to_flag
from ..base.errors import must
from ..ops import vjps as vjps  # without a rule nothing is recorded
from ..ops.dispatch import is_recorded
from ..ops.state import begin_recording, end_recording, leave_ended, next_number
from ..ops.tensor import Tensor
from ..variables.variable import Variable
from .backward import gradients

__all__ = ["GradientTape", "is_recorded"]


class GradientTape:
    """Record operations, to differentiate what they compute.

    Inside ``with GradientTape() as tape:`` whatever NumPy computes from watched tensors, and from trainable variables,
    is recorded; ``tape.gradient(target, sources)`` differentiates it. Tapes nest: an outer tape records the gradient
    computation of an inner one, which gives derivatives of derivatives. A thread begins without tapes; an asyncio
    task, like any copy of a context, with those that record where it is made, until they end.

    Inside, and in ``gradient``, NumPy's arrays of 64 KiB and more are made in memory that is kept for those of the next
    step (at most 64 MiB of it while it is free): large ones would else cost more in fresh pages than in arithmetic.

    Args:
        persistent: allow several calls of ``gradient``. Variables are then copied, once for each version that is
            read, so that they may change between; otherwise they are used as they are, and changing one before
            ``gradient`` is an error.
        watch_accessed_variables: watch trainable variables when they are read.

    Source: ``tf.GradientTape``.

    Example:
        >>> w = st.Variable([1.0, 2.0])
        >>> with st.GradientTape() as tape:
        ...     loss = np.sum(w * w)
        >>> tape.gradient(loss, w).tolist()
        [2.0, 4.0]
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = to_flag("GradientTape", "persistent", persistent)
        self._watches_accessed = to_flag("GradientTape", "watch_accessed_variables", watch_accessed_variables)
        self._active = False
        self._start()

    def _start(self) -> None:
        self._watched: set[Any] = set()  # variables and leaf tensors
        self._intervals: list[tuple[int, float]] = []  # sequence numbers during which it recorded; the last may be open
        self._snapshots: dict[Variable, tuple[int, np.ndarray[Any, Any]]] = {}
        self._used = False
        self._shared = False  # another tape recorded at the same time, and may need what this one recorded
        self._first: int = 0

    def __repr__(self) -> str:
        doing = "recording" if self._active else "used" if self._used else "not recording"
        return f"<GradientTape {doing}, watching {len(self._watched)}>"

    # Recording

    def __enter__(self) -> GradientTape:
        if self._active:
            raise ValueError(must("GradientTape", "tape", "not be entered while it records", "an active tape"))
        self._resume()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._active:
            self._pause()
        else:
            leave_ended()

    def _resume(self) -> None:
        self._intervals.append((next_number(), math.inf))
        self._first = self._intervals[0][0]
        self._active = True
        self._recording = begin_recording(self)
        tapes = self._recording.tapes
        if len(tapes) > 1:
            for tape in tapes:
                tape._shared = True

    def _pause(self) -> None:
        first, _ = self._intervals.pop()
        self._intervals.append((first, next_number()))
        self._active = False
        end_recording(self, self._recording)

    def _recorded(self, number: int) -> bool:
        return any(first <= number < last for first, last in self._intervals)

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Record nothing on this tape inside ``with tape.stop_recording():``.

        Raises:
            ValueError: when the tape does not record.
        """
        if not self._active:
            raise ValueError(must("GradientTape.stop_recording", "tape", "be recording", "one that does not"))
        self._pause()
        try:
            yield
        finally:
            self._resume()

    def reset(self) -> None:
        """Forget everything recorded and watched, and go on recording if the tape did."""
        active = self._active
        if active:
            self._pause()
        self._start()
        if active:
            self._resume()

    def watch(self, tensor: Any) -> None:
        """Follow a Tensor, a Variable, or each in a nested list, tuple or dict, from now on.

        Raises:
            TypeError: for anything else.
            ValueError: for an ndarray, which cannot be followed.
        """
        if isinstance(tensor, Variable):
            self._watched.add(tensor)
            tensor._seen = (None, None)
        elif isinstance(tensor, (list, tuple)):
            for item in tensor:
                self.watch(item)
        elif isinstance(tensor, dict):
            self.watch(list(tensor.values()))
        elif isinstance(tensor, Tensor):
            if tensor.dtype.kind not in "biuO":
                self._watched.add(tensor)
                tensor.mark = next_number()
        elif isinstance(tensor, (np.ndarray, np.generic)):
            remedy = "an ndarray cannot be followed, make a steepest.constant of it and compute with that"
            raise ValueError(must("GradientTape.watch", "tensor", "be a Tensor or a Variable", tensor, remedy))
        else:
            raise TypeError(must("GradientTape.watch", "tensor", "be a Tensor or a Variable", tensor))

    def watched_variables(self) -> tuple[Variable, ...]:
        """Return the variables watched so far, in the order of their creation."""
        variables = [item for item in self._watched if isinstance(item, Variable)]
        return tuple(sorted(variables, key=lambda variable: variable._order))

    def _snapshot(self, variable: Variable) -> np.ndarray[Any, Any]:
        version, array = self._snapshots.get(variable, (None, None))
        if version != variable._version or array is None:
            array = variable.numpy()
            self._snapshots[variable] = (variable._version, array)
        return array

    # Differentiation

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: str = "none",
    ) -> Any:
        """Return the gradients of ``sum(target)`` with respect to ``sources``, in the structure of ``sources``.

        Args:
            target: a value computed under this tape, or a nested list, tuple or dict of them, which are summed.
            sources: a watched Tensor or Variable, or a nested list, tuple or dict of them.
            output_gradients: the gradient that arrives at the target, in its structure and shape; ones by default.
            unconnected_gradients: ``'none'`` gives None for a source that the target does not depend on,
                ``'zero'`` zeros.

        Returns:
            New arrays of the sources' shapes and types. Where a source was only read by rows (``gather``,
            ``nn.embedding_lookup``, ``w[ids]``) `IndexedSlices`, repeats kept. Recorded tensors under an outer tape.

        Raises:
            RuntimeError: at the second call on a tape that is not persistent, and when a variable has changed since it
                was read.
            TypeError: for a target of None, or sources that cannot be watched.
            ValueError: for an unknown ``unconnected_gradients``, or an output gradient of another shape.
        """
        if unconnected_gradients not in ("none", "zero"):
            raise ValueError(
                f"GradientTape.gradient: Unknown value for unconnected_gradients: {unconnected_gradients!r}; "
                "it must be 'none' or 'zero'"
            )
        if self._used:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients: GradientTape.gradient "
                "can only be called once on non-persistent tapes; open it with persistent=True for more"
            )
        if self._active and not self._persistent:
            self._pause()
        result = gradients(self, target, sources, output_gradients, unconnected_gradients == "zero")
        self._used = not self._persistent
        return result
