"""Variables that change, and their first values."""

from __future__ import annotations

import numpy as np
from op_cases import ROW, A, Case, Var, case, draw, register, words

MATRIX = draw(72, 4, 2)


def state(name, table, *args, **options):
    """Register ``tf.<name>(variable, *args)``; the variable's value after the run is recorded too."""

    def build(tf, variable, *rest):
        return getattr(tf, name)(variable, *rest)

    shapes = ", ".join(str(np.shape(arg)) for arg in args)
    register(Case(f"{name} {table.dtype.name} {shapes}", build, (Var(table), *args), grad=False, feed=False, **options))


TWO, SCATTERED = draw(73, 2, 2), np.array([3, 1], np.int32)
for name in words("assign assign_add assign_sub"):
    state(name, MATRIX, draw(74, 4, 2))
    state(name, np.array([1, 2], np.int32), np.array([5, -1], np.int32))
    state(name, np.zeros((), np.float32), 2.5)
    state(name, np.zeros((), np.int64), 3)
for name in words("update add sub mul div max min"):
    state(f"scatter_{name}", MATRIX, SCATTERED, TWO)
    state(f"scatter_{name}", MATRIX, np.array(2, np.int64), TWO[0])
    state(f"scatter_{name}", draw(75, 5), np.array([0, 4, 2], np.int32), ROW)
for name in words("add sub"):
    state(f"scatter_{name}", MATRIX, np.array([1, 1, 0, 1], np.int64), draw(76, 4, 2))
    state(f"scatter_nd_{name}", MATRIX, np.array([[1], [1]], np.int32), TWO)
state("scatter_nd_update", MATRIX, np.array([[1], [3]], np.int32), TWO)
state("scatter_nd_update", MATRIX, np.array([[1, 0], [3, 1]], np.int32), TWO[0])


@case(Var(MATRIX), grad=False, feed=False)
def methods_of_variables(tf, variable):
    with tf.control_dependencies([variable.assign_add(tf.ones([4, 2]))]):
        first = variable.read_value() + 0.0  # a copy: TensorFlow's reads share the variable's memory
    with tf.control_dependencies([first]):
        second = variable.assign_sub(2.0 * variable.read_value())
    with tf.control_dependencies([second]):
        third = variable.scatter_sub(tf.IndexedSlices(tf.ones([1, 2]), [2])) + 0.0
    return [first, third]


@case(Var(MATRIX), grad=False, feed=False)
def nodes_of_variables(tf, variable):
    return [
        variable,
        variable + 1.0,
        variable.value(),
        variable.initialized_value(),
        variable.initial_value,
        variable[1:, 0],
        2.0 * variable,
    ]


@case(Var(np.float32(1.5)), feed=False, grad=False)
def several_assignments_in_order(tf, variable):
    first = tf.assign(variable, 3.0)
    with tf.control_dependencies([first]):
        second = tf.assign_add(variable, 4.0)
    with tf.control_dependencies([second]):
        return tf.multiply(variable.read_value(), 2.0)


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
    return [
        *made,
        whole,
        tf.get_variable("of_array", initializer=np.arange(3.0)),
        tf.get_variable("of_node", initializer=tf.ones([2])),
    ]


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
