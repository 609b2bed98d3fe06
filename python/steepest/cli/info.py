"""``steepest info``: what this installation is made of."""

from __future__ import annotations

import steepest as st

__all__ = ["show_info"]


def show_info() -> int:
    """Print ``steepest.config()``, aligned."""
    facts = st.config()
    width = max(len(str(name)) for name in facts)
    for name, value in facts.items():
        shown = ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
        print(f"{name:<{width}}  {shown}")
    return 0
