"""What layers are called that were given no name."""

from __future__ import annotations

import re
from collections import Counter
from weakref import WeakKeyDictionary

from ..graph.graph import Graph, get_default_graph

__all__ = ["numbered", "snake_case"]

_counts: WeakKeyDictionary[Graph, Counter[str]] = WeakKeyDictionary()


def snake_case(name: str) -> str:
    """Return the name of a class in lower case, its words joined by ``_``."""
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name)).lower()
    return f"private{words}" if words.startswith("_") else words


def numbered(base: str) -> str:
    """Return the name with the number of the layer among those of the default graph that have it, from 1."""
    counts = _counts.setdefault(get_default_graph(), Counter())
    counts[base] += 1
    return f"{base}_{counts[base]}"
