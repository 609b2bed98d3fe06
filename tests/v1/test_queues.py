"""Queues where threads, locks and interrupts matter, and where TensorFlow cannot be asked."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.base.locks import let_go
from steepest.v1.python import core


def started(target: Callable[..., Any], *args: Any) -> threading.Thread:
    thread = threading.Thread(target=target, args=args, daemon=True)
    thread.start()
    return thread


def ended(thread: threading.Thread) -> bool:
    thread.join(10)
    return not thread.is_alive()


def waiting(queue: Any, session: tf.Session, count: int = 1) -> None:
    """Come back when so many runs wait for an element of the queue."""
    elements = queue.queue_ref.op.function(session)
    end = time.monotonic() + 10
    while len(elements._leaving) < count and time.monotonic() < end:
        time.sleep(0.005)
    assert len(elements._leaving) == count


def test_a_run_that_waits_lets_others_write_and_differentiate() -> None:
    queue = tf.FIFOQueue(2, tf.float32, shapes=())
    x, w, counter = queue.dequeue(), tf.Variable(2.0), tf.Variable(np.int64(0))
    step = tf.train.GradientDescentOptimizer(0.5).minimize(w * x)
    other_step = tf.train.GradientDescentOptimizer(0.25).minimize(w * 4.0)
    put = queue.enqueue(tf.cast(counter.count_up_to(5), tf.float32) + 3.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        training = started(session.run, step)
        waiting(queue, session)
        assert ended(started(session.run, other_step))
        assert session.run(w) == 1.0
        assert ended(started(session.run, put))
        assert ended(training)
        assert session.run([w, counter]) == [-0.5, 1]


def test_runs_that_wait_in_a_row_differentiate_what_each_has_read() -> None:
    queue = tf.FIFOQueue(9, tf.float32, shapes=())
    v, w = tf.Variable(3.0), tf.Variable(5.0)
    of_v, of_w = (tf.gradients(u * u * queue.dequeue(), u)[0] for u in (v, w))
    found: dict[str, Any] = {}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = started(lambda: found.update(v=session.run(of_v)))
        waiting(queue, session)
        second = started(lambda: found.update(w=session.run(of_w)))
        waiting(queue, session, 2)
        session.run(queue.enqueue(1.0))
        assert ended(first)
        session.run(queue.enqueue(10.0))
        assert ended(second)
    assert found == {"v": 6.0, "w": 100.0}


def test_an_interrupt_ends_waiting_and_the_queue_goes_on() -> None:
    queue = tf.FIFOQueue(2, tf.float32, shapes=())
    taken, two, put = queue.dequeue(), queue.dequeue_many(2), queue.enqueue(1.0)
    assert threading.current_thread() is threading.main_thread()
    with tf.Session() as session:
        session.run(put)

        def interrupt() -> None:
            waiting(queue, session)
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

        # A shell's background jobs start with the signal ignored: it would be lost, and the run wait for ever.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            thread = started(interrupt)
            with pytest.raises(KeyboardInterrupt):
                session.run(two, options=tf.RunOptions(timeout_in_ms=20_000))  # fails, and does not hang
            assert ended(thread)
        finally:
            signal.signal(signal.SIGINT, before)
        assert session.run(queue.size()) == 1  # what it had taken is back
        assert session.run(taken) == 1.0


def test_elements_are_copies() -> None:
    queue, fed, v = tf.FIFOQueue(9, tf.float32), tf.placeholder(tf.float32), tf.Variable([1.0, 2.0])
    put, put_rows, put_variable, taken = (
        queue.enqueue(fed),
        queue.enqueue_many([fed]),
        queue.enqueue(v),
        queue.dequeue(),
    )
    array = np.array([1.0, 2.0], np.float32)
    with tf.Session() as session:
        session.run(v.initializer)
        session.run([put, put_rows], {fed: array})
        session.run(put_variable)
        array[:] = 7.0
        session.run(v.assign([8.0, 8.0]))
        got = [session.run(taken) for _ in range(4)]
    assert sorted(np.ravel(g).tolist() for g in got) == [[1.0], [1.0, 2.0], [1.0, 2.0], [2.0]]


def test_pipelines_of_queues_are_refused_in_eager_mode() -> None:
    program = """
import steepest.v1 as tf
tf.enable_eager_execution()
calls = [
    tf.train.start_queue_runners, lambda: tf.train.input_producer([1]),
    lambda: tf.train.QueueRunner(1, [1]), lambda: tf.train.batch([1.0], 2),
]
for call in calls:
    try:
        call()
    except (RuntimeError, ValueError) as error:
        print("eager" in str(error))
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["True"] * 4


def test_a_runner_by_the_names_of_its_operations() -> None:
    queue = tf.FIFOQueue(10, tf.float32, name="queue")
    ops = [tf.no_op(name=name) for name in ("enqueue", "close", "cancel")]
    ends = (tf.errors.OutOfRangeError, tf.errors.CancelledError)
    proto = tf.train.QueueRunner(queue, ops[:1], *ops[1:], ends).to_proto()
    assert isinstance(proto, core.protobuf.queue_runner_pb2.QueueRunnerDef)
    again = tf.train.QueueRunner.from_proto(proto)
    assert (again.name, [*again.enqueue_ops, again.close_op, again.cancel_op]) == ("queue", ops)
    assert again.queue_closed_exception_types == ends
    assert proto.FromString(proto.SerializeToString()) == proto
    assert str(proto).endswith("queue_closed_exception_types: OUT_OF_RANGE\nqueue_closed_exception_types: CANCELLED\n")
    proto.queue_closed_exception_types = []
    assert tf.train.QueueRunner.from_proto(proto).queue_closed_exception_types == ends[:1]


def test_a_graph_with_queues_in_a_file() -> None:
    queue = tf.FIFOQueue(3, [tf.float32, tf.string], [(2,), ()], name="q")
    tf.add_to_collection("parts", queue.enqueue_many([[[1.0, 2.0], [3.0, 4.0]], ["a", "b"]]))
    for part in queue.dequeue_many(2):
        tf.add_to_collection("parts", part)
    tf.add_to_collection("parts", tf.RandomShuffleQueue(3, 1, tf.int32, seed=4).size())
    graph = tf.train.export_meta_graph()
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(graph)
        put, rows, texts, size = tf.get_collection("parts")
        session.run(put)
        found = session.run([rows, texts, size])
    assert [part.tolist() for part in found] == [[[1.0, 2.0], [3.0, 4.0]], [b"a", b"b"], 0]


def test_many_threads_lose_and_double_nothing() -> None:
    queue, fed = tf.FIFOQueue(3, tf.int32, shapes=()), tf.placeholder(tf.int32)
    put, taken, close = queue.enqueue_many([fed]), queue.dequeue_many(5), queue.close()
    found: list[int] = []
    with tf.Session() as session:

        def take() -> None:
            while True:
                try:
                    found.extend(session.run(taken).tolist())
                except tf.errors.OutOfRangeError:
                    return

        takers = [started(take) for _ in range(4)]
        putters = [started(session.run, put, {fed: np.arange(k * 50, k * 50 + 50)}) for k in range(4)]
        assert all(map(ended, putters))
        session.run(close)
        assert all(map(ended, takers))
    assert sorted(found) == list(range(200))


def test_a_lock_that_is_let_go_is_taken_again() -> None:
    lock = threading.RLock()
    taken: list[bool] = []

    def other() -> None:
        taken.append(lock.acquire(blocking=False))
        if taken[-1]:
            lock.release()

    with lock, lock:
        with let_go(lock):
            started(other).join()
        started(other).join()
    with let_go(lock):  # it is not held
        started(other).join()
    assert taken == [True, False, True]


def test_a_thread_that_waits_for_room_takes_nothing_from_a_run_that_records_gradients() -> None:
    """The run below takes an element, which wakes the other thread; then it reads the variable it differentiates by."""
    queue = tf.FIFOQueue(1, tf.float32, shapes=())
    put, w = queue.enqueue(2.0), tf.get_variable("w", initializer=0.0)

    def slowly(value: np.ndarray) -> np.ndarray:
        time.sleep(0.01)
        return value

    train = tf.train.GradientDescentOptimizer(1.0).minimize(w * tf.py_func(slowly, [queue.dequeue()], tf.float32))
    with tf.Session() as session:
        session.run(w.initializer)

        def fill() -> None:
            with contextlib.suppress(tf.errors.OpError):
                while True:
                    session.run(put)

        filler = started(fill)
        for _ in range(5):
            session.run(train)
        assert session.run(w) == -10.0
        session.run(queue.close(cancel_pending_enqueues=True))
        assert ended(filler)
