"""The error that ends a command with one line instead of a traceback."""

from __future__ import annotations

__all__ = ["CommandError"]


class CommandError(Exception):
    """What the user can put right; ``main`` prints it as one line and exits with ``status``."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.status = status
