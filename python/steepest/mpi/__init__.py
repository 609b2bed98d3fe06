"""Training on several machines by MPI, with the same bits whatever their number; docs/mpi.md."""

from . import leaving as leaving  # the end of a rank is told to the others
from .checkpoint import restore, save
from .collectives import allgather, allreduce, broadcast_variables, is_root, share, together
from .meeting import RankError
from .optimizer import DistributedOptimizer
from .sharded import ShardedVariable

__all__ = [
    "DistributedOptimizer",
    "RankError",
    "ShardedVariable",
    "allgather",
    "allreduce",
    "broadcast_variables",
    "is_root",
    "restore",
    "save",
    "share",
    "together",
]
