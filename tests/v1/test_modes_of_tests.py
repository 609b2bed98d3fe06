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
    assert modes == [(True, 0), (False, 0)]
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
