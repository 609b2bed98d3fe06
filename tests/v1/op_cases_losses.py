"""``tf.losses``, variables that change, learning-rate schedules."""

from __future__ import annotations

import numpy as np
from op_cases import INTS, ROW, A, B, Case, Var, case, draw, op, register

PREDICTIONS, TARGETS = draw(70, 2, 3, low=0.05, high=0.95), np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]], np.float32)
LOGITS, CLASSES = draw(71, 2, 3, low=-3.0, high=3.0), np.array([2, 0], np.int32)
ELEMENTS, ROWS, NOTHING = np.array([[1.0, 0.0, 2.0], [0.5, 0.0, 1.0]], np.float32), np.array([[2.0], [0.0]], np.float32), 0.0

for name in "mean_squared_error absolute_difference huber_loss log_loss hinge_loss".split():
    logits = "logits" if name == "hinge_loss" else "predictions"
    op(f"losses.{name}", TARGETS, PREDICTIONS)
    op(f"losses.{name}", labels=TARGETS, **{logits: PREDICTIONS})
    for weights in (0.5, ELEMENTS, ROWS, NOTHING):
        op(f"losses.{name}", TARGETS, PREDICTIONS, weights)
    for reduction in "NONE SUM MEAN SUM_OVER_BATCH_SIZE SUM_BY_NONZERO_WEIGHTS SUM_OVER_NONZERO_WEIGHTS".split():

        def build(tf, labels, predictions, weights, name=name, reduction=reduction):
            function = getattr(tf.losses, name)
            return function(labels, predictions, weights=weights, reduction=getattr(tf.losses.Reduction, reduction))

        register(Case(f"losses.{name} {reduction}", build, (TARGETS, PREDICTIONS, ROWS)))
op("losses.huber_loss", A, B, delta=0.5)
op("losses.log_loss", TARGETS, PREDICTIONS, epsilon=0.1)
op("losses.mean_squared_error", INTS, ELEMENTS)
op("losses.mean_squared_error", TARGETS, PREDICTIONS.astype(np.float64), label="of mixed types", grad=False)
op("losses.softmax_cross_entropy", TARGETS, LOGITS)
op("losses.softmax_cross_entropy", onehot_labels=TARGETS, logits=LOGITS, weights=np.array([2.0, 0.0], np.float32))
op("losses.softmax_cross_entropy", TARGETS, LOGITS, label_smoothing=0.1)
op("losses.sparse_softmax_cross_entropy", CLASSES, LOGITS)
op("losses.sparse_softmax_cross_entropy", labels=CLASSES.astype(np.int64), logits=LOGITS, weights=0.25)
op("losses.sparse_softmax_cross_entropy", CLASSES, LOGITS, np.array([2.0, 0.0], np.float32))
op("losses.sparse_softmax_cross_entropy", CLASSES[:, None].copy(), LOGITS)
op("losses.sigmoid_cross_entropy", TARGETS, LOGITS)
op("losses.sigmoid_cross_entropy", multi_class_labels=TARGETS, logits=LOGITS, weights=ROWS, label_smoothing=0.2)
op("losses.cosine_distance", TARGETS, PREDICTIONS, axis=1)
op("losses.mean_pairwise_squared_error", TARGETS, PREDICTIONS)
op("losses.compute_weighted_loss", PREDICTIONS)
op("losses.compute_weighted_loss", PREDICTIONS, ELEMENTS)


@case(TARGETS, PREDICTIONS)
def total_loss(tf, labels, predictions):
    tf.losses.mean_squared_error(labels, predictions)
    tf.losses.absolute_difference(labels, predictions, 0.5)
    tf.losses.add_loss(tf.reduce_sum(predictions))
    tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.nn.l2_loss(predictions))
    total = tf.losses.get_total_loss(add_regularization_losses=False)
    return [*tf.losses.get_losses(), total, tf.losses.get_total_loss(), tf.losses.get_regularization_loss()]


@case(grad=False)
def no_losses(tf):
    assert tf.losses.get_losses() == []
    return tf.losses.get_regularization_loss()


@case(TARGETS, PREDICTIONS)
def losses_in_another_collection(tf, labels, predictions):
    mine = tf.losses.mean_squared_error(labels, predictions, loss_collection="mine")
    none = tf.losses.mean_squared_error(labels, predictions, loss_collection=None)
    assert tf.get_collection("mine") == [mine]
    return [mine, none]


MATRIX = draw(72, 4, 2)


def state(name, table, *args, **options):
    """Register ``tf.<name>(variable, *args)``; the variable's value after the run is recorded too."""

    def build(tf, variable, *rest):
        return getattr(tf, name)(variable, *rest)

    shapes = ", ".join(str(np.shape(arg)) for arg in args)
    register(Case(f"{name} {table.dtype.name} {shapes}", build, (Var(table), *args), grad=False, feed=False, **options))


TWO, SCATTERED = draw(73, 2, 2), np.array([3, 1], np.int32)
for name in "assign assign_add assign_sub".split():
    state(name, MATRIX, draw(74, 4, 2))
    state(name, np.array([1, 2], np.int32), np.array([5, -1], np.int32))
    state(name, np.zeros((), np.float32), 2.5)
    state(name, np.zeros((), np.int64), 3)
for name in "update add sub mul div max min".split():
    state(f"scatter_{name}", MATRIX, SCATTERED, TWO)
    state(f"scatter_{name}", MATRIX, np.array(2, np.int64), TWO[0])
    state(f"scatter_{name}", draw(75, 5), np.array([0, 4, 2], np.int32), ROW)
for name in "add sub".split():
    state(f"scatter_{name}", MATRIX, np.array([1, 1, 0, 1], np.int64), draw(76, 4, 2))
    state(f"scatter_nd_{name}", MATRIX, np.array([[1], [1]], np.int32), TWO)
state("scatter_nd_update", MATRIX, np.array([[1], [3]], np.int32), TWO)
state("scatter_nd_update", MATRIX, np.array([[1, 0], [3, 1]], np.int32), TWO[0])


@case(Var(MATRIX), grad=False, feed=False)
def methods_of_variables(tf, variable):
    with tf.control_dependencies([variable.assign_add(tf.ones([4, 2]))]):
        first = tf.identity(variable.read_value())
    with tf.control_dependencies([first]):
        second = variable.assign_sub(2.0 * variable)
    with tf.control_dependencies([second]):
        third = variable.scatter_sub(tf.IndexedSlices(tf.ones([1, 2]), [2]))
    return [first, third]


@case(Var(MATRIX), grad=False, feed=False)
def nodes_of_variables(tf, variable):
    return [variable, variable + 1.0, variable.value(), variable.initialized_value(), variable.initial_value, variable[1:, 0], 2.0 * variable]


@case(Var(np.float32(1.5)), feed=False, grad=False)
def several_assignments_in_order(tf, variable):
    first = tf.assign(variable, 3.0)
    with tf.control_dependencies([first]):
        second = tf.assign_add(variable, 4.0)
    with tf.control_dependencies([second]):
        return tf.multiply(variable, 2.0)


@case(Var(MATRIX))
def gradient_of_a_variable_used_twice(tf, variable):
    return tf.matmul(variable, variable, transpose_b=True) + tf.reduce_sum(variable)


@case(A)
def variable_made_of_a_node(tf, x):
    variable = tf.Variable(tf.ones([2, 3]) * 2.0, name="w")
    return x * variable


@case(grad=False)
def initializers(tf):
    given = {
        "zeros": tf.zeros_initializer(),
        "ones": tf.ones_initializer(),
        "constant": tf.constant_initializer(0.25),
        "list": tf.constant_initializer([1.0, 2.0, 3.0, 4.0]),
        "identity": tf.initializers.identity(),
    }
    made = [tf.get_variable(name, [2, 2], initializer=initializer) for name, initializer in given.items()]
    whole = tf.get_variable("whole", [3], tf.int32, tf.zeros_initializer)
    return [*made, whole, tf.get_variable("of_array", initializer=np.arange(3.0)), tf.get_variable("of_node", initializer=tf.ones([2]))]


@case(grad=False, values=False)
def random_initializers(tf):
    given = {
        "normal": tf.random_normal_initializer(stddev=0.1),
        "uniform": tf.random_uniform_initializer(-1.0, 1.0),
        "truncated": tf.truncated_normal_initializer(0.0, 0.1),
        "glorot": tf.glorot_uniform_initializer(),
        "glorot_normal": tf.glorot_normal_initializer(),
        "scaling": tf.variance_scaling_initializer(),
        "orthogonal": tf.orthogonal_initializer(),
        "default": None,
    }
    return [tf.get_variable(name, [3, 2], initializer=initializer) for name, initializer in given.items()]


STEPS = np.array([0, 1, 4, 5, 9, 10, 11, 25], np.int64)
SCHEDULES = {
    "exponential_decay": lambda t, step: t.exponential_decay(0.1, step, 5, 0.9),
    "exponential_decay staircase": lambda t, step: t.exponential_decay(0.1, step, 5, 0.9, staircase=True),
    "inverse_time_decay": lambda t, step: t.inverse_time_decay(0.1, step, 5, 0.9),
    "inverse_time_decay staircase": lambda t, step: t.inverse_time_decay(0.1, step, 5, 0.9, True),
    "natural_exp_decay": lambda t, step: t.natural_exp_decay(0.1, step, 5, 0.9),
    "natural_exp_decay staircase": lambda t, step: t.natural_exp_decay(0.1, step, 5, 0.9, staircase=True),
    "polynomial_decay": lambda t, step: t.polynomial_decay(0.1, step, 10),
    "polynomial_decay power": lambda t, step: t.polynomial_decay(0.1, step, 10, 0.01, power=2.0),
    "polynomial_decay cycle": lambda t, step: t.polynomial_decay(0.1, step, 10, cycle=True),
    "piecewise_constant": lambda t, step: t.piecewise_constant(step, [4, 10], [1.0, 0.5, 0.25]),
    "piecewise_constant_decay": lambda t, step: t.piecewise_constant_decay(step, [9], [1.0, 0.5]),
    "cosine_decay": lambda t, step: t.cosine_decay(0.1, step, 10),
    "cosine_decay alpha": lambda t, step: t.cosine_decay(0.1, step, 10, alpha=0.2),
    "cosine_decay_restarts": lambda t, step: t.cosine_decay_restarts(0.1, step, 4),
    "linear_cosine_decay": lambda t, step: t.linear_cosine_decay(0.1, step, 10),
}
for name, schedule in SCHEDULES.items():
    for kind in (np.int64, np.int32):

        def build(tf, *steps, schedule=schedule):
            return [schedule(tf.train, step) for step in steps]

        steps = tuple(np.array(step, kind) for step in STEPS)
        register(Case(f"{name} {np.dtype(kind).name}", build, steps, feed=kind is np.int64))
