"""``tf.profiler`` counts what TensorFlow 1.15 counts: parameters of variables, operations of the way forward."""

from __future__ import annotations

from pathlib import Path

import pytest

import steepest.v1 as tf

Builder = tf.profiler.ProfileOptionBuilder
# What TensorFlow 1.15 reports of this program, gradients, optimizers and initial values left out.
TREE = """\
_TFProfRoot (--/160 params)
  net (--/160 params)
    net/b (16, 16/16 params)
    net/out (--/16 params)
      net/out/w2 (16x1, 16/16 params)
    net/w (8x16, 128/128 params)
"""
OPERATIONS = """\
_TFProfRoot (--/1.22k flops)
  net/MatMul (1.02k/1.02k flops)
  net/out/MatMul (128/128 flops)
  net/add (64/64 flops)
  Square (4/4 flops)
  Mean (4/4 flops)
"""


@pytest.fixture(autouse=True)
def graph() -> None:
    x = tf.placeholder(tf.float32, [4, 8], name="x")
    with tf.variable_scope("net"):
        w, b = tf.get_variable("w", [8, 16]), tf.get_variable("b", [16])
        h = tf.nn.relu(tf.matmul(x, w) + b)
        with tf.variable_scope("out"):
            y = tf.matmul(h, tf.get_variable("w2", [16, 1]))
    tf.train.AdamOptimizer().minimize(tf.reduce_mean(tf.square(y)))


def test_parameters_are_those_of_trainable_variables(capsys: pytest.CaptureFixture[str]):
    found = tf.profiler.profile(tf.get_default_graph())
    assert (found.name, found.total_parameters, found.parameters) == ("_TFProfRoot", 160, 0)
    assert [child.name for child in found.children] == ["net"]
    assert TREE in capsys.readouterr().out


def test_operations_are_those_of_the_way_forward(capsys: pytest.CaptureFixture[str]):
    found = tf.profiler.profile(options=Builder.float_operation())
    assert found.total_float_ops == 2 * 4 * 8 * 16 + 4 * 16 + 2 * 4 * 16 + 4 + 4
    assert OPERATIONS in capsys.readouterr().out


def test_options_choose_what_is_counted_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    report = tmp_path / "report.txt"
    options = Builder(Builder.trainable_variables_parameter()).with_min_parameters(17).with_file_output(str(report))
    found = tf.profiler.profile(options=options.build())
    assert found.total_parameters == 128  # what is not shown is not counted
    assert report.read_text().count("net/w (8x16, 128/128 params)") == 1
    hidden = Builder().with_node_names(hide_name_regexes=["net/out.*"]).with_empty_output().build()
    assert (
        tf.profiler.profile(options=hidden).total_parameters == 3 * (160 - 16) + 2
    )  # with the slots and powers of Adam
    assert not capsys.readouterr().out


def test_what_is_not_measured_is_refused():
    with pytest.raises(ValueError, match="cmd must be 'scope', got 'op'"):
        tf.profiler.profile(cmd="op")
    with pytest.raises(ValueError, match=r"select must have 'params' or 'float_ops', got \['micros'\]"):
        tf.profiler.profile(options=Builder().select(["micros"]).build())


def test_a_profiler_counts_its_graph_by_name_scopes(capsys: pytest.CaptureFixture[str]):
    profiler = tf.profiler.Profiler(tf.get_default_graph())
    profiler.add_step(0, tf.RunMetadata())
    with tf.Graph().as_default():
        assert profiler.profile_name_scope(Builder.trainable_variables_parameter()).total_parameters == 160
    assert TREE in capsys.readouterr().out
