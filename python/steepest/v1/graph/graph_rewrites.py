"""Whether a program has asked for mixed precision, and made sessions before: TensorFlow warns of these.

The names are those of TensorFlow's ``mixed_precision_global_state``. Here no graph is rewritten.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "is_mixed_precision_graph_rewrite_enabled",
    "non_mixed_precision_session_created",
    "options_of_graphs",
    "session_made",
    "set_mixed_precision_graph_rewrite_enabled",
    "set_non_mixed_precision_session_created",
]

options_of_graphs: dict[str, Any] = {}  # what `tf.config.optimizer.set_experimental_options` was given
_state = {"enabled": False, "plain session": False}


def is_mixed_precision_graph_rewrite_enabled() -> bool:
    """Tell whether mixed precision was asked for."""
    return _state["enabled"]


def set_mixed_precision_graph_rewrite_enabled(enabled: bool) -> None:
    """Note whether mixed precision is asked for."""
    _state["enabled"] = enabled


def non_mixed_precision_session_created() -> bool:
    """Tell whether there was a session while mixed precision was not asked for."""
    return _state["plain session"]


def set_non_mixed_precision_session_created(created: bool) -> None:
    """Note whether there was such a session."""
    _state["plain session"] = created


def session_made() -> None:
    """Note that a session was made."""
    if not _state["enabled"]:
        _state["plain session"] = True
