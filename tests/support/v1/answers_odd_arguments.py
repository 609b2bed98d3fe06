"""Programs whose arguments do not fit, or seldom come: lengths below 0, axes twice, ranks that are wrong, no rows."""

from __future__ import annotations

from typing import Any

from answers import graph, run, tried


def _fed(tf: Any, value: Any, shape: Any = None) -> Any:
    """Return a tensor that nobody knows before it runs."""
    return tf.placeholder_with_default(tf.constant(value), shape)


@graph
def sequences_of_odd_lengths(tf: Any) -> Any:
    x = tf.constant([[1, 2, 3]])
    open_rows = tf.placeholder(tf.int32, [None, 3])
    shapes = [tf.reverse_sequence(open_rows, [2, 1], seq_axis=1).shape.as_list()]
    shapes.append(tf.reverse_sequence(tf.placeholder(tf.int32), [2], seq_axis=1).shape.ndims)
    return shapes, tried(
        lambda: run(tf, tf.reverse_sequence(x, [0], seq_axis=1)),
        lambda: run(tf, tf.reverse_sequence(x, [4], seq_axis=1)),
        lambda: run(tf, tf.reverse_sequence(x, [-1], seq_axis=1)),
        lambda: run(tf, tf.reverse_sequence(x, [2], seq_axis=-1)),
        lambda: run(tf, tf.reverse_sequence(x, [1], seq_axis=0)),
        lambda: run(tf, tf.sequence_mask(tf.constant([1.5]))),
        lambda: run(tf, tf.sequence_mask(tf.constant([1.5, 3.0]), 2)),
    )


@graph
def rows_at_odd_places(tf: Any) -> Any:
    x, square = tf.constant([1, 2, 3]), tf.constant([[1, 2], [3, 4]])
    return tried(
        lambda: run(tf, tf.dynamic_stitch([[0, -1]], [tf.constant([1, 2])])),
        lambda: tf.gather(x, []),
        lambda: tf.gather(x, tf.constant([1], tf.uint8)),
        lambda: run(tf, tf.gather(square, [[1], [0]], batch_dims=1, axis=0)),
        lambda: run(tf, tf.where(tf.constant([[1, 0], [0, 2]]))),
        lambda: tf.where(tf.constant(["a"])),
        lambda: x[True],
        lambda: tf.strided_slice(x, [0], [3], [-1], shrink_axis_mask=1),
        lambda: run(tf, tf.strided_slice(x, [1], [3], [2], shrink_axis_mask=1)),
        lambda: tf.slice(x, [1], [-2]),
        lambda: run(tf, tf.random.shuffle(tf.constant(3))),
    )


@graph
def axes_and_shapes_that_are_odd(tf: Any) -> Any:
    x, vector = tf.constant([1, 2, 3, 4]), tf.constant([[3.0, 4.0]])
    return tried(
        lambda: tf.reshape(x, tf.placeholder(tf.int32, [])),
        lambda: tf.reverse(x, 0),
        lambda: tf.reverse(x, tf.placeholder(tf.int32, [])),
        lambda: run(tf, tf.squeeze(tf.constant([[1]]), [0, -2])),
        lambda: tf.one_hot([1], 2, dtype=tf.bool),
        lambda: tf.nn.l2_normalize(vector, 5),
        lambda: tf.sort(x, direction="X"),
        lambda: tf.argsort(x, direction="X"),
        lambda: tf.linalg.matvec(vector, tf.constant([1.0, 2.0, 3.0])),
        lambda: tf.random.normal([-1]).shape.as_list(),
        lambda: tf.random.normal([-2]),
        lambda: tf.random.categorical(vector, -1),
        lambda: tf.abs(tf.constant([1], tf.uint8)),
        lambda: tf.negative(tf.constant([1], tf.uint8)),
        lambda: tf.strings.to_number(tf.constant(["1"]), tf.string),
    )


@graph
def sizes_that_do_not_fit_when_they_run(tf: Any) -> Any:
    x = _fed(tf, [1, 2, 3])
    matrices = _fed(tf, [[1]]), _fed(tf, [[2, 3]])
    return tried(
        lambda: run(tf, tf.reshape(x, [2, -1])),
        lambda: run(tf, tf.reshape(x, [-1, -1])),
        lambda: run(tf, tf.reshape(x, _fed(tf, [-2, 2]))),
        lambda: run(tf, tf.tile(x, _fed(tf, [-1]))),
        lambda: run(tf, tf.concat([x, matrices[0]], 0)),
        lambda: run(tf, tf.concat(matrices, 0)),
        lambda: run(tf, tf.concat([x, x], _fed(tf, 1))),
        lambda: run(tf, tf.matrix_band_part(x, 0, 0)),
    )


@graph
def sparse_tensors_that_do_not_fit(tf: Any) -> Any:
    def sparse(value: Any, sizes: Any) -> Any:
        return tf.SparseTensor([[0, 1], [1, 1]], [value, value], sizes)

    one = sparse(1.0, [2, 3])
    _filled, empty = tf.sparse.fill_empty_rows(sparse(1.0, [4, 3]), -1.0)
    ids = tf.SparseTensor([[0, 0], [1, 0]], tf.constant([3, 1], tf.int64), [2, 1])
    told = [
        empty.shape.as_list(),
        tf.sparse.to_indicator(ids, 4).shape.as_list(),
        tf.sparse.expand_dims(one, 0).values.shape.as_list(),
        tf.sparse.merge(ids, tf.SparseTensor(ids.indices, [0.5, 0.6], [2, 1]), 5).indices.shape.as_list(),
    ]
    return told, tried(
        lambda: tf.sparse.add(sparse(1, [2, 3]), one),
        lambda: tf.sparse.add(sparse(1.0, [2, 2]), one),
        lambda: tf.sparse.transpose(one, [0]),
        lambda: run(tf, tf.sparse.slice(one, [0], [2])),
        lambda: run(tf, tf.sparse.to_indicator(ids, 2)),
        lambda: tf.sparse.concat(1, []),
    )


@graph
def results_with_names(tf: Any) -> Any:
    matrix = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    found = tf.linalg.slogdet(matrix)
    hits = tf.nn.compute_accidental_hits(tf.constant([[1], [2]], tf.int64), tf.constant([2, 1], tf.int64), 1)
    signs = run(tf, [found.sign, found.log_abs_determinant])
    return signs, run(tf, [hits.indices, hits.ids]), type(found).__name__, type(hits).__name__, len(hits)


@graph
def sums_and_products_of_bfloat16(tf: Any) -> Any:
    x = tf.cast(tf.fill([2, 300], 1.5), tf.bfloat16)
    five = x[:, :5]
    found = [
        tf.reduce_sum(x, 1),
        tf.reduce_mean(x),
        tf.matmul(five, five, transpose_b=True),
        tf.matmul(x[:, :2], x[:, :2]),
    ]
    return [[each.dtype.name, run(tf, tf.cast(each, tf.float32))] for each in found]


@graph
def spreads_of_complex_numbers(tf: Any) -> Any:
    x = tf.constant([1 + 1j, 2.0, -1j], tf.complex64)
    found = [tf.math.reduce_std(x), tf.math.reduce_variance(x)]
    return [each.dtype.name for each in found], run(tf, found), tried(lambda: tf.math.reduce_std([1, 2]))


@graph
def quotients_of_integers_without_nans(tf: Any) -> Any:
    found = [tf.math.divide_no_nan(tf.constant([7, 1], kind), tf.constant([2, 0], kind)) for kind in ("int8", "int32")]
    wide = tf.matmul(tf.constant([[100]], tf.int8), tf.constant([[100]], tf.int8), output_type=tf.int32)
    return [each.dtype.name for each in found], run(tf, found), run(tf, [wide, tf.add_n(iter([1, 2]))])


@graph
def numbers_far_apart(tf: Any) -> Any:
    return run(tf, tf.range(1136033460, -2110457150, -1849827689))


@graph
def scalars_where_vectors_belong(tf: Any) -> Any:
    one, many = _fed(tf, 7), _fed(tf, [4])
    rows = tf.SparseTensor([[0, 0], [1, 1]], [1, 2], [2, 2])
    return tried(
        lambda: run(tf, tf.concat([one, many], 0)),
        lambda: run(tf, tf.pad(one, _fed(tf, [[1, 2]]))),
        lambda: run(tf, tf.tile(many, one)),
        lambda: run(tf, tf.sparse_to_dense(one, one, one)),
        lambda: run(tf, tf.raw_ops.ShardedFilename(basename="foo", shard=4, num_shards=many)),
        lambda: run(tf, list(tf.sparse.split(sp_input=rows, num_split=2, axis=3))),
        lambda: run(tf, list(tf.sparse.split(sp_input=rows, num_split=2, axis=[1, 2]))),
    )


@graph
def sparse_shapes_that_are_known(tf: Any) -> Any:
    rows = tf.SparseTensor([[0, 1, 2]], [1.0], [2, 3, 4])
    half = tf.concat([tf.constant([2], tf.int64), tf.placeholder(tf.int64, [1])], 0)
    return tf.sparse.reshape(rows, half).shape.as_list(), tf.sparse.add(rows, rows).shape.as_list()


@graph
def shapes_that_are_no_vectors(tf: Any) -> Any:
    three = _fed(tf, 3)
    return tried(
        lambda: tf.random.uniform(3),
        lambda: tf.random.normal(tf.placeholder(tf.int32, [])),
        lambda: run(tf, tf.random.truncated_normal(three)),
        lambda: tf.random.stateless_uniform(3, [1, 2]),
        lambda: tf.broadcast_to(1, 3),
        lambda: run(tf, tf.broadcast_to(1, three)),
        lambda: tf.scatter_nd([[1]], [1], 3),
        lambda: tf.transpose(tf.constant([1, 2]), 0),
    )


@graph
def segments_and_counts_that_do_not_fit(tf: Any) -> Any:
    texts = tf.constant([["a", "b"], ["c", "d"], ["e", "f"]])
    joined = tf.strings.unsorted_segment_join(texts, [1, 0, 1], 2, ":")
    empty = tf.SparseTensor(tf.zeros([1, 0], tf.int64), [1], tf.zeros([0], tf.int64))
    return joined.shape.as_list(), tried(
        lambda: run(tf, tf.strings.unsorted_segment_join(tf.zeros([0], tf.string), tf.zeros([0], tf.int32), 2)),
        lambda: tf.strings.unsorted_segment_join(texts, [1, 0, 1, 1], 2),
        lambda: run(tf, tf.math.unsorted_segment_sum(_fed(tf, [7]), [0], _fed(tf, [4]))),
        lambda: run(tf, tf.math.bincount([1, -1])),
        lambda: tf.edit_distance(empty, empty),
        lambda: tf.reverse_sequence([[1, 2], [3, 4]], [2, 2, 2], seq_axis=1),
        lambda: tf.reverse_sequence([[1, 2], [3, 4]], [[2, 2]], seq_axis=1),
    )
