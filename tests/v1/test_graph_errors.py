"""Bad input in graph mode: TensorFlow's exception types, messages that name the node, and nothing changed."""

from __future__ import annotations

import difflib
import pickle
import traceback

import numpy as np
import pytest
from steepest.v1.python.eager.context import eager_mode

import steepest
import steepest.v1 as tf

FLOAT = tf.float32


def run(*args, **kwargs):
    return tf.Session().run(*args, **kwargs)


def x(shape=(None, 3), dtype=FLOAT):
    return tf.placeholder(dtype, shape, name="x")


def uninitialized_slot():
    w = tf.Variable(1.0, name="w")
    train = tf.train.AdamOptimizer().minimize(w * w)
    session = tf.Session()
    session.run([w.initializer, *(v.initializer for v in tf.global_variables() if "beta" in v.name)])
    session.run(train)


def cycle():
    a = tf.add(1.0, 1.0, name="a")
    b = tf.add(a, 1.0, name="b")
    a.op._add_control_input(b.op)
    run(b)


def shared(**second):
    with tf.variable_scope("s"):
        tf.get_variable("w", [2])
    with tf.variable_scope("s", reuse=True):
        tf.get_variable("w", **second)


def closed():
    session = tf.Session()
    node = tf.constant(1.0)
    session.close()
    session.run(node)


def another_graph():
    node = tf.constant(1.0, name="mine")
    with tf.Graph().as_default():
        tf.constant(2.0)
        run(node)


def mixed_graphs():
    node = tf.constant(1.0, name="mine")
    with tf.Graph().as_default():
        tf.constant(2.0, name="other") + node


def finalized():
    tf.get_default_graph().finalize()
    tf.constant(1.0)


def reset_inside():
    with tf.Graph().as_default():
        tf.reset_default_graph()


def eval_in_another_graph():
    node = tf.constant(1.0, name="mine")
    with tf.Graph().as_default(), tf.Session():
        node.eval()


def lookup():
    table, ids = tf.Variable(np.ones((3, 2), np.float32)), x([None], tf.int32)
    rows = tf.nn.embedding_lookup(table, ids, name="look")
    session = tf.Session()
    session.run(table.initializer)
    session.run(rows, {ids: [7]})


def sgd():
    return tf.train.GradientDescentOptimizer(0.1)


def variable(value=1.0):
    return tf.Variable(value, name="w")


ERRORS = [
    ("a fed shape", lambda: run(x(), {"x:0": [1.0, 2.0]}), ValueError, "'x:0'.*\\(\\?, 3\\)"),
    ("a fed string", lambda: run(x([None]), {"x:0": ["a"]}), ValueError, "x:0"),
    (
        "shapes that do not join",
        lambda: tf.concat([x([None, 5]), x([5, 4])], 0),
        ValueError,
        r"Dimension 1 in both shapes must be equal, but are 5 and 4\. Shapes are",
    ),
    ("a fed tensor", lambda: run(x([None]), {"x:0": tf.constant([1.0])}), TypeError, "cannot be a tf.Tensor"),
    ("a fed None", lambda: run(x([], tf.int32), {"x:0": None}), ValueError, "x:0"),
    ("a fed number that does not fit", lambda: run(x([], tf.uint8), {"x:0": 300}), TypeError, "300.*x:0"),
    ("an unknown feed", lambda: run(x([None]), {"zz:0": [1.0]}), TypeError, "zz:0"),
    ("an operation as feed", lambda: run(x([]), {"x": 1.0}), TypeError, "x"),
    ("a missing feed", lambda: run(x() + 1), tf.errors.InvalidArgumentError, "placeholder tensor 'x'.*\\[\\?,3\\]"),
    ("an unknown fetch", lambda: run([tf.constant(1.0), "nope:0"]), ValueError, "nope:0"),
    ("an unknown operation", lambda: run([tf.constant(1.0), "nope"]), ValueError, "nope"),
    ("an output that is not there", lambda: run([tf.constant(1.0, name="c"), "c:1"]), ValueError, "only has 1 outputs"),
    ("a number as fetch", lambda: run([tf.constant(1.0), 3]), TypeError, "invalid type <class 'int'>"),
    ("None as fetch", lambda: run([tf.constant(1.0), None]), TypeError, "None"),
    ("a closed session", closed, RuntimeError, "closed Session"),
    ("an empty graph", lambda: run("x:0"), RuntimeError, "empty"),
    ("a node of another graph", another_graph, ValueError, "mine:0"),
    ("nodes of two graphs", mixed_graphs, ValueError, "mine:0"),
    ("eval in another graph", eval_in_another_graph, ValueError, "mine:0"),
    ("eval without session", lambda: tf.constant(1.0, name="c").eval(), ValueError, "default session.*c:0"),
    ("a finalized graph", finalized, RuntimeError, "finalized"),
    ("a variable without value", lambda: run(variable() * 2), tf.errors.FailedPreconditionError, "value w\\b"),
    ("a fetched variable without value", lambda: run(variable()), tf.errors.FailedPreconditionError, "value w\\b"),
    ("a slot without value", uninitialized_slot, tf.errors.FailedPreconditionError, "w/Adam"),
    ("assign_add without value", lambda: run(variable().assign_add(1.0)), tf.errors.FailedPreconditionError, "w"),
    ("a cycle of control inputs", cycle, tf.errors.InvalidArgumentError, "cycle.*(a, b|b, a)"),
    ("sharing with another shape", lambda: shared(shape=[3]), ValueError, "s/w.*\\(3,\\).*\\(2,\\)"),
    ("sharing with another type", lambda: shared(shape=[2], dtype=tf.float64), ValueError, "s/w.*float64.*float32"),
    ("an index that is not there", lookup, tf.errors.InvalidArgumentError, "7.*node look"),
    (
        "shapes that do not multiply",
        lambda: tf.matmul(tf.zeros([2, 3]), tf.zeros([4, 5])),
        ValueError,
        "3 and 4.*MatMul",
    ),
    ("shapes that do not broadcast", lambda: tf.zeros([2, 3]) + tf.zeros([2, 4]), ValueError, "3 and 4.*Add"),
    ("two types", lambda: tf.constant(1.0) + tf.constant(1.0, tf.float64), TypeError, "float64.*float32"),
    ("an integer times a float", lambda: tf.constant(1) * 1.5, TypeError, "int32"),
    ("a truth value", lambda: bool(tf.constant(True, name="c")), TypeError, "c:0"),
    ("iteration", lambda: list(x([None])), TypeError, "x:0"),
    ("len", lambda: len(x([None])), TypeError, "x:0"),
    ("float", lambda: float(tf.constant(1.0)), TypeError, "session"),
    ("np.asarray", lambda: np.asarray(x()), NotImplementedError, "x:0"),
    ("reshape", lambda: tf.reshape(tf.zeros([2, 3]), [4]), ValueError, "6 elements"),
    ("assign with another shape", lambda: tf.assign(variable([1.0, 2.0]), [1.0]), ValueError, "w"),
    ("assign with another type", lambda: tf.assign(variable(), tf.constant(1)), TypeError, "int32"),
    ("assign to a constant", lambda: tf.assign(tf.constant(1.0), 2.0), AttributeError, "variable"),
    ("no path to a variable", lambda: (variable(), sgd().minimize(tf.constant(1.0))), ValueError, "No gradients"),
    ("no variables", lambda: sgd().minimize(tf.constant(1.0)), ValueError, "No variables to optimize"),
    ("an integer loss", lambda: sgd().minimize(tf.Variable(1) * 2), ValueError, "int32"),
    ("no pairs", lambda: sgd().apply_gradients([]), ValueError, "No variables provided"),
    ("only None", lambda: sgd().apply_gradients([(None, variable())]), ValueError, "No gradients provided.*w:0"),
    ("a tensor as variable", lambda: sgd().apply_gradients([(1.0, variable() * 1)]), NotImplementedError, "Tensor"),
    ("a gradient's shape", lambda: sgd().apply_gradients([([1.0, 2.0], variable([1.0]))]), ValueError, "'w'"),
    ("a gradient's type", lambda: sgd().apply_gradients([(tf.constant(1), variable())]), TypeError, "'w'"),
    (
        "an object as gradient",
        lambda: sgd().apply_gradients([(object(), variable())]),
        TypeError,
        "must be convertible",
    ),
    (
        "an unknown gate",
        lambda: sgd().compute_gradients(variable() * 1, gate_gradients=7),
        ValueError,
        "gate_gradients",
    ),
    ("a name in var_list", lambda: sgd().compute_gradients(variable() * 1, ["w"]), AttributeError, "'w'"),
    ("an unknown aggregation", lambda: tf.gradients(1.0 * variable(), [], aggregation_method=9), ValueError, "9"),
    ("grad_ys", lambda: tf.gradients(1.0 * variable(), tf.constant(1.0), grad_ys=[1.0, 2.0]), ValueError, "grad_ys"),
    ("a name that is none", lambda: tf.constant(1.0, name="a b"), ValueError, "a b"),
    ("an unknown shape", lambda: tf.Variable(x([None])), ValueError, "shape specified.*x:0"),
    ("no initial value", lambda: tf.Variable(None), ValueError, "initial_value"),
    ("None to clip", lambda: tf.clip_by_value(None, 0.0, 1.0), ValueError, "None values not supported"),
    (
        "a bool as predicate",
        lambda: tf.cond(True, lambda: tf.constant(1.0), lambda: tf.constant(2.0)),
        TypeError,
        "pred",
    ),
    ("nothing to save", lambda: tf.train.Saver(), ValueError, "No variables to save"),
    ("a reset inside a graph", reset_inside, AssertionError, "nested"),
    ("an invalid reuse", lambda: tf.variable_scope("a", reuse="x").__enter__(), ValueError, "reuse"),
]


@pytest.mark.parametrize(("act", "kind", "message"), [e[1:] for e in ERRORS], ids=[e[0] for e in ERRORS])
def test_the_error_is_tensorflows_and_names_the_node(act, kind, message):
    with pytest.raises(kind, match=f"(?s){message}"):
        act()


@pytest.mark.parametrize(
    "words", ["not allowed in Graph execution", "Using.*not allowed.*Graph mode", "AutoGraph.*unsupported feature"]
)
def test_a_node_as_a_bool_is_refused_in_the_words_of_either_tensorflow(words: str) -> None:
    with tf.Graph().as_default(), pytest.raises(TypeError, match=words):
        bool(tf.constant(True))


def test_names_of_arrays_that_a_node_does_not_have_say_where_to_look() -> None:
    with tf.Graph().as_default():
        node = tf.ones([2])
        assert not hasattr(node, "T")
        with pytest.raises(AttributeError, match="If you are looking for numpy-related methods"):
            node.astype  # noqa: B018 - asking is what fails


def test_elements_of_a_variable_are_given_in_eager_mode_alone() -> None:
    with eager_mode():
        variable = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            total = sum(x * x for x in variable)
        np.testing.assert_array_equal(tape.gradient(total, variable), [2.0, 4.0])
        with pytest.raises(
            ValueError, match=r"Shapes \(2,\) and \(3,\) are incompatible.*shape.*and.*are incompatible"
        ):
            variable.assign([1.0, 2.0, 3.0])
    with tf.Graph().as_default(), pytest.raises(TypeError, match=r"is not iterable.*not allowed in Graph mode"):
        iter(tf.Variable([1.0]))


def test_operators_of_bits_refuse_texts_and_fractions_in_eager_mode() -> None:
    with eager_mode():
        for value in ("a", 1.5):
            with pytest.raises(tf.errors.InvalidArgumentError, match="bool and integers"):
                tf.constant(value) & tf.constant(value)


def test_errors_of_a_run_know_their_operation():
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        run(tf.gather([1.0, 2.0], tf.constant([5]), name="look"))
    assert caught.value.op.name == caught.value.node_def.name == "look"
    assert isinstance(caught.value, tf.errors.OpError)
    assert "indices[0] = 5 is not in [0, 2)" in caught.value.message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("reduce_summ", "near names are reduce_sum"),
        ("nn.reluu", "near names are relu"),
        ("train.AdamOptimiser", "AdamOptimizer"),
        ("nn.conv2d", "convolutions, and image files are left out"),
        ("layers.conv2d", "convolutions"),
        ("nn.dynamic_rnn", "recurrent cells"),
        ("data", "tf.data are left out"),
        ("keras.layers", "Keras"),
        ("contrib.rnn", "recurrent"),
    ],
)
def test_a_missing_name_says_near_names_or_why_and_the_page(name, message):
    space = tf
    *path, last = name.split(".")
    for part in path:
        space = getattr(space, part)
    with pytest.raises(AttributeError, match=f"tf\\.{name} is not here.*{message}.*docs/v1.md"):
        getattr(space, last)
    assert not hasattr(space, last)


def test_a_tensor_of_eager_mode_is_no_node():
    made = steepest.constant([1.0, 2.0])
    for use in (lambda: tf.add(made, made), lambda: tf.constant([1.0, 2.0]) * made, lambda: tf.identity(made)):
        with pytest.raises(RuntimeError, match="Attempting to capture an EagerTensor"):
            use()


def test_asking_for_a_missing_name_costs_little_and_its_message_is_there_when_read(monkeypatch: pytest.MonkeyPatch):
    looked: list[str] = []
    search = difflib.get_close_matches
    monkeypatch.setattr(difflib, "get_close_matches", lambda *args: looked.append(args[0]) or search(*args))
    assert not hasattr(tf, "reduce_summ")
    assert not looked
    with pytest.raises(AttributeError) as caught:
        _ = tf.reduce_summ
    assert traceback.format_exception_only(caught.value)[0].startswith("AttributeError: tf.reduce_summ is not here")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert repr(caught.value).startswith("AttributeError('tf.reduce_summ is not here")
    assert set(looked) == {"reduce_summ"}


def test_a_name_of_an_internal_module_is_searched_once(monkeypatch: pytest.MonkeyPatch):
    from steepest.v1 import python as internal

    find, asked = internal._find, []
    monkeypatch.setattr(internal, "_find", lambda path, name: asked.append(name) or find(path, name))
    module = internal._getter("ops.math_ops")
    assert module("reduce_max") is module("reduce_max") is tf.reduce_max
    assert asked == ["reduce_max"]
