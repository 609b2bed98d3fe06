"""What a session does: fetches, feeds, one evaluation of each node, order of writes, values of its own."""

from __future__ import annotations

import collections
import os
import platform
import subprocess
import sys
import threading

import numpy as np
import pytest

import steepest.v1 as tf


def initialized() -> tf.Session:
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return session


def test_fetches_keep_their_structure():
    pair = collections.namedtuple("pair", "first second")
    x = tf.constant([1.0, 2.0], name="x")
    session = tf.Session()
    got = session.run({"a": [x, (x + 1, "x:0")], "b": pair(x[0], tf.no_op()), "c": tf.IndexedSlices(x, [0, 1], (3,))})
    assert list(got) == ["a", "b", "c"]
    np.testing.assert_array_equal(got["a"][1][0], [2, 3])
    np.testing.assert_array_equal(got["a"][1][1], [1, 2])
    assert got["b"] == pair(1.0, None)
    assert isinstance(got["b"].first, np.float32)
    assert got["c"].dense_shape == (3,)
    assert session.run([]) == []


def test_a_node_is_evaluated_once_however_many_take_it():
    calls = []
    x = tf.placeholder(tf.float32, [2])
    counted = tf.py_func(lambda value: (calls.append(1), value)[1], [x], tf.float32)
    results = tf.Session().run([counted + 1, counted * 2, counted], {x: [1, 2]})
    assert len(calls) == 1
    np.testing.assert_array_equal(results, [[2, 3], [2, 4], [1, 2]])


def test_the_forward_pass_is_not_computed_again_for_gradients():
    calls = []
    w = tf.Variable([1.0, 2.0])
    counted = tf.Print(w * 3.0, [], message="")
    real = counted.op.function
    counted.op.function = lambda *values: (calls.append(1), real(*values))[1]
    loss = tf.reduce_sum(counted**2)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    session = initialized()
    session.run([train, loss, tf.gradients(loss, w)])
    assert len(calls) == 1


def test_what_is_fetched_is_the_users_own():
    w, c, x = tf.Variable([1.0, 2.0]), tf.constant([1.0, 2.0]), tf.placeholder(tf.float32, [2])
    session, given = initialized(), np.array([1, 2], np.float32)
    for node in (w, c, x, tf.identity(w), tf.reshape(w, [2, 1]), tf.reshape(c, [1, 2]), tf.reshape(x, [2]), w[:1]):
        first = session.run(node, {x: given})
        first += 100
        np.testing.assert_array_equal(session.run(node, {x: given}), first - 100)
    np.testing.assert_array_equal(given, [1, 2])


def test_reads_come_before_writes_and_fetched_variables_after():
    w = tf.Variable(1.0)
    loss = w * w
    train = tf.train.GradientDescentOptimizer(0.25).minimize(loss)
    session = initialized()
    for fetches in ([train, loss, w, w + 0.0], [w, w + 0.0, loss, train]):
        before = session.run(w)
        values = dict(zip(fetches, session.run(fetches), strict=True))
        assert values[loss] == before**2
        assert values[w] == before / 2
        assert values[fetches[3 if fetches[0] is train else 1]] == before


def test_control_dependencies_order_reads_and_writes():
    w = tf.Variable(1.0)
    with tf.control_dependencies([w.assign_add(1.0)]):
        after = w * 10.0
        with tf.control_dependencies([after, w.assign(7.0)]):
            last = w.read_value()
    session = initialized()
    assert session.run([after, last]) == [20.0, 7.0]


def test_any_tensor_can_be_fed_by_node_and_by_name():
    x = tf.constant(2.0, name="x")
    y = tf.multiply(x, 3.0, name="y")
    session = tf.Session()
    assert session.run(y + 1, {x: 5.0}) == 16
    assert session.run(y + 1, {"y:0": -1}) == 0
    w = tf.Variable(1.0)
    assert session.run(w * 2, {w: 4.0}) == 8  # not even initialized


def test_two_sessions_of_a_graph_do_not_share_values():
    w = tf.Variable(1.0)
    step = w.assign_add(1.0)
    first, second = initialized(), initialized()
    first.run([step])
    first.run([step])
    assert (first.run(w), second.run(w)) == (3, 1)


def test_two_graphs_do_not_share_anything():
    graphs = [tf.Graph(), tf.Graph()]
    values = []
    for k, graph in enumerate(graphs):
        with graph.as_default(), tf.Session() as session:
            w = tf.get_variable("w", initializer=float(k))
            assert w.name == "w:0"
            session.run(tf.global_variables_initializer())
            values.append(session.run("w:0"))
            assert tf.trainable_variables() == [w]
    assert values == [0, 1]
    assert tf.trainable_variables() == []


def test_sessions_are_default_where_they_are_entered():
    x = tf.constant(3.0)
    with tf.Session() as session:
        assert tf.get_default_session() is session
        assert x.eval() == 3
        with tf.Session().as_default() as inner:
            assert tf.get_default_session() is inner
    assert tf.get_default_session() is None
    interactive = tf.InteractiveSession()
    assert x.eval() == 3
    tf.no_op().run()
    interactive.close()
    assert tf.get_default_session() is None


def test_the_branch_that_is_not_taken_does_not_run():
    calls = []
    p, w = tf.placeholder(tf.bool, []), tf.Variable(3.0)

    def branch(name, result):
        def build():
            return tf.py_func(lambda: (calls.append(name), np.float32(result))[1], [], tf.float32) * w

        return build

    chosen = tf.cond(p, branch("yes", 1), branch("no", 2))
    session = initialized()
    assert session.run(chosen, {p: True}) == 3
    assert session.run(chosen, {p: False}) == 6
    assert calls == ["yes", "no"]


@pytest.mark.parametrize(("taken", "value", "slope"), [(True, 6.0, 2.0), (False, 9.0, 6.0)])
def test_gradients_flow_through_the_branch_that_is_taken(taken, value, slope):
    w, p = tf.Variable(3.0), tf.placeholder(tf.bool, [])
    y = tf.cond(p, lambda: 2.0 * w, lambda: w * w)
    (g,) = tf.gradients(y, w)
    assert initialized().run([y, g], {p: taken}) == [value, slope]


def test_threads_may_run_one_session():
    x = tf.placeholder(tf.float32, [100])
    y = x
    for _ in range(20):
        y = tf.sqrt(y * y + 1.0)
    session, wrong = tf.Session(), []

    def work(k: int) -> None:
        for _ in range(20):
            got = session.run(y, {x: np.full(100, k, np.float32)})
            if not np.allclose(got, np.sqrt(k * k + 20.0), rtol=1e-5):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_seeds_make_sessions_repeat_themselves():
    tf.set_random_seed(3)
    values = [tf.random_normal([3]), tf.random_uniform([3]), tf.truncated_normal([50]), tf.random_shuffle(tf.range(9))]
    other = tf.random_normal([3])
    first, second = ([session.run([*values, other]) for _ in range(2)] for session in (tf.Session(), tf.Session()))
    for a, b in zip(first, second, strict=True):
        for x, y in zip(a, b, strict=True):
            np.testing.assert_array_equal(x, y)
    assert not np.array_equal(first[0][0], first[1][0])  # a sequence, not one value
    assert not np.array_equal(first[0][0], first[0][4])
    assert np.abs(first[0][2]).max() <= 2
    tf.reset_default_graph()
    tf.set_random_seed(3)
    np.testing.assert_array_equal(tf.Session().run(tf.random_normal([3])), first[0][0])


def test_numpys_functions_on_nodes_make_nodes():
    x = tf.placeholder(tf.float32, [None, 3])
    w = tf.Variable(np.ones((3, 2), np.float32))
    y = np.tanh(x @ w) + np.mean(x, axis=1, keepdims=True)
    assert y.shape.as_list() == [None, 2]
    (g,) = tf.gradients(y, w)
    data = np.arange(6, dtype=np.float32).reshape(2, 3) / 10
    value, gradient = initialized().run([y, g], {x: data})
    expected = np.tanh(data @ np.ones((3, 2)))
    np.testing.assert_allclose(value, expected + data.mean(1, keepdims=True), rtol=1e-6)
    np.testing.assert_allclose(gradient, data.T @ (1 - expected**2), rtol=1e-6)


def test_strings_are_bytes():
    assert tf.Session().run(tf.constant("Hello, TensorFlow!")) == b"Hello, TensorFlow!"


def test_second_derivatives():
    x = tf.Variable([1.0, 2.0, 3.0])
    y = tf.reduce_sum(x**3)
    (first,) = tf.gradients(y, x)
    (second,) = tf.gradients(first, x)
    (matrix,) = tf.hessians(y, x)
    values = initialized().run([first, second, matrix])
    np.testing.assert_allclose(values[0], [3, 12, 27])
    np.testing.assert_allclose(values[1], [6, 12, 18])
    np.testing.assert_allclose(values[2], np.diag([6, 12, 18]))


def test_gradients_options():
    x = tf.Variable([1.0, 2.0])
    a = 2.0 * x
    b = a * x
    session = initialized()
    assert tf.gradients(tf.constant(1.0), x) == [None]
    np.testing.assert_array_equal(
        session.run(tf.gradients(tf.constant(1.0), x, unconnected_gradients="zero")[0]), [0, 0]
    )
    full, cut = tf.gradients(b, [x])[0], tf.gradients(b, [x], stop_gradients=[a])[0]
    np.testing.assert_array_equal(session.run([full, cut]), [[4, 8], [2, 4]])
    seeded = tf.gradients([a, b], x, grad_ys=[[1.0, 0.0], None])[0]
    np.testing.assert_array_equal(session.run(seeded), [6, 8])
    np.testing.assert_array_equal(session.run(tf.gradients(a + b, [a, x])), [[2, 3], [6, 10]])


def test_a_write_of_what_is_fed_comes_after_reads():
    variable, given = tf.Variable(1.0), tf.placeholder(tf.float32, [])
    write = tf.assign(variable, given)
    doubled = variable * 2.0
    with tf.Session() as session:
        session.run(variable.initializer)
        assert session.run([write, doubled], {given: 5.0}) == [5.0, 2.0]
        assert session.run(doubled) == 10.0


RUNS = """
import resource
import numpy as np
import steepest.v1 as tf

x = tf.placeholder(tf.float32, [350, 350])
y = x
for _ in range(6):
    y = tf.abs(y * 1.5 - x)
session, fed = tf.Session(), np.ones([350, 350], np.float32)
for count in (5, 40):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(count):
        session.run(y, {x: fed})
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def test_a_run_takes_no_memory_from_the_system_anew():
    own = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    found = subprocess.run([sys.executable, "-c", RUNS], capture_output=True, text=True, env=own, check=True)
    arrays = 40 * 18  # of 120 pages each; a page that is taken anew is a fault
    allocator_is_glibcs = platform.libc_ver()[0] == "glibc"
    assert int(found.stdout) < (arrays if allocator_is_glibcs else arrays * 200)
