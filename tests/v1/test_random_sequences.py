"""Sequences of random numbers: what sessions and eager mode keep of them, and the words they are made of."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import steepest.v1 as tf
from steepest import _core
from steepest.v1.ops.random_sequences import Draws, SeededDraws


def test_eager_calls_leave_nothing_behind() -> None:
    program = """
import steepest.v1 as tf
from steepest.v1.graph.eager_call import eager_session
tf.enable_eager_execution()
for seed in (None, 3):
    tf.set_random_seed(seed)
    tf.random_normal([2])
    before = len(eager_session._generators)
    for _ in range(50):
        tf.random_normal([2]), tf.nn.dropout([1.0], 0.5), tf.random_shuffle([1, 2])
    assert len(eager_session._generators) == before, len(eager_session._generators)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("kind", [Draws, SeededDraws])
def test_draws_have_their_distribution(kind: type) -> None:
    draws = kind((5, 6))
    for dtype in map(np.dtype, ("float16", "float32", "float64")):
        units, normals = draws.units((20000,), dtype), draws.normals((200, 100), dtype)
        near, count = (
            draws.near_normals((20001,), dtype),
            np.bincount(draws.whole_numbers((9000,), np.int64, -1, 2) + 1),
        )
        assert {each.dtype for each in (units, normals, near)} == {dtype}
        assert units.min() >= 0
        assert units.max() < 1
        assert abs(units.mean(dtype="d") - 0.5) < 0.01
        assert abs(units.var(dtype="d") - 1 / 12) < 0.003
        assert normals.shape == (200, 100)
        assert abs(normals.mean(dtype="d")) < 0.03
        assert abs(normals.std(dtype="d") - 1) < 0.03
        assert abs(near).max() <= 2
        assert abs(near.std(dtype="d") - 0.8796) < 0.02
        assert len(count) == 3
        assert abs(count - 3000).max() < 250
    places = draws.order(1000)
    assert sorted(places) == list(range(1000))
    assert (places != np.arange(1000)).mean() > 0.9
    assert [len(draws.order(count)) for count in (0, 1, 2)] == [0, 1, 2]
    classes = draws.classes(np.array([[np.log(0.2), -np.inf, np.log(0.8)]]), 5000)
    assert 1 not in classes
    assert abs((classes == 2).mean() - 0.8) < 0.03


def test_draws_of_nothing() -> None:
    for draws in (Draws(), SeededDraws((1, 2))):
        for sizes in ((0,), (3, 0)):
            assert draws.units(sizes, np.dtype("f")).shape == sizes
            assert draws.near_normals(sizes, np.dtype("f")).shape == sizes
            assert draws.whole_numbers(sizes, np.int32, 0, 3).shape == sizes
        assert draws.normals((), np.dtype("f")).shape == ()
        assert draws.classes(np.zeros((0, 3)), 4).shape == (0, 4)


def test_a_longer_draw_begins_with_the_shorter_one() -> None:
    for draw in ("units", "normals", "near_normals"):
        for dtype in (np.dtype("f"), np.dtype("d")):
            whole = getattr(SeededDraws((1, 2)), draw)((1001,), dtype)
            for count in (1, 2, 3, 4, 5, 999):
                np.testing.assert_array_equal(getattr(SeededDraws((1, 2)), draw)((count,), dtype), whole[:count])


@pytest.mark.parametrize("out", [np.zeros(6, np.uint32), np.zeros(8, np.int32), np.zeros(8, np.uint32)[::2]])
def test_words_of_a_wrong_array_are_refused(out: np.ndarray) -> None:
    with pytest.raises((TypeError, ValueError), match="_core: out must"):
        _core.philox_words(1, 2, 3, 1, 1, out)
    assert not out.any()
    with pytest.raises(ValueError, match="_core: out must"):
        _core.philox_words(1, 2, 3, 0, 1, np.zeros(8, np.uint32))


def test_a_seeded_mask_changes_from_step_to_step() -> None:
    mask = tf.nn.dropout(tf.ones([64]), rate=0.5, seed=1)
    with tf.Session() as session:
        first, second = session.run(mask), session.run(mask)
    assert first.tolist() != second.tolist()
