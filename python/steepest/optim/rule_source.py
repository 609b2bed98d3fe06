"""What an update reads of an optimizer."""

from __future__ import annotations

from typing import Any, Protocol

from .counters import Counters

__all__ = ["RuleSource"]


class RuleSource(Protocol):
    """An optimizer; in graph mode, an optimizer in one session."""

    _rule: str | None
    _name: str
    _hooks: list[Any]
    _counters: Counters

    def _hyper(self) -> dict[str, Any]:
        """Return the rule's hyper-parameters, in its order, as the user gave them."""
