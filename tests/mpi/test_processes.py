"""Ranks that are processes of mpiexec: the same bits on one to four, and what happens when one of them fails."""

from __future__ import annotations

import re

import pytest
from mpiexec import Done, mpiexec

TRAINED = """
import hashlib, sys
from mpi4py import MPI
import numpy as np
import steepest as st
from mpi_worlds import World, gradients
from steepest.mpi import DistributedOptimizer

comm, deal = MPI.COMM_WORLD, eval(sys.argv[1])
rank = comm.Get_rank()
digests = []
for make, shards in (
    (lambda: st.AdamOptimizer(0.1), "auto"),
    (lambda: st.AdamOptimizer(0.1, hooks=[st.ClipByGlobalNorm(1.0), st.GradientNoise(0.1, seed=3)]), False),
    (lambda: st.LAMBOptimizer(0.1), "auto"),
    (lambda: st.MultiOptimizer(
        [(st.LAMBOptimizer(0.1), lambda w: w.shape[0] > 99), (st.AdamOptimizer(0.1), None)],
        hooks=[st.ClipByGlobalNorm(1.0)],
    ), "auto"),
):
    world = World()
    opt = DistributedOptimizer(make(), micro_batches=deal[rank], shards=shards)
    first = sum(deal[:rank])
    for step in range(3):
        for leaf in range(first, first + deal[rank]):
            opt.apply_gradients(list(zip(gradients(step, leaf), world.parameters)))
    slots = [opt.get_slot(w, name) for name in opt.get_slot_names() for w in world.parameters]
    arrays = [*world.values(), *(slot.numpy() for slot in slots if slot is not None)]
    digests.append(hashlib.sha256(b"".join(a.tobytes() for a in arrays)).hexdigest())
print("digest", *digests)
"""


@pytest.fixture(scope="module")
def digest_of_one_process():
    return digests(1, "(6,)").pop()


def digests(ranks: int, deal: str) -> set[str]:
    done = mpiexec(ranks, TRAINED, deal)
    assert done.returncode == 0, done.stderr
    return set(done.stdout)


@pytest.mark.parametrize("deal", ["(3, 3)", "(2, 2, 2)", "(1, 2, 2, 1)"])
def test_the_same_bits_on_two_to_four_processes(deal, digest_of_one_process):
    assert digests(len(eval(deal)), deal) == {digest_of_one_process}


STEPS = """
import os, signal, sys, time
from mpi4py import MPI
import numpy as np
import steepest as st
from steepest.mpi import DistributedOptimizer, RankError

rank = MPI.COMM_WORLD.Get_rank()
w = st.Variable(np.zeros(3), name="w")
opt = DistributedOptimizer(st.AdamOptimizer(0.1))

def loss():
    if rank == 1 and steps == 2 and FAULT == "loss":
        raise ZeroDivisionError("the loss of rank 1")
    return np.sum(w * w)

for steps in range(5):
    if rank == 1 and steps == 2:
        if FAULT == "program":
            raise ZeroDivisionError("the program of rank 1")
        if FAULT == "leaves":
            sys.exit(0)
        if FAULT == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
    try:
        opt.minimize(loss)
    except Exception as error:
        print(f"rank {rank} after {steps} steps: {type(error).__name__}", w.numpy().tolist(), flush=True)
        raise
print("done", flush=True)
"""


def outcome(fault: str) -> Done:
    done = mpiexec(3, STEPS.replace("FAULT", repr(fault)))
    assert done.returncode != 0
    assert not any("done" in text for text in done.stdout)
    return done


@pytest.mark.parametrize(("fault", "own"), [("loss", "rank 1 after 2 steps: ZeroDivisionError"), ("program", "")])
def test_every_rank_raises_where_one_does(fault, own):
    done = outcome(fault)
    assert done.stdout[1].startswith(own)
    assert f"ZeroDivisionError: the {fault} of rank 1" in done.stderr[1]
    for rank in (0, 2):
        assert done.stdout[rank].startswith(f"rank {rank} after 2 steps: RankError")
        assert "RankError: steepest.mpi: rank 1 has raised:\nTraceback" in done.stderr[rank]
        assert f"ZeroDivisionError: the {fault} of rank 1" in done.stderr[rank]
    values = {re.search(r"\[.*\]", text)[0] for text in done.stdout if text}
    assert len(values) == 1  # nobody has taken the step


def test_nobody_waits_for_a_rank_that_has_left():
    done = outcome("leaves")
    for rank in (0, 2):
        assert done.stdout[rank].startswith(f"rank {rank} after 2 steps: RankError")
        assert "every rank must take part in every step, got an end of rank 1" in done.stderr[rank]


def test_a_killed_rank_ends_the_job():
    assert "Killed" in outcome("killed").launcher


REFUSED = """
from mpi4py import MPI
import numpy as np
import steepest as st
from steepest.mpi import DistributedOptimizer

rank, w = MPI.COMM_WORLD.Get_rank(), st.Variable(np.zeros(9000), name="w")
opt = DistributedOptimizer(st.GradientDescentOptimizer(0.5, hooks=[st.CheckFinite()]), shards=True)
for last in (1.0, np.inf, 1.0):
    gradient = np.ones(9000)
    gradient[-1] = 1.0 if rank else last
    try:
        opt.apply_gradients([(gradient, w)])
    except ValueError as error:
        print(error)
print(w.value[[0, -1]].tolist())
"""


def test_a_refused_gradient_is_an_error_that_a_program_can_catch():
    done = mpiexec(2, REFUSED)
    assert done.returncode == 0, done.stderr
    message = "apply_gradients: gradient of 'w' must be finite, got a NaN or an infinity in it"
    assert [text.splitlines() for text in done.stdout] == [[message, "[-1.0, -1.0]"]] * 2


SOME = """
from mpi4py import MPI
import numpy as np
import steepest as st
from steepest.mpi import DistributedOptimizer

world = MPI.COMM_WORLD
some = world.Split(world.rank % 2, world.rank)  # ranks 0 and 2 train one model, ranks 1 and 3 another
w = st.Variable(np.full(9000, world.rank % 2, np.float32), name="w")
opt = DistributedOptimizer(st.MomentumOptimizer(0.5, 0.5), some)
for _ in range(2):
    opt.apply_gradients([(np.full(9000, 1.0 + world.rank), w)])
print(w.value[[0, -1]].tolist())
"""


def test_a_communicator_of_some_ranks():
    done = mpiexec(4, SOME)
    assert done.returncode == 0, done.stderr
    assert [text.strip() for text in done.stdout] == ["[-2.5, -2.5]", "[-2.75, -2.75]"] * 2


RESUMED = """
import hashlib, os, signal, sys
from mpi4py import MPI
import numpy as np
import steepest as st
from steepest import mpi
from mpi_worlds import World, gradients

path, dies = sys.argv[1], sys.argv[2] == "dies"
rank, world = MPI.COMM_WORLD.Get_rank(), World()
mine = mpi.share(6)
opt = mpi.DistributedOptimizer(st.AdamOptimizer(0.1, hooks=[st.ClipByGlobalNorm(1.0)]), micro_batches=len(mine))
step = st.Variable(np.int64(0), trainable=False, name="step")
objects = {"model": world.parameters, "opt": opt, "step": step}
if os.path.exists(path):
    mpi.restore(path, **objects)
while step.value < 6:
    if dies and step.value == 3 and rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    for leaf in mine:
        opt.apply_gradients(list(zip(gradients(int(step.value), leaf), world.parameters)), step)
    mpi.save(path, **objects)
print(hashlib.sha256(b"".join(value.tobytes() for value in world.values())).hexdigest())
"""


def test_a_job_that_was_killed_goes_on_on_other_ranks_with_the_same_bits(tmp_path):
    (whole,) = mpiexec(1, RESUMED, str(tmp_path / "whole.safetensors"), "lives").stdout
    path = str(tmp_path / "killed.safetensors")
    assert mpiexec(3, RESUMED, path, "dies").returncode != 0
    done = mpiexec(2, RESUMED, path, "lives")
    assert done.returncode == 0, done.stderr
    assert done.stdout == [whole] * 2
    assert whole


ENDS = """
from mpi4py import MPI
import numpy as np
import steepest as st
import steepest.mpi.leaving
from steepest.mpi import DistributedOptimizer

steepest.mpi.leaving._PATIENCE = 1.0
comm, w = MPI.COMM_WORLD, np.zeros(3)
opt = DistributedOptimizer(st.AdamOptimizer(0.1))
opt.apply_gradients([(np.ones(3), w)])
if FAULT == "unmet" and comm.rank == 1:
    raise ZeroDivisionError("rank 1")
if FAULT == "unmet":
    comm.recv(source=1)  # which nobody sends
if comm.rank == 1:
    def dense(*arguments):
        raise MemoryError("no room for the message")
    opt._joint.exchange.dense = dense
opt.apply_gradients([(np.ones(3), w)])
"""


@pytest.mark.parametrize(
    ("fault", "lines"),
    [
        ("unmet", ["ZeroDivisionError: rank 1", "rank 1 has raised and the others do not meet it: the job ends"]),
        ("memory", ["rank 1 fails in an exchange, the job ends", "MemoryError: no room for the message"]),
    ],
)
def test_a_job_in_which_nobody_could_go_on_ends_in_bounded_time(fault, lines):
    done = mpiexec(2, ENDS.replace("FAULT", repr(fault)), timeout=50)
    assert done.returncode != 0
    for line in lines:
        assert line in done.stderr[1]
