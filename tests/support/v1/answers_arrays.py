"""Programs of arrays, initializers, losses and optimizers, as TensorFlow's own tests of its core have them."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried


@graph
def no_gradient(tf: Any) -> Any:
    return tf.gradients(tf.constant(1.0), tf.constant(2.0))


@graph
def zeros_for_no_gradient(tf: Any) -> Any:
    x = tf.constant(2.0)
    return run(tf, tf.gradients(tf.constant(1.0), x, unconnected_gradients=tf.UnconnectedGradients.ZERO))


@graph
def no_gradient_of_integers(tf: Any) -> Any:
    x = tf.constant(2)
    return tf.gradients(x * x, x)


@graph
def ways_to_add_gradients(tf: Any) -> Any:
    x = tf.constant(2.0)
    return run(tf, tf.gradients(x + x + x, x, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N))


@graph
def values_made(tf: Any) -> Any:
    return run(
        tf,
        [
            tf.fill([2, 3], 7),
            tf.zeros_like([1, 2]),
            tf.ones([2], tf.int32),
            tf.zeros([0, 3]),
            tf.eye(2, 3),
            tf.one_hot([0, 2, -1], 3, on_value=5.0, off_value=1.0),
            tf.range(3),
            tf.range(3, 10, 2),
            tf.linspace(0.0, 1.0, 3),
            tf.constant("a"),
            tf.constant([[1], [2]], tf.float64),
            tf.constant(5, shape=[2, 2]),
            tf.diag([1, 2]),
            tf.zeros([2], tf.string),
        ],
    )


@graph
def a_matrix_in_another_shape(tf: Any) -> Any:
    matrix = np.arange(1.0, 7.0).reshape(2, 3).view(np.matrix)  # np.matrix(...) itself warns
    constants = [tf.constant(matrix), tf.constant(matrix, shape=[2, 1, 3]), tf.constant(matrix, tf.float32, [6])]
    return [[c.get_shape().as_list() for c in constants], run(tf, constants)]


@graph
def a_constant_of_two_kinds(tf: Any) -> Any:
    return tf.constant([1, "a"])


@graph
def a_fraction_as_an_integer(tf: Any) -> Any:
    return tf.constant(1.5, tf.int32)


@graph
def a_constant_that_does_not_fit(tf: Any) -> Any:
    return tf.constant([1, 2, 3], shape=[2])


@graph
def conversions(tf: Any) -> Any:
    return [
        tf.convert_to_tensor([tf.constant(1), 2]).dtype.name,
        tf.convert_to_tensor(1.0, dtype_hint=tf.float64).dtype.name,
        run(tf, tf.convert_to_tensor(np.array([1, 2]), tf.float32)),
    ]


@graph
def a_conversion_by_the_program(tf: Any) -> Any:

    class A:
        pass

    tf.register_tensor_conversion_function(A, lambda v, dtype=None, name=None, as_ref=False: tf.constant(7.0))
    return (run(tf, tf.add(tf.constant(1.0), tf.convert_to_tensor(A()))), run(tf, tf.identity(A())))


@graph
def arrays_joined_and_cut(tf: Any) -> Any:
    a = tf.constant([[1, 2]])
    return run(
        tf,
        [
            tf.concat([a, a], 0),
            tf.concat([a, a], axis=-1),
            tf.stack([a, a], axis=2),
            tf.unstack(tf.constant([[1, 2], [3, 4]]), axis=1),
            tf.split(tf.range(6), [1, 2, 3]),
            tf.split(tf.range(6), 3),
            tf.tile(a, [2, 2]),
            tf.pad(a, [[1, 0], [0, 1]]),
            tf.squeeze(tf.zeros([1, 2, 1]), [0]),
            tf.expand_dims(a, -1),
            tf.reverse(a, [1]),
            tf.roll(tf.range(4), 1, 0),
            tf.meshgrid([1, 2], [3, 4]),
            tf.sequence_mask([1, 3], 4),
            tf.unique([1, 2, 1]),
            tf.unique_with_counts([1, 1, 3]),
            tf.invert_permutation([1, 0]),
            tf.where([[True, False]]),
            tf.boolean_mask([1, 2, 3], [True, False, True]),
            tf.setdiff1d([1, 2, 3], [2]),
            tf.rank(a),
            tf.size(a),
            tf.matrix_band_part(tf.ones([3, 3]), 0, 1),
        ],
    )


@graph
def blocks_to_channels(tf: Any) -> Any:
    return run(
        tf,
        [
            tf.space_to_depth(np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1), 2),
            tf.depth_to_space(np.arange(16, dtype=np.float32).reshape(1, 2, 2, 4), 2),
        ],
    )


@graph
def blocks_to_batches(tf: Any) -> Any:
    return run(
        tf,
        [
            tf.space_to_batch_nd(np.arange(4, dtype=np.float32).reshape(1, 2, 2, 1), [2, 2], [[0, 0], [0, 0]]),
            tf.batch_to_space_nd(np.arange(4, dtype=np.float32).reshape(4, 1, 1, 1), [2, 2], [[0, 0], [0, 0]]),
        ],
    )


@graph
def scatter_into_variables(tf: Any) -> Any:
    v = tf.Variable(np.zeros(4, np.float32))
    with tf.Session() as s:
        s.run(v.initializer)
        return [
            s.run(tf.scatter_update(v, [0, 2], [1.0, 2.0])),
            s.run(tf.scatter_add(v, [0], [5.0])),
            s.run(tf.scatter_sub(v, 1, 3.0)),
            s.run(tf.scatter_mul(v, [0], [2.0])),
            s.run(tf.scatter_div(v, [0], [4.0])),
            s.run(tf.scatter_min(v, [0], [1.0])),
            s.run(tf.scatter_max(v, [0], [2.0])),
            s.run(tf.scatter_nd_update(v, [[3]], [8.0])),
            s.run(tf.scatter_nd_add(v, [[3]], [8.0])),
            s.run(tf.scatter_nd_sub(v, [[3]], [1.0])),
            s.run(tf.constant(1)),
        ]


@graph
def scatter_outside(tf: Any) -> Any:
    v = tf.Variable(np.zeros(4, np.float32))
    return run(tf, tf.scatter_update(v, [7], [1.0]))


@graph
def initializers(tf: Any) -> Any:
    def f(i, sh=None):
        if sh is None:
            sh = [2, 2]
        return list(run(tf, i(sh)).shape)

    return [
        f(i)
        for i in (
            tf.zeros_initializer(),
            tf.ones_initializer(dtype=tf.float64),
            tf.random_uniform_initializer(-1, 1, seed=1),
            tf.truncated_normal_initializer(0, 0.1),
            tf.orthogonal_initializer(),
            tf.glorot_uniform_initializer(),
            tf.variance_scaling_initializer(2.0, mode="fan_avg", distribution="uniform"),
            tf.initializers.identity(),
            tf.initializers.he_normal(),
            tf.initializers.lecun_uniform(),
            tf.constant_initializer([1, 2, 3, 4]),
            tf.uniform_unit_scaling_initializer(),
        )
    ] + [
        tf.zeros_initializer().get_config(),
        tf.constant_initializer(2.0).get_config()["value"],
        sorted(tf.random_normal_initializer(1.0, 2.0, seed=3).get_config().items(), key=str)[1],
    ]


@graph
def an_initializer_from_its_arguments(tf: Any) -> Any:
    return run(tf, tf.random_normal_initializer.from_config({"mean": 1.0, "stddev": 0.0, "seed": 1})([2]))


@graph
def names_of_averages(tf: Any) -> Any:
    v = tf.Variable([10.0, 11.0])
    e = tf.train.ExponentialMovingAverage(0.25, num_updates=1, zero_debias=False, name="foo")
    e.apply([v])
    return [e.average_name(v), sorted(e.variables_to_restore().keys()), e.name if hasattr(e, "name") else ""]


@graph
def lists_of_tensors_of_two_types(tf: Any) -> Any:
    one, other = tf.constant([1.0]), tf.constant([2.0], tf.float64)
    return tried(
        lambda: tf.convert_to_tensor([one, other]),
        lambda: tf.convert_to_tensor([[one], [other]]),
        lambda: tf.convert_to_tensor([one, other], tf.float32),
        lambda: run(tf, tf.convert_to_tensor([[one], [other], [[3]]], tf.int32)),
        lambda: run(tf, tf.convert_to_tensor([[one], [[3]]])),
    )


@graph
def an_order_of_axes_that_names_one_twice(tf: Any) -> Any:
    x = tf.zeros([2, 3, 5])
    twice = tf.transpose(x, [0, 1, 1])
    return twice.shape.as_list(), tried(lambda: run(tf, twice), lambda: tf.transpose(x, [0, 1, 3]).shape.as_list())


@graph
def a_part_of_a_resource_assigned_another_type(tf: Any) -> Any:
    kept, held = tf.Variable([1, 2], use_resource=True), tf.Variable([1, 2])
    late = tf.constant([3, 4], tf.int64)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return tried(
            lambda: kept[:].assign(late),
            lambda: held[:].assign(late),
            lambda: session.run(kept[:1].assign([7])),
        )


@graph
def softmax_of_an_infinite_logit(tf: Any) -> Any:
    x = tf.constant([[np.inf, 1.0], [np.nan, 1.0], [-np.inf, 1.0], [-np.inf, -np.inf]])
    entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 1, 0, 0], logits=x)
    return run(tf, [tf.nn.softmax(x), tf.nn.softmax(x, 0), tf.nn.log_softmax(x), entropy])


@graph
def the_slope_of_digamma_at_a_pole(tf: Any) -> Any:
    x = tf.constant([-1.0, -2.0, -0.5, 1.0])
    return run(tf, tf.gradients(tf.digamma(x), x))


@graph
def shapes_of_slices_of_partly_known_bounds(tf: Any) -> Any:
    k, x, y = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [None, 4]), tf.zeros([3, 4])
    parts = [tf.slice(x, [k, 0], [2, -1]), tf.slice(y, [0, k], [-1, -1]), tf.slice(y, [k, 1], [k, 2])]
    parts += [tf.slice(y, [1, 1], [k, -1]), tf.slice(y, tf.stack([k, 2]), tf.shape(x))]
    return [part.shape.as_list() for part in parts], run(tf, parts[:4], {k: 1, x: np.ones([5, 4])})
