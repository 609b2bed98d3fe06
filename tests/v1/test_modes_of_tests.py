"""Decorators that make two tests of one: in a graph and in a function, with and without control flow of functions."""

from __future__ import annotations

import pytest
from steepest.v1.python.framework import test_util

import steepest.v1 as tf
from steepest.v1.testing import test_modes


def test_a_test_is_built_as_a_function_and_in_a_graph(monkeypatch):
    parameterized = pytest.importorskip("absl.testing.parameterized")
    modes = []

    class Both(parameterized.TestCase):
        @test_util.build_as_function_and_v1_graph
        def test_mode(self):
            modes.append((tf.executing_eagerly(), tf.constant(1.0).shape.ndims))

    names = sorted(name for name in dir(Both) if name.startswith("test_mode"))
    for name in names:
        getattr(Both(name), name)()
    assert names == ["test_mode_function", "test_mode_v1_graph"]
    assert modes == [(False, 0), (False, 0)]  # the body of a function is a graph
    with pytest.raises(ValueError, match="only supports test methods"):
        test_util.build_as_function_and_v1_graph(Both)
    monkeypatch.setattr(test_modes, "absl_module", lambda name: None)
    with pytest.raises(RuntimeError, match="absl-py must be installed"):
        test_util.build_as_function_and_v1_graph(lambda: None)


def test_tests_of_control_flow_come_twice():
    @test_util.with_control_flow_v2
    class Twice(tf.test.TestCase):
        def test_loop(self):
            return 7

        @test_util.disable_control_flow_v2("once")
        def test_once(self):
            return 8

    assert [name for name in dir(Twice) if name.startswith(("test_loop", "test_once"))] == [
        "test_loop",
        "test_loopWithControlFlowV2",
        "test_once",
    ]


def test_a_test_that_skips_graphs_runs_in_eager_mode():
    modes = []

    class Skips(tf.test.TestCase):
        @test_util.run_in_graph_and_eager_modes
        def test_mode(self):
            if not tf.executing_eagerly():
                self.skipTest("of eager mode")
            modes.append("eager")

    Skips("test_mode").debug()
    assert modes == ["eager"]


def case():
    return type("Case", (tf.test.TestCase,), {"test_it": lambda self: None})("test_it")


def test_a_test_of_eager_mode_draws_the_same_numbers_after_each_set_up():
    one = case()
    with test_modes.eager_mode():
        one.setUp()
        first = tf.random_normal([3]).numpy().tolist()
        one.setUp()
        assert tf.random_normal([3]).numpy().tolist() == first


def test_the_session_of_a_test_is_of_one_graph():
    one = case()
    one.setUp()
    with one.cached_session() as session, one.cached_session() as again:
        assert again is session
        for given in ({"graph": tf.Graph()}, {"config": tf.ConfigProto()}, {"force_gpu": True}):
            with (
                pytest.raises(ValueError, match="used to get the cached session is different"),
                one.cached_session(**given),
            ):
                pass
    one.tearDown()


def test_errors_of_operations_name_those_they_were_made_for():
    first = tf.constant(1.0, name="first")
    with tf.get_default_graph()._original_op(first.op):
        second = tf.constant(2.0, name="second")
    with case().assertRaisesOpError("first"):
        raise tf.errors.UnauthenticatedError(None, second.op, "why")


def test_values_of_sparse_tensors_and_slices_hold_arrays_in_eager_mode():
    with test_modes.eager_mode():
        sparse, slices = (
            tf.SparseTensor([[0, 1]], [2.0], [2, 2]),
            tf.IndexedSlices(tf.constant([3.0]), tf.constant([0])),
        )
        found = case().evaluate({"sparse": sparse, "slices": slices})
    assert isinstance(found["sparse"], tf.SparseTensorValue)
    assert [part.tolist() for part in found["sparse"]] == [[[0, 1]], [2.0], [2, 2]]
    assert (found["slices"].values.tolist(), found["slices"].dense_shape) == ([3.0], None)


def test_a_session_is_shared_by_tensors_evaluated_before():
    one = case()
    one.setUp()
    assert one.evaluate(tf.constant(3)) == 3
    with one.cached_session() as session:
        assert session.run(tf.constant(4)) == 4
    one.tearDown()


def test_names_say_which_tests_stay_in_graphs_and_inherited_ones_do_not():
    modes = []

    class Above(tf.test.TestCase):
        def test_mode(self):
            modes.append(tf.executing_eagerly())

    @test_util.run_all_in_graph_and_eager_modes
    class Below(Above):
        def testSkipEagerMode(self):
            modes.append(tf.executing_eagerly())

    Below("test_mode").debug()
    Below("testSkipEagerMode").debug()
    assert sorted(modes[:2]) == [False, True]
    assert modes[2:] == [False]
