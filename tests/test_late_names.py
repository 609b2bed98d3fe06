"""Names that are imported when they are first asked for: each is there as if it had been imported at once."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import steepest as st

MAIN = ast.parse(Path(st.__file__).read_text())
# Modules that `import steepest` brings beyond NumPy's: most of the time that it takes goes by their number.
MOST_MODULES = 121
# Modules of Python's and NumPy's that take long to import, and that a training loop does without.
DEFERRED = {
    "array", "bisect", "dataclasses", "difflib", "fcntl", "heapq", "importlib.metadata", "json", "mmap", "numpy.fft",
    "numpy.random", "numpy.typing", "tempfile", "zlib",
}  # fmt: skip


def run(program: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr[-2000:])
    return done.stdout


def late_names() -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return what `steepest/__init__.py` calls `late_names` with: names by module, and second names."""
    (call,) = (node for node in ast.walk(MAIN) if isinstance(node, ast.Call) and ast.unparse(node.func) == "late_names")
    modules, short = (eval(ast.unparse(argument)) for argument in call.args[1:])
    return modules, short


MODULES, SHORT = late_names()
LATE = sorted({name for names in MODULES.values() for name in names} | set(SHORT))


def test_an_import_brings_few_modules_and_none_of_the_slow_ones():
    program = "import numpy, sys; before = set(sys.modules); import steepest; print(*(set(sys.modules) - before))"
    loaded = set(run(program).split())
    assert len(loaded) <= MOST_MODULES
    assert not loaded & DEFERRED
    assert not {f"steepest.{module}" for module in MODULES} & loaded


def test_type_checkers_are_told_what_is_imported_late():
    blocks = [node for node in MAIN.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    statements = [statement for block in blocks for statement in block.body]
    told: dict[str, set[str]] = {}
    for node in statements:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                told.setdefault(node.module or alias.name, set()).add(alias.name)
    assert told == {module: set(names) for module, names in MODULES.items()}
    given = {node.targets[0].id: node.value.id for node in statements if isinstance(node, ast.Assign)}
    assert given == SHORT


def test_all_names_are_there_whether_they_have_been_asked_for_or_not():
    program = f"""
import inspect, steepest
seen = dir(steepest)
for name in {LATE}:
    assert getattr(steepest, name) is vars(steepest)[name], name
assert dir(steepest) == seen == sorted(dict(inspect.getmembers(steepest)))
"""
    run(program)
    run(f"from steepest import *; {', '.join(st.__all__)}")
    for name, full in SHORT.items():
        assert getattr(st, name) is getattr(st, full)


def test_a_name_that_nobody_has_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'steepest' has no attribute 'AdamOptimiser'"):
        st.AdamOptimiser  # noqa: B018


LATE_IN_V1 = """
import sys, steepest.v1 as tf
names = dir(tf)
loaded = {name for name in sys.modules if name.startswith(("steepest.v1.contrib", "unittest.mock"))}
assert not loaded, loaded
assert "steepest.v1.test" not in sys.modules and "steepest.v1.profiler" not in sys.modules
assert {"contrib", "test"} <= set(tf.__all__)
assert tf.contrib.layers.l2_regularizer(0.5) and "steepest.v1.contrib.opt" not in sys.modules
assert tf.contrib.opt is sys.modules["steepest.v1.contrib.opt"]
assert tf.test.TestCase and dir(tf) == names
"""


def test_graph_mode_is_imported_without_what_many_programs_do_without():
    run(LATE_IN_V1)


FORK = """
import os, signal, sys, threading, time, warnings
warnings.simplefilter("ignore")  # of a fork while threads run
begun = threading.Event()
def slow(event, arguments):
    if event == "exec" and arguments[0].co_filename.endswith("muon.py"):
        begun.set()
        time.sleep(0.3)  # the fork comes now, unless it waits
sys.addaudithook(slow)
import steepest as st
thread = threading.Thread(target=lambda: st.Muon)
thread.start()
begun.wait()
child = os.fork()
if child == 0:
    signal.alarm(20)  # a child that waits for ever is killed
    os._exit(0 if st.Muon.__name__ == "Muon" else 1)
assert os.waitpid(child, 0)[1] == 0
thread.join()
"""


def test_a_fork_waits_for_a_name_that_another_thread_is_importing():
    run(FORK)


OPTIMIZERS = sorted(
    name for name in st.__all__ if inspect.isclass(value := getattr(st, name)) and issubclass(value, st.Optimizer)
)
STEPS = """
import inspect, os, sys
import numpy as np, steepest as st
def arguments(cls):
    inner = st.MomentumOptimizer(0.1, 0.9)
    given = {"learning_rate": 0.1, "momentum": 0.9, "weight_decay": 0.1, "optimizer": inner, "groups": [(inner, None)]}
    given |= {"global_step": st.Variable(1, trainable=False)}
    return [given[p.name] for p in inspect.signature(cls).parameters.values() if p.default is p.empty]
def steps(name):
    cls = getattr(st, name)
    before = set(sys.modules)
    opt = cls(*arguments(cls))
    w, v = np.ones((3, 2), np.float32), st.Variable(np.ones((3, 2)))
    for _ in range(2):
        opt.apply_gradients([(np.ones((3, 2), np.float32), w)])
        if name != "Muon":  # whose steps are of whole matrices
            opt.apply_gradients([(st.IndexedSlices(np.ones((2, 2)), [1, 1]), v)])
        opt.minimize(lambda: np.sum(np.tanh(v @ np.ones((2, 3))) ** 2), var_list=[v])
    return sorted(set(sys.modules) - before)
for name in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        imported = steps(name)
        print(name, imported, flush=True) if imported else None
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, name
"""


def test_who_has_an_optimizers_class_has_all_that_its_steps_need():
    # A step imports nothing: in the child of a fork, a module that another thread was importing is never there.
    assert run(STEPS, *(name for name in OPTIMIZERS if name != "Optimizer")) == ""
