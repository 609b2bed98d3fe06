"""What libraries of TensorFlow 1 programs stand on: linear operators, one replica, conversions, initializers."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from answers import eager, graph, run, tried


def internal(tf: Any, path: str) -> Any:
    """Return an internal module of TensorFlow or of this library."""
    top = "tensorflow" if "tensorflow" in tf.__name__ else tf.__name__
    return import_module(f"{top}.python.{path}")


MATRICES = np.random.RandomState(4).standard_normal((2, 3, 3)) + 3 * np.eye(3)
RIGHT = np.random.RandomState(5).standard_normal((2, 3, 2))


@graph
def linear_operators(tf: Any) -> Any:
    found = []
    for made in (
        tf.linalg.LinearOperatorFullMatrix(MATRICES),
        tf.linalg.LinearOperatorLowerTriangular(MATRICES),
        tf.linalg.LinearOperatorDiag(MATRICES[:, 0]),
    ):
        x = tf.constant(RIGHT)
        values = [
            made.to_dense(),
            made.diag_part(),
            made.matmul(x),
            made.matmul(x, adjoint=True),
            made.matmul(tf.transpose(x, [0, 2, 1]), adjoint_arg=True),
            made.matvec(x[..., 0]),
            made.solve(x),
            made.solve(x, adjoint=True),
            made.determinant(),
            made.log_abs_determinant(),
            made.trace(),
            made.add_to_tensor(tf.constant(MATRICES)),
            made.shape_tensor(),
        ]
        shapes = (
            made.shape.as_list(),
            made.batch_shape.as_list(),
            made.range_dimension.value,
            made.domain_dimension.value,
        )
        known = made.is_square, made.is_self_adjoint, made.is_non_singular, made.dtype.name, made.name
        found.append([shapes, known, run(tf, values)])
    return found


@graph
def linear_operators_that_cannot_be(tf: Any) -> Any:
    return tried(
        lambda: tf.linalg.LinearOperatorDiag([1.0], is_square=False),
        lambda: tf.linalg.LinearOperatorDiag([1.0], is_self_adjoint=False),
        lambda: tf.linalg.LinearOperatorLowerTriangular([[1.0]], is_square=False),
    )


@graph
def one_replica(tf: Any) -> Any:
    context = tf.distribute.get_replica_context()
    v = tf.Variable(2.0)

    def merged(strategy: Any, value: Any, scale: float = 1.0) -> Any:
        return strategy.extended.update(v, lambda held, by: held.assign_add(by * scale), args=(value,))

    added = context.merge_call(merged, args=(3.0,), kwargs={"scale": 2.0})
    strategy = tf.distribute.get_strategy()
    told = tf.distribute.has_strategy(), strategy.num_replicas_in_sync, tf.distribute.in_cross_replica_context()
    return told, context.num_replicas_in_sync, run(tf, added)


@graph
def an_initializer_that_wants_to_know_of_partitions(tf: Any) -> Any:
    asked = []

    def first(shape: Any, dtype: Any, partition_info: Any) -> Any:
        asked.append((list(shape), partition_info))
        return tf.ones(shape, dtype)

    return run(tf, tf.get_variable("v", [2], initializer=first)), asked[-1]


@graph
def what_a_gradient_waits_for_runs_with_it_alone(tf: Any) -> Any:
    seen = tf.Variable(0.0, use_resource=True)

    @tf.custom_gradient
    def noted(x: Any) -> Any:
        def grad(dy: Any) -> Any:
            with tf.control_dependencies([seen.assign_add(1.0)]):
                return tf.identity(dy) * 5.0

        return x * 2.0, grad

    x = tf.constant(3.0)
    y = noted(x)
    (slope,) = tf.gradients(y, x)
    with tf.Session() as session:
        session.run(seen.initializer)
        return session.run(y), session.run(seen), session.run(slope), session.run(seen)


@graph
def unique_numbers_and_references(tf: Any) -> Any:
    ops = internal(tf, "framework.ops")
    first, second = ops.uid(), ops.uid()
    made = ops.convert_to_tensor(3.0, name="three", as_ref=False)
    return second - first, made.name, run(tf, made)


@eager
def registered_conversions_beside_tensors(tf: Any) -> Any:
    class Own:
        pass

    tf.register_tensor_conversion_function(
        Own, lambda value, dtype=None, name=None, as_ref=False: tf.constant([1.0, 2.0])
    )
    x = tf.constant([3.0, 4.0])
    return [(x + Own()).numpy(), (x * Own()).numpy()]
