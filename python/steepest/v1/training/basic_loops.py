"""``tf.train.basic_train_loop``: steps of a program in a supervisor's session until it is to stop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..graph.errors import AbortedError

__all__ = ["basic_train_loop"]


def basic_train_loop(
    supervisor: Any,
    train_step_fn: Callable[..., Any],
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    master: str = "",
) -> None:
    """Call ``train_step_fn(session, *args, **kwargs)`` until the supervisor says to stop.

    It begins again in a new session where a step raises AbortedError; what else a step raises ends it.

    Source: ``tf.train.basic_train_loop``.
    """
    again = True
    while again:
        again = False
        try:
            with supervisor.managed_session(master) as session:
                while not supervisor.should_stop():
                    train_step_fn(session, *(args or ()), **(kwargs or {}))
        except AbortedError:
            again = True
