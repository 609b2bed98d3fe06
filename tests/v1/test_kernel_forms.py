"""What TensorFlow's kernel tests use besides public names: evaluation without a session, second signatures."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.eager import context
from steepest.v1.python.framework import ops, tensor_util
from steepest.v1.python.ops import bincount_ops, embedding_ops, gen_array_ops, math_ops, nn_impl, nn_ops

import steepest.v1 as tf


class Evaluated(tf.test.TestCase):
    """Values of a test without a session of its own."""

    __test__ = False  # run below

    def runTest(self) -> None:
        v = tf.Variable(1.0)
        self.evaluate(tf.global_variables_initializer())
        self.evaluate(v.assign_add(2.0))
        found = self.evaluate({"v": v, "two": (v, [tf.random_uniform([]) - 1.0])})
        assert found["v"] == found["two"][0] == 3.0
        x = tf.random_uniform([3])
        first, second = self.evaluate([x, x])
        self.assertAllEqual(first, second)  # both of one run


def test_evaluate_runs_all_at_once_in_a_session_of_the_test():
    result = Evaluated().run()
    assert result is not None
    assert not result.errors, result.errors
    assert not result.failures, result.failures


def test_internal_names_of_the_second_signatures():
    x = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    with context.eager_mode():
        same = [
            (nn_ops.softmax_v2(x, 0), tf.nn.softmax(x, 0)),
            (nn_ops.log_softmax_v2(x), tf.nn.log_softmax(x)),
            (nn_impl.l2_normalize_v2(x, 1), tf.nn.l2_normalize(x, 1)),
            (nn_impl.moments_v2(x, [0], keepdims=True)[1], tf.nn.moments(x, [0], keepdims=True)[1]),
            (math_ops.approximate_equal(x, x), x == x),
            (
                math_ops.sparse_segment_sum_with_num_segments(x, [0, 1], [0, 0], 2),
                tf.sparse.segment_sum(x, [0, 1], [0, 0], num_segments=2),
            ),
        ]
        for ours, public in same:
            np.testing.assert_array_equal(ours, public)
        assert nn_ops.dropout_v2(x, 0.0).numpy().tolist() == x.tolist()
    a, b = ops.convert_n_to_tensor([1.0, x], name="n")
    assert [a.name, b.shape.as_list()] == ["n_0:0", [2, 2]]
    shape = tensor_util.constant_value_as_shape(tf.stack([16, tf.placeholder(tf.int32, [])]))
    assert shape.as_list() == [16, None]
    with pytest.raises(ValueError, match="must have rank 1"):
        tensor_util.constant_value_as_shape(tf.constant([[1]]))


def test_sums_of_sparse_rows_are_sparse_again():
    sparse = tf.SparseTensor([[0, 0], [2, 1]], [1.0, 2.0], [4, 3])
    with tf.Session() as session:
        found = session.run(tf.sparse_reduce_sum_sparse(sparse, 1))
        assert [found.indices.tolist(), found.values.tolist(), found.dense_shape.tolist()] == [[[0], [2]], [1, 2], [4]]


def test_messages_of_shapes_that_do_not_fit():
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    with pytest.raises(ValueError, match=r"are 2 and 5 for 'add.*with input shapes: \[1,2,3\], \[4,5,6\]"):
        tf.ones([1, 2, 3]) + tf.ones([4, 5, 6])
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Incompatible shapes: \[3\] vs\. \[2\]"):
            session.run(x + y, {x: np.ones(3), y: np.ones(2)})
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="tensor with 4 values, but the requested shape has 21"
        ):
            session.run(tf.reshape(x, [3, 7]), {x: np.ones(4)})


@pytest.mark.parametrize("given", [{}, {"keep_prob": 0.5, "rate": 0.5}])
def test_dropout_takes_one_of_two_numbers(given: dict[str, float]):
    with pytest.raises(ValueError, match="exactly one of keep_prob and rate"):
        tf.nn.dropout(tf.ones([2]), **given)


class Running(tf.test.TestCase):
    """A program's own test may have a method of any name beside TensorFlow's."""

    __test__ = False  # run below

    def _run(self, value: int) -> int:
        return value + 1

    def runTest(self):
        assert self._run(1) == 2
        self.assertAllEqual(self.evaluate(tf.constant([1, 2])), [1, 2])


def test_a_test_case_may_have_a_method_run_of_its_own():
    result = Running().run()
    assert result is not None
    assert not [*result.errors, *result.failures]


def test_internal_modules_have_the_names_of_their_own_files():
    from steepest.v1.python.ops import data_flow_ops, linalg_ops, string_ops

    from steepest.v1.contrib.layers import initializers, regularizers
    from steepest.v1.contrib.opt import lars_optimizer

    assert regularizers.l2_regularizer is tf.contrib.layers.l2_regularizer
    assert initializers.xavier_initializer is tf.contrib.layers.xavier_initializer
    assert lars_optimizer.LARSOptimizer is tf.contrib.opt.LARSOptimizer
    assert string_ops.string_length is tf.strings.length
    assert linalg_ops.log_matrix_determinant is tf.linalg.slogdet
    assert data_flow_ops.parallel_dynamic_stitch is tf.dynamic_stitch
    with pytest.raises(AttributeError, match="near names"):
        _ = tf.contrib.layers.regularisers


def test_a_gradient_along_a_constant_axis_is_rows():
    table = tf.Variable(np.ones((4, 2)))
    (gradient,) = tf.gradients(tf.gather(table, [1, 3], axis=tf.constant(0)), table)
    assert isinstance(gradient, tf.IndexedSlices)


def test_a_sparse_reshape_knows_its_shape():
    sparse = tf.SparseTensor([[0, 0], [2, 1]], [1.0, 2.0], [4, 6])
    assert tf.sparse_reshape(sparse, [2, -1, 4]).get_shape().as_list() == [2, 3, 4]
    assert tf.substr("hello", [1, 2], [1, 2]).get_shape().as_list() == [2]
    for wrong in ([5, 5], [-1, 2, -1]):
        with pytest.raises(ValueError, match=r"reshape|At most one"):
            tf.sparse_reshape(sparse, wrong)


def test_types_that_linspace_and_clips_do_not_take():
    z = tf.constant([1.0 + 2j])
    for call in (lambda: tf.linspace(z[0], 2 * z[0], 3), lambda: tf.clip_by_value(z, 0, 1), lambda: tf.nn.top_k(z)):
        with pytest.raises(TypeError, match="not in list of allowed values"):
            call()


def test_sizes_that_only_a_run_knows_are_compared_as_those_that_a_graph_knows():
    one, two, three = np.ones(1, np.float32), np.ones((3, 1), np.float32), np.ones((1, 3), np.float32)
    vector, matrix = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None, None])
    wrong = [
        (tf.nn.bias_add(matrix, [1.0, 2.0, 3.0]), {matrix: two}, "as many biases"),
        (tf.scatter_nd([[1], [0]], matrix, [3, 3]), {matrix: three}, "outer 1 dimensions"),
        (tf.add_n([vector, tf.ones([4])]), {vector: one}, "same size and shape"),
        (tf.dynamic_partition(vector, [0, 1], 2)[0], {vector: one}, "start with partitions.shape"),
    ]
    with tf.Session() as session:
        for result, feed, words in wrong:
            with pytest.raises(tf.errors.InvalidArgumentError, match=words):
                session.run(result, feed)
    assert tf.nn.bias_add(matrix, [1.0, 2.0, 3.0]).shape.as_list() == [None, 3]
    assert tf.meshgrid(tf.ones([2, 3]), tf.ones([4]))[0].shape.as_list() == [4, 6]


def test_unigrams_are_drawn_in_shards():
    options = {"num_true": 1, "num_sampled": 40, "unique": False, "range_max": 5, "num_reserved_ids": 1}
    sample = tf.nn.fixed_unigram_candidate_sampler
    true, counts = tf.constant([[1]], tf.int64), [1.0, 0.0, 3.0, 2.0]
    with tf.Session() as session:
        assert set(session.run(sample(true, unigrams=counts, **options).sampled_candidates)) == {1, 3, 4}
        shard = {**options, "range_max": 3, "num_shards": 2, "shard": 0}  # the counts 0, 2 and 4: 0, 0 and 2
        assert set(session.run(sample(true, unigrams=counts, **shard).sampled_candidates)) == {2}
    for wrong in ({}, {"vocab_file": "x"}, {"unigrams": counts, "num_shards": 2, "shard": 2}):
        with pytest.raises(ValueError, match=r"range_max|give them as unigrams|between 0"):
            sample(true, **options, **wrong)
    with pytest.raises(ValueError, match="cannot draw 4 unique classes of 3"):  # the others have no share
        sample(true, unigrams=counts, **{**options, "num_sampled": 4, "unique": True})


def test_the_slope_of_igamma_by_its_first_argument():
    a, x = tf.constant([0.5, 1.0, 3.0]), tf.constant([0.3, 2.0, 0.1])
    slope = math_ops.igamma_grad_a(a, x)
    with tf.Session() as session:
        found, gradient = session.run([slope, tf.gradients(tf.igamma(a, x), a)[0]])
    np.testing.assert_allclose(found, [-0.7705705, -0.2208255, -5.513415e-4], rtol=1e-6)
    np.testing.assert_allclose(found, gradient, rtol=1e-6)
    with pytest.raises(LookupError):
        tf.gradients(slope, x)


def test_numbers_are_counted_row_by_row() -> None:
    rows, shares = [[1, 2, 1], [0, 0, 3]], [[0.5, 1.0, 2.0], [1.0, 1.0, 1.0]]
    counts = {
        "rows": (bincount_ops.bincount(rows, axis=-1), [[0, 2, 1, 0], [2, 0, 0, 1]]),
        "all": (bincount_ops.bincount(rows, axis=0), [2, 2, 1, 1]),
        "which": (bincount_ops.bincount(rows, axis=-1, binary_output=True), [[0, 1, 1, 0], [1, 0, 0, 1]]),
        "shares": (bincount_ops.bincount(rows, shares, 5, axis=-1), [[0, 2.5, 1, 0, 0], [2, 0, 0, 1, 0]]),
        "few": (bincount_ops.bincount(rows, maxlength=2, axis=-1), [[0, 2], [2, 0]]),
    }
    with tf.Session() as session:
        for what, (tensor, expected) in counts.items():
            found = session.run(tensor)
            assert (what, found.tolist(), tensor.shape.as_list()) == (what, expected, list(found.shape))
    with pytest.raises(ValueError, match="Unsupported value for argument axis=1"):
        bincount_ops.bincount(rows, axis=1)
    with pytest.raises(ValueError, match="mutually exclusive"):
        bincount_ops.bincount(rows, rows, binary_output=True)


def test_products_of_two_types_and_sampled_ones() -> None:
    small = np.array([[1, 2], [3, 4]], np.int8)
    product = math_ops.batch_mat_mul_v3(small, small, adj_y=True, Tout=tf.int32)
    assert product.shape.as_list() == [2, 2]
    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    parts = math_ops.sampled_addmm([[0, 1], [1, 0]], [10.0, 20.0], [2, 2], matrix, matrix.T, beta=0.5, alpha=2.0)
    with tf.Session() as session:
        assert session.run(product).tolist() == [[5, 11], [11, 25]]
        places, values, shape = session.run(parts)
    assert (places.tolist(), values.tolist(), shape.tolist()) == ([[0, 1], [1, 0]], [33.0, 38.0], [2, 2])


def test_positions_of_the_largest_are_of_the_type_that_is_asked_for() -> None:
    for dtype in (tf.int16, tf.int32, tf.int64):
        found = nn_ops.top_k([[0.1, 0.3, 0.2]], 2, index_type=dtype).indices
        assert found.dtype == dtype
        with tf.Session() as session:
            assert session.run(found).tolist() == [[1, 2]]


def test_different_parts_stand_along_an_axis_that_a_run_tells() -> None:
    matrix, axis = np.array([[1, 0, 0], [1, 0, 0], [2, 0, 0]]), tf.placeholder(tf.int32)
    parts, places = gen_array_ops.unique_v2(matrix, axis=axis)
    assert (parts.shape.as_list(), places.shape.as_list()) == ([None, None], [None])
    with tf.Session() as session:
        assert session.run(parts, {axis: [1]}).tolist() == [[1, 0], [1, 0], [2, 0]]
        assert session.run(places, {axis: [0]}).tolist() == [0, 0, 1]
        with pytest.raises(tf.errors.InvalidArgumentError, match="larger than 1 elements"):
            session.run(parts, {axis: [0, 1]})
    with pytest.raises(ValueError, match="axis expects a 1D vector"):
        gen_array_ops.unique_v2(matrix, axis=[[0]])
    with pytest.raises(ValueError, match="Shape must be rank 2 but is rank 1"):
        tf.pad([[1, 2]], [1, 2])
    with pytest.raises(ValueError, match="Dimension must be 2 but is 1"):
        tf.pad([[1, 2]], [[1], [2]])


def test_combinations_of_embeddings_are_the_same_with_a_fast_look_up() -> None:
    table, ids = tf.constant([[1.0, 2.0], [3.0, 5.0]]), tf.SparseTensor([[0, 0], [0, 1]], [0, 1], [1, 2])
    for function in (
        tf.nn.embedding_lookup_sparse,
        tf.nn.safe_embedding_lookup_sparse,
        embedding_ops.embedding_lookup_sparse_v2,
        embedding_ops.safe_embedding_lookup_sparse_v2,
    ):
        found = function(table, ids, None, combiner="sum", allow_fast_lookup=True)
        with tf.Session() as session:
            assert session.run(found).tolist() == [[4.0, 7.0]]


def test_sums_of_half_precision_and_updates_that_do_not_fit() -> None:
    x = tf.cast([[1.0, 2.0], [3.0, 4.0]], tf.bfloat16)
    y = tf.einsum("ij,jk->ik", x, x)
    with tf.Session() as session:
        found, slope = session.run([y, tf.gradients(y, x)[0]])
    assert y.dtype == tf.bfloat16
    assert np.asarray(found, float).tolist() == [[7, 10], [15, 22]]
    assert np.asarray(slope, float).tolist() == [[7, 11], [9, 13]]
    indices, updates = np.zeros([3, 2, 2], np.int32), np.zeros([2, 2, 2], np.int32)
    with pytest.raises(
        ValueError, match=r"outer 2 dim.*Dimensions \[0,2\) of indices\[shape=\[3,2,2\]\] = \[3,2\] must"
    ):
        tf.scatter_nd(indices, updates, [2, 2, 2])
    with pytest.raises(ValueError, match=r"Dimensions \[1,3\) of input\[shape=\[2,2,2\]\] = \[2,2\] must match dim"):
        tf.scatter_nd(indices[:2, :, :1], updates[0], [2, 2, 2])
