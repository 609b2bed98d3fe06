"""AdamOptimizer(sparse_update="deferred"): the full update's result, whatever happens between two visits of a row."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from catalogue import DTYPES
from hypothesis import given, settings
from hypothesis import strategies as some

import steepest as st
from steepest import _core

BETAS = [(0.9, 0.999), (0.9, 0.99), (0.0, 0.9), (0.9, 0.0), (0.5, 0.5), (0.99, 0.9), (0.999, 0.999)]


class Run:
    """One table under Adam, moved by what the test says."""

    def __init__(self, way: str, dtype: Any, shape: tuple[int, ...], *hyper: float, **more: Any) -> None:
        self.w = st.Variable(np.random.default_rng(0).normal(size=shape).astype(np.float32).astype(dtype))
        self.rate = 0.01
        self.opt = st.AdamOptimizer(lambda: self.rate, *hyper, sparse_update=way, **more)

    def sparse(self, ids: Any, seed: int, scale: float = 0.1) -> None:
        ids = np.asarray(ids, np.int64)
        values = np.random.default_rng(seed).normal(size=(len(ids), *self.w.shape[1:])) * scale
        self.opt.apply_gradients([(st.IndexedSlices(values.astype(np.float32), ids), self.w)])

    def dense(self, seed: int) -> None:
        values = np.random.default_rng(seed).normal(size=self.w.shape).astype(np.float32)
        self.opt.apply_gradients([(values, self.w)])

    def state(self) -> list[np.ndarray]:
        slots = [self.opt.get_slot(self.w, name) for name in self.opt.get_slot_names()]
        return [np.asarray(part.numpy(), np.float64) for part in (self.w, *slots)]


def assert_same(full: Run, deferred: Run, tolerance: float = 1e-12) -> None:
    for a, b in zip(full.state(), deferred.state(), strict=True):
        np.testing.assert_allclose(b, a, rtol=tolerance, atol=tolerance * max(1.0, np.abs(a).max(initial=0)))


ACTIONS = some.one_of(
    some.tuples(some.just("sparse"), some.lists(some.integers(0, 11), max_size=6)),
    some.tuples(some.just("steps"), some.integers(1, 60)),
    some.tuples(some.just("rate"), some.floats(-0.02, 0.05)),
    some.tuples(some.sampled_from(["gather", "index"]), some.lists(some.integers(0, 11), min_size=1, max_size=5)),
    some.tuples(some.sampled_from(["dense", "value", "slot", "flush", "assign", "assign_slot"]), some.none()),
)


@settings(max_examples=60, deadline=None)
@given(actions=some.lists(ACTIONS, max_size=25), betas=some.sampled_from(BETAS), width=some.sampled_from([1, 3, 17]))
def test_any_schedule_gives_the_full_updates_result(actions, betas, width):
    runs = [Run(way, np.float64, (12, width), *betas, 1e-3) for way in ("full", "deferred")]
    for number, (action, data) in enumerate(actions):
        seen = []
        for run in runs:
            w, opt = run.w, run.opt
            if action == "sparse":
                run.sparse(data, number)
            elif action == "steps":
                for step in range(data):
                    run.sparse([step % 5], number)
            elif action == "rate":
                run.rate = data
            elif action == "gather":
                seen.append(st.gather(w, np.array(data)))
            elif action == "index":
                seen.append(w[np.array(data) - 12])
            elif action == "dense":
                run.dense(number)
            elif action == "value":
                seen.append(w.numpy())
            elif action == "slot" and opt.get_slot(w, "v") is not None:
                seen.append(opt.get_slot(w, "v").numpy())
            elif action == "flush":
                opt.flush()
            elif action == "assign":
                w.assign(np.full(w.shape, 0.5))
            elif action == "assign_slot" and opt.get_slot(w, "m") is not None:
                opt.get_slot(w, "m").assign_add(np.full(w.shape, 0.01))
        if seen:
            np.testing.assert_allclose(seen[1], seen[0], rtol=1e-11, atol=1e-11 * max(1.0, np.abs(seen[0]).max()))
    assert_same(*runs, 1e-11)


@pytest.mark.parametrize("epsilon", [1e-8, 1e-2])
@pytest.mark.parametrize("betas", BETAS, ids=str)
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e5])
def test_rows_may_be_away_for_long_and_the_ledger_fill_up(betas, epsilon, scale):
    runs = [Run(way, np.float64, (6, 2), *betas, epsilon) for way in ("full", "deferred")]
    for run in runs:
        run.sparse([0, 1, 2, 3], 0, scale)
        for step in range(4200 if betas == BETAS[0] else 300):
            run.rate = 0.01 / (1 + step % 7)
            run.sparse([0] if step % 50 else [0, 1], step + 1, scale)
        run.sparse([3], 1, scale)
    assert_same(*runs)


def test_ten_thousand_steps_end_no_further_from_the_exact_result_than_the_full_update():
    steps, rows = 10_000, 400
    rng = np.random.default_rng(3)
    weights = 1 / np.arange(1, rows + 1) ** 1.1
    ids = rng.choice(rows, (steps, 6), p=weights / weights.sum())
    values = (rng.normal(size=(steps, 6, 4)) * np.exp(rng.normal(size=(steps, 6, 1)) - 3)).astype(np.float32)
    runs = [Run(way, dtype, (rows, 4)) for way, dtype in (("full", "f8"), ("full", "f4"), ("deferred", "f4"))]
    for run in runs:
        for step in range(steps):
            run.rate = 1e-3 * (1 + math.cos(step / 400)) * (10 if step % 3000 < 300 else 1)
            run.opt.apply_gradients([(st.IndexedSlices(values[step], ids[step]), run.w)])
    exact, *others = (run.w.numpy().astype(np.float64) for run in runs)
    full, deferred = ([np.linalg.norm(other - exact), np.abs(other - exact).max()] for other in others)
    assert deferred[0] <= 1.5 * full[0]
    assert deferred[1] <= 1.5 * full[1]
    lazy = Run("full", "f4", (rows, 4))
    lazy.opt = st.LazyAdamOptimizer(1e-3)
    for step in range(200):
        lazy.opt.apply_gradients([(st.IndexedSlices(values[step], ids[step]), lazy.w)])
    assert np.linalg.norm(lazy.w.value - exact) > 100 * full[0]  # the measure tells optimizers apart


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_type_stays_near_the_exact_result(dtype):
    runs = [Run("full", np.float64, (50, 9)), Run("full", dtype, (50, 9)), Run("deferred", dtype, (50, 9))]
    for run in runs:
        for step in range(300):
            run.sparse(np.random.default_rng(step).integers(0, 50, 3), step)
    assert runs[2].opt.get_slot(runs[2].w, "m").dtype == (np.float64 if dtype == np.float64 else np.float32)
    exact, full, deferred = (run.state() for run in runs)
    for a, b, c in zip(exact, full, deferred, strict=True):
        assert np.linalg.norm(c - a) <= 1.5 * np.linalg.norm(b - a) + 1e-12 * np.linalg.norm(a)


def test_rows_that_never_had_a_gradient_keep_their_bits():
    run = Run("deferred", np.float32, (9, 3))
    before = run.w.numpy()
    for step in range(100):
        run.sparse([2, 5], step)
    np.testing.assert_array_equal(np.delete(run.w.value, [2, 5], axis=0), np.delete(before, [2, 5], axis=0))


def test_an_empty_batch_is_a_step():
    runs = [Run(way, np.float64, (4, 2)) for way in ("full", "deferred")]
    for run in runs:
        run.sparse([1, 1, 3], 0)
        before = run.w.numpy()
        run.sparse([], 1)
        run.sparse([], 2)
        assert (run.w.value[[1, 3]] != before[[1, 3]]).all()
    assert_same(*runs)


def test_reading_rows_changes_no_later_bit():
    def train(reads: bool) -> bytes:
        run = Run("deferred", np.float32, (40, 5))
        for step in range(60):
            if reads:
                st.gather(run.w, np.arange(40))
                with st.GradientTape():
                    st.nn.embedding_lookup(run.w, [3, 3])
            run.sparse([step % 40, (7 * step) % 40], step)
        return b"".join(part.tobytes() for part in run.state())

    assert train(True) == train(False)


def test_what_gather_returns_is_what_the_row_becomes():
    for dtype in DTYPES:
        run = Run("deferred", dtype, (30, 19))
        for step in range(50):
            run.sparse([step % 30], step)
        read = st.gather(run.w, np.arange(30))
        np.testing.assert_array_equal(read, run.w.value)


@pytest.mark.parametrize("width", [1, 7, 64])
def test_thread_count_never_changes_a_bit(width):
    found = set()
    for threads in (1, 2, 3, 7):
        st.set_num_threads(threads)
        run = Run("deferred", np.float32, (20_000, width))
        for step in range(4):
            run.sparse(np.random.default_rng(step).integers(0, 20_000, 30_000), step)
        read = st.gather(run.w, np.random.default_rng(9).integers(0, 20_000, (300, 150)))
        found.add(b"".join(part.tobytes() for part in (read, *run.state())))
    assert len(found) == 1


def digest() -> str:
    """All types, widths around a block, several segments of ages."""
    bits = hashlib.sha256()
    for dtype in DTYPES:
        for betas in BETAS:
            for width in (1, 8, 31):
                run = Run("deferred", dtype, (23, width), *betas, hooks=[st.ClipByGlobalNorm(1.0), st.WeightDecay(0.1)])
                for step in range(40):
                    run.sparse([step % 23, step * step % 23], step)
                bits.update(st.gather(run.w, np.arange(23)).tobytes())
                for part in run.state():
                    bits.update(part.tobytes())
    return bits.hexdigest()


def test_instruction_set_never_changes_a_bit():
    tests = str(Path(__file__).parent)
    path = [tests, f"{tests}/support"]
    program = f"import sys; sys.path[:0] = {path!r}; import test_deferred_adam as t; print(t.digest())"
    found = {}
    for isa in _core.build_info()["isa_available"]:
        environment = {**os.environ, "STEEPEST_ISA": isa}
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], env=environment, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        found[isa] = done.stdout
    assert len(set(found.values())) == 1, found
