"""Steps of a run that let its tape watch what gradients are asked of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import is_recorded
from ...ops.state import recording
from ...ops.tensor import Tensor as EagerTensor
from ...variables.variable import Variable

__all__ = ["reading_watched", "watched_value"]

_NOT_SEEN = (None, None)  # a variable's `_seen` that no tape has read


def reading_watched(read: Callable[[Any], Variable]) -> Callable[[Any], Variable]:
    """Return the function that reads a session's variable and lets the tape of the run watch it, in one step."""

    def read_watched(session: Any) -> Variable:
        variable = read(session)
        session._watched.add(variable)
        variable._seen = _NOT_SEEN
        return variable

    return read_watched


def watched_value(value: Any) -> Any:
    """Let the tape of this run watch a value, as a gradient node asks for its gradient."""
    tape = recording().tapes[-1]
    if isinstance(value, Variable):
        tape.watch(value)
        return value
    if is_recorded(value):
        if not tape._recorded(value.number):  # a tape outside of the run records it
            tape.watch(value)
        return value
    if hasattr(value, "element_dtype"):
        return value  # a list, of whose elements the tape knows
    tensor = EagerTensor(np.asarray(value))
    tape.watch(tensor)
    return tensor
