"""Programs of eager mode: tensors, their shapes and types, functions, tapes and schedules."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, tried


@eager
def shapes_of_eager_tensors(tf: Any) -> Any:
    x = tf.ones([2, 3])
    sizes = [x.get_shape().as_list(), x.shape.as_list(), x.shape[0].value, x.shape.ndims, len(x.shape)]
    more = [x.shape.num_elements(), x.shape.is_fully_defined(), x.get_shape()[1].value, int(x.shape[-1])]
    return sizes, more, x.shape == [2, 3], x.shape[:1].as_list(), [int(n) for n in x.shape], str(x.shape)


@eager
def sizes_of_eager_tensors_in_use(tf: Any) -> Any:
    x = tf.ones([2, 3])
    return tf.zeros([x.shape[0], 4]), tf.reshape(x, [x.shape[1].value, -1]), tf.zeros(x.shape), np.zeros(x.shape)


@eager
def mixed_operands(tf: Any) -> Any:
    i, f, d = tf.constant([1]), tf.constant([1.0]), tf.constant([1.0], tf.float64)
    v = tf.Variable([2.0], name="mixed")
    return tried(
        lambda: i + 1.5,
        lambda: i + f,
        lambda: f * d,
        lambda: v + d,
        lambda: d - v,
        lambda: tf.add(i, f),
        lambda: f + 1,
        lambda: 1 + f,
        lambda: 2.5 * v,
        lambda: i + 2,
        lambda: i * True,
        lambda: tf.maximum(i, 2.5),
        lambda: f < d,
        lambda: f > 0.5,
    )


@eager
def operands_of_numpy(tf: Any) -> Any:
    f, i = tf.constant([1.0]), tf.constant([3])
    return tried(
        lambda: f + np.float32([2.5]),
        lambda: f * np.float64([2.5]),
        lambda: tf.add(f, np.float64([2.5])),
        lambda: i + np.int32([2]),
    )


@eager
def conversions_to_tensors(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0], name="conversions")
    return tried(
        lambda: tf.convert_to_tensor(tf.constant(1.0), tf.int32),
        lambda: tf.convert_to_tensor([1], preferred_dtype=tf.float32),
        lambda: tf.convert_to_tensor([1.5], preferred_dtype=tf.int32),
        lambda: tf.convert_to_tensor(1.5, tf.int32),
        lambda: tf.convert_to_tensor(v),
        lambda: tf.convert_to_tensor(v, tf.float64),
        lambda: tf.convert_to_tensor([1, 2], tf.float32),
        lambda: tf.convert_to_tensor(np.float64([1.0])),
        lambda: tf.convert_to_tensor(None),
        lambda: tf.convert_to_tensor("a"),
        lambda: tf.convert_to_tensor([tf.constant(1.0), 2.0]),
    )


@eager
def functions_of_eager_values(tf: Any) -> Any:
    x, v = tf.constant([1.0, 2.0]), tf.Variable([1.0, 2.0], name="functions")
    return tried(
        lambda: tf.scalar_mul(3.0, v),
        lambda: tf.scalar_mul(3.0, x),
        lambda: tf.tuple([tf.constant(1), None, x]),
        lambda: tf.assert_near(1.0, 1.0),
        lambda: tf.assert_near(1.0, 1.1),
        lambda: tf.assert_near(x, [1.0, 2.1], atol=0.2),
        lambda: tf.assert_rank(x, 1),
        lambda: tf.assert_rank(x, 2),
        lambda: tf.assert_rank_at_least(x, 2),
        lambda: tf.assert_integer(x),
        lambda: tf.assert_type(x, tf.float32),
        lambda: tf.assert_scalar(tf.constant(1.0)),
        lambda: tf.assert_equal(x, x),
        lambda: tf.assert_less(x, 0.5),
        lambda: tf.identity_n([x, v]),
        lambda: tf.shape_n([x, v]),
        lambda: tf.cond(tf.constant(True), lambda: [x], lambda: [x]),
        lambda: tf.case([(tf.constant(False), lambda: x)], default=lambda: 2 * x),
        lambda: tf.nn.leaky_relu(tf.constant([-2])),
        lambda: tf.range(0, 2, 0.5),
        lambda: tf.linspace(np.float64(0), 0.1, 3),
        lambda: tf.gather([[1, 2], [3, 4]], [[0], [1]], batch_dims=1),
        lambda: tf.reduce_sum(tf.ones([2, 3]), tf.constant(1)),
        lambda: tf.reshape(tf.ones([4]), [tf.shape(x)[0], -1]),
        lambda: tf.clip_by_global_norm([x], 1.0),
    )


@eager
def unary_minus_and_subscripts(tf: Any) -> Any:
    x = tf.constant([[1.0, -2.0], [3.0, 4.0]])
    return tried(lambda: -x, lambda: x[0], lambda: x[:, 1], lambda: abs(x), lambda: x[tf.constant(1)], lambda: x @ x)


@eager
def graphs_inside_eager_mode(tf: Any) -> Any:
    found: list[Any] = [tf.executing_eagerly()]
    with tf.Graph().as_default():
        p = tf.placeholder(tf.float32, [2])
        v = tf.Variable(2.0)
        loss = tf.reduce_sum(p * v)
        step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
        found += [tf.executing_eagerly(), p.dtype.name, loss.get_shape().as_list(), v.name]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            found.append(session.run(loss, {p: [1.0, 2.0]}))
            session.run(step, {p: [1.0, 2.0]})
            found.append(session.run(v))
    return [*found, tf.executing_eagerly(), tf.constant(1.0) + 1.0]


@eager
def schedules_are_called(tf: Any) -> Any:
    step = tf.Variable(3, name="schedule_step")
    train = tf.train
    made = [
        train.exponential_decay(0.1, step, 10, 0.9),
        train.inverse_time_decay(0.1, step, 10, 0.5),
        train.polynomial_decay(0.1, 5, 10),
        train.cosine_decay(0.1, step, 10),
        train.natural_exp_decay(0.1, step, 10, 0.5),
        train.linear_cosine_decay(0.1, step, 10),
        train.piecewise_constant(step, [3, 8], [1.0, 0.5, 0.1]),
        train.piecewise_constant(step, [3, 8], [1, 5, 7]),
    ]
    found = [rate() for rate in made]
    v = tf.Variable(1.0, name="scheduled")
    train.GradientDescentOptimizer(made[0]).apply_gradients([(tf.constant(1.0), v)])
    step.assign(10)
    return found, [hasattr(rate, "numpy") for rate in found], made[0](), v


@eager
def losses_in_eager_mode(tf: Any) -> Any:
    labels, logits = [[1.0, 0.0], [0.0, 1.0]], tf.constant([[1.0, 2.0], [3.0, 5.0]])
    losses = tf.losses
    return tried(
        lambda: losses.softmax_cross_entropy(labels, logits),
        lambda: losses.softmax_cross_entropy(labels, logits, label_smoothing=0.1),
        lambda: losses.sparse_softmax_cross_entropy([0, 1], logits, weights=[[1.0], [2.0]]),
        lambda: losses.mean_squared_error(labels, logits, weights=[[1.0], [2.0]]),
        lambda: losses.sigmoid_cross_entropy(labels, logits),
        lambda: losses.cosine_distance(labels, logits, 1),
        lambda: losses.mean_squared_error(labels, logits, weights=[1.0, 2.0, 3.0]),
        lambda: tf.nn.softmax_cross_entropy_with_logits(labels=tf.constant([[1, 0], [0, 1]]), logits=logits),
    )


@eager
def lists_and_arrays_beside_tensors(tf: Any) -> Any:
    f, i = tf.constant([1.0, 2.0]), tf.constant([3, 4])
    pair, numbers = [1.5, 2.5], [1, 2]
    return tried(
        lambda: f + pair,
        lambda: [1, 2] * f,
        lambda: i + numbers,
        lambda: i + pair,
        lambda: np.float64([1.5, 2.5]) + f,
        lambda: np.float64(2) * f,
        lambda: f - np.arange(2),
        lambda: i // np.int32([2, 3]),
        lambda: (f > 1.5) & (f < 5.0),
        lambda: (f > 1.5) | (f < 0.5),
        lambda: ~(f > 1.5),
        lambda: f / 0.0,
        lambda: tf.log(f - 2.0),
        lambda: tf.convert_to_tensor([[tf.constant(1.0), 2.0], [3.0, 4.0]]),
    )


@eager
def sparse_tensors_in_eager_mode(tf: Any) -> Any:
    sp = tf.SparseTensor([[0], [3]], [1.0, -2.0], [5])
    doubled = tf.cast(tf.abs(sp), tf.float64)
    dense = tf.sparse_tensor_to_dense(sp)
    return sp.indices, sp.values, sp.dense_shape, sp.shape.as_list(), doubled.values, dense, tf.shape(sp)


@eager
def errors_of_eager_kernels(tf: Any) -> Any:
    x = tf.ones([2, 3])
    return tried(
        lambda: tf.matmul(x, x),
        lambda: x + tf.ones([2, 4]),
        lambda: tf.gather(x, [5]),
        lambda: tf.concat([x, tf.ones([2])], 0),
        lambda: tf.reshape(x, [5]),
        lambda: tf.reduce_sum(x, axis=5),
        lambda: tf.squeeze(x, 0),
        lambda: tf.matrix_inverse(tf.zeros([2, 2])),
        lambda: tf.segment_sum([1, 2, 3], [1, 0, 2]),
        lambda: tf.range(1, 5, 0),
        lambda: x[7],
        lambda: iter(tf.constant(1)),
        lambda: x.op,
        lambda: tf.boolean_mask(tf.ones([2]), [True, False, True]),
    )


@eager
def eager_tensors_in_words(tf: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return str(x), str(tf.constant(42)), str(tf.Variable(1, name="printed"))[:55], repr(tf.constant(42))[-32:]


@eager
def seeds_begin_again(tf: Any) -> Any:
    tf.set_random_seed(1)
    first = tf.random_uniform([3]).numpy()
    tf.set_random_seed(1)
    return bool((tf.random_uniform([3]).numpy() == first).all())


@eager
def what_programs_note_on_tensors(tf: Any) -> Any:
    x, y = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0])
    x.mask, x.of_layer = tf.constant([True, False]), "dense"
    references = {x.ref(): "x"}
    found = [references.get(x.ref()), references.get(y.ref()), x.ref() == x.ref(), x.ref().deref() is x]
    return x.mask, x.of_layer, hasattr(y, "mask"), found, tried(lambda: y.mask)


@eager
def numbers_that_are_not_of_the_type(tf: Any) -> Any:
    i = tf.constant([1, 2])
    refused = tried(lambda: i < 0.5, lambda: 0.5 + i, lambda: i + 0.5, lambda: tf.constant([1.5, 2.0], tf.int32))
    return refused, tried(lambda: len(tf.constant(1.0)), lambda: len(i), lambda: tf.convert_to_tensor("a", tf.int32))


@eager
def concrete_functions_in_eager_mode(tf: Any) -> Any:
    w = tf.Variable(2.0, name="of_concrete")
    scaled = tf.function(lambda x, times=2.0: x * w * w * times)
    concrete = scaled.get_concrete_function(tf.TensorSpec([None], tf.float32))
    with tf.GradientTape() as tape:
        y = concrete(tf.constant([3.0]))
    again = concrete(x=tf.constant([1.0, 2.0]))
    return y, again, tape.gradient(y, w), tried(lambda: concrete(), lambda: concrete(tf.constant([1])))


@eager
def what_is_of_graphs_alone(tf: Any) -> Any:
    merged = tried(lambda: tf.summary.merge([]), lambda: tf.summary.merge_all(), lambda: tf.summary.FileWriter("."))
    return merged, tried(lambda: tf.add_check_numerics_ops(), lambda: tf.Tensor._USE_EQUALITY)
