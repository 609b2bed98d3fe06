"""Programs that take initializers, regularizers, constraints and activations of `tf.keras` beside `tf.layers`"""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, tried

NAMES = "linear relu sigmoid tanh softmax elu selu softplus softsign exponential hard_sigmoid"
X = np.array([[1.0, -2.0, 0.5], [3.0, 0.1, -4.0]], np.float32)


@graph
def activations_of_keras(tf: Any) -> Any:
    made = tf.keras.activations
    every = [made.get(name)(tf.constant(X)) for name in NAMES.split()]
    x = tf.constant(X)
    more = made.relu(x, 0.1, 2.0, 0.3), made.elu(x, 0.5), made.softmax(x, axis=0), made.get(None)(X)
    with tf.Session() as session:
        return session.run(every), session.run(more[:3]), more[3], made.get(tf.nn.relu) is tf.nn.relu


@graph
def slopes_of_activations_at_their_corners(tf: Any) -> Any:
    made, x = tf.keras.activations, tf.constant([-1.0, 0.0, 2.0, 6.0, 7.0])
    every = [made.elu(x), made.elu(x, 0.3), made.relu(x), made.relu(x, 0.2), made.relu(x, max_value=6), made.selu(x)]
    every += [made.relu(x, threshold=2.0), made.relu(x, 0.1, 6.0, 2.0), made.relu(x, 0.1, 6)]
    with tf.Session() as session:
        return session.run([every, [tf.gradients(y, x)[0] for y in every]])


@graph
def regularizers_of_keras(tf: Any) -> Any:
    made = tf.keras.regularizers
    every = [made.l1(0.3), made.l2(0.2), made.l1_l2(0.1, 0.5), made.get("l2"), made.L1L2(l1=0.25), made.l1_l2()]
    with tf.Session() as session:
        values = session.run([one(tf.constant(X)) for one in every])
    return values, made.get(None), made.L1L2(0.0, 0.0)(X), sorted(made.l1_l2(0.5, 0.25).get_config().items())


@graph
def constraints_of_keras(tf: Any) -> Any:
    made = tf.keras.constraints
    every = [made.non_neg(), made.max_norm(2), made.MaxNorm(1.5, axis=1), made.unit_norm(axis=1), made.get("non_neg")]
    every.append(made.min_max_norm(0.5, 1.0, rate=0.7, axis=0))
    with tf.Session() as session:
        return session.run([one(tf.constant(X)) for one in every]), made.MaxNorm(3).get_config()


@graph
def initializers_of_keras(tf: Any) -> Any:
    made = tf.keras.initializers
    sure = [made.Zeros(), made.get("ones"), made.constant(3.0), made.Identity(2.0), made.get("Zeros")]
    names = ("glorot_uniform", "RandomNormal", "random_uniform", "truncated_normal", "VarianceScaling", "orthogonal")
    drawn = [made.get(name) for name in names]
    with tf.Session() as session:
        shapes = [one.shape for one in session.run([one([3, 3]) for one in drawn])]
        settings = [made.RandomNormal().stddev, made.random_uniform().maxval, made.TruncatedNormal().get_config()]
        values = session.run([one([2, 2]) for one in sure])
    return values, shapes, settings, made.get({"class_name": "Ones", "config": {}})([1]).dtype.name


@graph
def what_keras_does_not_know_by_name(tf: Any) -> Any:
    keras = tf.keras
    return tried(
        lambda: keras.initializers.get("no_such"),
        lambda: keras.regularizers.get("no_such"),
        lambda: keras.activations.get("no_such"),
        lambda: keras.constraints.get(3),
    )


@graph
def layers_with_parts_of_keras(tf: Any) -> Any:
    keras = tf.keras
    out = tf.layers.dense(
        tf.constant(X),
        2,
        activation=keras.activations.relu,
        kernel_initializer=keras.initializers.Constant(0.5),
        kernel_regularizer=keras.regularizers.l2(0.1),
        kernel_constraint=keras.constraints.max_norm(0.3),
        bias_initializer="ones",
    )
    step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(out) + tf.losses.get_regularization_loss())
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = session.run([out, tf.losses.get_regularization_loss()])
        session.run(step)
        return before, session.run(tf.trainable_variables())


@graph
def accidental_hits(tf: Any) -> Any:
    hits = tf.nn.compute_accidental_hits([[1, 2], [0, 9], [5, 5]], [0, 1, 4, 5], 2)
    with tf.Session() as session:
        return session.run(hits), [part.dtype.name for part in hits]


@graph
def small_names_of_later_versions(tf: Any) -> Any:
    sparse = tf.SparseTensor([[0, 1]], [3.0], [2, 2]).with_values([5.0])
    with tf.Session() as session:
        dense = session.run(tf.sparse_tensor_to_dense(sparse))
    saved = tf.saved_model
    keys = saved.SERVING, saved.DEFAULT_SERVING_SIGNATURE_DEF_KEY, saved.PREDICT_METHOD_NAME, saved.TRAINING
    sizes = tf.compat.dimension_value(tf.Dimension(3)), tf.compat.dimension_value(4), tf.compat.dimension_value(None)
    return dense, keys, sizes, isinstance(tf.constant(1.0), tf.Tensor), tf.executing_eagerly_outside_functions()
