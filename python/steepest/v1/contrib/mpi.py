"""Horovod's names, on `steepest.mpi`: ``import steepest.v1.contrib.mpi as hvd``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...mpi import allgather as _allgather
from ...mpi import allreduce as _allreduce
from ...mpi.meeting import meeting_of
from ...ops.dispatch import unwrap
from ..graph.build import call
from ..training.replicas import (
    BroadcastGlobalVariablesHook,
    DistributedOptimizer,
    SyncReplicasOptimizer,
    broadcast_global_variables,
)

__all__ = [
    "BroadcastGlobalVariablesHook",
    "DistributedOptimizer",
    "SyncReplicasOptimizer",
    "allgather",
    "allreduce",
    "broadcast_global_variables",
    "init",
    "rank",
    "size",
]


def init(comm: Any = None) -> None:
    """Begin; with mpi4py this is done already.

    Raises:
        ImportError: where mpi4py is not installed and no communicator is given.
    """
    meeting_of("init", comm)


def rank(comm: Any = None) -> int:
    """Return this process's number, from 0."""
    return meeting_of("rank", comm).wire.rank


def size(comm: Any = None) -> int:
    """Return the number of processes."""
    return meeting_of("size", comm).wire.size


def allreduce(tensor: Any, average: bool = True, comm: Any = None) -> Any:
    """Return the mean, or the sum, of all ranks' tensors of one shape, added in a fixed order; in graphs a node."""

    def run(value: Any) -> Any:
        return _allreduce(np.asarray(unwrap(value)), average, comm).astype(np.asarray(unwrap(value)).dtype)

    return call("HorovodAllreduce", run, [tensor], shape=lambda shape: shape, differentiable=False)


def allgather(tensor: Any, comm: Any = None) -> Any:
    """Return all ranks' tensors one after the other along the first axis; in graphs a node."""

    def run(value: Any) -> Any:
        return np.concatenate(_allgather(np.asarray(unwrap(value)), comm))

    return call("HorovodAllgather", run, [tensor], shape=lambda s: s and (None, *s[1:]), differentiable=False)
