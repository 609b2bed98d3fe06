"""`SyncReplicasOptimizer` in one process: some gradients make a step, and those that come too late are left out."""

from __future__ import annotations

import time

import pytest

import steepest.v1 as tf


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default():
        yield


def begun(needed, replicas, num_tokens=-1):
    """Return a session whose queue runner takes steps, and what a replica runs."""
    step = tf.train.get_or_create_global_step()
    scale = tf.placeholder(tf.float32)
    v, w = tf.Variable(10.0, name="v"), tf.Variable([1.0, 2.0, 3.0], name="w")
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(1.0), needed, replicas)
    hook = optimizer.make_session_run_hook(True, num_tokens)
    with pytest.raises(ValueError, match="apply_gradient should be called before using the hook"):
        hook.begin()
    train = optimizer.minimize(v * scale + tf.reduce_sum(tf.gather(w, [0, 0, 1])) * scale, global_step=step)
    hook.begin()
    session, coordinator = tf.Session(), tf.train.Coordinator()
    session.run(tf.global_variables_initializer())
    hook.after_create_session(session, coordinator)
    return session, train, scale, (v, w, step)


def wait_for(holds):
    """Wait for the queue runner, which is another thread."""
    for _ in range(4000):
        if holds():
            return
        time.sleep(0.005)


def values(session, variables, step):
    """Return the variables once the queue runner has taken a number of steps."""
    wait_for(lambda: session.run(variables[-1]) == step)
    return [each.tolist() for each in session.run(variables)]


def test_the_mean_of_several_runs_is_a_step_and_late_gradients_are_left_out():
    session, train, scale, variables = begun(2, 1)
    with session:
        session.run(train, {scale: 1.0})
        assert session.run(variables[2]) == 0  # one gradient is not enough
        session.run(train, {scale: 3.0})
        assert values(session, variables, 1) == [8, [-3, 0, 3], 1]
        session.run(train, {scale: 100.0})  # its token is of step 0
        for factor in (1.0, 1.0):
            session.run(train, {scale: factor})
        assert values(session, variables, 2) == [7, [-5, -1, 3], 2]


def test_there_must_be_tokens_for_the_first_step():
    with pytest.raises(ValueError, match=r"Too few tokens to finish the first step: 1 \(given\) vs 3 \(needed\)"):
        begun(4, 1, num_tokens=1)


def test_averages_move_after_each_step():
    v, step = tf.Variable(8.0), tf.train.get_or_create_global_step()
    average = tf.train.ExponentialMovingAverage(0.5)
    inside = tf.train.GradientDescentOptimizer(2.0)
    optimizer = tf.train.SyncReplicasOptimizer(inside, 1, 2, variable_averages=average, variables_to_average=[v])
    train = optimizer.minimize(v * 1.0, global_step=step)
    first, runner = optimizer.get_init_tokens_op(), optimizer.get_chief_queue_runner()
    coordinator = tf.train.Coordinator()
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        session.run(first)
        runner.create_threads(session, coordinator, start=True, daemon=True)
        session.run(train)
        assert values(session, (v, step), 1) == [6, 1]
        moved = average.average(v)
        wait_for(lambda: session.run(moved) == 7)
        assert session.run(moved) == 7


def test_a_global_step_is_needed_and_parts_are_there_later():
    v = tf.Variable(1.0)
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(1.0), 2, 1)
    for ask in (optimizer.get_chief_queue_runner, optimizer.get_init_tokens_op):
        with pytest.raises(ValueError, match="hould be called after apply_gradients"):
            ask()
    with pytest.raises(ValueError, match="Global step is required to check staleness"):
        optimizer.minimize(v * 2.0)
    optimizer.minimize(v * 2.0, global_step=tf.train.get_or_create_global_step())
    assert isinstance(optimizer.get_chief_queue_runner(), tf.train.QueueRunner)
    assert optimizer.get_init_tokens_op(1).type == "QueueEnqueueManyV2"
