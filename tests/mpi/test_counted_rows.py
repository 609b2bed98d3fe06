"""CowClip on several ranks: rows are counted over all micro-batches of a step, before they are added up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpi_worlds import TABLES, World, assert_same_bits, gradients, run
from thread_comm import on_ranks

import steepest as st
from steepest.mpi import DistributedOptimizer, ShardedVariable

CHAINS: dict[str, Any] = {
    "alone": lambda: [st.CowClip(r=0.02, zeta=0.01)],
    "before sums": lambda: [st.CowClip(r=0.02, zeta=0.01), st.Accumulate(2), st.ClipByNorm(0.5)],
    "before a norm": lambda: [st.CowClip(r=0.02, zeta=0.01), st.ClipByGlobalNorm(0.5)],
}


def make(chain: str) -> Any:
    return lambda: st.AdagradOptimizer(0.1, hooks=CHAINS[chain]())


@pytest.mark.parametrize("chain", ["alone", "before sums"])
def test_one_micro_batch_on_one_rank_is_the_optimizer_itself(chain):
    world, plain = World(), make(chain)()
    for step in range(3):
        plain.apply_gradients(list(zip(gradients(step, 0), world.parameters, strict=True)))
    (alone,) = run((1,), make(chain))
    for a, b in zip(alone.parameters, world.values(), strict=True):
        if a.dtype.itemsize > 2:  # sums of half types stay in float32 until the update
            assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("compression", [None, "bfloat16"])
def test_the_same_bits_on_any_number_of_ranks(chain, compression):
    (alone,) = run((4,), make(chain), compression=compression)
    for blocks in ((2, 2), (1, 2, 1), (1, 1, 1, 1)):
        for shards in (False, True):
            for found in run(blocks, make(chain), compression=compression, shards=shards):
                assert_same_bits(found, alone, f"{blocks}, shards={shards}")


def test_counts_are_those_of_all_micro_batches():
    """By the definition: what is clipped is the sum, by how often its rows came in the four of them."""
    seed, r, zeta = World(), 0.05, 0.01
    (found,) = run((4,), lambda: st.GradientDescentOptimizer(1.0, hooks=[st.CowClip(r, zeta)]), steps=1, average=False)
    some = 0
    for k in TABLES:
        w = seed.values()[k].astype(np.float64)
        total, counts = np.zeros_like(w), np.zeros(len(w))
        for leaf in range(4):
            gradient = gradients(0, leaf)[k]
            if gradient is not None:
                np.add.at(total, gradient.indices, np.asarray(gradient.values).astype(np.float64))
                np.add.at(counts, gradient.indices, 1)
        norms = np.linalg.norm(total, axis=1)
        limits = counts * np.maximum(r * np.linalg.norm(w, axis=1), zeta)
        over = norms > limits
        some += np.count_nonzero(counts > 1)
        factors = np.divide(limits, norms, out=np.ones_like(norms), where=over)
        expected = w - total * factors[:, None]
        tolerance = {2: 0.03, 4: 1e-5, 8: 1e-12}[found.parameters[k].itemsize]
        np.testing.assert_allclose(found.parameters[k].astype(np.float64), expected, rtol=tolerance, atol=tolerance)
    assert some > 100


def test_a_sharded_table_is_clipped_as_a_variable_is():
    def batch(step: int) -> np.ndarray:
        return np.random.default_rng(step).integers(0, 9000, 500) ** 2 % 9000

    def optimizer() -> Any:
        return st.GradientDescentOptimizer(1.0, hooks=[st.CowClip(r=1.0, zeta=0.5)])

    table, plain = st.Variable(np.ones((9000, 2), np.float32)), optimizer()
    for step in range(2):
        plain.minimize(lambda step=step: 2 * np.sum(st.gather(table, batch(step))))

    def program(comm: Any) -> bytes:
        mine = ShardedVariable(9000, 2, 1.0, comm=comm)
        opt = DistributedOptimizer(optimizer(), comm, average=False)
        for step in range(2):
            ids = batch(step)[comm.Get_rank() :: comm.Get_size()]
            opt.minimize(lambda ids=ids: 2 * np.sum(mine.lookup(ids)))
        return np.asarray(mine.lookup(np.arange(9000))).tobytes()

    for ranks in (1, 3):
        assert set(on_ranks(ranks, program)) == {table.value.tobytes()}


def test_it_must_come_first():
    def program(comm: Any) -> str:
        hooks = [st.ClipByValue(-1.0, 1.0), st.CowClip()]
        opt = DistributedOptimizer(st.AdamOptimizer(hooks=hooks), comm)
        with pytest.raises((TypeError, RuntimeError), match="CowClip must be the first of the hooks") as found:
            opt.apply_gradients([(np.ones(3), np.ones(3))])
        return found.type.__name__

    assert on_ranks(2, program) == ["TypeError", "TypeError"]
