"""Embeddings by hashes of ``tf.contrib.layers``: the numbers are those of TensorFlow 1.15."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

layers = tf.contrib.layers


def run(value: Any) -> Any:
    with tf.Session() as session:
        return session.run(value)


def parts() -> list[Any]:
    return [tf.constant(np.arange(*ends, dtype=np.float32)) for ends in ((4,), (4, 7), (7, 10))]


def test_each_number_is_found_by_a_hash():
    weights, texts = tf.constant(np.arange(50, dtype=np.float32)), tf.constant([["a", "foo"], ["bar", ""]])
    found = run(layers.scattered_embedding_lookup(weights, texts, 5))
    np.testing.assert_array_equal(found[:, 0], [[18, 0, 31, 4, 27], [0, 32, 5, 28, 9]])
    numbers = tf.constant([4, -1, 7**11])
    keyed = run(layers.scattered_embedding_lookup(parts(), numbers, 5, hash_key=3))
    np.testing.assert_array_equal(keyed, [[5, 1, 3, 1, 7], [7, 4, 6, 1, 4], [7, 7, 1, 1, 8]])
    unkeyed = run(layers.scattered_embedding_lookup(parts(), numbers, 5))
    np.testing.assert_array_equal(unkeyed, [[3, 1, 6, 5, 0], [6, 4, 1, 8, 5], [4, 8, 1, 4, 5]])


@pytest.mark.parametrize(("combiner", "first"), [(None, [4.5, 5.5, 1.5]), ("sum", [9, 11, 3])])
def test_rows_of_values_are_combined(combiner: str | None, first: list[float]):
    values = tf.SparseTensor([[0, 0], [0, 1], [3, 0]], tf.constant(["x", "y", "x"]), [4, 2])
    found = run(layers.scattered_embedding_lookup_sparse(parts(), values, 3, combiner=combiner))
    np.testing.assert_array_equal(found, [first, [2, 4, 1], [2, 4, 1], [3, 7, 2]])


def test_crosses_have_texts_or_hashes():
    columns = [tf.constant([["batch1-FC1-F1"]]), tf.constant([["batch1-FC2-F1"]]), tf.constant([["batch1-FC3-F1"]])]
    key = layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
    crossed = [
        layers.sparse_feature_cross(columns, *options).values
        for options in ((), (True,), (True, 100), (True, 0, None, key), (True, 100, None, key))
    ]
    text, *numbers = run(crossed)
    assert list(text) == [b"batch1-FC1-F1_X_batch1-FC2-F1_X_batch1-FC3-F1"]
    assert np.concatenate(numbers).tolist() == [3735511728867393167, 74, 1971693436396284976, 83]


def test_what_cannot_be_looked_up():
    values = tf.constant([1])
    with pytest.raises(ValueError, match="Dimension must be >0"):
        layers.scattered_embedding_lookup(parts(), values, 0)
    with pytest.raises(ValueError, match="Tensor 0 in params has size 3, expected 4"):
        layers.scattered_embedding_lookup(parts()[::-1], values, 2)
    with pytest.raises(TypeError, match="must be SparseTensor"):
        layers.scattered_embedding_lookup_sparse(parts(), values, 2)
    sparse = tf.SparseTensor([[0, 0]], values, [1, 1])
    with pytest.raises(ValueError, match="Combiner must be one of"):
        layers.scattered_embedding_lookup_sparse(parts(), sparse, 2, combiner="max")
