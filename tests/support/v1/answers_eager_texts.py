"""Programs of eager mode: strings as elements, shapes put together, sparse results"""

from __future__ import annotations

from typing import Any

from answers import eager, tried


@eager
def elements_of_texts(tf: Any) -> Any:
    texts = tf.constant(["a", "bc"])
    each = [item.numpy() for item in texts]
    return each, texts[1].numpy(), texts[1].shape.as_list(), tf.string_join([texts[0], texts[1]]).numpy()


@eager
def texts_of_one_string(tf: Any) -> Any:
    joined = tf.strings.reduce_join([["abc", "123"], ["def", "456"]])
    replaced = tf.strings.regex_replace("a<br>b", "<[^>]+>", " ")
    return joined.numpy(), replaced.numpy(), tf.constant(["x"]).numpy().tolist(), tf.constant("y").dtype.name


@eager
def texts_cut_into_sparse_rows(tf: Any) -> Any:
    rows = tf.string_split(["hello world", "a b c"])
    return rows.indices, rows.values, rows.dense_shape, tf.string_split(["a,b"], ",").values


@eager
def texts_without_anything_to_cut(tf: Any) -> Any:
    blank = tf.string_split(["", "a,", ""], ",", skip_empty=False)
    rests = [tf.strings.split(["a  ", " b c  d", ""], maxsplit=most).values for most in (0, 1, 2)]
    return blank.indices, blank.values, blank.dense_shape, rests


@eager
def shapes_put_together(tf: Any) -> Any:
    shape, four, five, one = tf.zeros([2, 3, 4]).shape, [4], [5], (1,)
    more = (shape[:1] + shape[2:]).as_list(), (shape[:-1] + five).as_list(), (shape + one).as_list()
    return more, shape[:2] + four == shape, tf.zeros(shape[:1] + five).shape.as_list(), (five + shape).as_list()


@eager
def shapes_with_what_is_not_known(tf: Any) -> Any:
    shape, unknown = tf.zeros([2]).shape, [None]
    return tried(lambda: (shape + unknown).as_list(), lambda: (shape + tf.TensorShape([3])).as_list())


@eager
def sparse_sums_keep_their_type(tf: Any) -> Any:
    sparse = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [1, 1, 1], [2, 3])
    return tf.sparse_reduce_sum(sparse), tf.sparse_reduce_sum(sparse, 1)


@eager
def values_are_tensors(tf: Any) -> Any:
    x, v = tf.constant([1.0]), tf.Variable([2.0], name="v_of_kinds")
    values = x, x + 1.0, v + x, v.read_value(), x[0], tf.constant("a"), v, 3.0, x.numpy()
    return [isinstance(value, tf.Tensor) for value in values], tf.executing_eagerly_outside_functions()


@eager
def operators_of_matrices(tf: Any) -> Any:
    make, x = tf.linalg, tf.constant([[1.0, 2.0], [3.0, 4.0]])
    full = make.LinearOperatorFullMatrix([[2.0, 1.0], [0.5, 3.0]])
    diag, one = make.LinearOperatorDiag([1.0, 2.0]), make.LinearOperatorIdentity(2)
    products = [operator.matmul(x) for operator in (full, diag, one)]
    sizes = full.domain_dimension_tensor(), full.range_dimension_tensor(), full.batch_shape_tensor()
    return products, full.solvevec([1.0, 2.0]), full.trace(), sizes, diag.tensor_rank_tensor(), one.to_dense()


@eager
def sizes_of_eager_shapes_are_dimensions(tf: Any) -> Any:
    rows = tf.zeros([2, 3]).shape[0]
    rows.assert_is_compatible_with(2)
    return rows.is_compatible_with(3), rows.merge_with(None).value, tried(lambda: rows.assert_is_compatible_with(4))
