"""Error cases of gradients, optimizers and checkpoints."""

from __future__ import annotations

from tempfile import TemporaryDirectory

import numpy as np
from op_errors import raises, raising, run


def variable(tf, name="w"):
    return tf.Variable(np.ones((2, 3), np.float32), name=name)


def gradient_descent(tf):
    return tf.train.GradientDescentOptimizer(0.1)


raising(
    {
        "gradients of None": lambda tf: tf.gradients(None, [variable(tf)]),
        "gradients for None": lambda tf: tf.gradients(tf.reduce_sum(variable(tf)), [None]),
        "gradients by an unknown aggregation": lambda tf: tf.gradients(
            (w := variable(tf)) * w + w, [w], aggregation_method=77
        ),
        "gradients with grad_ys of another length": lambda tf: tf.gradients(
            [(w := variable(tf)) * 2.0, w * 3.0], [w], grad_ys=[tf.ones([2, 3])]
        ),
        "gradients with grad_ys of another shape": lambda tf: tf.gradients(
            (w := variable(tf)) * 2.0, [w], grad_ys=[tf.ones([3])]
        ),
        "gradients with grad_ys of another type": lambda tf: tf.gradients(
            (w := variable(tf)) * 2.0, [w], grad_ys=[tf.constant([[1] * 3] * 2)]
        ),
        "gradients of a function without one": lambda tf: tf.gradients(
            tf.py_func(np.sin, [w := variable(tf)], tf.float32), [w], stop_gradients=3
        ),
        "minimize of None": lambda tf: [variable(tf), gradient_descent(tf).minimize(None)],
        "minimize of a number": lambda tf: [variable(tf), gradient_descent(tf).minimize(3.0)],
        "minimize of ints": lambda tf: [tf.Variable([1, 2]), gradient_descent(tf).minimize(tf.constant(3))],
        "minimize without variables": lambda tf: gradient_descent(tf).minimize(tf.constant(1.0)),
        "minimize without a path": lambda tf: [variable(tf), gradient_descent(tf).minimize(tf.constant(1.0))],
        "minimize with an empty list": lambda tf: gradient_descent(tf).minimize(
            tf.reduce_sum(variable(tf)), var_list=[]
        ),
        "minimize by text": lambda tf: gradient_descent(tf).minimize(tf.reduce_sum(variable(tf)), var_list=["w"]),
        "minimize by an unknown gate": lambda tf: gradient_descent(tf).minimize(
            tf.reduce_sum(variable(tf)), gate_gradients=7
        ),
        "minimize with a number as global_step": lambda tf: gradient_descent(tf).minimize(
            tf.reduce_sum(variable(tf)), global_step=3
        ),
        "minimize of an int variable": lambda tf: gradient_descent(tf).minimize(
            tf.cast(tf.reduce_sum(v := tf.Variable([1, 2])), tf.float32), var_list=[v]
        ),
        "compute_gradients for a tensor then apply": lambda tf: gradient_descent(tf).apply_gradients(
            gradient_descent(tf).compute_gradients(tf.reduce_sum(x := tf.identity(variable(tf))), [x])
        ),
        "apply_gradients of nothing": lambda tf: gradient_descent(tf).apply_gradients([]),
        "apply_gradients of None": lambda tf: gradient_descent(tf).apply_gradients(None),
        "apply_gradients of no gradients [w]": lambda tf: gradient_descent(tf).apply_gradients([(None, variable(tf))]),
        "apply_gradients of another shape": lambda tf: gradient_descent(tf).apply_gradients(
            [(tf.ones([3]), variable(tf))]
        ),
        "apply_gradients of another type": lambda tf: gradient_descent(tf).apply_gradients(
            [(tf.ones([2, 3], tf.float64), variable(tf))]
        ),
        "apply_gradients of text": lambda tf: gradient_descent(tf).apply_gradients([("text", variable(tf))]),
        "apply_gradients of triples": lambda tf: gradient_descent(tf).apply_gradients(
            [(tf.ones([2, 3]), variable(tf), 1)]
        ),
        "apply_gradients without pairs": lambda tf: gradient_descent(tf).apply_gradients([tf.ones([2, 3])]),
        "apply_gradients to an array": lambda tf: gradient_descent(tf).apply_gradients([(tf.ones([2]), np.ones(2))]),
        "optimizer without a name": lambda tf: tf.train.GradientDescentOptimizer(0.1, name=""),
        "optimizer without a rate": lambda tf: tf.train.GradientDescentOptimizer(),
        "optimizer with an unknown argument": lambda tf: tf.train.AdamOptimizer(rate=0.1),
        "Adagrad from zero": lambda tf: tf.train.AdagradOptimizer(0.1, initial_accumulator_value=0.0),
        "Momentum without a momentum": lambda tf: tf.train.MomentumOptimizer(0.1),
        "optimizer with a rate of None": lambda tf: tf.train.GradientDescentOptimizer(None).minimize(
            tf.reduce_sum(variable(tf))
        ),
        "optimizer with a vector of rates": lambda tf: run(
            tf,
            tf.train.GradientDescentOptimizer([0.1, 0.2]).minimize(tf.reduce_sum(variable(tf))),
            None,
            tf.global_variables_initializer(),
        ),
        "Saver without variables": lambda tf: tf.train.Saver(),
        "Saver of a number": lambda tf: tf.train.Saver([3]),
        "Saver of one name twice": lambda tf: tf.train.Saver([v := variable(tf), v]),
        "exponential_decay without a step": lambda tf: tf.train.exponential_decay(0.1, None, 5, 0.9),
        "polynomial_decay without a step": lambda tf: tf.train.polynomial_decay(0.1, None, 5),
        "piecewise_constant of too few values": lambda tf: tf.train.piecewise_constant(
            tf.constant(1), [1, 2], [0.1, 0.2]
        ),
        "piecewise_constant of boundaries of another type": lambda tf: tf.train.piecewise_constant(
            tf.constant(1), [1.5], [0.1, 0.2]
        ),
        "global step twice": lambda tf: [tf.train.create_global_step() for _ in range(2)],
        "global step of floats": lambda tf: [
            tf.get_variable("global_step", [], tf.float32, collections=["global_step"]),
            tf.train.get_global_step(),
        ],
        "moving average of a number": lambda tf: tf.train.ExponentialMovingAverage(0.9).apply([3]),
    }
)


@raises
def gradients_of_another_graph(tf):
    w = variable(tf)
    loss = tf.reduce_sum(w)
    with tf.Graph().as_default():
        tf.gradients(loss, [tf.Variable(1.0)])


@raises
def minimize_with_a_variable_of_another_graph(tf):
    w = variable(tf)
    with tf.Graph().as_default():
        gradient_descent(tf).minimize(tf.reduce_sum(tf.Variable([1.0])), var_list=[w])


@raises
def slots_in_a_reused_scope(tf):
    with tf.variable_scope("s"):
        w = tf.get_variable("w", [2])
    with tf.variable_scope("s", reuse=True):
        tf.train.AdamOptimizer().minimize(tf.reduce_sum(w))


@raises
def slots_that_are_not_initialised(tf):
    w = variable(tf)
    with tf.Session() as session:
        session.run(w.initializer)
        session.run(tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(w)))


@raises
def sparse_gradient_of_another_width(tf):
    w = variable(tf)
    slices = tf.IndexedSlices(tf.ones([1, 4]), tf.constant([0]), tf.constant([2, 4]))
    run(tf, gradient_descent(tf).apply_gradients([(slices, w)]), None, w.initializer)


@raises
def sparse_gradient_beyond_the_rows(tf):
    w = variable(tf)
    slices = tf.IndexedSlices(tf.ones([1, 3]), tf.constant([2]), tf.constant([2, 3]))
    run(tf, gradient_descent(tf).apply_gradients([(slices, w)]), None, w.initializer)


@raises
def adam_with_a_sparse_gradient_beyond_the_rows(tf):
    w = variable(tf)
    slices = tf.IndexedSlices(tf.ones([1, 3]), tf.constant([-1]), tf.constant([2, 3]))
    train = tf.train.AdamOptimizer().apply_gradients([(slices, w)])
    run(tf, train, None, tf.global_variables_initializer())


@raises
def restore_of_a_file_that_is_not_there(tf):
    variable(tf)
    with tf.Session() as session:
        tf.train.Saver().restore(session, "no_such_folder/model.ckpt")


@raises
def restore_of_none(tf):
    variable(tf)
    with tf.Session() as session:
        tf.train.Saver().restore(session, None)


@raises
def save_of_uninitialised_variables(tf):
    variable(tf)
    with tf.Session() as session, TemporaryDirectory() as folder:
        tf.train.Saver().save(session, f"{folder}/model")


@raises
def save_into_a_folder_that_is_not_there(tf):
    variable(tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, "no_such_folder/deeper/model.ckpt")


@raises
def restore_of_a_variable_that_was_not_saved(tf):
    w = variable(tf)
    with tf.Session() as session, TemporaryDirectory() as folder:
        session.run(w.initializer)
        path = tf.train.Saver([w]).save(session, f"{folder}/model")
        tf.train.Saver([w, variable(tf, "other")]).restore(session, path)


@raises
def restore_into_another_shape(tf):
    w = variable(tf)
    with tf.Session() as session, TemporaryDirectory() as folder:
        session.run(w.initializer)
        path = tf.train.Saver([w]).save(session, f"{folder}/model")
        tf.train.Saver({"w": tf.Variable([1.0, 2.0])}).restore(session, path)
