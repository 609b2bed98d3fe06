"""Programs with branches, Python functions and gradients inside them."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried


@graph
def py_func_with_a_list_of_types(tf: Any) -> Any:
    x = tf.constant([[1.0, 2.0, 3.0]])
    one = tf.py_func(lambda a: a + 1, [x], [tf.float32])
    first = tf.py_func(lambda a: a[0] + 1, [x], [tf.float32])
    listed = tf.py_func(lambda a: [a + 1], [x], [tf.float32])
    two = tf.py_func(lambda a: (a, a.sum()), [x], [tf.float32, tf.float32])
    return [len(one), len(two)], run(
        tf, [one[0], first[0], listed[0], *two, tf.py_func(lambda a: a * 2, [x], tf.float32)]
    )


@graph
def py_func_with_wrong_results(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    return tried(
        lambda: run(tf, tf.py_func(lambda a: (a, a, a), [x], [tf.float32, tf.float32])),
        lambda: run(tf, tf.py_func(lambda a: a.astype(np.int64), [x], [tf.float32])),
        lambda: run(tf, tf.py_func(lambda a: None, [x], [])),
    )


@graph
def branches_that_return_a_list_of_one(tf: Any) -> Any:
    t = tf.constant(True)
    one = tf.cond(t, lambda: [tf.constant(1.0)], lambda: [tf.constant(2.0)])
    listed = tf.cond(t, lambda: [tf.constant(1.0)], lambda: [tf.constant(2.0)], strict=True)
    pair = tf.cond(t, lambda: (tf.constant(1.0),), lambda: (tf.constant(2.0),))
    two = tf.cond(t, lambda: [tf.constant(1.0), tf.constant(2)], lambda: [tf.constant(2.0), tf.constant(3)])
    mixed = tf.cond(t, lambda: {"a": tf.constant(1.0)}, lambda: {"a": tf.constant(2.0)})
    found = [one, listed, pair, two, mixed]
    return run(tf, [one + 1, listed, pair, two, mixed]), [isinstance(item, (list, tuple, dict)) for item in found]


@graph
def branches_where_only_one_is_a_list(tf: Any) -> Any:
    t = tf.constant(True)
    return tried(
        lambda: run(tf, tf.cond(t, lambda: [tf.constant(1.0)], lambda: tf.constant(2.0))),
        lambda: run(tf, tf.cond(t, lambda: [tf.constant(1.0)], lambda: tf.constant(2.0), strict=True)),
    )


@graph
def cases_that_return_a_list_of_one(tf: Any) -> Any:
    t = tf.constant(True)
    one = tf.case([(t, lambda: [tf.constant(1)])], default=lambda: [tf.constant(3)])
    listed = tf.case([(t, lambda: [tf.constant(1)])], default=lambda: [tf.constant(3)], strict=True)
    return run(tf, [one + 1, listed])


@graph
def a_case_that_is_exclusive(tf: Any) -> Any:
    a, b = tf.placeholder(tf.bool, []), tf.placeholder(tf.bool, [])
    pairs = [(a, lambda: tf.constant(1)), (b, lambda: tf.constant(2))]
    node = tf.case(pairs, default=lambda: tf.constant(3), exclusive=True)
    bare = tf.case(pairs, exclusive=True)
    feeds = [{a: x, b: y} for x, y in ((True, False), (False, True), (False, False), (True, True))]
    return tried(*(lambda n=n, f=f: run(tf, n, f) for n in (node, bare) for f in feeds))


@graph
def a_case_that_is_not_exclusive(tf: Any) -> Any:
    t, f = tf.constant(True), tf.constant(False)
    one, two, three = lambda: tf.constant(1), lambda: tf.constant(2), lambda: tf.constant(3)
    return run(
        tf, [tf.case([(t, one), (t, two)], default=three), tf.case([(f, one), (t, two)]), tf.case({t: one}, three)]
    )


@graph
def cases_with_wrong_arguments(tf: Any) -> Any:
    t, one = tf.constant(True), lambda: tf.constant(1)
    return tried(
        lambda: tf.case([(t, 1)], default=one),
        lambda: tf.case([(t, one, one)], default=one),
        lambda: tf.case(5, default=one),
        lambda: tf.case([(t, one)], default=5),
        lambda: tf.case([(tf.constant(1), one)], default=one),
    )


@graph
def gradients_inside_a_branch(tf: Any) -> Any:
    x, flag = tf.constant(10.0), tf.placeholder(tf.bool, [])
    y = 7.0 * x
    outer = tf.cond(flag, lambda: tf.gradients(y * y, [x])[0], lambda: x)
    return [run(tf, outer, {flag: value}) for value in (True, False)]


@graph
def gradients_inside_both_branches(tf: Any) -> Any:
    x, flag = tf.Variable([1.0, 2.0]), tf.placeholder(tf.bool, [])
    square = tf.reduce_sum(x * x)

    def inner() -> Any:
        z = tf.exp(x)
        return tf.gradients(z, [x, z])[0] + tf.gradients(square, x)[0]

    node = tf.cond(flag, inner, lambda: tf.gradients(tf.reduce_sum(x * x * x), x)[0])
    return [run(tf, node, {flag: value}) for value in (True, False)]


@graph
def gradients_of_a_cond_inside_a_cond(tf: Any) -> Any:
    x, flag = tf.constant(3.0), tf.placeholder(tf.bool, [])

    def nested() -> Any:
        y = tf.cond(flag, lambda: x * x, lambda: x)
        return tf.gradients(y, x)[0]

    return run(tf, tf.cond(flag, nested, lambda: x), {flag: True})


@graph
def a_step_inside_a_branch(tf: Any) -> Any:
    v, flag = tf.Variable(3.0), tf.placeholder(tf.bool, [])
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    step = tf.cond(flag, lambda: tf.group(optimizer.minimize(v * v)), lambda: tf.no_op())
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step, {flag: False})
        before = session.run(v)
        session.run(step, {flag: True})
        return before, session.run(v)


@graph
def hessians_of_matrices(tf: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    v = tf.constant([1.0, 2.0, 3.0])
    mixed = tf.hessians(tf.reduce_sum(tf.matmul(x, x) * x), x)[0]
    made = [tf.hessians(tf.reduce_sum(x * x * x), x)[0], mixed, *tf.hessians(tf.reduce_sum(v * v * v), [v, v])]
    return run(tf, made), [node.get_shape().as_list() for node in made]


@graph
def hessians_of_unknown_sizes(tf: Any) -> Any:
    v, s = tf.placeholder(tf.float32, [None]), tf.constant(2.0)
    return tried(
        lambda: run(tf, tf.hessians(tf.reduce_sum(v * v * v), v)[0], {v: [1.0, 2.0]}),
        lambda: run(tf, tf.hessians(s * s * s, s)[0]),
    )


@graph
def gradients_that_arrive_in_another_shape(tf: Any) -> Any:
    x = tf.ones([3])
    return run(tf, tf.gradients(tf.nn.l2_loss(x), x, tf.constant([1.0])))


@graph
def a_tape_of_graph_mode_and_intermediates(tf: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    dy, dx = tape.gradient(z, [y, x])
    return run(tf, [dy, dx]), tape.gradient(z, tf.constant(1.0)) is None


@graph
def a_tape_of_graph_mode_and_nests(tf: Any) -> Any:
    x, v = tf.constant(3.0), tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, v])
        y = x * x * v
    one = tape.gradient(y, {"x": x, "rest": [v, (x,)]})
    return run(tf, [one["x"], one["rest"][0], one["rest"][1][0]]), type(one), type(one["rest"]), type(one["rest"][1])


@graph
def a_tape_of_graph_mode_that_watches_nothing(tf: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        z = y * y
    return tape.gradient(z, x) is None, tape.gradient(z, y) is None


@graph
def a_leaky_relu_of_integers(tf: Any) -> Any:
    node = tf.nn.leaky_relu(tf.constant([-2, 3]))
    return node.dtype.name, run(tf, [node, tf.nn.leaky_relu(tf.constant([-2.0, 3.0]))])


@graph
def gradients_of_products_with_zeros(tf: Any) -> Any:
    w = tf.constant([0.0, 2.0, 3.0, 0.0, 0.0, 5.0])
    ids = [0, 0, 1, 2, 2, 1]
    product = tf.unsorted_segment_prod(w, ids, 4)
    return run(tf, [product, tf.gradients(product, w)[0], tf.gradients(product * [1.0, 2.0, 3.0, 4.0], w)[0]])


@graph
def gradients_of_other_products_with_zeros(tf: Any) -> Any:
    w = tf.constant([[0.0, 2.0, 3.0], [4.0, 0.0, 0.0]])
    made = [tf.reduce_prod(w, 1), tf.reduce_prod(w), tf.reduce_prod(w, 0)]
    return run(tf, [tf.gradients(node, w)[0] for node in made])


@graph
def gradients_of_powers_for_the_exponent(tf: Any) -> Any:
    x, y = tf.constant(np.float16([6.0, 2.0])), tf.constant(np.float16([6.0, 2.0]))
    a, b = tf.constant([0.0, -1.0, 2.0]), tf.constant([2.0, 2.0, 0.0])
    return run(
        tf,
        [
            tf.gradients(tf.pow(x, y), y, [tf.constant(np.float16([0.0, 1.0]))])[0],
            tf.gradients(tf.pow(x, y), x, [tf.constant(np.float16([0.0, 1.0]))])[0],
            *tf.gradients(tf.pow(a, b), [a, b]),
        ],
    )


@graph
def what_branches_wait_for_outside(tf: Any) -> Any:
    def found(part: str) -> Any:
        with tf.Graph().as_default(), tf.Session() as session:
            v, w, one = tf.Variable(0.0), tf.Variable(0.0), tf.constant(1.0)
            added, yes = v.assign_add(1.0), tf.equal(w, 0.0)

            def waiting(x: Any) -> Any:
                with tf.control_dependencies([added]):
                    return x + 1.0

            def inner() -> Any:
                return tf.cond(yes, lambda: waiting(one), lambda: one)

            if part == "loop":
                result = tf.while_loop(lambda i: i < 2.0, waiting, [tf.constant(0.0)])
            elif part == "inner":
                result = tf.cond(yes, inner, lambda: one)
            else:
                result = tf.cond(yes if part == "taken" else tf.logical_not(yes), lambda: waiting(one), lambda: one)
            session.run(tf.global_variables_initializer())
            return [session.run(result), session.run(v)]

    def spared() -> Any:
        never = tf.placeholder(tf.float32, [])

        def without() -> Any:
            with tf.control_dependencies([never]):
                tf.constant(1.0) + 1.0  # which nobody needs
            return tf.constant(5.0)

        return run(tf, tf.cond(tf.constant(True), without, lambda: tf.constant(1.0)))

    return [*[found(part) for part in ("loop", "taken", "not taken", "inner")], spared()]


@graph
def what_loops_refuse(tf: Any) -> Any:
    i, x = tf.constant(0), tf.constant([2.0, 4.0])

    def made(body: Any, shapes: Any = None, **options: Any) -> Any:
        return tried(lambda: tf.while_loop(lambda i, x: i < 3, body, [i, x], shapes, **options))[0]

    def same(i: Any, x: Any) -> Any:
        return i + 1, x + 1.0

    return [
        made(lambda i, x: (i + 1, x, x)),
        made(same, [i.shape, tf.TensorShape([5])]),
        made(same, [i.shape, tf.TensorShape([None, None])]),
        made(same, maximum_iterations=[1, 2]),
        len(made(same, [i.shape, tf.TensorShape([None])])),
    ]
