"""Programs that ask for gradients of gradients: where there are none, and where they are zeros."""

from __future__ import annotations

from typing import Any

from answers import graph, run


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
