"""Bits that may not depend on threads, instruction set, form of the gradient, split of the list, or fusing of hooks."""

from __future__ import annotations

import functools
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from catalogue import DTYPES, ROWS, Row

import steepest as st
from steepest import _core

THREADS = [1, 2, 3, 7]


def state(opt: st.Optimizer, *parameters: np.ndarray) -> bytes:
    """Everything that updates have written."""
    parts = [np.asarray(p).tobytes() for p in parameters]
    for name in opt.get_slot_names():
        parts += [slot.value.tobytes() for p in parameters if (slot := opt.get_slot(p, name)) is not None]
    return b"".join(parts)


@functools.lru_cache(100)
def drawn(shape: tuple[int, ...], dtype: np.dtype, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def values(shape: tuple[int, ...], dtype: np.dtype, seed: int) -> np.ndarray:
    return drawn(shape, dtype, seed).copy()


def train(row: Row, shapes: list[tuple[int, ...]], dtype: np.dtype, sparse: bool, hooks: list | None = None) -> bytes:
    parameters = [values(shape, dtype, k) for k, shape in enumerate(shapes)]
    opt = row.make(hooks=hooks or [])
    for step in range(3):
        pairs = []
        for k, w in enumerate(parameters):
            if sparse:
                ids = np.random.default_rng(step).integers(0, len(w), 2 * len(w))
                pairs.append((st.IndexedSlices(values((len(ids), *w.shape[1:]), dtype, step + k), ids), w))
            else:
                pairs.append((values(w.shape, dtype, step + k), w))
        opt.apply_gradients(pairs)
    return state(opt, *parameters)


@pytest.mark.parametrize("clipped", [False, True], ids=["plain", "clipped"])
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_thread_count_never_changes_a_bit(row: Row, sparse: bool, clipped: bool):
    shapes = [(10_007, 7), (1,), (3, 1), (40_009,)]
    found = set()
    for threads in THREADS:
        st.set_num_threads(threads)
        hooks = [st.ClipByNorm(20.0), st.ClipByGlobalNorm(10.0)] if clipped else []
        found.add(train(row, shapes, np.dtype(np.float32), sparse, hooks))
    assert len(found) == 1


@pytest.mark.parametrize("clipped", [False, True], ids=["plain", "clipped"])
@pytest.mark.parametrize("width", [1, 2, 3, 5, 8, 16, 64, 300])
@pytest.mark.parametrize("row", [row for row in ROWS if not row.sparse_rule], ids=lambda row: row.id)
def test_all_rows_as_slices_are_the_dense_update(row: Row, width: int, clipped: bool):
    for dtype in DTYPES:
        shape = (301, width)
        dense, sparse = values(shape, dtype, 0), values(shape, dtype, 0)
        hooks = [st.ClipByGlobalNorm(3.0), st.WeightDecay(0.1)] if clipped else []
        a, b = row.make(hooks=hooks), row.make(hooks=hooks)
        for step in range(3):
            g = values(shape, dtype, step + 1)
            order = np.random.default_rng(step).permutation(len(g))
            a.apply_gradients([(g, dense)])
            b.apply_gradients([(st.IndexedSlices(g[order], order.astype(np.int32)), sparse)])
        assert state(a, dense) == state(b, sparse), dtype


def test_a_norm_does_not_see_rows_without_a_gradient():
    for rows, width in [(5, 3), (4000, 7), (70_000, 1), (3, 10_000)]:
        ids = np.sort(np.random.default_rng(1).choice(rows, max(1, rows // 3), replace=False))
        sparse = values((len(ids), width), np.dtype(np.float32), 2)
        dense = np.zeros((rows, width), np.float32)
        dense[ids] = sparse
        assert st.global_norm([st.IndexedSlices(sparse, ids, (rows, width))]) == st.global_norm([dense])


@pytest.mark.parametrize("row", [row for row in ROWS if not row.whole], ids=lambda row: row.id)
def test_one_array_and_its_pieces_move_alike(row: Row):
    whole = values((999,), np.dtype(np.float32), 0)
    pieces = [whole[:100].copy(), whole[100:101].copy(), whole[101:].copy()]
    a, b = row.make(), row.make()
    for step in range(3):
        g = values((999,), np.dtype(np.float32), step + 1)
        a.apply_gradients([(g, whole)])
        b.apply_gradients(zip([g[:100], g[100:101], g[101:]], pieces, strict=True))
    np.testing.assert_array_equal(whole, np.concatenate(pieces))


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_views_that_are_not_contiguous_move_like_copies(row: Row, sparse: bool):
    memory = values((40, 12), np.dtype(np.float32), 0)
    view, copy = memory[::2, 1::3], memory[::2, 1::3].copy()
    rest = memory.copy()
    a, b = row.make(), row.make()
    for step in range(3):
        g = values((8, *view.shape[1:]) if sparse else view.shape, np.dtype(np.float32), step)
        gradient = st.IndexedSlices(g, np.arange(8) * 2 % 7) if sparse else np.asfortranarray(g)
        a.apply_gradients([(gradient, memory[::2, 1::3])])
        b.apply_gradients([(gradient, copy)])
    np.testing.assert_array_equal(view, copy)
    rest[::2, 1::3] = view
    np.testing.assert_array_equal(memory, rest)


@pytest.mark.parametrize("dtype", DTYPES[:2], ids=str)
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_fused_hooks_are_the_hooks_called_one_by_one(row: Row, sparse: bool, dtype: np.dtype):
    chain = [
        st.ClipByValue(-1.5, 1.0),
        st.WeightDecay(0.1),
        st.ClipByNorm(9.0),
        st.ClipByGlobalNorm(7.0),
        st.WeightDecay(0.2, decoupled=True),
        st.CheckFinite(),
    ]
    # A callable at the end makes every hook before it run by itself; decoupled decay is always part of the update.
    shapes = [(30, 5), (17,)]
    fused = train(row, shapes, dtype, sparse, chain)
    assert fused == train(row, shapes, dtype, sparse, [*chain, lambda pairs: pairs])
    assert fused != train(row, shapes, dtype, sparse, chain[1:])


NORM_CHAINS = {
    "alone": [st.ClipByNorm(9.0)],
    "first": [st.ClipByNorm(9.0), st.WeightDecay(0.1), st.ClipByValue(-0.5, 0.4)],
    "last": [st.CheckFinite(), st.ClipByValue(-1.5, 1.0), st.WeightDecay(0.1), st.ClipByNorm(9.0)],
    "twice": [st.ClipByNorm(12.0), st.WeightDecay(0.1), st.ClipByNorm(9.0)],
}


@pytest.mark.parametrize("dtype", DTYPES[:2], ids=str)
@pytest.mark.parametrize("chain", NORM_CHAINS.values(), ids=NORM_CHAINS)
def test_a_norm_found_on_the_way_is_the_norm_found_before(chain: list, dtype: np.dtype):
    sizes = [0, 1, 7, 4096, 3 * 4096 + 5, *[9000] * 12, 40_009, 130_000, 530_000]
    gradients = [values((size,), dtype, k) for k, size in enumerate(sizes)]
    gradients[3] *= dtype.type(1e-250 if dtype.itemsize == 8 else 1e-25)
    gradients[5] *= dtype.type(1e250 if dtype.itemsize == 8 else 1e25)
    if not any(isinstance(hook, st.CheckFinite) for hook in chain):
        gradients[6][5000], gradients[7][1] = np.nan, np.inf

    def trained(hooks: list) -> bytes:
        parameters = [values((size,), dtype, 1) for size in sizes]
        opt = st.MomentumOptimizer(0.1, 0.9, hooks=hooks)
        for _ in range(2):
            with np.errstate(all="ignore"):
                opt.apply_gradients(zip(gradients, parameters, strict=True))
        return state(opt, *parameters)

    st.set_num_threads(1)
    before = trained([*chain, lambda pairs: pairs])
    for threads in THREADS:
        st.set_num_threads(threads)
        assert trained(chain) == before, threads


def test_hooks_see_what_was_there_before_the_first_write():
    start, g, h = (values((900,), np.dtype(np.float64), k) for k in range(3))
    w = start.copy()
    hooks = [st.WeightDecay(0.5), st.ClipByNorm(1.0)]
    st.GradientDescentOptimizer(1.0, hooks=hooks).apply_gradients([(g, w), (h, w), (g, np.zeros(900))])
    once = start - (g + 0.5 * start) / np.linalg.norm(g + 0.5 * start)
    np.testing.assert_allclose(w, once - (h + 0.5 * start) / np.linalg.norm(h + 0.5 * start), rtol=1e-12)


PROGRAM = """
import sys
sys.path[:0] = [{tests!r}, {tests!r} + "/support"]
from test_invariance import digest_of_everything
print(digest_of_everything())
"""


def digest_of_everything() -> str:
    """All rules and types on values of every kind, dense, sparse and clipped; NaNs all alike."""
    digest = hashlib.sha256()
    for row in ROWS:
        for dtype in DTYPES:
            info = np.finfo(np.float32 if dtype.itemsize == 2 else dtype)
            special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, info.tiny, info.tiny / 8, 1.0, -3.5, 60000.0])
            w = np.concatenate([values((390,), dtype, 0), special.astype(dtype)]).reshape(80, 5)
            opt = row.make(hooks=[st.ClipByValue(-50.0, 50.0)])
            clipped = row.make(hooks=[st.ClipByGlobalNorm(1.0)])
            fine = values((80, 5), dtype, 1)
            for step in range(3):
                g = np.random.default_rng(step).permutation(w.reshape(-1)).reshape(w.shape)
                ids = np.random.default_rng(step).integers(0, 80, 100)
                with np.errstate(all="ignore"):
                    opt.apply_gradients([(g, w), (st.IndexedSlices(values((100, 5), dtype, step), ids), w)])
                clipped.apply_gradients([(values((80, 5), dtype, step), fine)])
            for array in (w, fine, *(v.value for v in opt.variables()), *(v.value for v in clipped.variables())):
                array = array.astype(np.float32) if array.dtype.itemsize == 2 else array
                digest.update(np.where(array != array, array.dtype.type(0), array).tobytes())
                digest.update((array != array).tobytes())
    return digest.hexdigest()


def test_instruction_set_never_changes_a_bit():
    program = PROGRAM.format(tests=str(Path(__file__).parent))
    found = {}
    for isa in _core.build_info()["isa_available"]:
        environment = {**os.environ, "STEEPEST_ISA": isa}
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], env=environment, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        found[isa] = done.stdout
    assert len(set(found.values())) == 1, found
