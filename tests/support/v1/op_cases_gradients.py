"""``tf.gradients`` and what is around it: seeds, stops, unconnected variables, second derivatives, branches."""

from __future__ import annotations

import numpy as np
from op_cases import POSITIVE, ROW, UNIT, A, B, Var, case, draw

TABLE = draw(80, 4, 2)


def text(tf, values):
    """Return what Python values look like, as a node."""
    return tf.constant([str(value) for value in values])


@case(A, B)
def gradients_with_seeds(tf, x, y):
    product = x * y
    return tf.gradients([product, x], [x, y], grad_ys=[tf.ones([2, 3]) * 2.0, y])


@case(A, B)
def gradients_with_one_seed_of_none(tf, x, y):
    return tf.gradients([x * y, x * 3.0], [x], grad_ys=[None, tf.ones([2, 3]) * 0.5])


@case(A)
def gradients_of_what_is_not_scalar_are_of_its_sum(tf, x):
    return tf.gradients(x * x, x)


@case(A, B)
def gradients_for_a_single_node_are_a_list(tf, x, y):
    found = tf.gradients(x * y, x)
    return [*found, text(tf, [type(found).__name__, len(found)])]


@case(A, B)
def gradients_that_stop(tf, x, y):
    middle = x * y
    return tf.gradients(middle * x, [x, middle], stop_gradients=[middle]) + tf.gradients(
        tf.stop_gradient(middle) * x, [x]
    )


@case(A, B)
def gradients_for_nodes_in_the_middle(tf, x, y):
    middle = x * y
    out = tf.exp(middle) + middle
    return tf.gradients(out, [middle, x]) + tf.gradients(out, [out])


@case(A, B, grad=False)
def gradients_that_are_none(tf, x, y):
    i = tf.constant([1, 2])
    pairs = [
        (x, y),
        (tf.stop_gradient(x), x),
        (tf.cast(tf.cast(x, tf.int32), tf.float32), x),
        (tf.cast(i, tf.float32), i),
    ]
    pairs += [(tf.sign(x), x), (tf.floor(x), x), (tf.cast(tf.argmax(x, 1), tf.float32), x), (tf.zeros_like(x), x)]
    pairs += [(tf.one_hot(i, 3), i), (tf.to_float(tf.shape(x)), x), (tf.to_float(x > 0.0), x), (tf.round(x), x)]
    return text(tf, [tf.gradients(y, x)[0] is None for y, x in pairs])


@case(A, B)
def gradients_for_one_of_two(tf, x, y):
    first, second = tf.gradients(x * 2.0, [x, y])
    return [first, text(tf, [second])]


@case(POSITIVE)
def second_derivatives(tf, x):
    first = tf.gradients(x**3 + tf.log(x), x)[0]
    return [first, *tf.gradients(first, x)]


@case(UNIT, ROW)
def second_derivatives_of_a_layer(tf, x, w):
    out = tf.tanh(tf.reduce_sum(x * w, axis=1))
    first = tf.gradients(out, w)[0]
    return [first, *tf.gradients(tf.reduce_sum(tf.square(first)), [w, x])]


@case(A, draw(81, 3, 2))
def second_derivatives_of_a_product(tf, x, w):
    penalty = tf.reduce_sum(tf.square(tf.gradients(tf.sigmoid(tf.matmul(x, w)), x)[0]))
    return [penalty, *tf.gradients(penalty, [w])]


@case(ROW, feed=False)
def hessian(tf, x):
    return tf.hessians(tf.reduce_sum(x**3) + x[0] * x[1], x)


@case(Var(TABLE))
def gradients_of_gathers_are_slices(tf, table):
    found = tf.gradients(tf.reduce_sum(tf.gather(table, [1, 1, 3]) ** 2), table)[0]
    dense = tf.convert_to_tensor(found)
    return [dense, tf.unsorted_segment_sum(found.values, found.indices, 4), found.dense_shape]


@case(Var(TABLE), grad=False, feed=False)
def kinds_of_gradients(tf, table):
    rows = tf.gather(table, [0, 2])
    loss = [rows, rows + tf.reduce_sum(table), tf.gather(tf.gather(table, [1, 2]), [0]), tf.gather(table * 2.0, [1])]
    loss += [table[1], tf.nn.embedding_lookup(table, [1]), tf.gather_nd(table, [[1]]), tf.gather(table, [0], axis=1)]
    loss += [tf.nn.embedding_lookup(table, [1]) + tf.nn.embedding_lookup(table, [2]), tf.identity(rows), table]
    return text(tf, [type(tf.gradients(node, table)[0]).__name__.replace("SymbolicTensor", "Tensor") for node in loss])


@case(A, B)
def gradient_of_a_sum_of_many_paths(tf, x, y):
    z = x
    for _ in range(4):
        z = z * y + x
    return tf.gradients(z, [x, y])


@case(A)
def gradient_through_a_condition(tf, x):
    taken = tf.cond(tf.reduce_sum(x) < 100.0, lambda: x * 2.0, lambda: x * 3.0)
    other = tf.cond(tf.constant(False), lambda: x * 2.0, lambda: tf.exp(x))
    return [taken, other]


@case(A, grad=False)
def conditions(tf, x):
    def pick(p):
        return tf.cond(tf.constant(p), lambda: (x, tf.constant(1)), lambda: (x * 2.0, tf.constant(2)))

    cases = tf.case([(tf.constant(False), lambda: x), (tf.constant(True), lambda: -x)], default=lambda: x * 0.0)
    return [*pick(True), *pick(False), cases]


@case(A, grad=False)
def groups_and_tuples(tf, x):
    first, second = tf.tuple([x, x * 2.0])
    with tf.control_dependencies([tf.group(first.op, second.op), tf.no_op()]):
        return [tf.identity(x), first, second]


@case(A, grad=False, feed=False)
def functions_of_python(tf, x):
    doubled = tf.py_func(lambda v: v * 2, [x], tf.float32)
    doubled.set_shape([2, 3])
    first, second = tf.py_func(lambda v: (v.sum(), np.int64(len(v))), [x], [tf.float32, tf.int64])
    return [doubled, first, second]


@case(Var(TABLE), grad=False, feed=False)
def pairs_of_compute_gradients(tf, table):
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    other = tf.Variable([1.0, 2.0], name="other")
    idle = tf.Variable(3.0, name="idle")
    loss = tf.reduce_sum(table * other)
    pairs = optimizer.compute_gradients(loss)
    named = [f"{gradient is None} {variable.name}" for gradient, variable in pairs]
    del idle
    return [text(tf, named), pairs[0][0], pairs[1][0]]


@case(Var(TABLE), grad=False, feed=False)
def compute_gradients_with_a_seed(tf, table):
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    pairs = optimizer.compute_gradients(table * table, var_list=[table], grad_loss=tf.ones([4, 2]) * 3.0)
    return [gradient for gradient, _ in pairs]
