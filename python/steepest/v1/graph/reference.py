"""What stands for a tensor or a variable in sets and dicts: they compare in other ways themselves in some programs."""

from __future__ import annotations

from typing import Any

__all__ = ["Reference"]


class Reference:
    """Stands for a tensor or a variable in sets and dicts; ``deref()`` gives it back. Source: ``tf.Tensor.ref``."""

    __slots__ = ("__weakref__", "_of")

    def __init__(self, of: Any) -> None:
        self._of = of

    def deref(self) -> Any:
        """Return the tensor or variable."""
        return self._of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and other._of is self._of

    def __hash__(self) -> int:
        return id(self._of)
