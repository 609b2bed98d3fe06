"""Error cases of variables, scopes and assignments."""

from __future__ import annotations

import numpy as np
from op_errors import raises, raising, run, within


def variable(tf, name="w"):
    return tf.Variable(np.ones((2, 3), np.float32), name=name)


def twice(first, second):
    """Return a case that makes a variable by ``first``, then one by ``second`` with reuse."""

    def provoke(tf):
        with tf.variable_scope("s"):
            tf.get_variable("v", **first(tf))
        with tf.variable_scope("s", reuse=True):
            tf.get_variable("v", **second(tf))

    return provoke


raising(
    {
        "get_variable of one name twice [v]": lambda tf: [tf.get_variable("v", [2]) for _ in range(2)],
        "get_variable with reuse of nothing [v]": lambda tf: within(
            tf.variable_scope("s", reuse=True), lambda: tf.get_variable("v", [2])
        ),
        "reuse with another shape [s/v]": twice(lambda tf: {"shape": [2]}, lambda tf: {"shape": [3]}),
        "reuse with another rank [s/v]": twice(lambda tf: {"shape": [2]}, lambda tf: {"shape": [2, 1]}),
        "reuse with another type [s/v]": twice(
            lambda tf: {"shape": [2]}, lambda tf: {"shape": [2], "dtype": tf.float64}
        ),
        "get_variable without a shape [v]": lambda tf: tf.get_variable("v"),
        "get_variable of a part unknown shape": lambda tf: tf.get_variable("v", [None, 2]),
        "get_variable of a constant and a shape": lambda tf: tf.get_variable(
            "v", [2], initializer=tf.constant([1.0, 2.0])
        ),
        "get_variable of a constant of another type": lambda tf: tf.get_variable(
            "v", dtype=tf.int32, initializer=tf.constant([1.0])
        ),
        "get_variable of an unknown initializer": lambda tf: tf.get_variable("v", [2], initializer=object()),
        "get_variable with a constant initializer of another size": lambda tf: tf.get_variable(
            "v", [2], initializer=tf.constant_initializer([1.0, 2.0, 3.0])
        ),
        "identity initializer of a vector": lambda tf: tf.get_variable(
            "v", [2], initializer=tf.initializers.identity()
        ),
        "orthogonal initializer of a vector": lambda tf: tf.get_variable(
            "v", [2], initializer=tf.orthogonal_initializer()
        ),
        "Variable of None": lambda tf: tf.Variable(None),
        "Variable of nothing": lambda tf: tf.Variable(),
        "Variable of a value of unknown shape": lambda tf: tf.Variable(tf.placeholder(tf.float32)),
        "Variable of text as a float": lambda tf: tf.Variable("text", dtype=tf.float32),
        "Variable of an object": lambda tf: tf.Variable(object()),
        "Variable with collections that are text": lambda tf: tf.Variable(1.0, collections="mine"),
        "Variable of a name with a space": lambda tf: tf.Variable(1.0, name="a b"),
        "assign of another shape": lambda tf: tf.assign(variable(tf), np.ones((3, 2), np.float32)),
        "assign of another rank": lambda tf: variable(tf).assign([1.0]),
        "assign of another type": lambda tf: tf.assign(variable(tf), tf.zeros([2, 3], tf.float64)),
        "assign of ints to floats": lambda tf: tf.assign(variable(tf), tf.zeros([2, 3], tf.int32)),
        "assign of floats to ints": lambda tf: tf.assign(tf.Variable(1), 1.5),
        "assign of text": lambda tf: tf.assign(variable(tf), "text"),
        "assign of None": lambda tf: tf.assign(variable(tf), None),
        "assign to a tensor": lambda tf: tf.assign(tf.zeros([2]), [1.0, 2.0]),
        "assign to a number": lambda tf: tf.assign(3.0, 1.0),
        "assign_add of another shape": lambda tf: tf.assign_add(variable(tf), [1.0, 2.0]),
        "assign_sub of another type": lambda tf: variable(tf).assign_sub(tf.zeros([2, 3], tf.float64)),
        "scatter_update of floating ids": lambda tf: tf.scatter_update(variable(tf), [0.0], [[1.0] * 3]),
        "scatter_update of another width": lambda tf: tf.scatter_update(variable(tf), [0], [[1.0] * 4]),
        "scatter_add of another number of rows": lambda tf: tf.scatter_add(variable(tf), [0, 1], [[1.0] * 3]),
        "scatter_add to a tensor": lambda tf: tf.scatter_add(tf.zeros([2]), [0], [1.0]),
        "len of a variable": lambda tf: len(variable(tf)),
        "iteration over a variable": lambda tf: list(variable(tf)),
        "in-place addition to an element of a variable": lambda tf: variable(tf).__setitem__(0, 1.0),
    }
)


@raises
def assign_in_another_graph(tf):
    w = variable(tf)
    with tf.Graph().as_default():
        tf.assign(w, tf.zeros([2, 3]))


@raises
def initializer_of_another_graph(tf):
    w = variable(tf)
    with tf.Graph().as_default():
        tf.constant(1)
        run(tf, w.initializer)


@raises
def get_variable_in_a_reused_scope_that_lacks_it(tf):
    with tf.variable_scope("s") as scope:
        tf.get_variable("v", [1])
        scope.reuse_variables()
        tf.get_variable("other", [1])


@raises
def load_of_another_shape(tf):
    w = variable(tf)
    with tf.Session() as session:
        w.load(np.ones((3, 2)), session)
