"""``tf.contrib.framework``: keys of scopes, variables in collections and on devices, values from checkpoints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.testing.test_modes import eager_mode

framework = tf.contrib.framework


def test_scopes_have_texts_as_keys():
    def plain(a, b=1):
        return a, b

    layer = framework.add_arg_scope(plain)
    key = framework.arg_scope_func_key(layer)
    assert key == str(plain)
    assert framework.has_arg_scope(plain)
    assert framework.has_arg_scope(layer)
    with framework.arg_scope([layer], b=2) as scope:
        assert scope == framework.current_arg_scope() == {key: {"b": 2}}
        assert layer(0) == (0, 2)
    with framework.arg_scope({key: {"b": 3}}):
        assert layer(0) == (0, 3)
    assert framework.arg_scoped_arguments(layer) == ("b",)


def test_variables_take_one_collection_a_type_and_parts():
    one = framework.variable("one", [], collections="mine")
    assert tf.get_collection("mine") == [one]
    assert tf.global_variables() == []
    assert framework.variable("two", initializer=tf.constant(3)).dtype.base_dtype == tf.int32
    parts = framework.variable("parts", [4, 2], partitioner=tf.fixed_size_partitioner(2))
    assert [framework.get_variable_full_name(v) for v in (one, *parts)] == ["one", "parts", "parts"]
    model = framework.model_variable("model", [4, 2], partitioner=tf.fixed_size_partitioner(2))
    assert framework.get_model_variables() == list(model)
    kept = framework.global_variable(np.float32(1))
    assert kept in tf.global_variables()
    assert kept not in tf.trainable_variables()


def test_devices_of_variables_in_turn():
    with framework.arg_scope([framework.variable], device=framework.VariableDeviceChooser(num_tasks=2, replica=3)):
        places = [framework.variable(f"v{k}", []).device for k in range(3)]
    assert places == [f"/job:ps/replica:3/task:{k}/device:CPU:0" for k in (0, 1, 0)]
    assert framework.variable("v", [], device="/gpu:1").device == "/device:GPU:1"
    choose = framework.VariableDeviceChooser(device_type="GPU", device_index=2)
    assert choose(None) == choose(None) == "/device:GPU:2"


def test_graphs_of_inputs_and_names_of_scopes():
    graph = tf.Graph()
    with graph.as_default(), tf.name_scope("a"), tf.name_scope("b"):
        assert framework.get_name_scope() == "a/b"
        inner = tf.constant(1.0)
    assert framework.get_graph_from_inputs([inner]) is graph
    assert framework.get_graph_from_inputs([]) is tf.get_default_graph()
    with pytest.raises(ValueError, match="must be from the same graph"):
        framework.get_graph_from_inputs([inner, tf.constant(1.0)])


@pytest.fixture
def saved(tmp_path: Path) -> str:
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("a", initializer=np.arange(6, dtype=np.float32).reshape(2, 3))
        tf.get_variable("b", initializer=np.float32(7))
        session.run(tf.global_variables_initializer())
        return tf.train.Saver().save(session, str(tmp_path / "model"))


def test_values_from_checkpoints(saved: str):
    whole = tf.get_variable("a", [2, 3])
    parts = tf.get_variable("parts", [2, 3], partitioner=tf.fixed_size_partitioner(2, axis=0))
    more = tf.get_variable("more", [])
    with tf.Session() as session:
        session.run(*framework.assign_from_checkpoint(saved, [whole]))
        session.run(*framework.assign_from_checkpoint(saved, {"a": list(parts), "b": more}))
        want = np.arange(6).reshape(2, 3)
        np.testing.assert_array_equal(session.run(whole), want)
        np.testing.assert_array_equal(np.concatenate(session.run(list(parts))), want)
        assert session.run(more) == 7
    with pytest.raises(ValueError, match=r"Checkpoint is missing variable \[more\]"):
        framework.assign_from_checkpoint(saved, [more])
    assert framework.assign_from_checkpoint(saved, [more], ignore_missing_vars=True)[1] == {}
    with pytest.raises(ValueError, match="Total size of new array must be unchanged for a"):
        framework.assign_from_checkpoint(saved, {"a": more})


def test_restoring_in_another_shape_and_nothing(saved: str):
    long = tf.get_variable("long", [6])
    with tf.Session() as session:
        framework.assign_from_checkpoint_fn(saved, {"a": long}, reshape_variables=True)(session)
        np.testing.assert_array_equal(session.run(long), np.arange(6))
    assert framework.assign_from_checkpoint_fn(saved, [long], ignore_missing_vars=True) is None
    with pytest.raises(ValueError, match="var_list cannot be empty"):
        framework.assign_from_checkpoint_fn(saved, [])


def test_variables_that_begin_with_zeros():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable([1, 2])
        begin = tf.contrib.framework.zero_initializer(v)
        assert session.run(begin).tolist() == [0, 0]
        with pytest.raises(tf.errors.InvalidArgumentError, match="input is already initialized"):
            session.run(begin)


def test_sessions_of_tests_put_nodes_on_the_cpu_and_run_eager_tensors():
    case = tf.test.TestCase("assertEqual")
    with tf.Graph().as_default() as graph:
        with case.session(graph):
            assert tf.no_op().device == "/device:CPU:0"
        with case.session(graph, use_gpu=True):
            assert not tf.no_op().device
    with eager_mode(), case.cached_session() as session:
        assert session.run([tf.constant(1.0), {"a": tf.constant(2)}]) == [1.0, {"a": 2}]
        with pytest.raises(ValueError, match="nothing to feed"):
            session.run(tf.constant(1.0), {"x": 1.0})
