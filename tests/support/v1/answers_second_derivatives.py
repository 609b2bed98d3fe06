"""Derivatives of derivatives, and gradients of what is target and source at once: which are None, and values."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, graph, tried

X = np.array([[0.3, -0.4], [0.7, 1.2]], np.float32)

LINEAR = {
    "add": lambda tf, x: x + 1.0,
    "sum": lambda tf, x: tf.reduce_sum(x, 0),
    "mean": lambda tf, x: tf.reduce_mean(x),
    "shapes": lambda tf, x: tf.tile(tf.transpose(tf.reshape(x, [4, 1])), [2, 1])[:, 1:],
    "rows": lambda tf, x: tf.gather(x, [0, 0]),
    "joined": lambda tf, x: tf.stack([tf.concat([x, 2.0 * x], 1)] * 2),
    "product with a constant": lambda tf, x: tf.matmul(x, [[1.0], [2.0]]),
    "largest": lambda tf, x: tf.maximum(tf.reduce_max(x, 1), 0.5),
    "chosen": lambda tf, x: tf.where(x > 0.0, x, -x),
    "divided": lambda tf, x: x / 3.0,
    "segments": lambda tf, x: tf.segment_sum(x, [0, 1]),
    "types": lambda tf, x: tf.cast(x, "float64"),
    "cond": lambda tf, x: tf.cond(tf.constant(True), lambda: 2.0 * x, lambda: tf.identity(x)),
}
OTHERS = {
    "square": lambda tf, x: tf.square(x),
    "own product": lambda tf, x: tf.matmul(x, x),
    "divisor": lambda tf, x: 1.0 / (2.0 + x),
    "absolute": lambda tf, x: tf.abs(x),
    "relu": lambda tf, x: tf.nn.relu(x),
    "exponent": lambda tf, x: 2.0**x,
    "row of squares": lambda tf, x: tf.square(tf.gather(x, [0, 0])),
    "after a sum": lambda tf, x: tf.tanh(tf.reduce_sum(x)),
    "gamma": lambda tf, x: tf.lgamma(2.0 + x) + tf.digamma(2.0 + x),
    "incomplete gamma": lambda tf, x: tf.igamma(1.5, 2.0 + x) - tf.igammac(2.5, 2.0 + x),
    "incomplete beta": lambda tf, x: tf.betainc(1.5 + 0.0 * tf.stop_gradient(x), [[2.5] * 2] * 2, tf.sigmoid(x)),
    "size of complex numbers": lambda tf, x: tf.abs(tf.complex(x, x + 1.0)),
}


def _kind(tf: Any, gradient: Any) -> str:
    if gradient is None:
        return "None"
    return "rows" if isinstance(gradient, tf.IndexedSlices) else "dense"


@graph
def gradients_of_linear_functions_depend_on_nothing(tf: Any) -> Any:
    kinds = {}
    for name, function in LINEAR.items():
        x = tf.constant(X)
        (first,) = tf.gradients(function(tf, x), x)
        kinds[name] = [_kind(tf, first), _kind(tf, tf.gradients(tf.convert_to_tensor(first), x)[0])]
    return kinds


@graph
def gradients_of_other_functions_depend_on_the_source(tf: Any) -> Any:
    values = {}
    with tf.Session() as session:
        for name, function in OTHERS.items():
            x = tf.constant(X)
            (first,) = tf.gradients(function(tf, x), x)
            (second,) = tf.gradients(tf.convert_to_tensor(first), x)
            values[name] = [_kind(tf, second), session.run(tf.convert_to_tensor(second))]
    return values


@graph
def a_factor_matters_to_the_gradient_of_the_other_alone(tf: Any) -> Any:
    x, y = tf.constant(X), tf.constant(2.0 * X)
    first = tf.gradients(x * y, [x, y])
    return [[_kind(tf, each) for each in tf.gradients(slope, [x, y])] for slope in first]


@graph
def gradients_that_arrive_matter_to_linear_functions(tf: Any) -> Any:
    x = tf.constant(X)
    (first,) = tf.gradients(3.0 * x, x, grad_ys=tf.square(x))
    (second,) = tf.gradients(first, x)
    with tf.Session() as session:
        return session.run(second)


@graph
def the_result_of_a_product_has_no_part_in_its_slope(tf: Any) -> Any:
    x = tf.constant(X)
    product, tangent = tf.square(x), tf.tanh(x)
    slopes = tf.gradients(product, x) + tf.gradients(tangent, x)
    return [_kind(tf, tf.gradients(slope, y)[0]) for slope, y in zip(slopes, (product, tangent))]  # noqa: B905


@graph
def integers_that_are_targets_have_gradients(tf: Any) -> Any:
    k, words = tf.constant([1, 2]), tf.constant(["a"])
    found = [*tf.gradients(k, k), *tf.gradients([k, k], k), *tf.gradients(k, k, grad_ys=tf.constant([3, 4]))]
    with tf.Session() as session:
        values = session.run([*found, *tf.gradients([k, k], k, unconnected_gradients="zero")])
    return [values, tf.gradients(k + k, k), tf.gradients(tf.identity(k), k), tf.gradients(tf.constant(1.0), words)]


@eager
def targets_that_are_sources(tf: Any) -> Any:
    numbers, floats, words = tf.constant([1, 2]), tf.constant([1.0, 2.0]), tf.constant(["a"])
    complexes = tf.constant([1 + 2j])
    found = []
    for target in (numbers, floats, words, complexes, [floats, floats], {"b": floats, "a": numbers}):
        for how in ("none", "zero"):
            with tf.GradientTape() as tape:
                pass
            sources = target if not isinstance(target, (list, dict)) else floats
            found.append(tape.gradient(target, sources, unconnected_gradients=how))
    return [None if each is None else each.numpy() for each in found]


@eager
def variables_as_targets(tf: Any) -> Any:
    found = []
    for trainable in (True, False):
        v = tf.Variable([1.0, 2.0], trainable=trainable)
        with tf.GradientTape(persistent=True) as tape:
            y = 3.0 * v
        for target in (v, [v, v], [v, y]):
            found.append(tape.gradient(target, v).numpy())
        found.append(tape.gradient(v, v, output_gradients=tf.constant([5.0, 6.0])).numpy())
    return found


@eager
def arriving_gradients_in_nests_and_of_rows(tf: Any) -> Any:
    v = tf.Variable([[1.0], [2.0]])
    with tf.GradientTape(persistent=True) as tape:
        y, z = 3.0 * v, tf.reduce_sum(v)
    rows = tf.IndexedSlices(tf.constant([[2.0]]), tf.constant([1]), tf.constant([2, 1]))
    nested = tape.gradient({"b": y, "a": z}, v, output_gradients={"a": tf.constant(1.0), "b": tf.ones([2, 1])})
    return [tape.gradient(y, v, output_gradients=rows).numpy(), nested.numpy()]


@eager
def second_derivatives_of_a_tape_in_a_tape(tf: Any) -> Any:
    values = {}
    for name, function in OTHERS.items():
        x = tf.constant(X)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = function(tf, x)
            first = tf.convert_to_tensor(inner.gradient(y, x))
        second = outer.gradient(first, x)
        if name != "relu":  # a tape of rules with masks has none
            values[name] = tf.convert_to_tensor(second).numpy()
    return values


@eager
def losses_of_recorded_labels_are_arrays(tf: Any) -> Any:
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.nn.softmax(tf.sin(x)), logits=x)
    return [type(loss.numpy()).__name__, loss.numpy(), tape.gradient(loss, x).numpy()]


@eager
def values_of_sparse_tensors_are_watched(tf: Any) -> Any:
    values = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch([tf.SparseTensor([[0, 0], [1, 2]], values, [3, 4])])
        y = 3.0 * values
    return tape.gradient(y, values).numpy()


@eager
def jacobians_of_no_numbers(tf: Any) -> Any:
    v, nothing = tf.Variable(1.0), tf.constant(np.zeros((0, 7), np.float32))
    with tf.GradientTape() as tape:
        y = v * nothing
    return tape.jacobian(y, v).numpy()


@eager
def a_tape_is_used_once(tf: Any) -> Any:
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return [tried(lambda: tape.gradient(y, x).numpy()), tried(lambda: tape.jacobian(y, x))]
