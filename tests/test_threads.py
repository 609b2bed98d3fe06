"""Python's threads, processes and signals around native updates."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steepest as st


def test_several_threads_train_side_by_side_with_the_bits_of_one():
    def train(seed: int) -> np.ndarray:
        rng = np.random.default_rng(seed)
        w, opt = np.ones(60_000, np.float32), st.AdamOptimizer(0.1, hooks=[st.ClipByGlobalNorm(1.0)])
        for _ in range(20):
            opt.apply_gradients([(rng.normal(size=60_000), w)])
        return w

    alone = [train(seed) for seed in range(4)]
    together: list = [None] * 4
    barrier = threading.Barrier(4)

    def work(seed: int) -> None:
        barrier.wait()
        together[seed] = train(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for a, b in zip(alone, together, strict=True):
        np.testing.assert_array_equal(a, b)


def test_other_threads_run_during_a_native_update():
    st.set_num_threads(1)
    w, g = np.ones(30_000_000, np.float32), np.ones(30_000_000, np.float32)
    opt = st.AdamOptimizer()
    opt.apply_gradients([(g, w)])
    ticks, done = [], threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    for _ in range(10):
        opt.apply_gradients([(g, w)])
    end = time.perf_counter()
    done.set()
    thread.join()
    # With the lock held there would be at most one tick between two updates.
    assert sum(begin < t < end for t in ticks) > 30


def test_a_forked_child_trains_with_the_same_bits():
    program = """
import os, numpy as np, steepest as st
st.set_num_threads(2)
w = np.ones(200_000, np.float32)
opt = st.AdamOptimizer()
opt.apply_gradients([(np.ones(200_000), w)])
read, write = os.pipe()
child = os.fork()
opt.apply_gradients([(np.ones(200_000), w)])
if child == 0:
    os.write(write, w[:8].tobytes())
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
assert os.read(read, 100) == w[:8].tobytes()
print("same")
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "same\n", done.stderr


def test_an_interrupt_leaves_a_whole_number_of_steps():
    program = """
import signal, numpy as np, steepest as st
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start with it ignored
w, v = np.zeros(100_000), np.zeros(100_000)
step = st.Variable(np.int64(0), trainable=False)
opt = st.GradientDescentOptimizer(1.0)
print("ready", flush=True)
try:
    while True:
        opt.apply_gradients([(np.ones(100_000), w), (np.ones(100_000), v)], step)
except KeyboardInterrupt:
    assert (w == w[0]).all() and (v == w[0]).all()
    assert -w[0] - step.value in (0, 1), (w[0], step.value)
    print("whole")
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        os.kill(process.pid, signal.SIGINT)
        assert process.communicate(timeout=30)[0] == "whole\n"
    finally:
        process.kill()
        process.communicate()


def test_an_interrupt_during_a_long_call_is_answered_after_it():
    program = """
import os, signal, threading, time, numpy as np, steepest as st
signal.signal(signal.SIGINT, signal.default_int_handler)
def start(n):
    return np.zeros(n, np.float32), np.ones(n, np.float32), st.AdamOptimizer(0.1, hooks=[st.ClipByValue(-2, 2)])
def state(w, opt):
    return w, opt.get_slot(w, "m").value, opt.get_slot(w, "v").value
w, g, opt = start(10_000_000)
one, its, twin = start(1)
opt.apply_gradients([(g, w)])
twin.apply_gradients([(its, one)])
for delay in (0.001, 0.005, 0.01):
    begun = threading.Event()
    def interrupt():
        begun.wait()
        time.sleep(delay)
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        begun.set()
        while True:
            opt.apply_gradients([(g, w)])
    except KeyboardInterrupt:
        pass
    thread.join()
    found = [array[0] for array in state(w, opt)]
    assert all((array == array[0]).all() for array in state(w, opt))  # no element is a step ahead of another
    for _ in range(1000):  # and parameter and slots are those of one step
        if found == [array[0] for array in state(one, twin)]:
            break
        twin.apply_gradients([(its, one)])
    else:
        raise AssertionError(found)
print("whole")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "whole\n"), done.stderr


def test_the_number_of_threads_may_change_at_any_time():
    w = np.ones(100_000)
    opt = st.AdamOptimizer()
    for threads in (1, 4, 2, 8, 1, 3):
        st.set_num_threads(threads)
        assert st.get_num_threads() == threads
        opt.apply_gradients([(np.ones(100_000), w)])
    assert len(np.unique(w)) == 1


EXITS = {
    "update": "opt.apply_gradients([(g, w)])",
    "sparse update": "opt.apply_gradients([(slices, w)])",
    "norm": "st.global_norm([g])",
    "clip": "st.clip_by_value(g, -1, 1)",
    "duplicates": "_core.sum_duplicates('x', 1, g.reshape(-1, 10), slices.indices, 300_000)",
    "threads": "st.set_num_threads(1 + st.get_num_threads() % 2)",
}


@pytest.mark.parametrize("name", EXITS)
def test_a_process_ends_quietly_while_daemon_threads_are_in_native_calls(name: str):
    program = f"""
import threading, time, numpy as np, steepest as st
from steepest import _core
def work():
    w, g = np.ones(3_000_000), np.ones(3_000_000)
    slices = st.IndexedSlices(np.ones(300_000), np.arange(300_000)[::-1] // 2)
    opt = st.AdamOptimizer()
    while True:
        {EXITS[name]}
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
print("end")
"""
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_eight_threads_on_one_variable_lose_nothing_with_a_lock():
    steps, threads = 10_000, 8
    w, v = st.Variable(np.zeros(4)), np.zeros(3)
    step = st.Variable(np.int64(0), trainable=False)
    opt = st.GradientDescentOptimizer(1.0, use_locking=True)
    ones = np.ones(4), np.ones(3)
    _together(threads, lambda k: [opt.apply_gradients([(ones[0], w), (ones[1], v)], step) for _ in range(steps)])
    assert w.numpy().tolist() == [-float(steps * threads)] * 4
    assert v.tolist() == [-float(steps * threads)] * 3
    assert step.value == steps * threads


def test_threads_that_train_different_variables_of_one_optimizer():
    opt = st.AdamOptimizer(0.1)
    variables = [st.Variable(np.zeros((50, 4))) for _ in range(8)]
    gradients = [np.full((50, 4), float(k + 1)) for k in range(8)]
    opt.apply_gradients(list(zip(gradients, variables, strict=True)))  # slots of all
    powers = [v for v in opt.variables() if "power" in v.name]
    shared = st.MomentumOptimizer(0.1, 0.9)  # without numbers of its own that steps advance
    _together(8, lambda k: [shared.apply_gradients([(gradients[k], variables[k])]) for _ in range(500)])
    twin, w = st.MomentumOptimizer(0.1, 0.9), [st.Variable(np.zeros((50, 4))) for _ in range(8)]
    st.AdamOptimizer(0.1).apply_gradients(list(zip(gradients, w, strict=True)))
    for _ in range(500):
        twin.apply_gradients(list(zip(gradients, w, strict=True)))
    assert len(powers) == 2
    for trained, expected in zip(variables, w, strict=True):
        np.testing.assert_array_equal(trained.numpy(), expected.numpy())


def _together(count: int, work: Callable[[int], Any]) -> None:
    errors: list[BaseException] = []

    def run(k: int) -> None:
        try:
            work(k)
        except BaseException as error:
            errors.append(error)

    running = [threading.Thread(target=run, args=(k,)) for k in range(count)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    assert not errors, errors
