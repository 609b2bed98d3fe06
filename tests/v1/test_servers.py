"""``tf.train.Server`` in one process: what sessions on servers share, and what they wait for."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.graph import session_targets


def test_sessions_of_a_server_share_variables_by_name() -> None:
    server = tf.train.Server.create_local_server()
    assert server.target.startswith("grpc://localhost:")
    assert (server.server_def.job_name, server.server_def.task_index) == ("local", 0)
    with tf.Graph().as_default():
        v = tf.Variable(1.0, name="v")
        grow = v.assign_add(1.0)
        first, second = tf.Session(server.target), tf.Session(server.target)
        first.run(v.initializer)
        assert (second.run(grow), first.run(v)) == (2.0, 2.0)
        first.close()
        assert second.run(v) == 2.0
        assert tf.Session(server.target).run(tf.report_uninitialized_variables()).size == 0
        with pytest.raises(tf.errors.FailedPreconditionError):
            tf.Session().run(v)
        queue = tf.FIFOQueue(2, tf.float32)
        second.run(queue.enqueue(1.0))
        assert [second.run(queue.size()), tf.Session(server.target).run(queue.size())] == [1, 0]
    with tf.Graph().as_default(), tf.Session(server.target) as other:
        assert other.run(tf.Variable(7.0, name="v")) == 2.0
    tf.Session.reset(server.target)
    with pytest.raises(tf.errors.FailedPreconditionError):
        second.run(v)


def test_workers_of_threads_train_one_model() -> None:
    cluster = tf.train.ClusterSpec({"ps": ["localhost:50101"], "worker": ["localhost:50102", "localhost:50103"]})
    start, found, steps = threading.Barrier(2), [], 10

    def work(index: int) -> None:
        server = tf.train.Server(cluster, job_name="worker", task_index=index)
        with tf.Graph().as_default():
            with tf.device(tf.train.replica_device_setter(cluster=cluster, worker_device=f"/job:worker/task:{index}")):
                w = tf.get_variable("w", initializer=np.zeros(2, np.float32))
                step = tf.train.get_or_create_global_step()
                train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(tf.square(w - 3.0)), step)
            with tf.train.MonitoredTrainingSession(master=server.target, is_chief=index == 0) as session:
                start.wait()
                for _ in range(steps):
                    session.run(train)
                start.wait()
                found.append(session.run([step, w]))

    workers = [threading.Thread(target=work, args=(index,)) for index in range(2)]
    for worker in workers:
        worker.start()
    tf.train.Server(cluster, job_name="ps", task_index=0)  # the workers' sessions wait for it
    for worker in workers:
        worker.join()
    for count, value in found:
        assert count == 2 * steps
        np.testing.assert_allclose(value, 3 * (1 - 0.8 ** (2 * steps)), rtol=1e-4)
    assert len(found) == 2


def test_a_task_without_a_server_here_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_targets, "PATIENCE", 0.01)
    server = tf.train.Server({"ps": ["localhost:50111"], "worker": ["localhost:50112"]}, "worker", 0)
    assert server.target == "grpc://localhost:50112"
    for session in (tf.Session, tf.train.MonitoredTrainingSession):  # the latter waits for a server that is unavailable
        words = r"/job:ps/replica:0/task:0.*steepest.mpi"
        with tf.Graph().as_default(), pytest.raises(tf.errors.UnimplementedError, match=words):
            session(server.target)


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        (({"a": ["x:1", "y:2"]},), ValueError, "Must specify an explicit `task_index`."),
        (({"a": ["x:1"], "b": ["y:2"]},), ValueError, "Must specify an explicit `job_name`."),
        (({"a": ["x:1"]}, "c", 0), tf.errors.InternalError, 'Job "c" was not defined in cluster'),
        (({"a": ["x:1"]}, "a", 3), tf.errors.InvalidArgumentError, 'Task 3 was not defined in job "a"'),
        ((3,), TypeError, "Could not convert `server_or_cluster_def`"),
        (({"a": ["x:1"]}, None, None, "mpi"), tf.errors.NotFoundError, "No server factory registered"),
    ],
)
def test_tasks_that_are_none_are_refused(arguments: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        tf.train.Server(*arguments)


def test_a_definition_names_the_task() -> None:
    made = tf.train.ServerDef({"a": ["localhost:50121", "localhost:50122"]}, job_name="a", task_index=1)
    server = tf.train.Server(made, start=False)
    assert (server.target, server.server_def.task_index) == ("grpc://localhost:50122", 1)


def test_a_local_cluster_is_made_of_servers_in_this_process():
    workers, parameters = tf.test.create_local_cluster(num_workers=2, num_ps=1)
    assert (len(workers), len(parameters)) == (2, 1)
    with tf.Graph().as_default():
        v = tf.Variable(3.0, name="of_all_workers")
        with tf.Session(workers[0].target) as first, tf.Session(workers[1].target) as second:
            first.run(v.initializer)
            assert second.run(v) == 3
