"""How often numbers come in sparse tensors, and counts as sparse tensors: what TensorFlow 2.21 gave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from steepest.v1.python.ops import bincount_ops, gen_count_ops, sparse_ops

import steepest.v1 as tf


def run(what: Any) -> Any:
    with tf.Session() as session:
        return session.run(what)


def numbers() -> Any:
    return tf.SparseTensor([[0, 0], [0, 1], [1, 0], [1, 2]], [1, 1, 1, 10], [2, 3])


def lists(sparse: Any) -> list[Any]:
    return [part.tolist() for part in run(sparse)]


def test_dense_counts_of_a_sparse_tensor():
    x = numbers()
    assert run(bincount_ops.bincount(x)).tolist() == [0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    rows = run(bincount_ops.bincount(x, axis=-1))
    assert rows.tolist() == [[0, 2, *[0] * 9], [0, 1, *[0] * 8, 1]]
    assert run(bincount_ops.bincount(x, weights=x, minlength=3, maxlength=5)).tolist() == [0, 3, 0, 0, 0]
    assert run(bincount_ops.bincount(x, axis=-1, binary_output=True))[0].tolist() == [0, 1, *[0] * 9]
    with pytest.raises(ValueError, match="must be a SparseTensor"):
        bincount_ops.bincount(x, weights=[1.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="non-negative"):
        run(bincount_ops.bincount(tf.SparseTensor([[0]], [-2], [2])))


def test_sparse_counts():
    x = numbers()
    assert lists(sparse_ops.sparse_bincount(x)) == [[[1], [10]], [3, 1], [11]]
    assert lists(sparse_ops.sparse_bincount(x, axis=-1)) == [[[0, 1], [1, 1], [1, 10]], [2, 1, 1], [2, 11]]
    cut = sparse_ops.sparse_bincount(x, axis=-1, minlength=3, maxlength=5, binary_output=True)
    assert lists(cut) == [[[0, 1], [1, 1]], [1, 1], [2, 5]]
    dense = np.array([[3, 2, 1], [5, 4, 4]])
    weighed = sparse_ops.sparse_bincount(dense, weights=dense.astype(float), axis=-1, minlength=7)
    assert lists(weighed) == [[[0, 1], [0, 2], [0, 3], [1, 4], [1, 5]], [1.0, 2.0, 3.0, 8.0, 5.0], [2, 7]]


def test_parts_that_do_not_fit_are_refused():
    good: dict[str, Any] = {"indices": [[0, 0], [1, 2]], "values": [1, 10], "weights": [1, 2], "dense_shape": [2, 3]}
    count = gen_count_ops.sparse_count_sparse_output
    assert lists(count(**good, binary_output=False)) == [[[0, 1], [1, 10]], [1, 2], [2, 11]]
    for change, words in (
        ({"weights": [1]}, "Weights and values must have the same shape"),
        ({"indices": [[0, 0]]}, "Number of values must match first dimension of indices"),
        ({"values": [1, -1]}, "non-negative"),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            run(count(**{**good, **change}, binary_output=False))
    with pytest.raises(ValueError, match="Shape must be rank 2 but is rank 1"):
        count(**{**good, "indices": [0, 1]}, binary_output=False)
