"""Programs of variables, branches and gradients, as TensorFlow's own tests of its core have them."""

from __future__ import annotations

from typing import Any

from answers import graph, run, tried


@graph
def nodes_of_two_graphs(tf: Any) -> Any:
    a = tf.constant(1.0)
    with tf.Graph().as_default():
        b = tf.constant(2.0)
    return a + b


@graph
def variable_scopes(tf: Any) -> Any:
    with tf.variable_scope("tower") as sc:
        sc.set_initializer(tf.constant_initializer(0.3))
        w = tf.get_variable("w", [])
        with tf.variable_scope("inner", reuse=False):
            b = tf.get_variable("b", [], initializer=tf.constant_initializer(0.5))
    with tf.variable_scope(sc, reuse=True):
        w2 = tf.get_variable("w", [])
    with tf.variable_scope("tower", reuse=tf.AUTO_REUSE):
        w3 = tf.get_variable("w")
    with tf.variable_scope("", "default") as d:
        pass
    return [
        w.name,
        b.name,
        w2 is w,
        w3 is w,
        sc.name,
        sc.original_name_scope,
        run(tf, [w, b]),
        d.name,
        [v.name for v in sc.global_variables()],
        [v.name for v in sc.trainable_variables()],
        sc.local_variables(),
    ]


@graph
def collections_of_a_scope(tf: Any) -> Any:
    with tf.variable_scope("a") as s:
        tf.get_variable("v", [])
        tf.get_variable("u", [], trainable=False)
        return [len(s.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)), len(s.trainable_variables())]


@graph
def a_scope_made_by_hand(tf: Any) -> Any:
    v = tf.VariableScope(reuse=False, name="n")
    return [v.name, v.reuse, v.initializer]


@graph
def a_variable_twice(tf: Any) -> Any:
    tf.get_variable("x", [1])
    tf.get_variable("x", [1])


@graph
def a_shared_variable_of_another_shape(tf: Any) -> Any:
    with tf.variable_scope("a", reuse=tf.AUTO_REUSE):
        tf.get_variable("x", [1])
        return tf.get_variable("x", [2])


@graph
def a_variable_without_shape(tf: Any) -> Any:
    return tf.get_variable("x")


@graph
def a_constant_as_initializer(tf: Any) -> Any:
    return run(tf, tf.get_variable("x", initializer=tf.constant([1.0, 2.0])))


@graph
def a_function_as_initializer(tf: Any) -> Any:
    return run(tf, tf.get_variable("x", initializer=lambda: tf.ones([2])))


@graph
def what_a_variable_says(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0], name="v")
    return [
        v.name,
        v.op.name,
        v.trainable,
        v.shape.as_list(),
        v.dtype.base_dtype.name,
        v.graph is tf.get_default_graph(),
        v.device,
        run(tf, [v + 1, v[0], 2 * v, v / 2, v**2, -v, abs(v), v.value(), v.read_value(), v.initialized_value()]),
    ]


@graph
def changes_of_a_variable(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0], use_resource=True)
    with tf.Session() as s:
        s.run(v.initializer)
        return [
            s.run(v.assign([3.0, 4.0])),
            s.run(v.assign_add([1.0, 1.0])),
            s.run(v.assign_sub([1.0, 1.0])),
            v.eval(),
            s.run(v.scatter_sub(tf.IndexedSlices([1.0], [0]))),
            s.run(v.scatter_nd_update([[1]], [9.0])),
            s.run(v.scatter_nd_add([[1]], [1.0])),
            s.run(v.scatter_nd_sub([[1]], [2.0])),
            s.run(v.sparse_read([1])),
            s.run(v.gather_nd([[0]])),
            s.run(v.scatter_update(tf.IndexedSlices([7.0], [0]))),
            s.run(v.scatter_max(tf.IndexedSlices([10.0], [0]))),
            s.run(v.scatter_min(tf.IndexedSlices([1.0], [0]))),
            s.run(v.scatter_mul(tf.IndexedSlices([5.0], [0]))),
            s.run(v.scatter_div(tf.IndexedSlices([2.0], [0]))),
        ]


@graph
def a_variable_counts(tf: Any) -> Any:
    v = tf.Variable(0)
    with tf.Session() as s:
        s.run(v.initializer)
        r = [s.run(v.count_up_to(2)), s.run(v.count_up_to(2))]
        return [*r, s.run(v.count_up_to(2))]


@graph
def a_variable_loaded(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    with tf.Session() as s:
        s.run(v.initializer)
        v.load([5.0, 6.0], s)
        return s.run(v)


@graph
def variables_without_a_value(tf: Any) -> Any:
    tf.Variable(1.0, name="q")
    return run(tf, tf.report_uninitialized_variables()).tolist()


@graph
def variables_asserted(tf: Any) -> Any:
    v, check = tf.Variable(1.0), tf.assert_variables_initialized()
    with tf.Session() as session:
        before = tried(lambda: session.run(check))
        session.run(v.initializer)
        return before, len(tried(lambda: session.run(check)))


@graph
def a_partitioner_has_no_effect(tf: Any) -> Any:
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
        v = tf.get_variable("v", [4, 2], initializer=tf.ones_initializer())
    return run(tf, tf.identity(v) * 2)


@graph
def gradients_through_cond(tf: Any) -> Any:
    p = tf.placeholder(tf.bool, [])
    x = tf.constant(2.0)
    r = tf.cond(p, lambda: x * 2, lambda: x + 10)
    g = tf.gradients(r, x)[0]
    return [run(tf, [r, g], {p: True}), run(tf, [r, g], {p: False})]


@graph
def nests_through_cond(tf: Any) -> Any:
    p = tf.placeholder(tf.bool, [])
    r = tf.cond(
        p,
        lambda: {"a": tf.constant(1), "b": (tf.constant(2.0),)},
        lambda: {"a": tf.constant(3), "b": (tf.constant(4.0),)},
    )
    return run(tf, r, {p: False})


@graph
def the_first_true_case(tf: Any) -> Any:
    x = tf.constant(2)
    return run(
        tf,
        tf.case(
            [(tf.less(x, 1), lambda: tf.constant(1)), (tf.less(x, 3), lambda: tf.constant(2))],
            default=lambda: tf.constant(9),
        ),
    )


@graph
def one_of_several_branches(tf: Any) -> Any:
    return run(tf, tf.switch_case(tf.constant(1), [lambda: tf.constant(10), lambda: tf.constant(20)]))


@graph
def a_group(tf: Any) -> Any:
    v = tf.Variable(1.0)
    w = tf.Variable(2.0)
    return run(tf, tf.group(v.assign(3.0), w.assign(4.0), name="g"))


@graph
def a_tuple(tf: Any) -> Any:
    a, b = tf.tuple([tf.constant(1.0), tf.constant(2.0)])
    return run(tf, [a, b])


@graph
def gradients_of_many_forms(tf: Any) -> Any:
    x = tf.constant(2.0)
    y = x * x
    z = y * 3
    return run(
        tf,
        [
            tf.gradients(z, [x, y]),
            tf.gradients([y, z], x),
            tf.gradients(z, x, grad_ys=[2.0]),
            tf.hessians(y * x, x),
        ],
    )
