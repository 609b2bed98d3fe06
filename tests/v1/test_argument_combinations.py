"""``framework.combinations``: tests of every combination of arguments, in the modes that these name."""

from __future__ import annotations

import unittest

import numpy as np
import pytest
from steepest.v1.python.framework import combinations, test_combinations

import steepest.v1 as tf


def test_combinations_are_products_in_the_order_of_their_keys():
    combined = combinations.combine(b=[1, 2], a="x")
    assert [dict(each) for each in combined] == [{"a": "x", "b": 1}, {"a": "x", "b": 2}]
    assert list(combined[0]) == ["a", "b"]
    both = combinations.times(combined, combinations.combine(c=[3, 4]))
    assert [list(each.values()) for each in both] == [["x", 1, 3], ["x", 1, 4], ["x", 2, 3], ["x", 2, 4]]
    with pytest.raises(ValueError, match="Keys need to not overlap"):
        combinations.times(combined, combinations.combine(a=1))


def test_tests_of_a_class_run_in_the_modes_that_are_named():
    seen = []

    @combinations.generate(combinations.combine(mode=["graph", "eager"], width=[2, np.int32]))
    class Modes(unittest.TestCase):
        def testMode(self, mode, width):
            seen.append((mode, tf.executing_eagerly(), width))

        def helper(self):
            raise AssertionError

    names = unittest.defaultTestLoader.getTestCaseNames(Modes)
    ends = ["eager_width_2", "eager_width_int32", "graph_width_2", "graph_width_int32"]
    assert names == [f"testMode_test_mode_{end}" for end in ends]
    for name in names:
        assert Modes(name).run().wasSuccessful()
    assert seen == [(m, m == "eager", w) for m in ("eager", "graph") for w in (2, np.int32)]


def test_what_tests_do_not_take_is_told():
    @combinations.generate(combinations.combine(mode="graph", wide=True, tf_api_version=[1, 2]))
    class Narrow(unittest.TestCase):
        def testNone(self):
            raise AssertionError

    first, second = (Narrow(name).run() for name in unittest.defaultTestLoader.getTestCaseNames(Narrow))
    assert "The test does not take parameters that were passed : {'wide'}" in first.errors[0][1]
    assert "Skipping a TF2 test" in second.skipped[0][1]


def test_a_program_says_which_arguments_a_test_gets():
    class Positive(test_combinations.ParameterModifier):
        def modified_arguments(self, kwargs, requested_parameters):
            return {name: max(value, 0) for name, value in kwargs.items()}

    class Clipped(test_combinations.TestCombination):
        def parameter_modifiers(self):
            return [Positive()]

    seen = []

    @test_combinations.generate(test_combinations.combine(a=[-1, 2]), test_combinations=[Clipped()])
    class Signs(unittest.TestCase):
        def testSign(self, a):
            seen.append(a)

    for name in unittest.defaultTestLoader.getTestCaseNames(Signs):
        assert Signs(name).run().wasSuccessful()
    assert sorted(seen) == [0, 2]


def test_two_tensors_are_compared_in_one_run():
    class Drawn(tf.test.TestCase):
        def runTest(self):
            with tf.Graph().as_default():
                drawn = tf.random_uniform([20])
                self.assertAllEqual(drawn, drawn)
                self.assertAllClose(drawn, drawn)
                self.assertShapeEqual(np.ones(20), drawn)
                self.assertShapeEqual(drawn, drawn)
                dicts = self.assertDictEqual
                dicts({"a": np.ones(2)}, {"a": tf.constant([1.0, 1.0], tf.float64)})
                with pytest.raises(AssertionError):
                    dicts({"a": np.ones(2)}, {"a": np.zeros(2)})
                with pytest.raises(AssertionError):
                    self.assertShapeEqual(drawn, np.ones(3))

    result = Drawn().run()
    assert result.wasSuccessful(), result.failures + result.errors
