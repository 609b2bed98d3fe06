"""Horovod's names, on `steepest.mpi`: ``import steepest.v1.contrib.mpi as hvd``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import describe, must
from ...mpi import allgather as _allgather
from ...mpi import allreduce as _allreduce
from ...mpi import broadcast_variables as _broadcast_variables
from ...mpi.meeting import meeting_of
from ...ops.dispatch import unwrap
from ...variables.collections import GraphKeys, global_variables
from ..graph.build import call
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..ops.control_flow_ops import group
from ..training.replicas import DistributedOptimizer, SyncReplicasOptimizer
from ..training.state_ops import assign

__all__ = [
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


def broadcast_global_variables(root_rank: int, comm: Any = None) -> Any:
    """Give the global variables the values that they have on one rank; in graphs the operation that does it."""
    if not isinstance(root_rank, int):
        raise TypeError(must("broadcast_global_variables", "root_rank", "be an integer", describe(root_rank)))
    if executing_eagerly():
        _broadcast_variables(global_variables(), root_rank, comm)
        return None
    variables: list[Any] = get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES)

    def run(*values: Any) -> Any:
        copies = [np.array(unwrap(value)) for value in values]
        _broadcast_variables(copies, root_rank, comm)
        return copies[0] if len(copies) == 1 else tuple(copies)

    if not variables:
        return group()
    forms: dict[str, Any] = {"same": False, "differentiable": False}
    shapes = [variable._tensor()._shape for variable in variables]
    dtypes = [variable.dtype.base_dtype for variable in variables]
    if len(variables) == 1:
        nodes: Any = [call("HorovodBroadcast", run, variables, shape=shapes[0], dtype=dtypes[0], **forms)]
    else:
        nodes = call("HorovodBroadcast", run, variables, shape=shapes, dtype=dtypes, outputs=len(shapes), **forms)
    return group(*(assign(variable, node) for variable, node in zip(variables, nodes, strict=True)))
