"""Arrays to and from other ranks: a few collective calls on bytes, all of them mpi4py's, and how much they carry."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.allocation import empty
from ..base.errors import must
from ..base.typing import Array

__all__ = ["Transfer", "Wire", "communicator", "raw", "wait"]

_METHODS = ("Get_rank", "Get_size", "Allgather", "Allgatherv", "Alltoall", "Alltoallv")
_SPINS = 200  # tests of a request before this rank lets others run
_AWAKE, _NAP = 2e-3, 5e-5  # seconds of that before it sleeps, and for how long at a time


def communicator(who: str, comm: Any) -> Any:
    """Return a communicator: the given one, or mpi4py's of all ranks.

    Raises:
        ImportError: where none is given and mpi4py is not installed.
        TypeError: for what has not mpi4py's methods.
    """
    if comm is None:
        try:
            from mpi4py import MPI
        except ImportError as error:
            remedy = 'pip install "steepest[mpi]"'
            raise ImportError(must(who, "comm", "be given where mpi4py is not installed", "None", remedy)) from error
        comm = MPI.COMM_WORLD
    missing = [name for name in _METHODS if not callable(getattr(comm, name, None))]
    if missing:
        raise TypeError(must(who, "comm", f"have mpi4py's method {missing[0]}", type(comm).__name__))
    return comm


class Wire:
    """A communicator for arrays. The attribute ``sent`` counts the bytes that this rank has sent to others.

    Args:
        comm: with mpi4py's methods.
    """

    def __init__(self, comm: Any) -> None:
        self.comm = comm
        self.rank: int = comm.Get_rank()
        self.size: int = comm.Get_size()
        self.sent = 0

    def all_gather(self, row: Array) -> Array:
        """Return the rows of all ranks, of one length, as a matrix."""
        table = np.empty((self.size, *row.shape), row.dtype)
        self._do("Allgather", np.ascontiguousarray(row), table)
        self.sent += row.nbytes * (self.size - 1)
        return table

    def all_gather_parts(self, part: Array, counts: Sequence[int]) -> Array:
        """Return the parts of all ranks one after the other; rank r's has ``counts[r]`` elements."""
        return self.begin_gather(part, counts).arrived()

    def begin_gather(self, part: Array, counts: Sequence[int]) -> Transfer:
        """Begin what `all_gather_parts` does."""
        whole = empty(sum(counts), part.dtype)
        request = self._begin("Allgatherv", raw(part), [raw(whole), _scaled(counts, part.itemsize)])
        self.sent += part.nbytes * (self.size - 1)
        return Transfer(whole, request, part)

    def exchange(self, parts: Array, counts: Sequence[int], incoming: Sequence[int]) -> Array:
        """Send ``counts[r]`` elements to each rank r, from one array; return what comes, ``incoming[r]`` from each."""
        return self.begin_exchange(parts, counts, incoming).arrived()

    def begin_exchange(self, parts: Array, counts: Sequence[int], incoming: Sequence[int]) -> Transfer:
        """Begin what `exchange` does; the array must stay as it is until the transfer has arrived."""
        out = empty(sum(incoming), parts.dtype)  # memory that is kept: new pages cost more than the copy to them
        size = parts.itemsize
        request = self._begin("Alltoallv", [raw(parts), _scaled(counts, size)], [raw(out), _scaled(incoming, size)])
        self.sent += (sum(counts) - counts[self.rank]) * size
        return Transfer(out, request, parts)

    def exchange_rows(self, rows: Array) -> Array:
        """Send row r of a matrix to each rank r; return the matrix of what comes."""
        out = np.empty_like(rows)
        self._do("Alltoall", np.ascontiguousarray(rows), out)
        self.sent += rows.nbytes // self.size * (self.size - 1)
        return out

    def all_objects(self, value: Any) -> list[Any]:
        """Return the objects of all ranks; for what is small or happens once, since they are pickled."""
        text = np.frombuffer(pickle.dumps(value), np.uint8)
        sizes = self.all_gather(np.array([text.size], np.int64)).reshape(-1).tolist()
        whole = self.all_gather_parts(text, sizes).tobytes()
        ends = np.cumsum(sizes).tolist()
        return [pickle.loads(whole[end - size : end]) for size, end in zip(sizes, ends, strict=True)]

    def _do(self, name: str, *buffers: Any) -> None:
        request = self._begin(name, *buffers)
        if request is not None:
            wait(request)

    def _begin(self, name: str, *buffers: Any) -> Any:
        """Make a collective call; return its request, None where the communicator has only calls that block.

        MPI's own waiting lets nobody else run: a rank that shares its processor would wait for as long as that lasts.
        """
        call = getattr(self.comm, f"I{name.lower()}", None)
        if call is None:
            getattr(self.comm, name)(*buffers)
            return None
        return call(*buffers)


class Transfer:
    """Something under way to this rank.

    Args:
        out: the array that it comes to.
        request: mpi4py's, None where it has come already.
        sent: what is sent meanwhile, which is kept alive.
    """

    def __init__(self, out: Array, request: Any, sent: Array) -> None:
        self._out, self._request, self._sent = out, request, sent

    def arrived(self) -> Array:
        """Return the array once everything is there."""
        if self._request is not None:
            wait(self._request)
        return self._out


def wait(request: Any) -> None:
    """Return when a request of mpi4py's is done."""
    for _ in range(_SPINS):
        if request.Test():
            return
    end = time.perf_counter() + _AWAKE
    while not request.Test():
        if time.perf_counter() < end:
            os.sched_yield()
        else:
            time.sleep(_NAP)


def raw(array: Array) -> Array:
    """Return an array's bytes, where it is contiguous the very same memory."""
    flat: Array = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return flat


def _scaled(counts: Sequence[int], size: int) -> tuple[list[int], list[int]]:
    """Return counts and displacements in bytes."""
    scaled = [count * size for count in counts]
    return scaled, np.cumsum([0, *scaled[:-1]]).tolist()
