"""What would crash or hang a process: sizes that overflow, arrays that lie about their type, threads not to be had."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import steepest as st
from steepest import _core

ONES = np.ones((3, 1), np.float32)


@pytest.mark.parametrize(
    ("values", "indices"),
    [(ONES, [2**63 - 2, 0, 2**63 - 2]), (np.ones((3, 11), np.float32), [2**62, 0, 2**62]), (ONES, [2**62, 1, 0])],
    ids=["last index", "wide rows", "first index too far"],
)
def test_indices_whose_elements_have_no_number_are_refused(values: np.ndarray, indices: list[int]):
    slices = st.IndexedSlices(values, np.array(indices))
    for use in (lambda: st.global_norm([slices]), lambda: st.clip_by_norm(slices, 1.0)):
        with pytest.raises(ValueError, match="indices must be below"):
            use()


def test_indices_as_far_as_they_may_be_have_a_norm():
    far = np.array([2**62 - 1, 0, 2**62 - 1])
    assert st.global_norm([st.IndexedSlices(ONES, far)]) == np.sqrt(5.0)


def test_negative_sizes_are_refused():
    with pytest.raises(ValueError, match=r"IndexedSlices: dense_shape must .*, got \(-5, 3\)"):
        st.IndexedSlices(np.ones((1, 3)), [0], (-5, 3))


class Liar(np.ndarray):
    """Says that its items are numbers."""

    dtype = np.dtype(np.float64)  # type: ignore[assignment]


def test_an_array_of_objects_is_not_read_as_numbers():
    liar = np.array([1, 2, 3], object).view(Liar)
    for target, gradient in ((liar, np.ones(3)), (np.ones(3), liar)):
        with pytest.raises(TypeError, match="must be of float64, got dtype object"):
            _core.apply("x", [("sgd", [0.1], [])], [(0, "w", 1, target, (), gradient, None, False)], [], [], [])
    with pytest.raises(TypeError, match=r"must be .*float64, got dtype (int64|>f8)"):
        _core.apply(
            "x", [("sgd", [0.1], [])], [(0, "w", 1, np.ones(3, np.int64), (), np.ones(3), None, False)], [], [], []
        )


@pytest.mark.parametrize("step", [0.0, -1.0, 0.5, np.nan])
def test_the_kernels_are_not_given_a_period_that_they_cannot_divide_by(step: float):
    w, accumulator, decays = np.ones(3), np.ones(3), np.zeros(3, np.int64)
    item = (0, "w", 1, w, (accumulator, decays), np.ones(3), None, False)
    with pytest.raises(ValueError, match="accumulator_decay_step must be an integer of at least 1"):
        _core.apply("x", [("adagrad_decay", [0.1, 0.1, step, 0.9, 0.0, 0.0], [])], [item], [], [], [])
    assert w.tolist() == accumulator.tolist() == [1, 1, 1]


@pytest.mark.parametrize("step", [-1.0, 0.5, 1e300, -np.inf, np.nan])
@pytest.mark.parametrize("rule", [rule for rule, said in _core.schema().items() if "global_step" in said["scalars"]])
def test_the_kernels_are_not_given_a_step_that_they_cannot_count(rule: str, step: float):
    said = _core.schema()[rule]
    slots = tuple(np.zeros(3, np.int64 if slot["slot_type"] == "integer" else np.float64) for slot in said["slots"])
    values = [*(hyper["default"] for hyper in said["hyper"]), step]
    w = np.ones(3)
    with pytest.raises(ValueError, match=r"global_step must be an integer from 0 to 2\*\*53, got"):
        _core.apply("x", [(rule, values, [])], [(0, "w", 1, w, slots, np.ones(3), None, False)], [], [], [])
    assert (w == 1).all()


def test_counters_from_anywhere_end(tmp_path):
    program = """
import numpy as np, steepest as st
w = np.ones((3, 2), np.float32)
opt = st.AdagradDecayOptimizer(0.1, accumulator_decay_step=1, catch_up=True)
for start in (0, -2**63, 2**63 - 1):
    opt.apply_gradients([(np.ones((3, 2), np.float32), w)])
    opt.get_slot(w, "accumulator_decay_power").value[:] = start
opt.apply_gradients([(np.ones((3, 2), np.float32), w)])
print(np.isfinite(w).all())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


@pytest.mark.parametrize(
    "limit",
    [
        "resource.setrlimit(resource.RLIMIT_NPROC, (4, 4)); os.setuid(65534)",
        "resource.setrlimit(resource.RLIMIT_AS, (space + 2**26, space + 2**26))",
    ],
    ids=["processes", "memory"],
)
def test_threads_that_cannot_be_had_mean_fewer_threads(limit: str):
    program = f"""
import os, resource
import numpy as np, steepest as st
w, g = np.ones(1_000_000, np.float32), np.ones(1_000_000, np.float32)
one, many = w.copy(), w.copy()
st.set_num_threads(1)
st.GradientDescentOptimizer(0.5).apply_gradients([(g, one)])
opt = st.GradientDescentOptimizer(0.5)
space = int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
{limit}
st.set_num_threads(64)
for _ in range(3):
    opt.apply_gradients([(g, many)])
print((many == one - 1).all())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


@pytest.mark.parametrize("variable", [False, True])
def test_memory_that_cannot_be_had_for_slots_changes_nothing(variable: bool):
    program = f"""
import os, resource
import numpy as np, steepest as st
n = 8_000_000
small, large = np.zeros(3, np.float32), np.zeros(n, np.float32)
if {variable}:
    small, large = st.Variable(small), st.Variable(large)
pairs = [(np.ones(3, np.float32), small), (np.ones(n, np.float32), large)]
step = st.Variable(np.int64(0), trainable=False)
opt = st.AdamOptimizer(0.1)
space = int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
free = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (space + 6 * n, free[1]))  # room for one of two slots
for _ in range(3):
    try:
        opt.apply_gradients(pairs, step)
    except MemoryError as error:
        print(error)
    assert opt.get_slot_names() == [] and opt.variables() == [] and step.value == 0
    assert not np.any(small) and not np.any(large)
resource.setrlimit(resource.RLIMIT_AS, free)
opt.apply_gradients(pairs, step)
assert len(opt.variables()) == 6 and step.value == 1 and np.all(large < 0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    message = "steepest: an array must fit into memory, got no room for shape (8000000,) of float32\n"
    assert (done.returncode, done.stdout) == (0, 3 * message), done.stderr
