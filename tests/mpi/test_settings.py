"""Numbers on which a step depends must be the same on all ranks: else all refuse it, and name the first difference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpi_worlds import errors_of, variables
from thread_comm import on_ranks

import steepest as st
from steepest.mpi import DistributedOptimizer

WHO = "ValueError: steepest.mpi: program must be the same on all ranks, got "
SGD = st.GradientDescentOptimizer


def with_hook(hook: Any) -> Any:
    return SGD(0.1, hooks=[hook])


def group(rate: Any) -> Any:
    return st.MultiOptimizer([(SGD(0.1), []), (SGD(rate), None)])


RATE = "learning_rate={} in {} with hooks []"

# What rank r has by the r-th of two values; what the error says of each.
DIFFERENCES: dict[str, tuple[Any, Any, str]] = {
    "norm of all": (
        lambda x: with_hook(st.ClipByGlobalNorm(x)),
        (1.0, 2.0),
        "norm={} in {}, ClipByGlobalNorm",
    ),
    "norm": (lambda x: with_hook(st.ClipByNorm(x)), (1.0, 1.0000000000000002), "norm={} in {}, ClipByNorm"),
    "bound": (lambda x: with_hook(st.ClipByValue(-1.0, x)), (2.0, 1.0), "high={} in {}, ClipByValue"),
    "decay": (lambda x: with_hook(st.WeightDecay(x)), (0.1, 0.0), "rate={} in {}, WeightDecay"),
    "decoupled": (
        lambda x: with_hook(st.WeightDecay(0.1, x)),
        (True, False),
        "decoupled={} in {}, WeightDecay",
    ),
    "steps": (lambda x: with_hook(st.Accumulate(int(x))), (3.0, 2.0), "steps={} in {}, Accumulate"),
    "action": (lambda x: with_hook(st.CheckFinite(x)), ("skip", "raise"), "action={!r} in {}, CheckFinite"),
    "rows": (lambda x: with_hook(st.CowClip(0.5, x)), (0.1, 0.2), "zeta={} in {}, CowClip"),
    "flag": (
        lambda x: st.MomentumOptimizer(0.1, 0.9, use_nesterov=x),
        (True, False),
        "use_nesterov={} in MomentumOptimizer",
    ),
    "option": (
        lambda x: st.AdamOptimizer(sparse_update=x),
        ("full", "deferred"),
        "sparse_update={!r} in AdamOptimizer",
    ),
    "texts": (lambda x: st.LARSOptimizer(0.1, skip_list=x), (["a"], ["b"]), "skip_list={} in LARSOptimizer"),
    "function": (lambda x: SGD(lambda: x), (0.1, 0.25), RATE),
    "Variable": (lambda x: SGD(st.Variable(x, trainable=False)), (0.5, 0.25), RATE),
    "schedule": (lambda x: SGD(st.exponential_decay(x, 0, 1, 0.5)), (0.5, 0.25), RATE),
    "decay of AdamW": (
        lambda x: st.AdamWOptimizer(lambda: x, 0.1),
        (0.5, 0.25),
        "rate={} in hook 0 of AdamWOptimizer, DecayBeforeUpdate",
    ),
    "in a group": (group, (0.5, 0.25), RATE),
    "around": (lambda x: st.Lookahead(SGD(0.1), 2, x), (0.5, 0.25), "slow_step_size={} in Lookahead with hooks []"),
    "within": (lambda x: st.Lookahead(SGD(lambda: x)), (0.5, 0.25), RATE),
    "in Python": (lambda x: st.Muon(0.1, lambda: x), (0.5, 0.25), "momentum={} in Muon with hooks []"),
}


@pytest.mark.parametrize("shards", [False, "auto"])
@pytest.mark.parametrize("case", DIFFERENCES)
def test_the_first_difference_is_named_and_nothing_has_changed(case, shards):
    make, values, text = DIFFERENCES[case]
    targets = variables([np.ones((4096, 2))] * 2)

    def attempt(comm: Any) -> None:
        w = targets[comm.Get_rank()]
        opt = DistributedOptimizer(make(values[comm.Get_rank()]), comm, shards=shards)
        try:
            opt.apply_gradients([(np.ones(w.shape), w)])
        finally:
            assert w.value.tolist() == np.ones(w.shape).tolist()
            assert not opt.variables() or all(not v.value.any() for v in opt.variables())

    kind = "GradientDescentOptimizer"
    first, second = (text.format(value, kind if "hooks" in text else f"hook 0 of {kind}") for value in values)
    for found in errors_of(2, attempt):
        assert found.startswith(f"{WHO}{second}")
        assert f" on rank 1, where rank 0 has {first}" in found


@pytest.mark.parametrize("seeds", [(1, 2), (None, None)])
def test_noise_of_other_seeds(seeds):
    targets = variables([np.ones(3)] * 2)

    def attempt(comm: Any) -> None:
        hook = st.GradientNoise(0.1, seed=seeds[comm.Get_rank()])
        DistributedOptimizer(with_hook(hook), comm).apply_gradients([(np.ones(3), targets[comm.Get_rank()])])

    for text in errors_of(2, attempt):
        assert text.startswith(f"{WHO}random numbers=")
        assert text.count(" in hook 0 of GradientDescentOptimizer, GradientNoise") == 2


@pytest.mark.parametrize("shards", [False, True])
def test_a_number_that_differs_later_is_refused_at_its_step_and_training_goes_on(shards):
    targets = variables([np.ones(9000)] * 2)

    def program(comm: Any) -> np.ndarray:
        rank, rate = comm.Get_rank(), [0.5]
        w, clip = targets[rank], st.ClipByValue(-1.0, 1.0)
        opt = DistributedOptimizer(SGD(lambda: rate[0], hooks=[clip]), comm, shards=shards)
        opt.apply_gradients([(np.ones(9000), w)])
        for change, message in (
            (lambda: rate.__setitem__(0, 0.5 + rank / 8), "got learning_rate=0.625 in GradientDescentOptimizer"),
            (lambda: setattr(clip, "high", 1.0 + rank), "got high=2.0 in hook 0"),
        ):
            change()
            before = w.numpy()
            with pytest.raises(ValueError, match=message):
                opt.apply_gradients([(np.ones(9000), w)])
            assert w.value.tobytes() == before.tobytes()
            rate[0], clip.high = 0.25, 1.0
            opt.apply_gradients([(np.ones(9000), w)])
        return w.numpy()

    assert all((found == 0.0).all() for found in on_ranks(2, program))


@pytest.mark.parametrize("shards", [False, True])
@pytest.mark.parametrize("hooks", [list, lambda: [st.Accumulate(2)]])
def test_a_function_is_called_once_in_a_step(hooks, shards):
    """One that gives another number at each call: the ranks would differ from one process."""

    def trained(ranks: int) -> list[bytes]:
        targets = variables([np.ones(9000)] * ranks)

        def program(comm: Any) -> bytes:
            rates = iter([0.5, 0.25, 0.125, 0.0625])
            w = targets[comm.Get_rank()]
            opt = DistributedOptimizer(SGD(lambda: next(rates), hooks=hooks()), comm, False, 2 // ranks, shards=shards)
            for _ in range(4):
                for _ in range(2 // ranks):
                    opt.apply_gradients([(np.ones(9000), w)])
            return w.value.tobytes()

        return on_ranks(ranks, program)

    assert len({*trained(1), *trained(2)}) == 1


def test_a_rate_that_a_hook_of_ones_own_sets_is_read_after_it():
    def trained(ranks: int) -> list[bytes]:
        targets = variables([np.ones(3)] * ranks)

        def program(comm: Any) -> bytes:
            rate, w = [0.0], targets[comm.Get_rank()]

            def adapt(pairs: Any) -> Any:
                rate[0] = 1 / float(np.sum(pairs[0][0]))
                return pairs

            opt = DistributedOptimizer(SGD(lambda: rate[0], hooks=[adapt]), comm, micro_batches=2 // ranks)
            for step in range(3):
                for _ in range(2 // ranks):
                    opt.apply_gradients([(np.full(3, step + 1.0), w)])
            return w.value.tobytes()

        return on_ranks(ranks, program)

    assert len({*trained(1), *trained(2)}) == 1


def test_equal_numbers_of_other_types_and_what_hooks_of_ones_own_know_are_no_difference():
    class Log:
        def __init__(self, rank: int) -> None:
            self.rank = rank

        def __call__(self, pairs: Any) -> Any:
            return pairs

    targets = variables([np.ones(3)] * 2)

    def program(comm: Any) -> list[float]:
        rank = comm.Get_rank()
        rate, norm = ((1, np.float64(5)), (1.0, 5))[rank]
        opt = DistributedOptimizer(SGD(rate, hooks=[st.ClipByNorm(norm), Log(rank)]), comm)
        opt.apply_gradients([(np.ones(3), targets[rank])])
        return targets[rank].value.tolist()

    assert on_ranks(2, program) == [[0.0] * 3] * 2


@pytest.mark.parametrize("shards", [False, True])
def test_it_costs_no_message(shards):
    def sent(make: Any) -> list[int]:
        targets = variables([np.ones(9000)] * 2)

        def program(comm: Any) -> int:
            opt = DistributedOptimizer(make(), comm, shards=shards)
            for _ in range(3):
                opt.apply_gradients([(np.ones(9000), targets[comm.Get_rank()])])
            return opt._wire.sent

        return on_ranks(2, program)

    assert sent(lambda: SGD(0.1)) == sent(lambda: SGD(st.exponential_decay(0.1, None, 2, 0.5)))


@pytest.mark.parametrize("shards", [False, True])
def test_a_function_that_raises_on_one_rank(shards):
    targets = variables([np.ones(9000)] * 2)

    def attempt(comm: Any) -> None:
        def rate() -> float:
            return 1 / (1 - comm.Get_rank())

        w = targets[comm.Get_rank()]
        try:
            DistributedOptimizer(SGD(rate), comm, shards=shards).apply_gradients([(np.ones(9000), w)])
        finally:
            assert w.value.tolist() == [1.0] * 9000

    first, second = errors_of(2, attempt)
    assert second == "ZeroDivisionError: division by zero"
    assert first.startswith("RankError: steepest.mpi: rank 1 has raised:")
