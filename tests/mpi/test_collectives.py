"""What ranks do together besides steps: values of one for all, sums, lists, shares, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpi_worlds import errors_of, variables
from thread_comm import on_ranks

from steepest.mpi import allgather, allreduce, broadcast_variables, is_root, share, together


def test_values_of_one_rank_for_all():
    targets = variables([np.full((2, 2), k) for k in range(3)])

    def program(comm: Any) -> tuple[list[Any], list[Any]]:
        w, array = targets[comm.Get_rank()], np.full(3, comm.Get_rank(), np.int64)
        broadcast_variables([w, array], root=1, comm=comm)
        return w.numpy().tolist(), array.tolist()

    assert on_ranks(3, program) == [([[1, 1], [1, 1]], [1, 1, 1])] * 3
    assert all(
        "an array of shape (3,) and float64 on rank 1" in text
        for text in errors_of(2, lambda comm: broadcast_variables([np.ones(2 + comm.Get_rank())], comm=comm))
    )
    assert errors_of(1, lambda comm: broadcast_variables([1.0], comm=comm)) == [
        "TypeError: broadcast_variables: variables must be Variables and arrays, got 1.0"
    ]


@pytest.mark.parametrize("average", [True, False])
def test_losses_are_added_in_the_tree_of_the_micro_batches(average):
    losses = np.random.default_rng(0).normal(size=11).astype(np.float32) * 10.0 ** np.arange(-5, 6).astype(np.float32)

    def program(comm: Any) -> bytes:
        mine = [losses[k] for k in share(11, comm)]
        return np.asarray(allreduce(mine, average, comm)).tobytes()

    found = {text for ranks in (1, 2, 3, 4) for text in on_ranks(ranks, program)}
    assert len(found) == 1
    assert np.frombuffer(found.pop(), np.float32)[0] == pytest.approx(losses.sum() / (11 if average else 1), rel=1e-5)


def test_shares_are_consecutive_and_even():
    for count in (0, 1, 5, 12):
        for ranks in (1, 2, 3, 4):
            shares = on_ranks(ranks, lambda comm, count=count: share(count, comm))
            assert [k for part in shares for k in part] == list(range(count))
            assert max(map(len, shares)) - min(map(len, shares)) <= 1


def test_arrays_of_all_ranks_and_who_is_the_root():
    def program(comm: Any) -> tuple[list[Any], bool]:
        return [a.tolist() for a in allgather(np.ones(comm.Get_rank()), comm)], is_root(comm)

    assert on_ranks(3, program) == [([[], [1], [1, 1]], rank == 0) for rank in range(3)]


def test_an_error_between_steps():
    def attempt(comm: Any) -> None:
        with together(comm):
            if comm.Get_rank() == 1:
                raise FileNotFoundError("batch 7")
        allgather(1, comm)

    found = errors_of(2, attempt)
    assert found[1] == "FileNotFoundError: batch 7"
    assert found[0].startswith("RankError: steepest.mpi: rank 1 has raised:\nTraceback")
