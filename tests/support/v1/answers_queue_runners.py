"""Programs of queue runners: threads that fill queues, what stops them, and sessions that start them."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, tried
from answers_batches import counted


@graph
def a_runner_fills_a_queue(tf: Any) -> Any:
    queue = tf.FIFOQueue(10, tf.int64)
    runner = tf.train.QueueRunner(queue, [queue.enqueue(counted(tf, 3))])
    tf.train.add_queue_runner(runner)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        threads = tf.train.start_queue_runners(session)
        names = [thread.name for thread in threads]
        for thread in threads:
            thread.join(20)
        taken = queue.dequeue()
        return [
            names,
            [thread.daemon for thread in threads],
            *(session.run(taken) for _ in range(3)),
            *tried(lambda: session.run(taken)),
            len(runner.exceptions_raised),
            [tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[0] is runner, runner.name, runner.queue is queue],
            [error.__name__ for error in runner.queue_closed_exception_types],
            session.run(queue.is_closed()),
        ]


@graph
def runners_and_their_threads(tf: Any) -> Any:
    queue = tf.FIFOQueue(10, tf.int64, name="q")
    ops = [counted(tf, 3), counted(tf, 30)]
    runner, coord = tf.train.QueueRunner(queue, ops), tf.train.Coordinator()
    with tf.Session() as session, tf.Session() as other:
        first = runner.create_threads(session, coord)
        return [
            sorted(thread.name for thread in first),
            len(runner.create_threads(session, coord)),
            len(runner.create_threads(other)),
            len(tf.train.start_queue_runners(session)),
            *tried(
                lambda: tf.train.QueueRunner(),
                lambda: tf.train.QueueRunner(queue, []),
                lambda: tf.train.QueueRunner(queue, ops, queue_closed_exception_types=(ValueError,)),
                lambda: tf.train.QueueRunner(queue, ops, queue_closed_exception_types=[]),
                lambda: tf.train.start_queue_runners("no session"),
                lambda: tf.train.start_queue_runners(),
            ),
        ]


@graph
def a_runner_that_waits_stops_with_its_coordinator(tf: Any) -> Any:
    queue = tf.FIFOQueue(2, tf.float32)
    runner, coord = tf.train.QueueRunner(queue, [queue.enqueue(1.0)]), tf.train.Coordinator()
    taken = queue.dequeue()
    with tf.Session() as session:
        threads = runner.create_threads(session, coord, start=True)
        session.run(taken)
        coord.request_stop()
        coord.join(stop_grace_period_secs=20)
        return [any(thread.is_alive() for thread in threads), session.run(queue.is_closed())]


@graph
def a_runner_that_fails(tf: Any) -> Any:
    queue, other = tf.FIFOQueue(2, tf.float32), tf.FIFOQueue(2, tf.float32)
    wrong = tf.placeholder(tf.float32)
    runner, coord = tf.train.QueueRunner(queue, [queue.enqueue(wrong)]), tf.train.Coordinator()
    with tf.Session() as session:
        runner.create_threads(session, coord, start=True)
        coord.wait_for_stop(20)
        moving = tf.train.QueueRunner(queue, [queue.enqueue(other.dequeue())])
        session.run(other.close())
        for thread in moving.create_threads(session, start=True):
            thread.join(20)
        return [*tried(coord.join, lambda: session.run(queue.dequeue())), len(moving.exceptions_raised)]


@graph
def a_monitored_session_starts_the_runners(tf: Any) -> Any:
    (x,) = tf.train.slice_input_producer([np.arange(6.0)], num_epochs=2, shuffle=False)
    batch, step = tf.train.batch([x], 3), tf.train.get_or_create_global_step()
    add = tf.assign_add(step, 1)
    found = []
    with tf.train.MonitoredTrainingSession() as session:
        threads = tf.train.start_queue_runners(session)
        while not session.should_stop():
            found.append(session.run([batch, add])[0])
    return [len(threads), found]


@graph
def a_monitored_session_raises_what_a_runner_raises(tf: Any) -> Any:
    queue = tf.FIFOQueue(3, tf.float32)
    wrong = tf.reduce_sum(tf.gather([1.0], tf.placeholder_with_default(5, [])))
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(wrong)]))
    taken = queue.dequeue()
    with tf.train.MonitoredSession() as session:
        while not session.should_stop():
            session.run(taken)


@graph
def a_supervisor_starts_the_runners(tf: Any) -> Any:
    batch = tf.train.batch([counted(tf, 4)], 2)
    supervisor, found = tf.train.Supervisor(), []
    with supervisor.managed_session() as session:
        while not supervisor.should_stop():
            found.append(session.run(batch))
    return found


@graph
def errors_after_a_stop_are_forgotten(tf: Any) -> Any:
    coord = tf.train.Coordinator()
    coord.request_stop()
    coord.request_stop(ValueError("late"))
    return [coord.join(), *tried(lambda: strict(tf.train.Coordinator(clean_stop_exception_types=[])))]


def strict(coord: Any) -> None:
    with coord.stop_on_exception():
        raise IndexError("an error that is the end by default only")
    coord.join()


@graph
def what_a_queue_is_made_with(tf: Any) -> Any:
    queue = tf.train.string_input_producer(["a"], shared_name="shared", name="Q", capacity=7)
    op = queue.queue_ref.op
    return [op.type, op.node_def.attr["shared_name"].s.decode(), op.get_attr("capacity"), [t.name for t in op.inputs]]
