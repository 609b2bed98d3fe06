"""Processes that fork, whatever their threads are doing: a child can go on."""

from __future__ import annotations

import subprocess
import sys

import pytest


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr[-2000:])
    return done.stdout


STEPS = """
import numpy as np, steepest as st
def dense(n=5, **more):
    st.AdamOptimizer(**more).apply_gradients([(np.ones(n), np.zeros(n))])
def sparse(update="full"):
    w = st.Variable(np.zeros((5, 2)))
    opt = st.AdamOptimizer(sparse_update=update, hooks=[st.ClipByGlobalNorm(1.0), st.WeightDecay(0.1)])
    opt.apply_gradients([(st.IndexedSlices(np.ones((2, 2)), [1, 1]), w)])
    return w.rows([0, 1])
def taped():
    w = st.Variable(np.ones((5, 2)))
    st.MomentumOptimizer(0.1, 0.9).minimize(lambda: np.sum(np.tanh(w @ np.ones((2, 3))) ** 2))
def all_steps():
    dense()
    dense(300_000)
    sparse()
    sparse("deferred")
    taped()
"""


def test_a_step_imports_nothing():
    # In the child of a fork, a module that another thread was importing is never there.
    program = "import sys\nbefore = set(sys.modules)\nall_steps()\nprint(sorted(set(sys.modules) - before))"
    assert run(STEPS + program) == "[]\n"


CHILDREN = """
import os, signal, sys, threading, time
def fork(work):
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # a child that waits for ever is killed
        work()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
"""


def test_a_fork_may_come_while_another_thread_draws():
    program = """
over = threading.Event()
def draw():
    while not over.is_set():
        st.nn.dropout(np.ones(1_000_000), 0.5)
thread = threading.Thread(target=draw)
thread.start()
for _ in range(10):
    time.sleep(0.002)
    fork(lambda: st.nn.dropout(np.ones(5), 0.5))
over.set()
thread.join()
"""
    run(STEPS + CHILDREN + program)


def test_a_fork_may_come_during_another_threads_first_step():
    program = """
thread = threading.Thread(target=lambda: (all_steps(), st.nn.dropout(np.ones(5), 0.5)))
thread.start()
for _ in range(10):
    fork(lambda: (all_steps(), st.nn.dropout(np.ones(5), 0.5)))
    time.sleep(0.002)
thread.join()
"""
    for _ in range(4):
        run(STEPS + CHILDREN + program)


@pytest.mark.parametrize("locking", [False, True])
@pytest.mark.parametrize("update", ["full", "deferred"])
def test_a_fork_may_come_during_another_threads_updates(locking: bool, update: str):
    program = f"""
st.set_num_threads(2)
w = st.Variable(np.zeros((50_000, 8)))
v = st.Variable(np.zeros(200_000))
opt = st.AdamOptimizer(use_locking={locking}, sparse_update="{update}")
slices = st.IndexedSlices(np.ones((20_000, 8)), np.random.default_rng(0).integers(0, 50_000, 20_000))
def step():
    opt.apply_gradients([(slices, w), (np.ones(200_000), v)])
    st.Variable(0.0, name="w")  # names have a lock of their own
step()
stop = threading.Event()
def work():
    while not stop.is_set():
        step()
threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads:
    thread.start()
for _ in range(25):
    fork(lambda: [step() for _ in range(2)])
stop.set()
for thread in threads:
    thread.join()
"""
    run(STEPS + CHILDREN + program)
