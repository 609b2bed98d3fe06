"""Programs of losses, schedules, lookups and normalisation: types, names and shapes of weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried

LOGITS = [[1.0, 2.0], [3.0, 5.0]]


@graph
def schedules_with_a_python_step(tf: Any) -> Any:
    train = tf.train
    made = [
        train.exponential_decay(0.1, 5, 10, 0.96),
        train.exponential_decay(0.1, 15, 10, 0.96, staircase=True),
        train.inverse_time_decay(0.1, 5, 10, 0.5),
        train.polynomial_decay(0.1, 5, 10),
        train.cosine_decay(0.1, 5, 10),
        train.cosine_decay_restarts(0.1, 5, 10),
        train.natural_exp_decay(0.1, 5, 10, 0.5),
        train.linear_cosine_decay(0.1, 5, 10),
        train.piecewise_constant(5, [3, 8], [1.0, 0.5, 0.1]),
    ]
    return run(tf, made), [node.dtype.name for node in made]


@graph
def a_schedule_with_a_python_step_as_a_rate(tf: Any) -> Any:
    v = tf.Variable(1.0)
    step = tf.train.GradientDescentOptimizer(tf.train.exponential_decay(0.1, 5, 10, 0.96)).minimize(v * v)
    with tf.control_dependencies([step]):
        read = v.read_value()
    return run(tf, read)


@graph
def losses_with_weights_in_a_column(tf: Any) -> Any:
    p = tf.placeholder(tf.float32)
    labels = [[1.0, 0.0], [0.0, 1.0]]
    losses = tf.losses
    made = tried(
        lambda: run(tf, losses.sparse_softmax_cross_entropy([0, 1], LOGITS, weights=[[1.0], [2.0]])),
        lambda: run(tf, losses.mean_squared_error(labels, LOGITS, weights=[[1.0], [2.0]])),
        lambda: run(tf, losses.mean_squared_error(labels, LOGITS, weights=[[1.0, 2.0]])),
        lambda: run(tf, losses.softmax_cross_entropy(labels, LOGITS, weights=[1.0, 2.0])),
        lambda: run(tf, losses.absolute_difference(labels, LOGITS, weights=np.float64(2))),
        lambda: run(tf, losses.compute_weighted_loss([1.0, 2.0], [[3.0], [4.0]])),
        lambda: run(tf, losses.compute_weighted_loss([[1.0], [2.0]], [3.0, 4.0])),
    )
    fed = [losses.mean_squared_error(labels, LOGITS, weights=p), losses.compute_weighted_loss([1.0, 2.0], p)]
    return (
        made,
        tried(
            *(lambda g=g: run(tf, fed[0], {p: g}) for g in (2.0, [[1.0], [2.0]], [[1.0, 2.0], [3.0, 0.0]], [1.0, 2.0]))
        ),
        tried(*(lambda g=g: run(tf, fed[1], {p: g}) for g in (2.0, [1.0, 2.0], [[1.0], [2.0]], [[1.0, 2.0]]))),
    )


@graph
def losses_with_weights_that_do_not_fit(tf: Any) -> Any:
    p = tf.placeholder(tf.float32)
    loss = tf.losses.mean_squared_error([[1.0, 0.0]], [[1.0, 2.0]], weights=p)
    return tried(
        lambda: tf.losses.mean_squared_error([[1.0, 0.0]], [[1.0, 2.0]], weights=[1.0, 2.0, 3.0]),
        lambda: tf.losses.mean_squared_error([[1.0, 0.0]], [[1.0, 2.0]], weights=[1.0, 2.0]),
        lambda: run(tf, loss, {p: [1.0, 2.0, 3.0]}),
        lambda: tf.losses.mean_squared_error([1.0], [1.0], weights=None),
    )


@graph
def losses_of_other_reductions(tf: Any) -> Any:
    values, weights = [[1.0, 2.0], [3.0, 4.0]], [[1.0], [0.0]]
    return run(
        tf, [tf.losses.compute_weighted_loss(values, weights, reduction=how) for how in tf.losses.Reduction.all()]
    )


@graph
def a_cosine_distance_by_its_old_argument(tf: Any) -> Any:
    return run(tf, tf.losses.cosine_distance([[1.0, 0.0]], [[0.6, 0.8]], dim=1))


@graph
def losses_of_float64(tf: Any) -> Any:
    labels, logits = np.float64([[1.0, 0.0]]), np.float64([[1.0, 2.0]])
    losses = tf.losses
    made = [
        losses.sigmoid_cross_entropy(labels, logits),
        losses.sigmoid_cross_entropy(labels, logits, label_smoothing=0.1),
        losses.softmax_cross_entropy(labels, logits),
        losses.softmax_cross_entropy(labels, logits, label_smoothing=0.1),
        losses.sparse_softmax_cross_entropy([1], logits),
        losses.mean_squared_error(labels, logits),
        losses.absolute_difference(labels, logits),
        losses.hinge_loss(labels, logits),
        losses.huber_loss(labels, logits),
        losses.log_loss(labels, logits / 4),
        losses.cosine_distance(labels, logits, 1),
    ]
    # TensorFlow adds up in float32; here the sums are as exact as the type.
    return run(tf, [tf.cast(node, tf.float32) for node in made]), [node.dtype.name for node in made]


@graph
def losses_of_float16(tf: Any) -> Any:
    labels, logits = np.float16([[1.0, 0.0]]), np.float16([[1.0, 2.0]])
    made = [tf.losses.sigmoid_cross_entropy(labels, logits), tf.losses.softmax_cross_entropy(labels, logits)]
    return run(tf, made), [node.dtype.name for node in made]


@graph
def names_of_losses(tf: Any) -> Any:
    losses, labels = tf.losses, [[1.0, 0.0]]
    made = [
        losses.softmax_cross_entropy([[1, 0]], [[1.0, 2.0]]),
        losses.mean_squared_error(labels, labels),
        losses.absolute_difference(labels, labels),
        losses.cosine_distance(labels, labels, 1),
        losses.hinge_loss(labels, labels),
        losses.huber_loss(labels, labels),
        losses.log_loss(labels, labels),
        losses.sigmoid_cross_entropy(labels, labels),
        losses.sparse_softmax_cross_entropy([0], labels),
        losses.mean_squared_error(labels, labels),
        losses.compute_weighted_loss([1.0]),
        losses.mean_squared_error(labels, labels, scope="mine"),
        losses.mean_squared_error(labels, labels, reduction=losses.Reduction.SUM),
        losses.mean_squared_error(labels, labels, reduction=losses.Reduction.NONE),
        losses.mean_squared_error(labels, labels, reduction=losses.Reduction.MEAN),
        losses.mean_squared_error(labels, labels, reduction=losses.Reduction.SUM_OVER_BATCH_SIZE),
    ]
    return [node.op.name for node in made]


@graph
def losses_collected_by_scope(tf: Any) -> Any:
    with tf.name_scope("a"):
        tf.losses.mean_squared_error([1.0], [2.0])
    tf.losses.mean_squared_error([1.0], [2.0])
    return [len(tf.losses.get_losses(scope)) for scope in (None, "a", "mean")], tf.losses.get_total_loss().op.name


@graph
def cross_entropies_of_mixed_types(tf: Any) -> Any:
    logits = tf.constant([[1.0, 2.0]])
    entropy = tf.nn.softmax_cross_entropy_with_logits
    made = [
        entropy(labels=tf.constant([[1, 0]]), logits=logits),
        entropy(labels=tf.constant([[0.3, 0.7]], tf.float64), logits=logits),
        entropy(labels=tf.constant([[1, 0]], tf.int64), logits=tf.constant([[1.0, 2.0]], tf.float64)),
        tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.constant([[1, 0]]), logits=logits),
    ]
    return run(tf, made), [node.dtype.name for node in made]


@graph
def cross_entropies_of_more_axes(tf: Any) -> Any:
    logits = tf.constant(np.arange(12, dtype=np.float32).reshape(2, 3, 2) / 5)
    labels = tf.constant(np.float32([[[1, 0]] * 3] * 2))
    made = [tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)]
    made += [tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=1)]
    made += [tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, axis=0)]
    return run(tf, made), [node.get_shape().as_list() for node in made]


@graph
def cross_entropies_of_flattened_axes(tf: Any) -> Any:
    logits = tf.constant(np.arange(12, dtype=np.float32).reshape(2, 3, 2) / 5)
    labels = tf.constant(np.float32([[1, 0]] * 6))
    return tried(
        lambda: run(tf, tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)),
        lambda: run(
            tf,
            tf.nn.softmax_cross_entropy_with_logits(
                labels=tf.reshape(labels, [2, 3, 2]), logits=tf.reshape(logits, [6, 2])
            ),
        ),
        lambda: run(tf, tf.nn.softmax_cross_entropy_with_logits(labels=[1.0, 0.0], logits=[[1.0, 2.0]])),
        lambda: run(tf, tf.nn.softmax_cross_entropy_with_logits(labels=[[1.0, 0.0]], logits=[[1.0, 2.0], [3.0, 1.0]])),
    )


@graph
def lookups_with_a_largest_norm(tf: Any) -> Any:
    line, table = 2 * np.ones(12), np.arange(12, dtype=np.float32).reshape(4, 3)
    lookup = tf.nn.embedding_lookup
    cube = np.arange(24, dtype=np.float32).reshape(4, 3, 2)
    made = [lookup(line, [1, 2, 3], max_norm=1.0), lookup(table, [[1, 0]], max_norm=2.0), lookup(line, 1, max_norm=1.0)]
    made += [lookup([table, table], [1, 6], max_norm=2.0), lookup(cube, [1, 2], max_norm=1.0)]
    made += [lookup([line, line], [1, 6], max_norm=1.0)]
    return run(tf, made)


@graph
def batch_normalization_of_float16(tf: Any) -> Any:
    x, two = tf.constant(np.float16([[1, 2], [3, 4]])), tf.constant([2.0, 1.0])
    made = [
        tf.nn.batch_normalization(x, two, two, None, None, 1e-3),
        tf.nn.batch_normalization(x, two, two, two, two, 1e-3),
        tf.nn.batch_normalization(tf.cast(x, tf.float32), two, two, two, None, 1e-3),
    ]
    return run(tf, made), [node.dtype.name for node in made]


@graph
def the_version_is_of_tensorflow_1(tf: Any) -> Any:
    numbers = tf.__version__.split(".")
    return len(numbers) >= 3, numbers[0].isdigit(), int(numbers[0]) >= 1, tf.__version__ == tf.VERSION


@graph
def paths_that_are_compared(tf: Any) -> Any:
    text = tf.compat.as_text if hasattr(tf.compat, "as_text") else str
    return text("a")


@graph
def range_and_sequence_arguments(tf: Any) -> Any:
    return tried(lambda: run(tf, tf.range(0, 3, 0)), lambda: tf.range([1, 2]))


@graph
def types_that_have_a_name_and_no_values(tf: Any) -> Any:
    names = ("qint8", "quint8", "qint16", "quint16", "qint32", "resource", "variant")
    kinds = [tf.as_dtype(name) for name in names]
    told = [[each.name, each.as_datatype_enum, each.is_integer, each.is_floating, each.is_quantized] for each in kinds]
    more = [[each.is_numpy_compatible, each.is_unsigned, repr(each)] for each in kinds]
    more += [[tf.DType(each.as_datatype_enum) == each, each.base_dtype == each] for each in kinds]
    equal = [tf.qint8 == np.int8, tf.int32 == int, tf.quint8 == tf.qint8, tf.resource == tf.variant]  # noqa: E721
    refused = tried(
        lambda: tf.constant(3, tf.qint8),
        lambda: tf.as_dtype((tf.int32, tf.float32)),
        lambda: tf.DType(0),
        lambda: tf.qint8.max,
        lambda: tf.qint8.limits,
    )
    return told, more, equal, refused


@graph
def elements_of_messages(tf: Any) -> Any:
    def fields(*args: Any, **options: Any) -> list[str]:
        words = str(tf.make_tensor_proto(*args, **options)).split()
        return [word for word in words if word.endswith(":")]

    given = [
        fields([True, False]),
        fields([1.0, 0.5], dtype=tf.float16),
        fields([1j, 2.0]),
        fields([1, 2]),
        fields([7], shape=[3, 2]),
        fields([-1, 2], shape=[3]),
        fields(["a", "b"], shape=[1, 4]),
        fields([True], shape=[2]),
        fields(2.5, shape=[2], allow_broadcast=True),
    ]
    again = [tf.make_ndarray(tf.make_tensor_proto([1, -2], shape=[3], dtype=kind)) for kind in (tf.int8, tf.float16)]
    refused = tried(
        lambda: tf.make_tensor_proto([1, 2], shape=[4], allow_broadcast=True),
        lambda: tf.make_tensor_proto([1, 2], shape=[2, 1], verify_shape=True),
        lambda: tf.make_tensor_proto([1, 2], shape=[1]),
    )
    return given, again, refused, tf.make_ndarray(tf.make_tensor_proto([1j, 2.0], dtype=tf.complex128, shape=[2, 2]))


@graph
def attributes_of_kernels(tf: Any) -> Any:
    p = tf.placeholder(tf.float32, [2, None])
    tensors = [
        *(p, tf.cast(p, tf.int32), tf.argmin(p, output_type=tf.int32), tf.stack([p, p]), tf.split(p, 2)[0]),
        *(tf.unstack(p)[0], tf.size(p, out_type=tf.int64), tf.add_n([p, p, p]), tf.concat([p, p], 0)),
        *(tf.gather(p, [0]), tf.constant([1])),
    ]
    names = ("T", "dtype", "SrcT", "DstT", "N", "num", "num_split", "output_type", "out_type", "Tparams")
    found = [[name, getattr(value, "name", value)] for t in tensors for name, value in _attributes(t.op, names)]
    return found, str(tensors[0].op.get_attr("shape")).split(), tried(lambda: p.op.get_attr("T"))


def _attributes(op: Any, names: Any) -> list[Any]:
    return [(name, op.get_attr(name)) for name in names if name in op.node_def.attr]


@graph
def one_operation_passes_several_values_on(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [2])
    same = tf.identity_n([x, tf.constant(3), x * 2.0])
    slopes = tf.gradients(same[0] * same[2], x)
    with tf.Session() as session:
        values = session.run([same, slopes], {x: [1.0, 2.0]})
        fed = session.run(same[2], {same[0]: [0.0, 0.0], x: [1.0, 2.0]})
    return [(t.name, t.dtype.name, t.shape.as_list()) for t in same], len({t.op for t in same}), values, fed
