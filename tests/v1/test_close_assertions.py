"""``tf.test.TestCase`` compares nests of arrays, and tells which part differs and where."""

from __future__ import annotations

import collections
import random

import numpy as np
import pytest
from steepest.v1.python.framework.test_util import assert_equal_graph_def

import steepest.v1 as tf


class Case(tf.test.TestCase):
    __test__ = False

    def runTest(self):
        """Nothing: the assertions are called from outside."""


@pytest.fixture
def case():
    made = Case()
    with tf.Graph().as_default():
        made.setUp()
        yield made
        made.tearDown()


def test_dicts_and_tuples_with_names_are_compared_by_their_parts(case):
    Pair = collections.namedtuple("Pair", ["a", "b"])
    want = {"a": 7, "b": np.ones((2, 3))}
    case.assertAllClose(want, Pair(7, np.ones((2, 3))))
    case.assertAllClose([{"a": tf.constant(1.0)}], [{"a": 1.0}])
    for wrong, error, told in (
        (1, ValueError, "Can't compare dict to non-dict"),
        ({"a": 7}, AssertionError, "mismatched keys"),
        ({"a": 7.1, "b": np.ones((2, 3))}, AssertionError, r"a\[a\] is different from b\[a\]"),
        ({"a": 7, "b": np.ones(3)}, AssertionError, "Shape mismatch"),
    ):
        with pytest.raises(error, match=told):
            case.assertAllClose(want, wrong)
    with pytest.raises(ValueError, match=r"Mismatched length: a has 2 items, but b has 1 items"):
        case.assertAllClose([np.ones(2), np.ones(3)], [np.ones(2)])
    with pytest.raises(AssertionError, match=r"\[y\]\[1\]\[0\]\[n\]"):
        case.assertAllClose({"y": (1, [{"n": 4.0}])}, {"y": (1, [{"n": 4.2}])})


def test_messages_tell_where_arrays_differ(case):
    with pytest.raises(AssertionError, match=r"not close where = \(array\(\[1\]\),\)"):
        case.assertAllClose([1.0, 2.0, np.nan], [1.0, 3.0, np.nan])
    with pytest.raises(AssertionError, match=r"not equal lhs = \[2\.\]"):
        case.assertAllEqual([1.0, 2.0, np.nan], [1.0, 3.0, np.nan])
    with pytest.raises(AssertionError, match="not close dif = 1"):
        case.assertAllClose(0, 1)
    case.assertAllEqual([1.0, np.nan], [1.0, np.nan])
    case.assertNotAllEqual([1.0, 2.0], tf.constant([1.0, 3.0]))
    case.assertNotAllClose([1.0], [1.1])
    for check in (case.assertNotAllEqual, case.assertNotAllClose):
        with pytest.raises(AssertionError, match="at all elements"):
            check([1.0], [1.0])


def test_tolerances_are_those_of_the_type_where_this_is_asked_for(case):
    for dtype, given in ((np.float16, "half"), (np.float32, "float"), (np.complex64, "float")):
        a, b = np.array([1e-2], dtype), np.array([2e-2], dtype)
        case.assertAllCloseAccordingToType(a, b, **{f"{given}_atol": 2e-2})
        for check in (case.assertAllClose, case.assertAllCloseAccordingToType):
            with pytest.raises(AssertionError):
                check(a, b)
    with pytest.raises(AssertionError):
        case.assertAllClose(np.float16(1e-4), np.float16(2e-4))


def test_ranges_are_of_numbers(case):
    case.assertAllInRange([10.0, np.inf], 10, np.inf)
    for values in ("text", [1 + 2j], [True], [np.nan, 1.0]):
        with pytest.raises(AssertionError):
            case.assertAllInRange(values, 0, 1)


def test_devices_and_shapes_are_compared(case):
    case.assertDeviceEqual("/cpu:0", "/device:CPU:0")
    case.assertDeviceEqual("", None)
    with pytest.raises(AssertionError, match="Devices /device:CPU:0 and /device:GPU:0 are not equal"):
        case.assertDeviceEqual("/cpu:0", "/gpu:0")
    with pytest.raises(TypeError):
        case.assertShapeEqual([1.0], tf.constant([1.0]))
    with pytest.raises(TypeError):
        case.assertShapeEqual(np.ones(1), [1.0])


def test_a_test_begins_with_the_same_random_numbers(case):
    first = random.randint(1, 1000)
    case.setUp()
    assert random.randint(1, 1000) == first


def test_graphs_are_the_same_in_whatever_order():
    def message(*values):
        with tf.Graph().as_default() as graph:
            for value in values:
                tf.constant(value, name=f"n{value}")
            return graph.as_graph_def()

    check = assert_equal_graph_def
    check(message(5, 7), message(7, 5))
    assert str(message(5, 7)) != str(message(7, 5))
    for actual, expected, told in (
        (message(5), message(), "^Found unexpected node '{{node n5}}'"),
        (message(), message(5), "^Did not find expected node '{{node n5}}'"),
    ):
        with pytest.raises(AssertionError, match=told):
            check(actual, expected)
    with pytest.raises(TypeError, match="Expected tf"):
        check("", message())


def test_messages_of_graphs_are_made_by_hand():
    made = tf.GraphDef()
    for name, op, inputs in (
        ("a", "Const", []),
        ("check", "CheckNumerics", ["a"]),
        ("b", "Identity", ["a", "^check"]),
        ("c", "Identity", ["b"]),
        ("kept", "Identity", ["a"]),
        ("d", "Add", ["c:0", "^kept"]),
        ("e", "Neg", ["c"]),
    ):
        node = made.node.add()
        node.name, node.op = name, op
        node.input.extend(inputs)
    made.node[0].attr["dtype"].CopyFrom(tf.AttrValue(type=1))
    part = tf.graph_util.extract_sub_graph(made, ["d"])
    assert [node.name for node in part.node] == ["a", "check", "b", "c", "kept", "d"]
    with pytest.raises(AssertionError, match="f is not in graph"):
        tf.graph_util.extract_sub_graph(made, ["f"])
    trained = tf.graph_util.remove_training_nodes(made)
    found = {node.name: node.input for node in trained.node}
    assert found == {"a": [], "kept": ["a"], "d": ["c:0", "^kept"], "e": ["a"]}
    assert trained.node[0].attr["dtype"].type == 1
    assert str(made).startswith('node {\n  name: "a"\n  op: "Const"\n  attr {\n    key: "dtype"\n    value {\n')


def test_texts_equal_their_bytes():
    case = tf.test.TestCase()
    with tf.Graph().as_default(), case.cached_session():
        case.assertAllEqual(tf.constant(["a", "h\u00e9"]), ["a", "h\u00e9"])
        with pytest.raises(AssertionError):
            case.assertAllEqual(tf.constant(["a", "b"]), ["a", "c"])
