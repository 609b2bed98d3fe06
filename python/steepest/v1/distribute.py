"""``tf.distribute``: what programs ask to learn that they run alone. Its strategies are left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .graph.left_out import LeftOut
from .graph.missing import namespace
from .ops.control_flow_ops import group
from .ops.reduce_ops import reduce_mean, reduce_sum

__all__ = [
    "get_cross_replica_context",
    "get_replica_context",
    "get_strategy",
    "has_strategy",
    "in_cross_replica_context",
]


class _Alone:
    """What stands for the strategy, and for the part of it that is ``extended``, where none was chosen: one replica."""

    num_replicas_in_sync = 1

    @property
    def extended(self) -> _Alone:
        """The functions that classes of optimizers and metrics call."""
        return self

    @contextmanager
    def scope(self) -> Iterator[_Alone]:
        """Give the strategy; there is nothing that it changes inside."""
        yield self

    def call_for_each_replica(self, fn: Callable[..., Any], args: Any = (), kwargs: Any = None) -> Any:
        """Return ``fn(*args, **kwargs)``."""
        return fn(*args, **(kwargs or {}))

    experimental_run_v2 = run = call_for_each_replica

    def experimental_run(self, fn: Callable[..., Any], input_iterator: Any = None) -> Any:
        """Return what a function gives, of the iterator's next value where there is one."""
        return fn() if input_iterator is None else fn(input_iterator.get_next())

    def reduce(self, reduce_op: Any, value: Any, axis: Any = None) -> Any:
        """Return the value of the only replica; with ``axis`` its sum or mean along it."""
        if axis is None:
            return value
        how = str(getattr(reduce_op, "name", reduce_op)).upper()
        return (reduce_mean if how == "MEAN" else reduce_sum)(value, axis)

    def group(self, value: Any, name: str | None = None) -> Any:
        """Return the operation that is done when all of some are."""
        return group(value, name=name)

    def unwrap(self, value: Any) -> list[Any]:
        """Return the value of each replica."""
        return [value]

    def update_non_slot(
        self, colocate_with: Any, fn: Callable[..., Any], args: Any = (), kwargs: Any = None, group: bool = True
    ) -> Any:
        """Return ``fn(*args, **kwargs)``."""
        return fn(*args, **(kwargs or {}))

    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        """Return the value of the only replica."""
        return value

    def batch_reduce_to(self, reduce_op: Any, value_destination_pairs: Any) -> list[Any]:
        """Return the values of the only replica."""
        return [value for value, _ in value_destination_pairs]

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


def get_cross_replica_context() -> None:
    """Return None: there is nothing across replicas."""


def get_strategy() -> Any:
    """Return what stands for the strategy of one replica: it calls functions, and gives their values as they are."""
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
