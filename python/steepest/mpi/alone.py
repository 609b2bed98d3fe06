"""One rank without MPI: a communicator for programs that may run under mpiexec or not."""

from __future__ import annotations

from typing import Any

from ..base.typing import Array

__all__ = ["Alone"]


class Alone:
    """A communicator of one rank, with mpi4py's methods."""

    def Get_rank(self) -> int:
        """Return 0."""
        return 0

    def Get_size(self) -> int:
        """Return 1."""
        return 1

    def Allgather(self, part: Array, whole: Array) -> None:
        """Copy the part."""
        whole[0] = part

    def Allgatherv(self, part: Array, whole: Any) -> None:
        """Copy the part."""
        whole[0][...] = part

    def Alltoall(self, rows: Array, out: Array) -> None:
        """Copy the row."""
        out[...] = rows

    def Alltoallv(self, parts: Any, out: Any) -> None:
        """Copy the part."""
        out[0][...] = parts[0]
