"""Arrays of the library's own making: NumPy's values and errors, in memory that begins where updates like it."""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import steepest as st
from steepest import _core

LINE, PAGE, HUGE = 64, 4096, 2 << 20
TYPES = ["f4", "f8", "f2", "i4", "i8", "?", ml_dtypes.bfloat16]


def place(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


@given(shape=some.lists(some.integers(0, 70), max_size=3), dtype=some.sampled_from(TYPES))
def test_arrays_are_numpys_in_all_but_place(shape, dtype):
    for array in (st.empty(shape, dtype), st.zeros(shape, dtype)):
        expected = np.empty(shape, dtype)
        assert type(array) is np.ndarray
        assert (array.shape, array.dtype) == (expected.shape, expected.dtype)
        assert array.size == 0 or array.strides == expected.strides
        assert array.flags.writeable
        assert array.flags.aligned
        assert place(array) % LINE == 0
    np.testing.assert_array_equal(st.zeros(shape, dtype), np.zeros(shape, dtype))


@pytest.mark.parametrize("count", [0, 1, 100_000, HUGE // 4 - 1, HUGE // 4, 3_000_001])
def test_every_element_can_be_written_and_read(count: int):
    array = st.empty(count)
    array[...] = np.arange(count, dtype=np.float32)
    np.testing.assert_array_equal(array, np.arange(count, dtype=np.float32))
    other = st.zeros(count)
    assert not other.any()
    assert not np.shares_memory(array, other)


def test_like_another_array_or_variable():
    for like in (np.asfortranarray(np.ones((3, 4), np.float16)), st.Variable(np.ones((3, 4), np.float16))):
        zeros, empty = st.zeros_like(like), st.empty_like(like, np.float64)
        assert (zeros.shape, zeros.dtype, empty.shape, empty.dtype) == ((3, 4), "f2", (3, 4), "f8")
        assert zeros.flags.c_contiguous
        assert not zeros.any()


@pytest.mark.parametrize("count", [10_000, 1_000_000])
def test_neighbours_begin_at_different_places_of_a_page(count: int):
    places = [place(st.empty(count)) % PAGE for _ in range(8)]
    apart = [min((a - b) % PAGE, (b - a) % PAGE) for k, a in enumerate(places) for b in places[:k]]
    assert min(apart) >= 3 * LINE


@pytest.mark.parametrize("count", [10_000, 1_000_000])
@pytest.mark.parametrize("make", [np.ones, lambda n, t: st.Variable(np.ones(n, t)), lambda n, t: st.zeros(n, t)])
def test_slots_begin_apart_from_their_parameter(count: int, make):
    w, opt = make(count, np.float32), st.AdamOptimizer(0.1)
    opt.apply_gradients([(np.ones(count, np.float32), w)])
    arrays = [w if isinstance(w, np.ndarray) else w.value, opt.get_slot(w, "m").value, opt.get_slot(w, "v").value]
    places = [place(array) % PAGE for array in arrays]
    assert len({p // 512 for p in places}) == 3
    assert all(p % LINE == 0 for p in places[1:]) or places[0] % LINE


def test_memory_is_given_back():

    array = st.zeros(1_000_000)
    view = array[10:20]
    del array
    gc.collect()
    view[...] = 1  # its base lives
    np.testing.assert_array_equal(view, 1)
    before = _resident()
    for _ in range(40):
        st.zeros(4_000_000)[...] = 1
    assert _resident() - before < 64 << 20


def _resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * PAGE


def test_copies_and_pickles_are_plain_arrays():
    array = st.zeros((3, 2))
    array[1] = 7
    for other in (array.copy(), pickle.loads(pickle.dumps(array))):
        np.testing.assert_array_equal(other, array)


def test_an_array_trains_like_one_of_numpys():
    ours, theirs = st.zeros((50, 3)), np.zeros((50, 3), np.float32)
    opts = [st.AdamOptimizer(0.1), st.AdamOptimizer(0.1)]
    for k in range(5):
        gradient = np.random.default_rng(k).normal(size=(50, 3)).astype(np.float32)
        opts[0].apply_gradients([(gradient, ours)])
        opts[1].apply_gradients([(gradient, theirs)])
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: st.empty(-1), ValueError, "empty: shape must have no negative size, got"),
        (lambda: st.zeros((2, -3)), ValueError, "zeros: shape must have no negative size"),
        (lambda: st.zeros(2.5), TypeError, "zeros: shape must be an integer or a tuple of integers"),
        (lambda: st.zeros("ab"), TypeError, "zeros: shape must be an integer or a tuple of integers"),
        (lambda: st.zeros(2, "O"), TypeError, "zeros: dtype must be of floats, integers or booleans"),
        (lambda: st.zeros(2, "U3"), TypeError, "zeros: dtype must be of floats"),
        (lambda: st.zeros(2, "c8"), TypeError, "zeros: dtype must be of floats"),
        (lambda: st.empty((1 << 40, 1 << 40)), MemoryError, None),
        (lambda: st.empty(1 << 60), MemoryError, None),
    ],
)
def test_bad_shapes_and_types(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_freed_memory_serves_the_next_array_of_its_size():
    size = 300_000
    first = st.empty(size)
    start = place(first) // PAGE
    del first
    again = st.empty(size)
    assert place(again) // PAGE in (start - 1, start, start + 1)
    again[...] = 7
    del again
    assert not st.zeros(size).any()


def test_freed_memory_is_kept_within_a_bound():
    bound = 64 << 20
    for size in (5_000_000, 1_000_000, 100_000, 10_000, 30_000_000):
        arrays = [st.empty(size) for _ in range(5)]
        del arrays
        assert 0 < _core.cached_bytes() <= bound
    assert _core.cached_bytes() > bound // 2  # arrays of 120 MB are not kept, and drive out none


def test_threads_share_what_is_kept():
    def work(seed: int) -> bool:
        rng = np.random.default_rng(seed)
        for _ in range(300):
            array = st.empty(int(rng.integers(5000, 400_000)))
            array[...] = seed
            if not (array[:: len(array) - 1] == seed).all() or not (array == seed).all():
                return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))


def run_with(limit: str, program: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "STEEPEST_CACHE_BYTES": limit}
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)


def test_nothing_is_kept_where_the_user_says_so():
    program = """
import numpy as np, steepest as st
from steepest import _core
for _ in range(3):
    w = st.zeros(1_000_000)
    st.MomentumOptimizer(0.1, 0.9).apply_gradients([(np.ones(1_000_000, np.float32), w)])
    del w
print(_core.CACHE_LIMIT_BYTES, _core.cached_bytes())
"""
    assert run_with("0", program).stdout == "0 0\n"
    limit, kept = map(int, run_with("8000000", program).stdout.split())
    assert limit == 8_000_000
    assert 0 < kept <= limit


@pytest.mark.parametrize("text", ["-1", "many", "1.5", "1 MiB"])
def test_a_limit_that_is_no_number_of_bytes_is_an_error_at_import(text: str):
    done = run_with(text, "import steepest")
    assert done.returncode != 0
    assert f"steepest: STEEPEST_CACHE_BYTES must be a number of bytes (0 keeps nothing), got '{text}'" in done.stderr
