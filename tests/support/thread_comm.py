"""Ranks that are threads of one process: a communicator with mpi4py's methods, so that laws run quickly."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np


class ThreadComm:
    """One rank's view of ranks that are threads."""

    def __init__(self, shared: _Shared, rank: int) -> None:
        self._shared, self._rank = shared, rank

    def Get_rank(self) -> int:
        return self._rank

    def Get_size(self) -> int:
        return self._shared.size

    def Dup(self) -> ThreadComm:
        return self  # every rank uses one communicator at a time

    def _all(self, value: Any) -> list[Any]:
        return self._shared.meet(self._rank, value)

    def Allgather(self, part: np.ndarray, whole: np.ndarray) -> None:
        for row, come in zip(whole, self._all(part.copy()), strict=True):
            row[...] = come

    def Allgatherv(self, part: np.ndarray, whole: Any) -> None:
        out, (counts, starts) = whole
        for come, count, start in zip(self._all(part.copy()), counts, starts, strict=True):
            assert come.size == count
            out[start : start + count] = come

    def Alltoall(self, rows: np.ndarray, out: np.ndarray) -> None:
        for row, come in zip(out, self._all(rows.copy()), strict=True):
            row[...] = come[self._rank]

    def Alltoallv(self, parts: Any, out: Any) -> None:
        array, (counts, starts) = parts
        mine = [array[start : start + count].copy() for count, start in zip(counts, starts, strict=True)]
        target, (incoming, places) = out
        for come, count, start in zip(self._all(mine), incoming, places, strict=True):
            assert come[self._rank].size == count
            target[start : start + count] = come[self._rank]


class _Shared:
    def __init__(self, size: int) -> None:
        self.size = size
        self._barrier = threading.Barrier(size, timeout=20)
        self._box: list[Any] = [None] * size

    def meet(self, rank: int, value: Any) -> list[Any]:
        self._box[rank] = value
        self._barrier.wait()
        found = list(self._box)
        self._barrier.wait()
        return found

    def abort(self) -> None:
        self._barrier.abort()


def on_ranks(size: int, program: Callable[[ThreadComm], Any]) -> list[Any]:
    """Run a program on so many ranks; return what each returns. The first error of a rank is raised."""
    shared = _Shared(size)
    found: list[Any] = [None] * size
    errors: list[BaseException | None] = [None] * size

    def run(rank: int) -> None:
        try:
            found[rank] = program(ThreadComm(shared, rank))
        except BaseException as error:
            errors[rank] = error
            shared.abort()

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    raised = [error for error in errors if error is not None]
    for error in raised:
        if not isinstance(error, threading.BrokenBarrierError):
            raise error
    if raised:
        raise raised[0]
    return found
