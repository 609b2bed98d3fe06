"""Servers of this process: what the sessions on them share, and how a session waits for those of its cluster."""

from __future__ import annotations

import threading
from collections.abc import Iterator, MutableMapping
from typing import Any

from ...base.locks import renew_lock_in_children
from .errors import UnimplementedError

__all__ = ["Cluster", "cluster_of", "is_served", "reset", "serve"]

PATIENCE = 10.0
"""How many seconds a session waits until each task of its cluster has a server in this process."""

_change = threading.Condition()
_of_targets: dict[str, Cluster] = {}


class _ByName(MutableMapping[Any, Any]):
    """Variables by operation, where operations of one name are one: also those of several graphs."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[Any, Any]] = {}

    def __getitem__(self, op: Any) -> Any:
        return self._held[op.name][1]

    def __setitem__(self, op: Any, variable: Any) -> None:
        self._held[op.name] = op, variable

    def __delitem__(self, op: Any) -> None:
        del self._held[op.name]

    def __iter__(self) -> Iterator[Any]:
        return iter([op for op, _ in self._held.values()])

    def __len__(self) -> int:
        return len(self._held)


class Cluster:
    """Tasks, some of which have servers in this process, and what sessions on these servers share.

    Args:
        addresses: the address of each task by its name.
    """

    def __init__(self, addresses: dict[str, str]) -> None:
        self.addresses = addresses
        self.served: set[str] = set()
        self.variables = _ByName()
        self.optimizers: dict[Any, Any] = {}
        self._updating = threading.RLock()
        renew_lock_in_children(self, "_updating")

    @property
    def updating(self) -> Any:
        """The lock of runs that write or differentiate, of all sessions."""
        return self._updating

    def missing(self) -> list[str]:
        """Return the tasks that have no server here."""
        return sorted(set(self.addresses) - self.served)


def serve(addresses: dict[str, str], task: str, target: str) -> None:
    """Let sessions with a target be on a task of a cluster."""
    with _change:
        same = (each for each in _of_targets.values() if each.addresses == addresses)
        cluster = _of_targets[target] = next(same, None) or Cluster(addresses)
        cluster.served.add(task)
        _change.notify_all()


def is_served(target: str) -> bool:
    """Tell whether a target is that of a server of this process."""
    return target in _of_targets


def cluster_of(target: str) -> Cluster | None:
    """Return the cluster of a server's target when all its tasks are served; None for another target.

    Raises UnimplementedError where some have no server in this process: nothing here reaches other processes. Sessions
    that are made anew when a server is unavailable would wait without end.
    """
    cluster = _of_targets.get(target)
    if cluster is None:
        return None
    with _change:
        if not _change.wait_for(lambda: not cluster.missing(), PATIENCE):
            missing = ", ".join(cluster.missing())
            raise UnimplementedError(
                None,
                None,
                f"CreateSession still waiting for response from worker: {missing}; each task must have a "
                "tf.train.Server in this process, take steepest.mpi for several processes",
            )
    return cluster


def reset(target: str) -> None:
    """Forget the variables of the cluster that a server's target is in."""
    if cluster := _of_targets.get(target):
        with cluster.updating:
            cluster.variables.clear()
            cluster.optimizers.clear()
