"""Sparse tensors by their parts, as TensorFlow's generated modules have them, and beside dense ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.ops import gen_sparse_ops, sparse_ops

import steepest.v1 as tf

COLUMNS = (
    ([[0, 0]], ["batch1-FC1-F1"], [1, 1]),
    ([[0, 0]], ["batch1-FC2-F1"], [1, 1]),
    ([[0, 0]], ["batch1-FC3-F1"], [1, 1]),
)


def run(what: Any) -> Any:
    with tf.Session() as session:
        return session.run(what)


def columns() -> dict[str, Any]:
    indices, values, shapes = zip(*COLUMNS, strict=True)
    return {
        "indices": [tf.constant(each, tf.int64) for each in indices],
        "values": [tf.constant(each) for each in values],
        "shapes": [tf.constant(each, tf.int64) for each in shapes],
        "dense_inputs": [],
    }


def hashed(buckets: int, salt: Any, strong: bool = False) -> list[int]:
    made = gen_sparse_ops.sparse_cross_hashed(**columns(), num_buckets=buckets, strong_hash=strong, salt=salt)
    found: list[int] = run(made).output_values.tolist()
    return found


def test_crosses_with_a_separator_and_salted_ones():
    assert hashed(0, [1, 1]) == hashed(0, [137, 173]) == [9186962005966787372]
    assert hashed(100, [137, 173]) == [79]
    assert hashed(10**6, [137, 173], True) == [_STRONG]
    joined = gen_sparse_ops.sparse_cross_v2(**columns(), sep="+")
    assert run(joined).output_values.tolist() == [b"batch1-FC1-F1+batch1-FC2-F1+batch1-FC3-F1"]
    crossed = sparse_ops.sparse_cross([tf.constant([["a"]]), tf.constant([[1]])], separator="-")
    assert run(crossed.values).tolist() == [b"a-1"]
    for make, words in (
        (
            lambda: gen_sparse_ops.sparse_cross_hashed(**columns(), num_buckets=1, strong_hash=False, salt=[1]),
            "length 2",
        ),
        (lambda: sparse_ops.sparse_cross([tf.constant(["a"])]), "Dense inputs should be a matrix"),
        (
            lambda: sparse_ops.sparse_cross([tf.constant([["a"]]), tf.zeros([2, 1], tf.int64)]),
            "batch size 1 got 2",
        ),
        (lambda: sparse_ops.sparse_cross([tf.constant([["a"]])], separator=["-", "-"]), "should be a scalar"),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            run(make())


_STRONG = 897274  # as TensorFlow has it


@pytest.mark.parametrize("kind", [tf.string, tf.variant])
def test_serialized_sparse_tensors_come_back(kind):
    sparse = tf.SparseTensor([[0, 1], [2, 0]], [5, 7], [3, 4])
    one = sparse_ops.serialize_sparse(sparse, out_type=kind)
    assert (one.dtype, one.shape.as_list()) == (kind, [3])
    back = sparse_ops.deserialize_sparse(tf.stack([one, one]), tf.int32)
    assert run(back.indices).tolist() == [[0, 0, 1], [0, 2, 0], [1, 0, 1], [1, 2, 0]]
    rows = sparse_ops.deserialize_many_sparse(sparse_ops.serialize_many_sparse(sparse, out_type=kind), tf.int32)
    assert run([rows.indices, rows.values, rows.dense_shape])[2].tolist() == [3, 4]


def test_parts_in_and_parts_out():
    indices, values, shape = tf.constant([[1, 0], [0, 2], [3, 1]], tf.int64), tf.constant([1.0, 2.0, 3.0]), [5, 3]
    filled = run(gen_sparse_ops.sparse_fill_empty_rows(indices, values, shape, -1.0))
    assert filled.output_values.tolist() == [2.0, 1.0, -1.0, 3.0, -1.0]
    assert filled.reverse_index_map.tolist() == [1, 0, 3]
    cut = run(gen_sparse_ops.sparse_slice(indices, values, shape, [0, 0], [2, 3]))
    assert cut.output_indices.tolist() == [[1, 0], [0, 2]]
    slope = sparse_ops.sparse_slice_grad(tf.constant([10.0]), indices, [0, 1], [[3, 0]])
    assert run(slope).tolist() == [0.0, 0.0, 10.0]
    assert run(gen_sparse_ops.sparse_reduce_sum(indices, values, shape, [0])).tolist() == [1.0, 3.0, 2.0]
    larger = gen_sparse_ops.sparse_sparse_maximum(indices, values, shape, indices, -values, shape)
    assert sorted(run(larger).output_values.tolist()) == [1.0, 2.0, 3.0]
    with pytest.raises(ValueError, match="Number of elements in indices"):
        gen_sparse_ops.sparse_reorder(indices, values[:2], shape)
    for wrong in (
        gen_sparse_ops.sparse_reduce_max([[1, 2]], [1], [2**32, 2**31], [0]),
        gen_sparse_ops.sparse_softmax([[0, 0]], [1.0], [-1, 1]),
        gen_sparse_ops.sparse_slice([[0, 0]], [0], [1, 1], [0, 0], [-1, 1]),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError):
            run(wrong)


def test_a_program_tells_more_of_a_shape():
    sparse = tf.sparse_placeholder(tf.float32, [None, None])
    sparse.set_shape([5, None])
    sparse.set_shape([None, 6])
    assert sparse.shape.as_list() == [5, 6]
    with pytest.raises(ValueError, match="not compatible"):
        sparse.set_shape([5, 7])


def test_dense_tensors_of_eager_mode_times_sparse_ones():
    with context.eager_mode():
        sparse = tf.SparseTensor([[0, 0], [1, 1]], [2.0, 3.0], [2, 2])
        dense = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        for product in (dense * sparse, sparse * dense, tf.contrib.eager.Variable(dense) * sparse):
            assert isinstance(product, tf.SparseTensor)
            assert product.values.numpy().tolist() == [2.0, 12.0]
        with pytest.raises((TypeError, ValueError)):
            dense + sparse


def test_products_of_bfloat16_and_float32_are_float32():
    product = tf.matmul(tf.cast([[1.5]], tf.bfloat16), tf.constant([[2.25]]), a_is_sparse=True)
    assert product.dtype == tf.float32
    assert np.allclose(run(product), [[3.375]])


def test_what_a_branch_or_a_function_returns_keeps_its_static_shape():
    with tf.Graph().as_default(), tf.Session() as session:
        choose = tf.placeholder(tf.bool, [])

        def of(size: int) -> tf.SparseTensor:
            return tf.SparseTensor([[0, 0]], [1.0], [3, size])

        assert tf.cond(choose, lambda: of(4), lambda: of(4)).shape.as_list() == [3, 4]
        listed = tf.cond(choose, lambda: [of(4), tf.zeros([2])], lambda: [of(4), tf.zeros([2])])
        assert listed[0].shape.as_list() == [3, 4]
        assert tf.case([(choose, lambda: of(4))], default=lambda: of(4)).shape.as_list() == [3, 4]
        returned = tf.function(lambda sparse: sparse)(of(5))
        assert returned.shape.as_list() == [3, 5]
        assert session.run(returned).dense_shape.tolist() == [3, 5]


@pytest.mark.parametrize("mode", [context.graph_mode, context.eager_mode])
def test_the_identity_of_composites_is_of_their_kind(mode: Any):
    with mode():
        sparse = tf.identity(tf.SparseTensor([[0, 1]], [2.0], [3, 4]))
        slices = tf.identity(tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2])))
        assert (type(sparse), type(slices)) == (tf.SparseTensor, tf.IndexedSlices)
        assert sparse.shape.as_list() == [3, 4]
        dense = [tf.sparse.to_dense(sparse), tf.convert_to_tensor(slices)]
        values = [each.numpy() for each in dense] if tf.executing_eagerly() else run(dense)
        assert values[0].tolist() == [[0.0, 2.0, 0.0, 0.0], [0.0] * 4, [0.0] * 4]
        assert values[1].tolist() == [[0.0, 0.0], [1.0, 2.0], [0.0, 0.0]]
        assert tf.identity(tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]))).dense_shape is None
