"""Tapes in asyncio tasks, copied contexts and threads: each records what is computed under it, and nothing later."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import threading
import weakref

import numpy as np
import pytest

import steepest as st
from steepest import _core


def keeps_memory() -> bool:
    """Tell whether NumPy's large arrays are made in kept memory here."""
    before = _core.cached_bytes()
    array = np.empty(1_234_567, np.uint8)
    in_use = _core.cached_bytes()
    del array
    # Fewer where the array was made of kept memory, or where a full stock dropped larger blocks for it.
    return not before == in_use == _core.cached_bytes()


@pytest.fixture
def w() -> st.Variable:
    return st.Variable(np.array([1.0, 2.0]))


def test_a_task_made_under_a_tape_forgets_it_when_it_ends(w: st.Variable):
    async def later(started: asyncio.Event, ended: asyncio.Event) -> tuple[bool, bool]:
        first = isinstance(w * 2.0, st.Tensor)
        started.set()
        await ended.wait()
        return first, isinstance(w * 2.0, st.Tensor)

    async def main() -> tuple[bool, bool]:
        started, ended = asyncio.Event(), asyncio.Event()
        with st.GradientTape() as tape, st.GradientTape():
            task = asyncio.create_task(later(started, ended))
            await started.wait()
        reference = weakref.ref(tape)
        del tape
        gc.collect()
        assert reference() is None  # though the task has not ended
        ended.set()
        return await task

    assert asyncio.run(main()) == (True, False)


def test_a_copied_context_goes_on_without_the_tape_and_its_memory(w: st.Variable):
    with st.GradientTape() as tape:
        copy = contextvars.copy_context()
        assert keeps_memory()
        assert copy.run(keeps_memory)
        assert isinstance(copy.run(lambda: w * 2.0), st.Tensor)
    reference = weakref.ref(tape)
    del tape
    gc.collect()
    assert reference() is None
    assert not isinstance(copy.run(lambda: w * 2.0), st.Tensor)
    assert not copy.run(keeps_memory)

    def train() -> list[float]:
        with st.GradientTape() as own:
            assert keeps_memory()
            loss = np.sum(w * w)
        assert not keeps_memory()
        own.__exit__(None, None, None)
        return own.gradient(loss, w).tolist()

    assert copy.run(train) == [2.0, 4.0] == train()
    with st.GradientTape():
        assert keeps_memory()


def test_tasks_that_take_turns_have_tapes_of_their_own():
    async def train(start: float) -> tuple[list[float], bool]:
        w = st.Variable(np.array([start]))
        opt = st.GradientDescentOptimizer(0.25)
        other = False
        for _ in range(20):
            with st.GradientTape() as tape:
                loss = w * w
                await asyncio.sleep(0)
                loss = np.sum(loss) + w * 0.0
            other = other or len(tape.watched_variables()) != 1
            await asyncio.sleep(0)
            assert not isinstance(w * 1.0, st.Tensor)
            opt.apply_gradients([(tape.gradient(loss, w), w)])
        return w.numpy().tolist(), other

    async def main() -> list:
        return await asyncio.gather(*[train(float(k)) for k in range(1, 9)])

    assert asyncio.run(main()) == [([k * 0.5**20], False) for k in range(1, 9)]


def test_threads_begin_without_tapes(w: st.Variable):
    seen: list[bool] = []
    with st.GradientTape() as tape:
        thread = threading.Thread(target=lambda: seen.append(isinstance(w * 2.0, st.Tensor)))
        thread.start()
        thread.join()
        loss = np.sum(w * 2.0)
    assert seen == [False]
    assert tape.gradient(loss, w).tolist() == [2.0, 2.0]


def test_threads_have_tapes_of_their_own():
    results: list[list[float]] = []

    def train(start: float) -> None:
        w = st.Variable(np.array([start]))
        opt = st.GradientDescentOptimizer(0.25)
        for _ in range(200):
            opt.minimize(lambda: np.sum(w * w))
        results.append((w.numpy() / start).tolist())

    threads = [threading.Thread(target=train, args=(float(k),)) for k in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[0.5**200]] * 8


def test_a_tape_may_end_in_another_context(w: st.Variable):
    tape = st.GradientTape()
    contextvars.copy_context().run(tape.__enter__)
    assert not isinstance(w * 2.0, st.Tensor)
    tape.__exit__(None, None, None)
    tape.__enter__()
    loss = np.sum(w * w)
    contextvars.copy_context().run(tape.__exit__, None, None, None)
    assert not isinstance(w * 2.0, st.Tensor)
    assert tape.gradient(loss, w).tolist() == [2.0, 4.0]
    tape.__exit__(None, None, None)
    assert not keeps_memory()
