"""Training on the ranks of mpiexec: each batch is cut into micro-batches, which are dealt out to the ranks."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import steepest as st

from .. import mpi
from ..base.errors import must
from ..mpi.alone import Alone
from .cbow import Batch
from .errors import CommandError

__all__ = ["MICRO_BATCHES", "Ranks", "by_mpiexec"]

MICRO_BATCHES = 4
"""In how many a batch is cut under mpiexec: a number that is not that of the ranks, whose results are the same."""

_LAUNCHERS = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "PMIX_RANK")  # what mpich's and others' mpiexec set


def by_mpiexec() -> bool:
    """Tell whether this process is a rank that mpiexec has started."""
    return any(name in os.environ for name in _LAUNCHERS)


class Ranks:
    """The ranks that train, and this one's part of each batch.

    Args:
        count: the micro-batches in a batch.
        comm: a communicator; by default that of mpiexec, and without it one rank.

    Raises CommandError where mpiexec is used without mpi4py.
    """

    def __init__(self, count: int, comm: Any = None) -> None:
        self.comm = comm if comm is not None or by_mpiexec() else Alone()
        try:
            self.is_root = mpi.is_root(self.comm)
        except ImportError as error:
            raise CommandError(f"words: {error}") from None
        self.count, self.mine = count, mpi.share(count, self.comm)
        self.size = len(mpi.allgather(0, self.comm))
        if count < self.size:
            rule, remedy = f"be at least {self.size}, one for each rank", f"add --micro-batches {self.size}"
            raise CommandError(must("words", "--micro-batches", rule, count, remedy))

    def optimizer(self, optimizer: st.Optimizer) -> mpi.DistributedOptimizer:
        """Return the optimizer of all ranks; each has all of its state, which one of them saves."""
        calls = max(1, len(self.mine))
        return mpi.DistributedOptimizer(optimizer, self.comm, average=False, micro_batches=calls, shards=False)

    def parts(self, batch: Batch) -> Iterator[Batch]:
        """Yield this rank's micro-batches of a batch; some may be empty."""
        size = len(batch.context)
        for k in self.mine:
            here = slice(size * k // self.count, size * (k + 1) // self.count)
            yield Batch(*(array[here] for array in batch))

    def sums(self, losses: list[float], stops: bool) -> tuple[float, bool]:
        """Return the sum of all ranks' losses, and whether one of them wants to stop."""
        values = [np.array([loss, float(stops and not k)]) for k, loss in enumerate(losses)]
        loss, stop = mpi.allreduce(values, average=False, comm=self.comm).tolist()
        return loss, stop > 0

    def as_root(self, work: Callable[[], Any]) -> None:
        """Do work on one rank; where it raises there, all ranks raise."""
        with mpi.together(self.comm):
            if self.is_root:
                work()
        mpi.allgather(0, self.comm)

    def quiet(self) -> contextlib.AbstractContextManager[Any]:
        """Return a context in which only one rank prints."""
        return contextlib.nullcontext() if self.is_root else contextlib.redirect_stdout(io.StringIO())

    def note(self) -> str:
        """Say who trains."""
        return f"{self.size} ranks of mpiexec train together, on {self.count} micro-batches in each batch of words"
