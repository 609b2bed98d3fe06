"""``VariableWatcher`` of ``tensorflow.python.eager``: which trainable variables eager code uses."""

from __future__ import annotations

from typing import Any

from ..autodiff.eager_tape import EagerTape

__all__ = ["VariableWatcher"]


class VariableWatcher:
    """Tells which trainable variables are read or assigned to within a block.

    Source: ``tensorflow.python.eager.record.VariableWatcher``.
    """

    def __init__(self) -> None:
        self._tape = EagerTape()

    def __enter__(self) -> VariableWatcher:
        self._tape.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._tape.__exit__(*error)

    def watched_variables(self) -> tuple[Any, ...]:
        """Return the variables, in the order of their creation."""
        return self._tape.watched_variables()
