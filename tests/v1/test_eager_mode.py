"""Eager execution under TensorFlow 1's names; in processes of its own, as it cannot be switched off."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

import steepest
import steepest.v1 as tf

PROGRAMS = {
    "the linear regression of contrib.eager": """
W, b = tfe.Variable(0.5), tfe.Variable(-0.5)
x = np.linspace(0, 1, 17).astype(np.float32)
def model(inputs): return inputs * W + b
def mse(model, inputs, labels): return tf.reduce_sum(tf.pow(model(inputs) - labels, 2)) / (2 * 17)
optimizer, grad = tf.train.GradientDescentOptimizer(0.5), tfe.implicit_gradients(mse)
for _ in range(400):
    optimizer.apply_gradients(grad(model, x, 2 * x + 1))
np.testing.assert_allclose([W.numpy(), b.numpy()], [2, 1], rtol=1e-3)
""",
    "a noisy rate draws at each call": """
rate = tf.train.noisy_linear_cosine_decay(1.0, 3, 10)
assert rate() != rate()
w = tfe.Variable(1.0)
tf.train.GradientDescentOptimizer(rate).minimize(lambda: w * 2)
assert w.numpy() != 1
""",
    "recorded values convert, as TensorFlow's do": """
import math
v = tfe.Variable(2.0)
with tf.GradientTape() as tape:
    y = v * v
    a = np.zeros(1)
    a[0] = y
    assert float(y) == int(y) == a[0] == 4
    assert abs(math.exp(y) - np.exp(4)) < 1e-9
assert tape.gradient(y, v).numpy() == 4
""",
    "a node of a graph has no value here": """
with tf.Graph().as_default():
    node = tf.constant(1.0)
try:
    tf.add(node, node)
except TypeError as error:
    assert "Graph tensors" in str(error)
else:
    raise AssertionError("a node was taken")
""",
    "operations give values": """
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
assert tf.executing_eagerly()
np.testing.assert_array_equal(tf.matmul(x, x).numpy(), [[7, 10], [15, 22]])
np.testing.assert_array_equal(tf.reduce_sum(x, 0), [4, 6])
np.testing.assert_array_equal(tf.concat([x, x], 1), [[1, 2, 1, 2], [3, 4, 3, 4]])
np.testing.assert_array_equal(tf.where(x > 2, x, -x), [[-1, -2], [3, 4]])
np.testing.assert_array_equal(tf.nn.embedding_lookup(x, [1, 0, 1]), [[3, 4], [1, 2], [3, 4]])
np.testing.assert_array_equal(tf.one_hot([0, 1], 2), np.eye(2))
assert tf.cast(x, tf.int32).dtype == np.int32
assert [int(part[0, 0]) for part in tf.split(x, 2, 1)] == [1, 2]
assert tf.cond(tf.constant(True), lambda: 1, lambda: 2) == 1
assert tf.shape(x).numpy().tolist() == [2, 2]
""",
    "tapes and functions of contrib.eager": """
x = tf.constant([1.0, 2.0])
with tfe.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = tf.reduce_sum(tf.nn.softmax(x) * tf.constant([1.0, 3.0]))
s = np.exp([1, 2]) / np.exp([1, 2]).sum()
np.testing.assert_allclose(tape.gradient(y, x), s * ([1, 3] - (s * [1, 3]).sum()), rtol=1e-6)
assert [g.numpy() for g in tfe.gradients_function(lambda a, b: a * b)(3.0, 4.0)] == [4, 3]
v = tfe.Variable(3.0)
value, pairs = tfe.implicit_value_and_gradients(lambda: v * v)()
assert value.numpy() == 9 and pairs[0][0].numpy() == 6 and pairs[0][1] is v
""",
    "the saver of contrib.eager takes no session": """
import tempfile
w = tfe.Variable([3.0, 4.0], name="w")
with tempfile.TemporaryDirectory() as folder:
    saver = tfe.Saver([w])
    path = saver.save(f"{folder}/kept", global_step=7)
    w.assign([0.0, 0.0])
    saver.restore(path)
assert (w.numpy().tolist(), path[-7:]) == ([3.0, 4.0], "/kept-7")
""",
    "modes of execution, which all compute at once": """
with tfe.execution_mode(tfe.ASYNC):
    x = tf.constant([1.5])
tfe.set_execution_mode(tfe.SYNC), tfe.async_wait(), tfe.async_clear_error()
assert (float(x), int(x), complex(x)) == (1.5, 1, 1.5)  # of one element, whatever its shape
try:
    tfe.set_execution_mode(2)
except ValueError as error:
    assert str(error) == "Execution mode should be None/SYNC/ASYNC. Got 2"
else:
    raise SystemExit("no error")
""",
    "layers": """
x = tf.ones([2, 3])
y = tf.layers.dense(x, 4, activation=tf.nn.relu, kernel_initializer=tf.ones_initializer())
assert y.shape.as_list() == [2, 4] and y.numpy().max() == 3
assert tf.layers.dense(tf.ones([2, 5, 3]), 4).shape == [2, 5, 4]
assert tf.layers.flatten(tf.ones([2, 5, 3])).shape.as_list() == [2, 15]
assert tf.layers.dropout(x, 0.5, training=True).shape == x.shape
""",
    "an argument that comes twice is two": """
v = tfe.Variable(3.0)
one, two = tfe.gradients_function(lambda x, y: x * y + x)(v, v)
assert (one.numpy(), two.numpy()) == (4, 3)
""",
    "variables, scopes and optimizers": """
with tf.variable_scope("s"):
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
assert isinstance(v, tf.Variable)
tf.assign_add(v, [1.0, 2.0])
tf.scatter_add(v, [0], [1.0])
assert v.numpy().tolist() == [3, 3]
optimizer, step = tf.train.AdamOptimizer(0.5), tf.train.get_or_create_global_step()
assert optimizer.minimize(lambda: tf.reduce_sum(v * v), global_step=step) == 18  # TensorFlow: None
np.testing.assert_allclose(v.numpy(), [2.5, 2.5], rtol=1e-6)
assert step.numpy() == 1
tf.set_random_seed(1); a = tf.random_normal([3]).numpy(); tf.set_random_seed(1)
assert tf.random_normal([3]).shape == a.shape
""",
    "what only graphs have": """
for act, kind in [
    (lambda: tf.placeholder(tf.float32), RuntimeError),
    (lambda: tf.gradients(tf.constant(1.0), []), RuntimeError),
    (lambda: tf.train.GradientDescentOptimizer(0.1).minimize(tf.constant(1.0)), RuntimeError),
]:
    try:
        act()
    except kind:
        continue
    raise SystemExit("no error")
""",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_eager_programs(program):
    start = "import numpy as np\nimport steepest.v1 as tf\ntf.enable_eager_execution()\ntfe = tf.contrib.eager\n"
    done = subprocess.run([sys.executable, "-c", start + program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_eager_execution_is_enabled_at_startup_or_not_at_all():
    tf.constant(1.0)
    with pytest.raises(ValueError, match="at program startup"):
        tf.enable_eager_execution()
    assert not tf.executing_eagerly()


def test_functions_of_contrib_eager_in_graph_mode():
    w, v = tf.Variable(3.0), tf.Variable(2.0)
    tfe = tf.contrib.eager
    value, pairs = tfe.implicit_value_and_gradients(lambda k: w * v * k)(2.0)
    assert [variable for _, variable in pairs] == [w, v]
    with tf.GradientTape() as tape:
        y = w * w
    slope, none = tape.gradient(y, [w, v])
    (product,) = tfe.gradients_function(lambda a: a * a)(5.0)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    assert none is None
    assert session.run([value, [g for g, _ in pairs], slope, product]) == [12, [4, 6], 6, 10]
    with pytest.raises(ValueError, match=r"returns None.*_nothing"):
        tfe.implicit_gradients(_nothing)()
    with pytest.raises(ValueError, match="No trainable variables"):
        tfe.implicit_gradients(lambda: tf.constant(1.0))()


def test_the_saver_of_contrib_eager_takes_no_session(tmp_path):
    w = tf.Variable([3.0, 4.0], name="w")
    saver = tf.contrib.eager.Saver([w])
    with tf.Session() as session:
        session.run(w.initializer)
        path = saver.save(str(tmp_path / "kept"), global_step=7)
        session.run(tf.assign(w, [0.0, 0.0]))
        saver.restore(path)
        np.testing.assert_array_equal(session.run(w), [3.0, 4.0])
    assert path == str(tmp_path / "kept-7")


def _nothing():
    return None


def test_an_eager_function_in_a_graph_changes_the_mode_of_its_own_thread_alone():
    seen = []

    def look(x):
        other = threading.Thread(target=lambda: seen.append((tf.executing_eagerly(), type(tf.constant(1.0)))))
        other.start()
        other.join()
        seen.append((tf.executing_eagerly(), type(tf.constant(1.0))))
        return x

    tensor = type(tf.constant(1.0))
    with tf.Session() as session:
        session.run(tf.py_function(look, [tf.constant(1.0)], tf.float32))
    assert seen[0] == (False, tensor)
    assert seen[1][0]
    assert seen[1][1] is not tensor
    assert not tf.executing_eagerly()
    assert tf.contrib.eager.py_func is tf.py_function


def test_other_threads_have_the_cores_own_results_while_a_function_runs_eagerly() -> None:
    inside, done = threading.Event(), threading.Event()

    def slow(x: Any) -> Any:
        inside.set()
        assert done.wait(30)
        return x + 1.0

    with tf.Graph().as_default(), tf.Session() as session:
        out = tf.py_function(slow, [tf.constant([1.0])], tf.float32)
        thread = threading.Thread(target=lambda: session.run(out), daemon=True)
        thread.start()
        assert inside.wait(30)
        try:
            with steepest.GradientTape() as tape:
                v = steepest.Variable(np.array([1.0, 2.0]))
                y = np.sum(v * v)
            made = steepest.constant([1.0, 2.0])
            kinds = type(tape.gradient(y, v)), type(np.add(v, 1.0)), type(made == 1.0), type(made.dtype)
        finally:
            done.set()
        thread.join(30)
    assert kinds == (np.ndarray, np.ndarray, np.ndarray, type(np.dtype(np.float32)))
