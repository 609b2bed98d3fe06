"""What a run returns: kinds of values, structures of fetches, what is fed, sparse values."""

from __future__ import annotations

from collections import OrderedDict, namedtuple

import numpy as np
from op_cases import A, Var, case

Pair = namedtuple("Pair", "left right")


def text(tf, values):
    return tf.constant([str(value) for value in values])


def shown(value):
    """Return a text for what was fetched: kinds and contents."""
    if isinstance(value, np.ndarray):
        return f"ndarray {value.dtype} {value.tolist()}"
    if isinstance(value, np.generic):
        return f"{value.dtype.name} {value.item()}"
    if isinstance(value, dict):
        return f"{type(value).__name__} {[(key, shown(part)) for key, part in value.items()]}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__} {[shown(part) for part in value]}"
    return repr(value)


def ran(tf, *fetches, feeds=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return text(tf, [shown(session.run(fetch, feeds)) for fetch in fetches])


@case(grad=False)
def kinds_of_fetched_values(tf):
    scalars = [tf.constant(1.5), tf.constant(2), tf.constant(True), tf.constant("text"), tf.constant(1, tf.int64)]
    arrays = [
        tf.constant([1.5]),
        tf.constant([[1, 2]]),
        tf.constant([True]),
        tf.constant(["a", "bc"]),
        tf.zeros([0, 2]),
    ]
    return ran(tf, *scalars, *arrays, tf.no_op(), tf.constant(1.5, tf.float16), tf.Variable([1.0]), tf.constant(1.5).op)


@case(grad=False)
def structures_of_fetches(tf):
    a, b = tf.constant(1, name="a"), tf.constant([2.0], name="b")
    nested = {"x": a, "y": [b, (a, b)], "z": {"w": tf.no_op()}}
    named = Pair(a, [b])
    ordered = OrderedDict([("second", b), ("first", a)])
    return ran(tf, [a, b], (a, b), {"k": a}, nested, named, ordered, [], [[a], []], [a, a, b], "a:0", ["b:0", a], "b")


@case(grad=False)
def several_fetches_are_of_one_moment(tf):
    v = tf.Variable(1.0)
    with tf.control_dependencies([v.initialized_value()]):
        changed = tf.assign_add(v, 1.0)
    with tf.Session() as session:
        session.run(v.initializer)
        found = [session.run([changed]), session.run([changed, changed]), session.run({"v": v})]
    return text(tf, map(shown, found))


@case(A, grad=False, feed=False)
def what_can_be_fed(tf, x):
    p = tf.placeholder(tf.float32, [None], name="p")
    n = tf.placeholder(tf.int32, [], name="n")
    d = tf.placeholder_with_default([1.0, 2.0], [2], name="d")
    middle = p * 2.0
    out = tf.reduce_sum(middle) + tf.reduce_sum(d) + tf.cast(n, tf.float32)
    feeds = [
        {p: [1.0, 2.0], n: 1},
        {p: np.array([1, 2]), n: np.int64(3)},
        {p: (1, 2), n: True, d: [0, 0]},
        {"p:0": np.float64([1.5]), "n:0": 2.0},
        {middle: [10.0], n: 1},
        {out: 42.0},
        {p: [], n: 0},
        {p: np.array([1.0, 2.0], np.float16), n: np.uint8(7)},
        {p: range(3), n: np.array(4)},
        {(p, n): (np.array([1.0]), 5)},
    ]
    with tf.Session() as session:
        return text(tf, [shown(session.run(out, feed)) for feed in feeds])


@case(grad=False)
def variables_can_be_fed(tf):
    v = tf.Variable([1.0, 2.0])
    doubled = v * 2.0
    with tf.Session() as session:
        session.run(v.initializer)
        found = [session.run(doubled, {v: [5.0, 6.0]}), session.run(doubled)]
    return text(tf, map(shown, found))


@case(grad=False)
def constants_can_be_fed(tf):
    c = tf.constant([1.0, 2.0])
    return ran(tf, c * 2.0, c, [c, c + 1.0], feeds={c: [3.0, 4.0]})


@case(grad=False)
def only_what_is_fetched_runs(tf):
    v = tf.Variable(0)
    tf.assign_add(v, 1)
    needed = tf.assign_add(v, 10)
    p = tf.placeholder(tf.float32)
    _ = p * 2.0
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(needed)
        return text(tf, [session.run(v)])


@case(grad=False)
def sessions_have_variables_of_their_own(tf):
    v = tf.Variable(1.0)
    one, two = tf.Session(), tf.Session()
    for session in (one, two):
        session.run(v.initializer)
    one.run(tf.assign(v, 5.0))
    return text(tf, [one.run(v), two.run(v)])


@case(grad=False)
def default_sessions(tf):
    v = tf.Variable([1.0, 2.0])
    with tf.Session() as session:
        v.initializer.run()
        found = [
            v.eval(),
            tf.reduce_sum(v).eval(),
            (v + 1.0).eval(session=session),
            tf.get_default_session() is session,
        ]
        tf.assign(v, [3.0, 4.0]).op.run()
        found += [v.eval(), session.graph is tf.get_default_graph(), tf.get_default_session() is None]
    found += [tf.get_default_session() is None]
    return text(tf, map(shown, found))


@case(grad=False)
def sparse_values(tf):
    sparse = tf.SparseTensor([[0, 1], [1, 2]], [5.0, 6.0], [2, 3])
    slices = tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([3, 1]), tf.constant([4, 1]))
    fed = tf.sparse_placeholder(tf.float32, [2, 3])
    value = tf.SparseTensorValue([[0, 0]], [7.0], [2, 3])
    with tf.Session() as session:
        found = [session.run(sparse), session.run(slices), session.run([sparse, slices.values])]
        found += [
            session.run(tf.sparse_tensor_to_dense(fed), {fed: given}) for given in (value, ([[1, 1]], [8.0], [2, 3]))
        ]
    return text(tf, map(shown, found))


@case(Var(A), grad=False, feed=False)
def loads_and_evaluations_of_variables(tf, v):
    with tf.Session() as session:
        session.run(v.initializer)
        before = v.eval(session)
        v.load(np.ones((2, 3)), session)
        found = [before, v.eval(session), session.run(tf.report_uninitialized_variables())]
    return text(tf, map(shown, found))


@case(grad=False)
def variables_that_are_not_initialised(tf):
    idle, ready = tf.Variable(1.0, name="idle"), tf.Variable(2.0, name="ready")
    with tf.Session() as session:
        session.run(ready.initializer)
        known = [tf.is_variable_initialized(idle), tf.is_variable_initialized(ready)]
        found = session.run([tf.report_uninitialized_variables(), *known])
    return text(tf, map(shown, found))


@case(grad=False)
def variables_made_of_variables(tf):
    first = tf.Variable([1.0, 2.0], name="first")
    second = tf.Variable(first.initialized_value() * 2.0, name="second")
    return ran(tf, [first, second])


@case(grad=False)
def graphs_apart(tf):
    graph = tf.Graph()
    with graph.as_default():
        x = tf.constant(3.0, name="x")
    with tf.Session(graph=graph) as session:
        found = [session.run(x), session.run("x:0"), x.graph is graph, tf.get_default_graph() is graph]
    found += [tf.get_default_graph() is graph, len(tf.get_default_graph().get_operations())]
    return text(tf, map(shown, found))
