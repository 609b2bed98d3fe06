"""``get_local_variable``: variables of a session's own, which are not trained and not saved."""

from __future__ import annotations

import inspect
from typing import Any

from ...variables.collections import GraphKeys
from .get_variable import get_variable

__all__ = ["get_local_variable"]


def get_local_variable(name: str, *args: Any, **options: Any) -> Any:
    """Return ``get_variable`` of a variable in LOCAL_VARIABLES, and in ``collections``, that is not trained."""
    given = _SIGNATURE.bind(name, *args, **options).arguments
    kept = [*(given.get("collections") or ()), GraphKeys.LOCAL_VARIABLES]
    return get_variable(**{**given, "collections": kept, "trainable": False})


_SIGNATURE = inspect.signature(get_variable)
get_local_variable.__signature__ = _SIGNATURE  # type: ignore[attr-defined]  # programs ask both for the same arguments
