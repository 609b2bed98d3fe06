"""Graphs trained by several ranks: Horovod's and TensorFlow's names, the bits of one rank's sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from thread_comm import on_ranks

import steepest.v1 as tf
import steepest.v1.contrib.mpi as hvd
from steepest.mpi import RankError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(4, 8, 3)).astype(np.float32)
IDS = RNG.integers(0, 10, (4, 8))
FIRST = RNG.normal(size=(3, 2)).astype(np.float32)
ROWS = RNG.normal(size=(10, 2)).astype(np.float32)


def trained(comm: Any, make: Any) -> list[bytes]:
    """Train a dense and a sparse variable on this rank's quarter of the examples."""
    with tf.Graph().as_default(), tf.Session() as session:
        x, ids = tf.placeholder(tf.float32, (None, 3)), tf.placeholder(tf.int32, (None,))
        start = 1.0 if comm.Get_rank() == 0 else 7.0  # before the broadcast ranks differ
        w = tf.get_variable("w", initializer=FIRST * np.float32(start))
        table = tf.get_variable("table", initializer=ROWS * np.float32(start))
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - tf.gather(table, ids)))
        step = tf.train.get_or_create_global_step()
        train = make(comm).minimize(loss, global_step=step)
        same = hvd.broadcast_global_variables(0, comm)
        session.run(tf.global_variables_initializer())
        session.run(same)
        for _ in range(3):
            session.run(train, {x: X[comm.Get_rank()], ids: IDS[comm.Get_rank()]})
        return [value.tobytes() for value in session.run([w, table, step])]


MAKERS = {
    "horovod": lambda comm: hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.1), comm=comm),
    "replicas": lambda comm: tf.train.SyncReplicasOptimizer(
        tf.train.GradientDescentOptimizer(0.1), comm.Get_size(), comm.Get_size(), comm=comm
    ),
}


@pytest.mark.parametrize("name", MAKERS)
def test_all_ranks_have_the_same_variables_and_they_are_those_of_the_mean(name):
    for ranks in (1, 2, 4):
        found = on_ranks(ranks, lambda comm: trained(comm, MAKERS[name]))
        assert all(each == found[0] for each in found)

        def by_hand(comm: Any) -> Any:
            import steepest as st
            from steepest.mpi import DistributedOptimizer

            w, table = FIRST.copy(), ROWS.copy()
            opt = DistributedOptimizer(st.GradientDescentOptimizer(0.1), comm)
            r = comm.Get_rank()
            for _ in range(3):
                with st.GradientTape() as tape:
                    a, b = st.Variable(w), st.Variable(table)
                    loss = np.mean(np.square(np.matmul(X[r], a) - st.gather(b, IDS[r])))
                dw, dt = tape.gradient(loss, [a, b])
                opt.apply_gradients([(dw, w), (dt, table)])
            return [w, table]

        for mine, theirs in zip(found[0], on_ranks(ranks, by_hand)[0], strict=False):
            values = np.frombuffer(mine, np.float32).reshape(theirs.shape)
            np.testing.assert_allclose(values, theirs, rtol=1e-6, atol=1e-7)


def test_monitored_sessions_begin_with_the_variables_of_the_first_rank():
    def program(comm: Any) -> list[float]:
        with tf.Graph().as_default():
            w = tf.get_variable("w", initializer=np.float32(comm.Get_rank() + 1))
            opt = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.5), comm.Get_size(), comm=comm)
            train = opt.minimize(w * np.float32(2 + comm.Get_rank()))
            with tf.train.MonitoredSession(hooks=[opt.make_session_run_hook(comm.Get_rank() == 0)]) as session:
                first = session.run(w)
                session.run(train)
                return [float(first), float(session.run(w))]

    assert on_ranks(2, program) == [[1.0, -0.25]] * 2  # the mean of 2 and 3


def test_gradients_of_each_replica_are_its_own_until_they_are_applied():
    def program(comm: Any) -> list[float]:
        with tf.Graph().as_default(), tf.Session() as session:
            w = tf.get_variable("w", initializer=np.float32(0.0))
            opt = tf.train.SyncReplicasOptimizer(tf.train.AdamOptimizer(), comm.Get_size(), comm=comm)
            hook = opt.make_session_run_hook(False)
            with pytest.raises(ValueError, match="apply_gradient should be called"):
                hook.begin()
            ((gradient, _),) = opt.compute_gradients(w * np.float32(2 + comm.Get_rank()))
            train = opt.apply_gradients([(tf.clip_by_value(gradient, -2.0, 2.5), w)])  # clipped before the mean
            assert set(opt._opt._get_beta_accumulators()) <= set(opt.variables())
            session.run(tf.global_variables_initializer())
            found = session.run(gradient)
            session.run(train)
            return [float(found), float(session.run(opt.get_slot(w, "m")))]

    first, second = on_ranks(2, program)
    assert (first[0], second[0]) == (2.0, 3.0)
    assert first[1] == second[1] == pytest.approx(0.225)


def test_ranks_and_tensors_of_all():
    def program(comm: Any) -> Any:
        hvd.init(comm)
        with tf.Graph().as_default(), tf.Session() as session:
            value = tf.constant(np.full(2, comm.Get_rank() + 1.0, np.float32))
            nodes = [hvd.allreduce(value, comm=comm), hvd.allreduce(value, False, comm), hvd.allgather(value, comm)]
            found = [session.run(node).tolist() for node in nodes]
        return hvd.rank(comm), hvd.size(comm), found

    expected = [[1.5, 1.5], [3.0, 3.0], [1.0, 1.0, 2.0, 2.0]]
    assert on_ranks(2, program) == [(0, 2, expected), (1, 2, expected)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"replicas_to_aggregate": 2}, "replicas_to_aggregate must be the number of ranks, 1, got 2"),
        ({"replicas_to_aggregate": 1, "total_num_replicas": 3}, "total_num_replicas must be the number of ranks, 1"),
        ({"replicas_to_aggregate": 1, "variable_averages": 1}, "variable_averages must be None, got 1"),
    ],
)
def test_arguments(arguments, message):
    def program(comm: Any) -> None:
        with pytest.raises(ValueError, match=message):
            tf.train.SyncReplicasOptimizer(tf.train.AdamOptimizer(), **arguments, comm=comm)
        with pytest.raises(TypeError, match="opt must be an optimizer, got 3"):
            hvd.DistributedOptimizer(3, comm=comm)

    on_ranks(1, program)


def test_another_rank_raises():
    def program(comm: Any) -> str:
        with tf.Graph().as_default(), tf.Session() as session:
            value = hvd.allreduce(tf.constant(1.0), comm=comm)
            try:
                if comm.Get_rank():
                    from steepest.mpi import together

                    with together(comm):
                        raise ZeroDivisionError("here")
                session.run(value)
            except (ZeroDivisionError, RankError, tf.errors.OpError) as error:
                return f"{type(error).__name__}: {error}"
        return "nothing"

    first, second = on_ranks(2, program)
    assert second == "ZeroDivisionError: here"
    assert "rank 1 has raised" in first
