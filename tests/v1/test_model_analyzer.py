"""`tf.contrib.slim.model_analyzer`: sizes of variables and of the results of operations."""

import numpy as np
import pytest

import steepest.v1 as tf


def test_sizes_are_counted_and_printed(capsys: pytest.CaptureFixture[str]) -> None:
    analyzer = tf.contrib.slim.model_analyzer
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        row = tf.constant(np.zeros((2, 5)), name="row")
        variables = [
            tf.get_variable("w", [3, 4], initializer=tf.zeros_initializer()),
            tf.get_variable("n", initializer=1, dtype=tf.int32),
        ]
        assert analyzer.analyze_vars(variables) == (13, 52)
        assert capsys.readouterr().out == ""
        analyzer.analyze_vars(variables, print_info=True)
        lines = capsys.readouterr().out.splitlines()
        assert lines[1] == "Variables: name (type shape) [size]"
        assert lines[3:5] == ["w:0 (float32_ref 3x4) [12, bytes: 48]", "n:0 (int32_ref ) [1, bytes: 4]"]
        assert lines[5:] == ["Total size of variables: 13", "Total bytes of variables: 52"]
        assert [analyzer.tensor_description(each) for each in (x, row)] == ["(float32 ?x3)", "(float64 2x5)"]
        total = analyzer.analyze_ops(graph, print_info=True)
        shown = capsys.readouterr().out.splitlines()
    assert "row \t-> (float64 2x5) [10]" in shown
    assert "x \t-> (float32 ?x3) [0]" in shown
    assert total >= 10
    assert all(line.endswith("]") for line in shown[3:])
    assert sum(int(line.rpartition("[")[2][:-1]) for line in shown[3:]) == total
