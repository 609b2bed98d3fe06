"""Programs with loops: `while_loop`, `map_fn`, `scan`, folds, `TensorArray`s, and gradients through and inside them."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
from answers import eager, graph, run, tried


@graph
def loops_of_one_and_of_several_variables(tf: Any) -> Any:
    one = tf.while_loop(lambda i: i < 10, lambda i: i + 1, [0])
    listed = tf.while_loop(lambda i: i < 10, lambda i: [i + 3], [tf.constant(0)])
    two = tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s + tf.cast(i, tf.float32)), [0, 0.5])
    never = tf.while_loop(lambda i, s: i < 0, lambda i, s: (i + 1, s * 2.0), (0, [1.0, 2.0]))
    few = tf.while_loop(lambda i: i < 10, lambda i: i + 1, [0], maximum_iterations=4)
    kept = tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), (0,), return_same_structure=True)
    kinds = [type(each).__name__ for each in (two, never, kept)]
    shapes = [each.shape.as_list() for each in (one, *two, *never)]
    return run(tf, [one, listed, *two, *never, few, *kept]), kinds, shapes


@graph
def loops_over_nests(tf: Any) -> Any:
    pair = namedtuple("pair", "a b")

    def body(i: Any, p: Any, d: Any) -> Any:
        return i + 1, pair(p.b, p.a + p.b), {"y": d["x"], "x": [d["y"][0] * 2.0]}

    start = [0, pair(1, 1), {"x": [1.0], "y": [3.0]}]
    i, p, d = tf.while_loop(lambda i, p, d: i < 5, lambda i, p, d: body(i, p, {k: [v[0]] for k, v in d.items()}), start)
    return run(tf, [i, p.a, p.b, d["x"][0], d["y"][0]]), type(p).__name__


@graph
def gradients_through_loops(tf: Any) -> Any:
    x, v = tf.constant([1.0, 2.0]), tf.Variable(2.0)
    _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * v), (0, x))
    power = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * v * v), (0, v))[1]
    first = tf.gradients(power, v)[0]
    return run(tf, [y, *tf.gradients(y, [x, v]), power, first])


@graph
def gradients_stop_at_loops_without_them(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0, 3.0])

    def body(i: Any, y: Any) -> Any:
        return i + 1, y + tf.gather(v, i)

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, 0.0], back_prop=False)
    return run(tf, [y, *tf.gradients(y * v[0], v)]), tf.gradients(y, v)


@graph
def gradients_inside_loops(tf: Any) -> Any:
    w = tf.Variable([3.0, -2.0])

    def body(i: Any, q: Any) -> Any:
        return i + 1, q - 0.01 * tf.gradients(tf.reduce_sum(q**4 * w), q)[0]

    _, q = tf.while_loop(lambda i, q: i < 5, body, [0, [1.0, 1.0]])
    return run(tf, [q, *tf.gradients(q, w)])


@graph
def steps_of_tasks_are_differentiated(tf: Any) -> Any:
    w = tf.Variable([[1.0], [2.0]])
    xs = tf.constant(np.arange(12, dtype=np.float32).reshape(3, 2, 2) / 10)
    ys = tf.constant(np.arange(6, dtype=np.float32).reshape(3, 2, 1))

    def loss_after_a_step(task: Any) -> Any:
        x, y = task
        loss = tf.reduce_mean((tf.matmul(x, w) - y) ** 2)
        moved = w - 0.1 * tf.gradients(loss, w)[0]
        return tf.reduce_mean((tf.matmul(x, moved) - y) ** 2)

    losses = tf.map_fn(loss_after_a_step, (xs, ys), dtype=tf.float32)
    return run(tf, [losses, *tf.gradients(tf.reduce_sum(losses), w)]), losses.shape.as_list()


@graph
def loops_in_loops_with_branches(tf: Any) -> Any:
    def inner(j: Any, t: Any) -> Any:
        return j + 1, t + tf.cond(tf.equal(j % 2, 0), lambda: 1.0, lambda: tf.cast(j, tf.float32))

    def outer(i: Any, s: Any) -> Any:
        return i + 1, tf.while_loop(lambda j, t: j < i, inner, [0, s])[1]

    pred = tf.placeholder(tf.bool)
    chosen = tf.cond(pred, lambda: tf.while_loop(lambda i, s: i < 5, outer, [0, 0.0])[1], lambda: 7.0)
    return run(tf, chosen, {pred: True}), run(tf, chosen, {pred: False})


@graph
def variables_in_loops(tf: Any) -> Any:
    v, start = tf.Variable(0), tf.Variable(1.5)

    def body(i: Any) -> Any:
        with tf.control_dependencies([v.assign_add(2)]):
            return i + 1

    counted = tf.while_loop(lambda i: i < 3, body, [0])
    with tf.control_dependencies([counted]):
        after = v.read_value()
    _, grown = tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, x * 2), [0, start])
    return run(tf, [counted, after, grown]), run(tf, v)


@graph
def shapes_that_change_in_loops(tf: Any) -> Any:
    x = tf.constant([[1.0, 2.0]])
    count = tf.placeholder_with_default(3, [])

    def loop(**given: Any) -> Any:
        return tf.while_loop(lambda i, y: i < count, lambda i, y: (i + 1, tf.concat([y, y], 0)), [0, x], **given)[1]

    grown = loop(shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])])
    return run(tf, grown), grown.shape.as_list(), tried(loop)


@graph
def loops_that_are_refused(tf: Any) -> Any:
    return tried(
        lambda: tf.while_loop(1, lambda i: i, [0]),
        lambda: tf.while_loop(lambda i: i < 1, 2, [0]),
        lambda: tf.while_loop(lambda i: i < 1, lambda i: i, []),
        lambda: tf.while_loop(lambda i, j: i < 3, lambda i, j: i, [0, 1]),
        lambda: tf.while_loop(lambda i, j: i < 3, lambda i, j: {"a": i}, [0, 1]),
        lambda: tf.while_loop(lambda i: i, lambda i: i + 1, [0]),
        lambda: tf.map_fn(lambda x: x, tf.constant(1.0)),
    )


@graph
def mapped_scanned_and_folded(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    rows = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    squares = tf.map_fn(lambda r: tf.reduce_sum(r) ** 2, rows)
    products, sums = tf.scan(lambda a, e: a * e, x), tf.scan(lambda a, e: a + e, x, initializer=10.0)
    backwards = tf.scan(lambda a, e: a - e, x, reverse=True)
    two = tf.scan(lambda a, e: (a[0] + e, a[1] * e), x, initializer=(0.0, 1.0))
    folds = [tf.foldl(lambda a, e: a + e, x), tf.foldr(lambda a, e: a - e, x), tf.foldl(lambda a, e: a - e, x, 1.0)]
    found = [squares, products, sums, backwards, *two, *folds]
    slopes = [
        *tf.gradients(squares, rows),
        *tf.gradients(products, x),
        *tf.gradients(sums, x),
        *tf.gradients(two[1], x),
    ]
    return run(tf, [*found, *slopes]), [each.shape.as_list() for each in found]


@graph
def mapped_pairs_and_types(tf: Any) -> Any:
    a, b = tf.map_fn(lambda p: (p[0] * p[1], p[0] - p[1]), (tf.constant([1, 2, 3]), tf.constant([4, 5, 6])))
    halves = tf.map_fn(lambda i: tf.cast(i, tf.float32) / 2, tf.range(4), dtype=tf.float32)
    fed = tf.placeholder(tf.int64, [None, 2])
    sums = tf.map_fn(tf.reduce_sum, fed)
    none = run(tf, sums, {fed: np.zeros((0, 2))})
    return run(tf, [a, b, halves]), run(tf, sums, {fed: [[1, 2], [3, 4]]}), none, sums.shape.as_list()


@graph
def lookups_in_loops(tf: Any) -> Any:
    table = tf.Variable(np.arange(6, dtype=np.float32).reshape(3, 2))
    rows = tf.map_fn(lambda i: tf.nn.embedding_lookup(table, i), tf.constant([0, 2, 2]), dtype=tf.float32)
    step = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(rows**2))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        return session.run([rows, table])


@graph
def arrays_of_tensors(tf: Any) -> Any:
    def body(i: Any, kept: Any) -> Any:
        return i + 1, kept.write(i, tf.cast(i, tf.float32) * 2)

    _, written = tf.while_loop(lambda i, kept: i < 4, body, [0, tf.TensorArray(tf.float32, 4)])
    grown = tf.TensorArray(tf.float32, size=0, dynamic_size=True).write(0, [1.0, 2.0]).write(1, [3.0, 4.0])
    rows = tf.TensorArray(tf.float32, 3).unstack([[1.0], [2.0], [3.0]])
    ends = tf.TensorArray(tf.float32, 2, infer_shape=False).split([1.0, 2.0, 3.0], [1, 2])
    placed = tf.TensorArray(tf.int32, 3, clear_after_read=False).scatter([2, 0, 1], [5, 6, 7])
    found = [written.stack(), grown.size(), grown.read(1), rows.gather([2, 0]), ends.concat(), placed.stack()]
    x = tf.constant([1.0, 2.0, 3.0])
    squares = tf.TensorArray(tf.float32, 3).unstack(x * x).stack()
    return run(tf, [*found, *tf.gradients(squares, x)]), written.stack().shape.as_list(), grown.dtype.name


@graph
def wrong_use_of_arrays_of_tensors(tf: Any) -> Any:
    empty = tf.TensorArray(tf.float32, 2)
    once = empty.write(0, 1.0)
    return tried(
        lambda: run(tf, once.write(0, 2.0).stack()),
        lambda: run(tf, once.write(2, 2.0).stack()),
        lambda: run(tf, once.read(3)),
        lambda: tf.TensorArray(tf.float32),
        lambda: once.write(1, [1.0, 2.0]),
    )


@eager
def loops_in_eager_mode(tf: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    counted = tf.while_loop(lambda i: i < 10, lambda i: i + 1, [0])
    few = tf.while_loop(lambda i, y: i < 10, lambda i, y: (i + 1, y * 2.0), (0, 1.0), maximum_iterations=3)
    found = [
        tf.map_fn(lambda r: r * 2, x),
        tf.scan(lambda a, e: a + e, x),
        tf.scan(lambda a, e: a + e, x, reverse=True),
    ]
    folds = [tf.foldl(lambda a, e: a + e, x), tf.foldr(lambda a, e: a - e, x)]
    kept = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in range(3):
        kept.write(i, float(i))
    return counted, few, found, folds, kept.stack(), kept.size()


@eager
def gradients_through_loops_in_eager_mode(tf: Any) -> Any:
    v, x = tf.Variable(2.0), tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.while_loop(lambda i, z: i < 3, lambda i, z: (i + 1, z * v), [0, 1.0])[1]
        z = tf.reduce_sum(tf.scan(lambda a, e: a * e, x))
    return y, tape.gradient(y, v), tape.gradient(z, x)


@graph
def tensor_arrays_refuse_what_does_not_fit(tf: Any) -> Any:
    def array(size: Any = 3, **options: Any) -> Any:
        return tf.TensorArray(tf.float32, size=size, **options)

    values = tf.constant([1.0, 2.0, 3.0])
    return tried(
        lambda: run(tf, array().split(values, [1, 1, 0]).flow),
        lambda: run(tf, array(2).split(values, [1, 1, 1]).flow),
        lambda: run(tf, array().scatter([0, 0], values[:2]).flow),
        lambda: run(tf, array().write(0, 1.0).unstack(values).flow),
        lambda: run(tf, array(1).scatter([0, 1], values[:2]).flow),
        lambda: run(tf, array(0, infer_shape=False).stack()),
    )


@graph
def tensor_arrays_of_no_elements_and_ones_that_grow(tf: Any) -> Any:
    rows = tf.map_fn(lambda x: tf.constant([1.0, 2.0]), tf.zeros([0, 3]))
    grown = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=[]).write(0, 1.0)
    grown = grown.scatter([2, 1], tf.constant([3.0, 2.0]))
    return run(tf, [rows, grown.size(), grown.stack()])


@graph
def the_identity_of_a_tensor_array_waits(tf: Any) -> Any:
    v = tf.Variable(0)
    array = tf.TensorArray(tf.int32, 1).write(0, 7)
    with tf.control_dependencies([v.assign_add(1)]):
        same = array.identity()
    with tf.Session() as session:
        session.run(v.initializer)
        return session.run(same.read(0)), session.run(v)


@graph
def shapes_of_elements_that_a_run_tells(tf: Any) -> Any:
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    feeds = {x: [1.0, 2.0], y: [1.0]}
    with tf.Session() as session:
        one = tf.TensorArray(tf.float32, 3).write(0, x)
        free = tf.TensorArray(tf.float32, 3, infer_shape=False).write(0, x)
        grown = tf.TensorArray(tf.float32, size=0, dynamic_size=True).write(2, x)
        some = tf.TensorArray(tf.float32, 3).scatter([0, 2], x)
        return tried(
            lambda: session.run(one.stack(), feeds),
            lambda: session.run(one.read(1), feeds),
            lambda: session.run(grown.stack(), feeds),
            lambda: session.run(free.write(1, y).read(1), feeds),
            lambda: session.run(some.stack(), {x: [[1.0, 2.0], [3.0, 4.0]]}),
            lambda: session.run(one.write(1, y).read(0), feeds),
            lambda: session.run(free.read(2), feeds),
            lambda: session.run(tf.TensorArray(tf.float32, 2).split(x, [1, 2]).read(0), {x: [1.0, 2.0, 3.0]}),
            lambda: session.run(tf.TensorArray(tf.float32, 2, element_shape=[None]).write(0, x).read(0), {x: [[1.0]]}),
        )
