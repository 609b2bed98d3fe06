"""Gradients of reading rows are IndexedSlices."""

from __future__ import annotations

import numpy as np
import pytest

from steepest.autodiff.tape import GradientTape
from steepest.ops.indexed_slices import IndexedSlices
from steepest.ops.vjps.indexing import gather
from steepest.variables.variable import Variable


def variable(value=(1.0, 2.0, 3.0), **options):
    return Variable(np.array(value), **options)


# Sparse rows


def test_gathers_are_slices_with_repeats_in_the_order_of_reading():
    w = Variable(np.arange(12.0).reshape(4, 3))
    with GradientTape(persistent=True) as tape:
        a = gather(w, np.array([[1, 1]]))
        b = np.take(w, [3], axis=0)
        c = w[np.array([-1, 0])]
        loss = np.sum(a) + 2 * np.sum(b) + 3 * np.sum(c)
        dense = loss + np.sum(w)
    g = tape.gradient(loss, w)
    assert isinstance(g, IndexedSlices)
    assert g.indices.tolist() == [1, 1, 3, 3, 0]
    assert g.values[:, 0].tolist() == [1, 1, 2, 3, 3]
    assert g.dense_shape == (4, 3)
    full = tape.gradient(dense, w)
    np.testing.assert_array_equal(full, np.asarray(g) + 1)


def test_a_gather_from_an_intermediate_value_is_dense_there():
    w = Variable(np.arange(4.0))
    with GradientTape() as tape:
        y = w * w
        loss = np.sum(gather(y, [1, 1]) * np.array([1.0, 10.0]))
    gw, gy = tape.gradient(loss, [w, y])
    np.testing.assert_array_equal(gw, [0, 22, 0, 0])
    np.testing.assert_array_equal(np.asarray(gy), [0, 11, 0, 0])


def test_second_derivative_through_a_gather():
    w = Variable(np.arange(1.0, 5.0).reshape(4, 1))
    with GradientTape() as outer:
        with GradientTape() as inner:
            loss = np.sum(gather(w, [1, 1, 3]) ** 3)
        g = inner.gradient(loss, w)
        assert isinstance(g, IndexedSlices)
        assert g.indices.tolist() == [1, 1, 3]
        total = np.sum(g.to_dense())
    h = outer.gradient(total, w)
    np.testing.assert_allclose(np.asarray(h)[:, 0], [0, 24, 0, 24])


def test_gather_refuses_rows_that_are_not_there_first():
    w = variable()
    with pytest.raises(IndexError, match=r"indices must be in \[0, 3\), got 3 at position 1"):
        gather(w, [0, 3])
    with pytest.raises(IndexError, match=r"got -1 at position \(1, 0\)"):
        gather(w, [[0, 0], [-1, 0]])
    with pytest.raises(TypeError, match="indices must be integers"):
        gather(w, [0.5])
    with pytest.raises(ValueError, match="params must have rows"):
        gather(1.0, [0])


def test_the_ids_may_change_after_the_reading():
    w, ids = variable(), np.array([0, 1])
    with GradientTape() as tape:
        loss = np.sum(gather(w, ids))
    g = tape.gradient(loss, w)
    ids[:] = 2
    assert g.indices.tolist() == [0, 1]
