"""Programs that ask for gradients of gradients: where there are none, and where they are zeros."""

from __future__ import annotations

from typing import Any

from answers import graph, run, tried


def _missing(tf: Any, ys: Any, xs: Any, **options: Any) -> list[bool]:
    (slope,) = tf.gradients(ys, [xs[0]], **options)
    values = slope.values if isinstance(slope, tf.IndexedSlices) else slope
    return [each is None for each in tf.gradients(values, xs)]


@graph
def gradients_of_what_is_linear_have_none(tf: Any) -> Any:
    x, w = tf.placeholder(tf.float32, (2, 3)), tf.placeholder(tf.float32, (2, 3))
    flag = tf.placeholder(tf.bool, ())
    linear = [
        x,
        3.0 * x - w,
        tf.reduce_mean(x, 1),
        tf.reshape(x, [3, 2])[0],
        tf.concat([x, w], 0),
        tf.gather(x, [0, 0]),
        tf.where(x > 0.0, x, 2.0 * x),
        tf.maximum(x, w),
        tf.reduce_max(x),
        x - tf.stop_gradient(x * x),
        tf.cond(flag, lambda: 2.0 * x, lambda: x),
        tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * 2.0), [0, x])[1],
        tf.TensorArray(tf.float32, 2).unstack(x).read(1),
    ]
    return [_missing(tf, y, [x, w]) for y in linear]


@graph
def gradients_of_products_depend_on_the_other_factor(tf: Any) -> Any:
    x, w, z = (tf.placeholder(tf.float32, (2, 2)) for _ in range(3))
    y = x * 2.0
    products = [x * w, x * w + x, tf.matmul(x, w), x / w, w / x, x * x, tf.tanh(x) + w, tf.square(y) + x]
    products += [(x * w) * (w + z)]
    return [_missing(tf, each, [x, w, z]) for each in products], _missing(tf, x, [x, w], grad_ys=w * w)


@graph
def second_derivatives_that_are_there(tf: Any) -> Any:
    x, w = tf.constant([1.0, 2.0]), tf.constant([3.0, 5.0])
    (slope,) = tf.gradients(x * x * w + x * w, x)
    return run(tf, [slope, *tf.gradients(slope, [x, w]), *tf.gradients(tf.gradients(x * w, x)[0], [w])])


@graph
def gradients_of_rows_of_a_table_have_none(tf: Any) -> Any:
    table = tf.get_variable("table", (4, 2), initializer=tf.ones_initializer())
    return _missing(tf, tf.nn.embedding_lookup(table, [0, 1]), [table])


@graph
def mixed_derivatives_by_what_has_no_first_one(tf: Any) -> Any:
    a, b = tf.constant([2.0, 4.5], tf.float64), tf.constant([1.5, 0.7], tf.float64)
    x = tf.constant([0.3, 0.6], tf.float64)
    found = []
    for y, last, all_of in (
        (tf.zeta(a, b), b, [a, b]),
        (tf.polygamma(tf.round(a), b), b, [a, b]),
        (tf.betainc(a, b, x), x, [a, b, x]),
    ):
        first = tf.gradients(y, all_of)
        (slope,) = tf.gradients(y, last)
        found.append([*first, *tf.gradients(slope, all_of)])
    return [[None if each is None else run(tf, each) for each in part] for part in found]


@graph
def what_is_linear_in_one_input_has_no_second_derivative_by_it(tf: Any) -> Any:
    x, y = tf.constant([0.3, -0.6, 2.0]), tf.constant([0.2, 0.7, 1.3])
    found = []
    for function in (
        tf.math.multiply_no_nan,
        tf.math.xlogy,
        tf.math.xdivy,
        lambda a, b: tf.nn.sigmoid_cross_entropy_with_logits(labels=a, logits=b),
        lambda a, b: tf.nn.weighted_cross_entropy_with_logits(a, b, 2.0),
    ):
        slopes = tf.gradients(function(x, y), [x, y])
        for slope in slopes:
            found += [slope, *tf.gradients(slope, [x, y])]
    return [None if each is None else run(tf, each) for each in found]


@graph
def jacobians_in_parts_need_a_persistent_tape(tf: Any) -> Any:
    x = tf.constant([[3.0]])

    def of_tape(persistent: bool, columns: int) -> Any:
        with tf.GradientTape(persistent=persistent) as tape:
            tape.watch(x)
            y = tf.tile(x * x, [1, columns])
        return run(tf, tape.batch_jacobian(y, x, parallel_iterations=8))

    return tried(lambda: of_tape(False, 16), lambda: of_tape(True, 16), lambda: of_tape(False, 4))


@graph
def ones_arrive_at_complex_targets_of_tapes(tf: Any) -> Any:
    x, z = tf.constant([2.0, 3.0]), tf.constant([3.0 + 3.0j], tf.complex128)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, z])
        square, both = z * z, [z * z * z, x * x]
    return run(tf, [tape.gradient(square, z), *tape.gradient(both, [x, z])])


@graph
def functions_that_are_none(tf: Any) -> Any:
    x = tf.constant(1.0)
    return tried(*(lambda f=f: f(x, [x], tf.float32) for f in (tf.py_func, tf.py_function, tf.numpy_function)))
