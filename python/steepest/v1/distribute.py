"""``tf.distribute``: what programs ask to learn that they run alone. Its strategies are left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .graph.left_out import LeftOut
from .graph.missing import namespace

__all__ = ["get_replica_context", "get_strategy", "has_strategy", "in_cross_replica_context"]


class _Alone:
    """What stands for the strategy, and for the part of it that is ``extended``, where none was chosen: one replica."""

    num_replicas_in_sync = 1

    @property
    def extended(self) -> _Alone:
        """The functions that classes of optimizers and metrics call."""
        return self

    def read_var(self, v: Any) -> Any:
        """Return what a variable holds."""
        return v.read_value()

    def update(self, var: Any, fn: Callable[..., Any], args: Any = (), kwargs: Any = None, group: bool = True) -> Any:
        """Return ``fn(var, *args, **kwargs)``."""
        return fn(var, *args, **(kwargs or {}))

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """Return the value of each replica."""
        return (value,)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return LeftOut(f"distribute.Strategy.{name}")


class _Replica:
    """What stands for the only replica."""

    num_replicas_in_sync = 1
    replica_id_in_sync_group = 0
    strategy: _Alone

    def merge_call(self, merge_fn: Callable[..., Any], args: Any = (), kwargs: Any = None) -> Any:
        """Return ``merge_fn(strategy, *args, **kwargs)``: there is nobody to wait for."""
        return merge_fn(self.strategy, *args, **(kwargs or {}))


_alone, _replica = _Alone(), _Replica()
_replica.strategy = _alone


def get_replica_context() -> Any:
    """Return what stands for the only replica: its ``merge_call`` calls a function with the strategy."""
    return _replica


def get_strategy() -> Any:
    """Return what tells that there is one replica: its ``num_replicas_in_sync`` is 1; the rest is left out."""
    return _alone


def has_strategy() -> bool:
    """Return False."""
    return False


def in_cross_replica_context() -> bool:
    """Return False."""
    return False


_missing, __dir__ = namespace(__name__)


def __getattr__(name: str) -> Any:
    return _missing(name) if name.startswith("__") else LeftOut(f"distribute.{name}")
