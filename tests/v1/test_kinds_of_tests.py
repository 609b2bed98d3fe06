"""Tests that are run where TensorFlow 2's behaviour is switched on, or once for each of several arguments."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from steepest.v1.python.framework import test_util


def test_tests_of_the_second_version_run_where_it_is_asked_for(tmp_path: Any):
    program = tmp_path / "cases.py"
    program.write_text(
        """
import tensorflow as tf
from tensorflow.python import tf2
from tensorflow.python.framework import test_util

assert not tf2.enabled()
tf.compat.v1.enable_v2_behavior()
assert tf2.enabled()

@test_util.run_v1_only("not yet")
class Before(tf.test.TestCase):
    def test_never(self):
        raise AssertionError

class Case(tf.test.TestCase):
    @test_util.run_v1_only("not yet")
    def test_not_at_first(self):
        raise AssertionError

    @test_util.run_v2_only
    def test_once(self):
        assert tf.executing_eagerly()
        tf.compat.v1.disable_v2_behavior()

    @test_util.run_v2_only
    def test_then_never(self):
        raise AssertionError

    @test_util.run_v1_only("not yet")
    def test_wholly_at_last(self):
        assert not tf.executing_eagerly()

tf.test.main()
"""
    )
    done = subprocess.run([sys.executable, "-m", "steepest", "tf1", str(program)], text=True, capture_output=True)
    assert "OK (skipped=5)" in done.stderr, done.stderr  # test_session of both classes is skipped too


def test_combinations_have_names():
    found = test_util.generate_combinations_with_testcase_name(a=[1, 2], b=["x"])
    assert [case["testcase_name"] for case in found] == ["_test_a_1_b_x", "_test_a_2_b_x"]
