"""A step that gets no memory for one request, of C++ or of Python's objects, is whole or has changed nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
NATIVE = TESTS.parent / "cpp" / "tests"
SOURCES = [TESTS / "support" / "refuse_python.cpp", NATIVE / "refuse_memory.cpp"]

PROGRAM = """
import ctypes, itertools, sys
import numpy as np
import steepest as st

library = ctypes.PyDLL(sys.argv[1])
library.stop.restype = ctypes.c_bool
python = sys.argv[2] == "python"
if python:
    library.watch_python()
refuse = library.refuse
refuse.argtypes = [ctypes.c_long, ctypes.c_bool]
MAKE = {
    "SGD": lambda: st.GradientDescentOptimizer(0.5),
    "Adam": lambda: st.AdamOptimizer(0.5),
    "hooks": lambda: st.AdagradOptimizer(0.5, hooks=[st.ClipByGlobalNorm(1.0), st.WeightDecay(0.1)]),
    "counter": lambda: st.AdagradDecayOptimizer(0.5),
    "held back": lambda: st.AdamOptimizer(0.5, hooks=[st.CheckFinite(), st.Accumulate(2)]),
    "schedule": lambda: st.MomentumOptimizer(st.exponential_decay(0.1, None, 10, 0.5), 0.9),
}


class World:
    def __init__(self, make):
        self.opt, self.w, self.table = make(), np.ones(5), st.Variable(np.ones((4, 3)))
        self.steps = st.Variable(np.zeros((), np.int64), trainable=False)

    def pairs(self):
        rows = st.IndexedSlices(np.ones((3, 3)), np.array([1, 1, 2]), (4, 3))
        return [(np.full(5, 0.5), self.w), (rows, self.table)]

    def step(self, pairs=None):
        self.opt.apply_gradients(self.pairs() if pairs is None else pairs, self.steps)

    def summed(self):
        hooks = [hook for hook in self.opt.hooks if isinstance(hook, st.Accumulate)]
        return [(hook._calls, [np.asarray(total).tolist() for total in hook._sums]) for hook in hooks]

    def state(self):
        variables = [self.table, self.steps, *self.opt.variables()]
        return [self.summed(), self.w.tolist()] + [v.numpy().tolist() for v in variables]


tried = 0
for name, make in MAKE.items():
    for taken in (0, 1, 3):
        for fresh in (False, True):  # other arrays than those remembered
            after = World(make)
            for _ in range(taken + 1):
                after.step()
            for n in itertools.count():
                world = World(make)
                for _ in range(taken):
                    world.step()
                if fresh:
                    world.opt._cache.forget()
                before, pairs, failed = world.state(), world.pairs(), None
                refuse(n, python)
                try:
                    world.step(pairs)
                except (MemoryError, SystemError) as error:  # NumPy loses some errors, which Python notices
                    failed = error
                try:
                    refused = library.stop()
                except MemoryError:
                    refused = False  # the step needed fewer
                now = world.state()
                where = (name, taken, fresh, n, failed)
                assert now[: len(before)] == before if failed else now == after.state(), where
                if failed:
                    world.step()
                    assert world.state() == after.state(), where
                if not refused:
                    break
                tried += 1
print(tried)
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("refusing") / "librefuse_memory.so"
    options = ["-std=c++20", "-shared", "-fPIC", "-O1", "-Wl,--wrap=malloc,--wrap=mmap", f"-I{NATIVE}"]
    command = [os.environ.get("CXX", "g++"), *options, *map(str, SOURCES), "-o", str(made)]
    subprocess.run(command, check=True)
    return made


@pytest.mark.parametrize("whose", ["native", "python"])
def test_a_refused_request_leaves_a_step_whole_or_untaken(library: Path, whose: str):
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    command = [sys.executable, "-c", PROGRAM, str(library), whose]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100
