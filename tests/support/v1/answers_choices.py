"""Programs of branches, groups and loops, and of axes and types, at the edges of what they take."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import Raised, graph, run, tried

X = np.array([[1, 2, 3], [3, 1, 1]], np.float32)


def kinds(found: list[Any]) -> list[Any]:
    """Return of each error its class alone."""
    return [type(each.error).__name__ if isinstance(each, Raised) else each for each in found]


@graph
def groups_of_several_devices(tf: Any) -> Any:
    with tf.device("/task:0"):
        a, b = tf.constant(0, name="a"), tf.constant(0, name="b")
    with tf.device("/task:1"):
        c = tf.constant(0, name="c")
    tf.group(a.op, b, name="one")
    with tf.device("/task:2"):
        tf.group(a, [b, c.op], name="several")
    return [
        (op.name, op.device, [each.name for each in op.control_inputs])
        for op in tf.get_default_graph().get_operations()
        if op.type == "NoOp"
    ]


@graph
def branches_of_operations(tf: Any) -> Any:
    truth = tf.placeholder(tf.bool, [])
    v = tf.Variable(1.0)
    written = tf.cond(truth, lambda: tf.group(v.assign(3.0)), tf.no_op)
    with_value = tf.cond(truth, lambda: [tf.no_op(), 1], lambda: [tf.no_op(), 2])
    cased = tf.case([(truth, tf.no_op)], tf.no_op)
    with tf.Session() as session:
        session.run(v.initializer)
        values = [session.run([written, with_value, cased], {truth: which}) for which in (False, True)]
        return values, session.run(v), written.dtype.name, written.shape.as_list()


@graph
def ways_of_other_structures(tf: Any) -> Any:
    def one() -> Any:
        return tf.constant(1)

    truth = tf.constant(True)
    return tried(
        lambda: tf.cond(truth, one, lambda: [one()], strict=True),
        lambda: tf.cond(truth, lambda: [one()], lambda: (one(),), strict=True),
        lambda: tf.case([(truth, lambda: [one()])], lambda: (one(),), strict=True),
    )


@graph
def arrays_of_tensors_from_branches(tf: Any) -> Any:
    def filled(value: float) -> Any:
        array = tf.TensorArray(tf.float32, 2, clear_after_read=False)
        return array.write(0, [value]).write(1, [value + 1])

    array = filled(1.0)
    truth = tf.placeholder(tf.bool, [])
    chosen = tf.cond(truth, lambda: array, lambda: array.identity())
    with tf.Session() as session:
        return [session.run(chosen.stack(), {truth: which}) for which in (True, False)]


@graph
def cases_by_position(tf: Any) -> Any:
    def makers(positions: Any) -> Any:
        return [(k, lambda k=k: tf.constant(10.0 * k)) for k in positions]

    position = tf.placeholder_with_default(1, [])
    found = kinds(
        tried(
            lambda: tf.switch_case(position, {0: lambda: tf.constant(0.0), 2: lambda: tf.constant(2.0)}),
            lambda: tf.switch_case(position, [*makers([0, 1]), *makers([0])]),
            lambda: tf.switch_case(1, makers(range(3))),
            lambda: tf.switch_case(tf.constant(1.0), makers(range(3))),
            lambda: tf.switch_case(position, [(tf.constant(0), lambda: tf.constant(0.0))]),
            lambda: tf.switch_case(position, []),
            lambda: tf.switch_case(position, [(0, 3)]),
        )
    )
    chosen = tf.switch_case(position, dict(makers(range(3))), default=lambda: tf.constant(-1.0))
    with tf.Session() as session:
        return found, [session.run(chosen, {position: k}) for k in (-1, 0, 2, 3)]


@graph
def loops_with_empty_parts(tf: Any) -> Any:
    def loop(**kwargs: Any) -> Any:
        return tf.while_loop(lambda i, _: i < 10, lambda i, _: [i + 1, []], [tf.constant(0), []], **kwargs)

    return run(tf, [loop(), loop(maximum_iterations=50), loop(return_same_structure=True)])


@graph
def axes_of_softmax(tf: Any) -> Any:
    x, axis, shapeless = tf.constant(X), tf.placeholder_with_default(0, []), tf.placeholder(tf.float32)
    made = []
    for function in (tf.nn.softmax, tf.nn.log_softmax):
        made += kinds(tried(lambda f=function: f(x, axis=2), lambda f=function: f(x, axis=-3)))
        along = function(x, axis=axis)
        slopes = tf.gradients(along * X, x)
        with tf.Session() as session:
            for k in (0, -2):
                made += session.run([along, slopes], {axis: k})
        made += [along.shape.as_list(), kinds(tried(lambda f=function: f(1.0)))]
    with tf.Session() as session:
        made += kinds(tried(lambda: session.run(tf.nn.softmax(shapeless, axis=-1), {shapeless: X})))
    return made


@graph
def gradients_that_pass_through(tf: Any) -> Any:
    with tf.variable_scope("", use_resource=True):
        x = tf.get_variable("x", [], initializer=tf.constant_initializer(1.0))
        z = tf.get_variable("z", [], initializer=tf.constant_initializer(3.0))
    passed = tf.grad_pass_through(lambda v: x * v)(z * z)
    return run(tf, tf.gradients(passed, z)), tf.gradients(passed, x)


@graph
def gradients_given_for_some(tf: Any) -> Any:
    @tf.custom_gradient
    def product(a: Any, b: Any) -> Any:
        return a * b, lambda dy: (dy * 5.0, None)

    a, b = tf.constant(2.0), tf.constant(3.0)
    first, second = tf.gradients(product(a, b), [a, b])
    return run(tf, first), second, run(tf, tf.gradients(product(a, b) + b, b))


@graph
def types_and_axes_that_do_not_fit(tf: Any) -> Any:
    return kinds(
        tried(
            lambda: tf.one_hot([0, 1], 2, on_value=tf.constant(1.0), dtype=tf.int32),
            lambda: tf.one_hot([0, 1], 2, off_value=tf.constant(1.0), dtype=tf.int32),
            lambda: tf.norm(X, axis=[[1], [2]]),
            lambda: tf.norm(X, axis=[1, 1]),
            lambda: tf.norm(X, axis=[0.5, 1]),
        )
    )
