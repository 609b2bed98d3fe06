"""IndexedSlices as values."""

from __future__ import annotations

import numpy as np
import pytest

from steepest.ops.indexed_slices import IndexedSlices


def test_slices():
    s = IndexedSlices(np.array([[1.0], [2.0], [4.0]], np.float32), [2, 0, 2], (3, 1))
    assert s.indices.dtype == np.int64
    assert s.dtype == np.float32
    assert s.shape == s.dense_shape == (3, 1)
    assert s.to_dense().tolist() == np.asarray(s).tolist() == [[2], [0], [5]]
    assert np.asarray(s, np.float64).dtype == np.float64
    assert (-s).values.tolist() == [[-1], [-2], [-4]]
    assert (-s).indices is s.indices
    assert "indices=[2, 0, 2]" in repr(s)
    with pytest.raises(TypeError):
        s * 2.0
    with pytest.raises(TypeError):
        np.ones((3, 1)) * s
    with pytest.raises(TypeError):
        len(s)


def test_duplicates_are_summed_in_batch_order():
    values = np.array([1.0, 1e8, -1e8, 1.0], np.float32)
    indices = np.zeros(4, np.int32)
    expected = np.float32(0)
    for value in values:
        expected += value
    assert IndexedSlices(values, indices, (1,)).to_dense()[0] == expected
    wide = IndexedSlices(np.repeat(values[:, None], 3, 1), indices, (2, 3)).to_dense()
    assert wide.tolist() == [[expected] * 3, [0] * 3]


@pytest.mark.parametrize(
    ("values", "indices", "error", "text"),
    [
        (np.ones(2), [0.0, 1.0], TypeError, "int32 or int64"),
        (np.ones(2), np.array([0, 1], np.int16), TypeError, "int32 or int64"),
        (np.ones(2), [[0, 1]], ValueError, "1-D"),
        (np.ones(2), [0], ValueError, "one row for each of 1 indices"),
        (np.float64(1), [0], ValueError, "one row for each"),
    ],
)
def test_slices_refuse(values, indices, error, text):
    with pytest.raises(error, match=text):
        IndexedSlices(values, indices)


def test_slices_become_dense_only_with_a_shape_that_holds_them():
    with pytest.raises(ValueError, match="dense_shape must be given"):
        IndexedSlices(np.ones(1), [0]).to_dense()
    with pytest.raises(IndexError, match="got 3 at position 1"):
        IndexedSlices(np.ones(2), [0, 3], (3,)).to_dense()
    with pytest.raises(IndexError, match="got -1 at position 0"):
        np.asarray(IndexedSlices(np.ones(1), [-1], (3,)))
    assert IndexedSlices(np.ones((0, 2)), [], (3, 2)).to_dense().tolist() == [[0, 0]] * 3
