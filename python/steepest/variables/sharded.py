"""What the core knows of a parameter of which each process has a part: that it can be chosen, and nothing else."""

from __future__ import annotations

__all__ = ["Sharded"]


class Sharded:
    """Base class of parameters of which each process has a part."""
