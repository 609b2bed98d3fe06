"""Memory that changes under a native call: ids that a thread rewrites, arrays that code of the caller's replaces, rows
that are read while they are updated."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import steepest as st


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    return done.stdout


WRITER = """
import threading, numpy as np, steepest as st
from steepest import _core
rows, count = 1000, 200_000
rng = np.random.default_rng(0)
good = rng.integers(0, rows, count) if {unsorted} else np.sort(rng.integers(0, rows, count))
bad = good.copy()
bad[::7] = 2**40
bad[3::7] = -(2**40)
ids = good.copy()
stop = threading.Event()
def write():
    while not stop.is_set():
        np.copyto(ids, bad)  # NumPy lets go of the lock for these
        np.copyto(ids, good)
thread = threading.Thread(target=write)
thread.start()
"""

CALLS = {
    "update": """
table = np.zeros((3 * rows, 2), np.float32)
w = table[rows : 2 * rows]
g = st.IndexedSlices(np.ones((count, 2), np.float32), ids)
opt = st.AdagradOptimizer(0.1)
def call():
    opt.apply_gradients([(g, w)])
def check():
    assert not table[:rows].any() and not table[2 * rows :].any()
""",
    "update with a norm": """
w = np.zeros((rows, 2), np.float32)
g = st.IndexedSlices(np.ones((count, 2), np.float32), ids)
opt = st.AdamOptimizer(0.1, hooks=[st.ClipByGlobalNorm(1.0)])
def call():
    opt.apply_gradients([(g, w)])
def check():
    assert np.isfinite(w).all()
""",
    "sum_duplicates": """
values = np.ones((count, 2), np.float32)
def call():
    unique, summed = _core.sum_duplicates("x", 0, values, ids, rows)
    assert ((unique >= 0) & (unique < rows)).all()
def check():
    pass
""",
    "norm": """
values = np.ones((count, 2), np.float32)
def call():
    _core.common_norm("x", [(0, values, ids, rows)])
def check():
    pass
""",
    "read": """
w = st.Variable(np.ones((rows, 2), np.float32))
opt = st.AdamOptimizer(0.1, sparse_update="deferred")
opt.apply_gradients([(st.IndexedSlices(np.ones((2, 2), np.float32), [1, 2]), w)])
def call():
    w.rows(ids)
def check():
    assert w._pending is not None
""",
}


@pytest.mark.parametrize("unsorted", [True, False], ids=["unsorted", "sorted"])
@pytest.mark.parametrize("name", CALLS)
def test_ids_that_another_thread_rewrites_are_taken_once(name: str, unsorted: bool):
    program = """
done = refused = 0
for _ in range(150):
    try:
        call()
        done += 1
    except IndexError:
        refused += 1
stop.set()
thread.join()
check()
print(done + refused)
"""
    assert run(WRITER.format(unsorted=unsorted) + CALLS[name] + program) == "150\n"


EVIL = """
import numpy as np
from steepest import _core
size = 4_000_000
class Evil:
    def __init__(self, value, *arrays):
        self.value, self.arrays = value, arrays
    def _strike(self):
        for array in self.arrays:
            array.resize(1, refcheck=False)  # its memory goes back to the system
        return self.value
    __index__ = __float__ = _strike
    def __iter__(self):
        self._strike()
        return iter(self.value)
w, g, v = np.zeros(size), np.ones(size), np.zeros(2)
"""

STRUCK = {
    "a later item's type": "_core.apply('x', 'sgd', [0.5], [('w', 1, w, (), g, None, False), "
    "('v', Evil(1, w, g), v, (), v + 1, None, False)], [])",
    "a later item's slots": "_core.apply('x', 'sgd', [0.5], [('w', 1, w, (), g, None, False), "
    "('v', 1, v, Evil((), w), v + 1, None, False)], [])",
    "a hook of an update": "_core.apply('x', 'sgd', [1.0], [('w', 1, w, (), g, None, False)], [(1, Evil(1.0, w), 0)])",
    "a later gradient's type": "_core.common_norm('x', [(1, g, None, 0), (Evil(1, g), v, None, 0)])",
    "a gradient's rows": "_core.common_norm('x', [(1, g, np.zeros(size, int), Evil(1, g))])",
    "a hook of a transformation": "_core.transform(1, g, w, [(0, Evil(-1.0, w, g), 1.0)])",
}


@pytest.mark.parametrize("name", STRUCK)
def test_python_code_that_a_call_runs_may_replace_arrays(name: str):
    program = f"""
try:
    print("done", {STRUCK[name]})
except (ValueError, TypeError) as error:
    print("refused", error)
"""
    assert run(EVIL + program).startswith(("done", "refused"))


def test_items_made_on_the_fly_are_held():
    program = """
import numpy as np
from steepest import _core
class Items:
    def __len__(self):
        return 8
    def __getitem__(self, k):
        if k == 8:
            raise IndexError
        return [0, str(k), 1, np.zeros(2_000_000), [], np.ones(2_000_000), None, False]
print(_core.apply("x", [("sgd", [0.5], [])], Items(), [], [], []))
print(_core.common_norm("x", [[1, np.ones(4), None, 0]]))
"""
    assert run(program) == "-1\n2.0\n"


def test_threads_read_a_table_whose_rows_others_defer():
    table = st.Variable(np.zeros((1000, 4), np.float32))
    opt = st.AdamOptimizer(0.1, sparse_update="deferred", use_locking=True)
    rng = np.random.default_rng(0)
    batches = [st.IndexedSlices(np.ones((64, 4), np.float32), rng.integers(0, 1000, 64)) for _ in range(8)]

    def work(k: int) -> None:
        for turn in range(200):
            opt.apply_gradients([(batches[k], table)])
            if turn % 20 == k:
                table.rows([k, 2 * k])
            if turn % 50 == k:
                table.numpy()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert np.isfinite(table.numpy()).all()
    assert (np.abs(table.numpy()).sum(axis=1) > 0).sum() == len(set(np.concatenate([b.indices for b in batches])))
