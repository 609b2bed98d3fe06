"""``tf.contrib.opt.AGNOptimizer``: the numbers and names are those of TensorFlow 1.15."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.contrib.opt.python.training import agn_optimizer

import steepest.v1 as tf


def _model(period: int):
    getter = tf.contrib.opt.AGNCustomGetter(worker_device="/cpu:0")
    with tf.variable_scope("", custom_getter=getter):
        step = tf.train.get_or_create_global_step()
        v = tf.get_variable("v", initializer=[0.0, 1.0])
    with tf.variable_scope("", custom_getter=getter, partitioner=tf.fixed_size_partitioner(2)):
        parts = list(tf.get_variable("p", shape=[2, 3], initializer=tf.zeros_initializer()))
    adam = tf.train.AdamOptimizer(0.1, beta1=0.0, beta2=0.0)
    optimizer = agn_optimizer.AGNOptimizer(adam, num_worker=1, communication_period=period, custom_getter=getter)
    gradient = tf.placeholder(tf.float32, [2])
    pairs = [(gradient, v), (None, step), *((tf.constant([[-1.0, -2.0, -3.0]]), part) for part in parts)]
    return getter, optimizer, gradient, v, parts, step, optimizer.apply_gradients(pairs, step)


def test_a_period_ends_with_one_step_of_the_shared_variables():
    with tf.Graph().as_default():
        getter, optimizer, gradient, v, parts, step, train = _model(3)
        center, summed = getter._global_map[v], getter._grad_map[v]
        seen = []
        with tf.train.MonitoredTrainingSession(hooks=[optimizer.make_session_run_hook(True, 0)]) as session:
            for k in range(6):
                session.run(train, {gradient: [k, -k]})
                seen.append([x.tolist() for x in session.run([center, summed, step])])
                mine = session.run([v, *parts])
        assert [each[1] for each in seen] == [[0.0, 0.0], [1.0, -1.0], [0.0, 0.0], [3.0, -3.0], [7.0, -7.0], [0.0, 0.0]]
        assert [each[2] for each in seen] == [0, 0, 1, 1, 1, 2]
        np.testing.assert_allclose([each[0] for each in seen[::3]], [[0.0, 1.0], [-0.1, 1.1]], rtol=1e-6)
        np.testing.assert_allclose(mine[0], [-0.2, 1.2], rtol=1e-6)  # what the shared one is at a period's end
        np.testing.assert_allclose(mine[1:], np.full([2, 1, 3], 0.2), rtol=1e-6)


def test_slots_of_local_variables_are_local():
    with tf.Graph().as_default():
        _, optimizer, *_ = _model(2)
        shared = {each.op.name for each in tf.global_variables()}
        assert {name for name in shared if "center" not in name} == {"global_step"}
        assert {"global_center_variable/v/Adam", "global_center_variable/p/part_1/Adam_1"} < shared
        local = {each.op.name for each in tf.local_variables()}
        assert {"v/Adam", "beta1_power", "local_step", "grad_variable/p/part_0"} < local
        assert [each.op.name for each in tf.trainable_variables()] == ["v", "p/part_0", "p/part_1"]
        with tf.Graph().as_default(), pytest.raises(ValueError, match="should not be empty"):
            optimizer.get_init_op(0)


def test_shared_variables_are_on_the_parameter_servers():
    cluster = tf.train.ClusterSpec({"ps": ["a:1", "b:1"], "worker": ["c:1"]})
    getter = agn_optimizer.AGNCustomGetter("/job:worker/task:0")
    place = tf.train.replica_device_setter(cluster=cluster, worker_device="/job:worker/task:0", ps_device="/job:ps")
    with tf.Graph().as_default(), tf.device(place), tf.variable_scope("", custom_getter=getter):
        variables = [tf.get_variable(name, initializer=[1, 2]) for name in "vw"]
        assert [each.device for each in variables] == ["/job:worker/task:0"] * 2
        assert [getter._global_map[each].device for each in variables] == ["/job:ps/task:0", "/job:ps/task:1"]
