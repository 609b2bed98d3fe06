"""TensorFlow's ``summary_op_util``: what programs make operations of summaries with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..graph import log
from ..graph.graph import get_default_graph
from ..graph.scopes import name_scope

__all__ = ["clean_tag", "collect", "summary_scope"]


def collect(val: Any, collections: Any, default_collections: Any) -> None:
    """Put a value into collections, by default into the default ones."""
    for key in default_collections if collections is None else collections:
        get_default_graph().add_to_collection(key, val)


def clean_tag(name: Any) -> Any:
    """Return a name that operations may have, and say where it is another one."""
    if name is None:
        return None
    new = re.sub(r"[^-\w./]", "_", str(name)).lstrip("/")
    if new != name:
        log.info("Summary name %s is illegal; using %s instead.", name, new)
    return new


@contextmanager
def summary_scope(
    name: Any, family: Any = None, default_name: str | None = None, values: Any = None
) -> Iterator[tuple[str, str]]:
    """Open the scope of a summary; ``with`` gives its tag, which begins with the family, and the scope.

    Raises ValueError where there is no name at all.
    """
    name, family = clean_tag(name), clean_tag(family)
    if name is None and family is None and default_name is None:
        raise ValueError("At least one of name (None) and default_name (None) must be provided.")
    with name_scope(name if family is None else f"{family}/{name}", default_name, values) as scope:
        yield (scope.rstrip("/") if family is None else f"{family}/{scope.rstrip('/')}"), scope
