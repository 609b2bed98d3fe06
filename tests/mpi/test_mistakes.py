"""What is wrong on one rank is an error on all, before anything has changed; then training goes on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpi_worlds import errors_of, variables
from thread_comm import on_ranks

import steepest as st
from steepest.mpi import DistributedOptimizer, RankError, ShardedVariable, allgather

FAULTS: dict[str, tuple[Any, str]] = {
    "shape": (lambda w: [(np.ones(4), w)], "ValueError: apply_gradients: gradient 0 of 'w' must have"),
    "type": (lambda w: [("text", w)], "TypeError: apply_gradients: gradient 0 of 'w' must"),
    "row": (lambda w: [(st.IndexedSlices(np.ones(1), [7]), w)], "IndexError: apply_gradients: indices must be in"),
    "twice": (
        lambda w: [(np.ones(3), w), (np.ones(3), w)],
        "ValueError: DistributedOptimizer: variable must come once",
    ),
    "no variable": (lambda w: [(np.ones(3), 3)], "TypeError: apply_gradients: variable must be a Variable or a NumPy"),
    "no pairs": (lambda w: [], "ValueError: apply_gradients: grads_and_vars must hold at least one pair"),
}


@pytest.mark.parametrize("shards", [False, True])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_rank_that_raises_makes_every_rank_raise_and_none_write(fault, shards):
    bad, message = FAULTS[fault]
    targets = variables([np.ones(3)] * 3)
    reference = st.Variable(np.ones(3, np.float32))
    plain = st.AdamOptimizer(0.1)
    for _ in range(2):
        plain.apply_gradients([(np.ones(3), reference)])

    def program(comm: Any) -> str:
        w = targets[comm.Get_rank()]
        step = st.Variable(np.int64(0), trainable=False)
        opt = DistributedOptimizer(st.AdamOptimizer(0.1), comm, shards=shards)
        for k in range(4):  # the first and the third step fail
            try:
                opt.apply_gradients(bad(w) if comm.Get_rank() == 1 and k % 2 == 0 else [(np.ones(3), w)], step)
            except (TypeError, ValueError, IndexError, RankError) as error:
                assert k % 2 == 0
                found = f"{type(error).__name__}: {error}"
            assert step.value == (k + 1) // 2
        assert w.value.tobytes() == reference.value.tobytes()
        return found

    found = on_ranks(3, program)
    assert found[1].startswith(message)
    for text in (found[0], found[2]):
        assert text.startswith("RankError: steepest.mpi: rank 1 has raised:\nTraceback")
        assert found[1] in text


@pytest.mark.parametrize("shards", [False, True])
def test_a_hyper_parameter_that_one_rank_refuses(shards):
    targets = variables([np.ones(9000)] * 2)

    def attempt(comm: Any) -> None:
        rate = [0.1]
        opt = DistributedOptimizer(st.GradientDescentOptimizer(lambda: rate[0]), comm, shards=shards)
        w = targets[comm.Get_rank()]
        opt.apply_gradients([(np.ones(9000), w)])
        before = w.numpy()
        if shards and comm.Get_rank() == 1:
            rate[0] = np.nan
        elif not shards:
            rate[0] = np.nan  # every rank takes the same step: a number of one rank's own is another program
        try:
            opt.apply_gradients([(np.ones(9000), w)])
        finally:
            assert w.value.tobytes() == before.tobytes()

    for text in errors_of(2, attempt):
        assert "learning_rate must be finite, got nan" in text


def test_nobody_has_a_gradient():
    targets = variables([np.ones(3)] * 2)

    def attempt(comm: Any) -> None:
        DistributedOptimizer(st.AdamOptimizer(), comm).apply_gradients([(None, targets[comm.Get_rank()])])

    for text in errors_of(2, attempt):
        assert text.startswith("ValueError: apply_gradients: grads_and_vars must hold at least one gradient")


def test_programs_that_differ():
    three = variables([np.ones(3)] * 2)
    four = variables([np.ones(4)], "v")[0]
    other = variables([np.zeros(3)])[0]

    def with_lists(*lists: Any) -> list[str]:
        def attempt(comm: Any) -> None:
            opt = DistributedOptimizer(st.AdamOptimizer(0.1), comm)
            opt.apply_gradients([(np.ones(w.shape), w) for w in lists[comm.Get_rank()]])

        return errors_of(2, attempt)

    who = "ValueError: steepest.mpi: program must be the same on all ranks, got "
    found = with_lists([three[0]], [three[1], four])
    assert found == [f"{who}'v' of shape (4,) and float32 on rank 1, where rank 0 has nothing more"] * 2
    found = with_lists([three[0], four], [four])
    assert (
        found == [f"{who}'v' of shape (4,) and float32 on rank 1, where rank 0 has 'w' of shape (3,) and float32"] * 2
    )
    found = with_lists([three[0]], [other])
    remedy = "call steepest.mpi.broadcast_variables first"
    text = "ValueError: steepest.mpi: variable 'w' must begin with the same values on all ranks, got others; "
    assert found == [text + remedy] * 2


def test_different_options_hooks_and_calls():
    w = variables([np.ones(3)] * 2)

    def other_options(comm: Any) -> None:
        DistributedOptimizer(st.AdamOptimizer(), comm, average=comm.Get_rank() == 0)

    assert all("average=False" in text and "average=True" in text for text in errors_of(2, other_options))

    def other_hooks(comm: Any) -> None:
        hooks = [st.ClipByGlobalNorm(1.0)] if comm.Get_rank() else []
        opt = DistributedOptimizer(st.AdamOptimizer(hooks=hooks), comm)
        opt.apply_gradients([(np.ones(3), w[comm.Get_rank()])])

    for text in errors_of(2, other_hooks):
        assert text.endswith(
            "got AdamOptimizer with hooks [ClipByGlobalNorm] on rank 1, where rank 0 has AdamOptimizer with hooks []"
        )

    def other_rate(comm: Any) -> None:
        opt = DistributedOptimizer(st.GradientDescentOptimizer(0.5), comm)
        for _ in range(2):
            opt.apply_gradients([(np.ones(3), w[comm.Get_rank()])])
            if comm.Get_rank():
                opt.learning_rate = 0.25

    rates = "learning_rate={} in GradientDescentOptimizer with hooks []"
    for text in errors_of(2, other_rate):
        assert f"{rates.format(0.25)} on rank 1, where rank 0 has {rates.format(0.5)}" in text

    def lookup(comm: Any) -> None:
        table, opt = ShardedVariable(10, 2, comm=comm), DistributedOptimizer(st.AdamOptimizer(), comm)
        if comm.Get_rank():
            table.lookup([1])
        else:
            allgather(1, comm)
        opt.apply_gradients([(np.ones(3), w[comm.Get_rank()])])

    assert all("a lookup in 'sharded' of shape (10, 2) on rank 1" in text for text in errors_of(2, lookup))


def test_a_rank_that_has_taken_another_number_of_steps():
    targets = variables([np.ones(3)] * 2)

    def attempt(comm: Any) -> None:
        opt = DistributedOptimizer(st.AdamOptimizer(), comm)
        opt._joint.steps += comm.Get_rank()
        opt.apply_gradients([(np.ones(3), targets[comm.Get_rank()])])

    for text in errors_of(2, attempt):
        assert text.startswith("RuntimeError: steepest.mpi: ranks must have taken the same steps, got [0 1]")


def test_a_hook_of_ones_own_that_raises_on_one_rank_is_no_step_there():
    """The others have taken theirs: nobody goes on as if nothing had been."""
    targets = variables([np.ones(3)] * 2)

    def program(comm: Any) -> list[str]:
        rank, calls, found = comm.Get_rank(), [0], []

        def hook(pairs: Any) -> Any:
            calls[0] += 1
            if calls[0] == 2 and rank == 1:
                raise ZeroDivisionError("in the hook")
            return pairs

        opt = DistributedOptimizer(st.GradientDescentOptimizer(0.5, hooks=[hook]), comm)
        for _ in range(3):
            try:
                opt.apply_gradients([(np.ones(3), targets[rank])])
                found.append("taken")
            except (ZeroDivisionError, RuntimeError) as error:
                found.append(f"{type(error).__name__}: {error}")
        opt.load_state_dict(opt.state_dict())
        opt.apply_gradients([(np.ones(3), targets[rank])])
        return found

    differ = "RuntimeError: steepest.mpi: ranks must have taken the same steps, got [2 1]; restore a checkpoint on all"
    first, second = on_ranks(2, program)
    assert (first[:2], second[:2]) == (["taken"] * 2, ["taken", "ZeroDivisionError: in the hook"])
    assert first[2].startswith(differ)
    assert second[2].startswith(differ)


@pytest.mark.parametrize("action", ["raise", "skip"])
@pytest.mark.parametrize("shards", [False, True])
def test_a_gradient_that_is_not_finite_on_one_rank(action, shards):
    targets = variables([np.ones(9000)] * 2)

    def program(comm: Any) -> str:
        w, check = targets[comm.Get_rank()], st.CheckFinite(action)
        opt = DistributedOptimizer(st.AdamOptimizer(0.1, hooks=[check]), comm, shards=shards)
        step = st.Variable(np.int64(0), trainable=False)
        opt.apply_gradients([(np.ones(9000), w)], step)
        before = w.numpy()
        gradient = np.ones(9000)
        gradient[8999] = np.inf if comm.Get_rank() == 0 else 1.0
        try:
            opt.apply_gradients([(gradient, w)], step)
        except ValueError as error:
            found = str(error)
        else:
            found = f"skipped {check.skipped}"
        assert w.value.tobytes() == before.tobytes()
        opt.apply_gradients([(np.ones(9000), w)], step)
        assert step.value == 2
        return found

    expected = "skipped 1" if action == "skip" else "apply_gradients: gradient of 'w' must be finite"
    assert all(text.startswith(expected) for text in on_ranks(2, program))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"optimizer": 3}, TypeError, "optimizer must be an optimizer, got 3"),
        ({"micro_batches": 0}, ValueError, "micro_batches must be an integer of at least 1, got 0"),
        ({"bucket_bytes": 2.0}, ValueError, "bucket_bytes must be an integer of at least 1, got 2.0"),
        ({"compression": "int8"}, ValueError, "compression must be None, 'bfloat16' or 'float16', got 'int8'"),
        ({"sparse_as_dense": 2}, ValueError, "sparse_as_dense must be True, False or 'auto', got 2"),
        ({"shards": None}, ValueError, "shards must be True, False or 'auto', got None"),
        (
            {"optimizer": type("Own", (st.AdamOptimizer,), {"_finish": print})(), "shards": True},
            TypeError,
            "be one that updates shards, got a class of your own",
        ),
        ({"name": ""}, ValueError, "name must be a non-empty string"),
    ],
)
def test_arguments(arguments, error, message):
    def attempt(comm: Any) -> None:
        with pytest.raises(error, match=message):
            DistributedOptimizer(**{"optimizer": st.AdamOptimizer(), "comm": comm, **arguments})

    assert errors_of(2, attempt) == ["nothing"] * 2


def test_a_communicator_needs_the_methods_of_mpi4py():
    with pytest.raises(TypeError, match="comm must have mpi4py's method Get_rank, got object"):
        DistributedOptimizer(st.AdamOptimizer(), object())
