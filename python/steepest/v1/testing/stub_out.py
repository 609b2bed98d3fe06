"""``tf.test.StubOutForTesting``: attributes replaced for the length of a test."""

from __future__ import annotations

import inspect
from types import TracebackType
from typing import Any

__all__ = ["StubOutForTesting"]


class StubOutForTesting:
    """Replaces attributes of modules, classes and objects, and puts them back."""

    def __init__(self) -> None:
        self._before: list[tuple[Any, str, Any]] = []

    def __enter__(self) -> StubOutForTesting:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.CleanUp()

    def Set(self, parent: Any, child_name: str, new_child: Any) -> None:
        """Replace an attribute until `CleanUp`."""
        before = getattr(parent, child_name)
        own = vars(parent).get(child_name) if inspect.isclass(parent) else before
        self._before.append((parent, child_name, own if isinstance(own, staticmethod) else before))
        setattr(parent, child_name, new_child)

    SmartSet = Set

    def CleanUp(self) -> None:
        """Put everything back, the last first."""
        while self._before:
            setattr(*self._before.pop())

    SmartUnsetAll = UnsetAll = CleanUp
