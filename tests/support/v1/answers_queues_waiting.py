"""Programs whose runs wait for a queue: for elements, for room, for each other, and what ends the waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from answers import graph, tried
from answers_queues import in_session


def meanwhile(work: Callable[[], Any], then: Callable[[], Any]) -> tuple[Any, Any]:
    """Return what a thread does, which waits for what is done then, and the latter."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.extend(tried(work)))
    thread.start()
    time.sleep(0.3)  # it waits by then; TensorFlow has no other sign of it
    second = tried(then)
    thread.join(20)
    return (found[0] if found else "still waits"), second


@graph
def a_run_waits_for_elements(tf: Any) -> Any:
    queue = tf.FIFOQueue(5, tf.float32, shapes=())
    taken, put, size = queue.dequeue_many(3), queue.enqueue_many([[1.0, 2.0]]), queue.size()
    with tf.Session() as session:

        def fill() -> Any:
            session.run(put)
            while session.run(size):  # the run that waits takes them at once
                time.sleep(0.01)
            session.run(put)

        got, _ = meanwhile(lambda: session.run(taken), fill)
        return [got, session.run(size)]


@graph
def a_run_waits_for_room(tf: Any) -> Any:
    queue = tf.FIFOQueue(2, tf.float32, shapes=())
    put = queue.enqueue_many([[1.0, 2.0, 3.0]])
    with tf.Session() as session:
        _, first = meanwhile(lambda: session.run(put), lambda: session.run([queue.size(), queue.dequeue()]))
        return [first[0][1], session.run(queue.dequeue_many(2))]


@graph
def waiting_that_is_cancelled(tf: Any) -> Any:
    queue = tf.FIFOQueue(1, tf.float32, shapes=())
    put, cancel, taken = queue.enqueue(1.0), queue.close(cancel_pending_enqueues=True), queue.dequeue()
    with tf.Session() as session:
        session.run(put)
        return [*meanwhile(lambda: session.run(put), lambda: session.run(cancel)), *in_turn(session, taken, taken)]


def in_turn(session: Any, *fetches: Any) -> list[Any]:
    return tried(*(lambda fetch=fetch: session.run(fetch) for fetch in fetches))


@graph
def closing_waits_for_what_is_to_enter(tf: Any) -> Any:
    queue = tf.FIFOQueue(1, tf.float32, shapes=())
    put, close, taken, closed = queue.enqueue(1.0), queue.close(), queue.dequeue(), queue.is_closed()
    with tf.Session() as session:
        session.run(put)
        filling = threading.Thread(target=session.run, args=(put,))
        filling.start()
        time.sleep(0.3)
        ended = meanwhile(lambda: session.run(close), lambda: [session.run(closed), session.run(taken)])
        filling.join(20)
        return [ended, session.run([closed, queue.size()])]


@graph
def elements_that_were_taken_come_back_when_the_queue_is_closed(tf: Any) -> Any:
    queue = tf.FIFOQueue(5, tf.float32, shapes=())
    put, close, many = queue.enqueue_many([[1.0, 2.0]]), queue.close(), queue.dequeue_many(3)
    with tf.Session() as session:
        session.run(put)
        ended = meanwhile(lambda: session.run(many), lambda: session.run(close))
        return [*ended, session.run(queue.dequeue_up_to(5))]


@graph
def up_to_many_when_the_queue_is_closed(tf: Any) -> Any:
    queue = tf.RandomShuffleQueue(5, 1, tf.float32, shapes=())
    put, close, many = queue.enqueue_many([[1.0, 2.0]]), queue.close(), queue.dequeue_up_to(3)
    with tf.Session() as session:
        session.run(put)
        got, _ = meanwhile(lambda: sorted(session.run(many).tolist()), lambda: session.run(close))
        return [got, session.run(queue.size())]


@graph
def a_session_that_is_closed_ends_waiting(tf: Any) -> Any:
    queue = tf.FIFOQueue(1, tf.float32)
    put, taken = queue.enqueue(1.0), queue.dequeue()
    session, other = tf.Session(), tf.Session()
    other.run(put)
    return [
        meanwhile(lambda: session.run(taken), session.close)[0],
        meanwhile(lambda: other.run(put), other.close)[0],
    ]


@graph
def waiting_for_a_time(tf: Any) -> Any:
    queue = tf.FIFOQueue(1, tf.float32)
    taken = queue.dequeue()
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=30)) as session, tf.Session() as other:
        return tried(
            lambda: session.run(taken),
            lambda: other.run(taken, options=tf.RunOptions(timeout_in_ms=30)),
            lambda: other.run([queue.enqueue(2.0), queue.size()])[0],
            lambda: other.run(taken),
        )


@graph
def one_run_puts_in_and_takes_out(tf: Any) -> Any:
    empty, full = tf.FIFOQueue(1, tf.float32), tf.FIFOQueue(1, tf.float32)
    taken, put = empty.dequeue(), empty.enqueue(1.0)
    put_more, taken_first = full.enqueue(3.0), full.dequeue()
    with tf.control_dependencies([put_more]):
        after = tf.constant(7.0) + taken_first
    return in_session(tf, [taken, put], [put, taken], full.enqueue(2.0), [put_more, taken_first, after], full.dequeue())


@graph
def a_run_that_fails_takes_back_what_it_puts_in(tf: Any) -> Any:
    queue, other = tf.FIFOQueue(1, tf.float32), tf.FIFOQueue(1, tf.float32)
    put, failing = queue.enqueue(2.0), other.dequeue()
    return in_session(tf, queue.enqueue(1.0), other.close(), [put, failing], queue.dequeue(), queue.size())


@graph
def a_run_that_counts_to_the_end_does_not_wait(tf: Any) -> Any:
    queue = tf.FIFOQueue(3, tf.float32)
    counter = tf.Variable(np.int64(0))
    taken, counted = queue.dequeue(), counter.count_up_to(1)
    return in_session(tf, counter.initializer, queue.enqueue(2.0), [taken, counted], [taken, counted])


@graph
def a_run_takes_from_one_queue_and_fills_another(tf: Any) -> Any:
    first, second = tf.FIFOQueue(3, tf.float32, ()), tf.FIFOQueue(3, tf.float32, ())
    move = second.enqueue(first.dequeue() * 2.0)
    return in_session(tf, first.enqueue_many([[1.0, 2.0]]), move, move, second.dequeue_many(2), first.size())


@graph
def enqueuing_in_a_branch(tf: Any) -> Any:
    queue, wanted = tf.FIFOQueue(3, tf.float32), tf.placeholder(tf.bool)
    put = tf.cond(wanted, lambda: queue.enqueue(1.0), tf.no_op)
    with tf.Session() as session:
        session.run(put, {wanted: True})
        session.run(put, {wanted: False})
        return session.run(queue.size())


@graph
def training_on_elements(tf: Any) -> Any:
    queue = tf.FIFOQueue(9, [tf.float32, tf.float32], [(2,), ()])
    x, y = queue.dequeue_many(2)
    w = tf.Variable([[1.0], [2.0]])
    loss = tf.reduce_mean((tf.squeeze(tf.matmul(x, w), 1) - y) ** 2)
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    of_x = tf.gradients(loss, x)[0]
    put = queue.enqueue_many([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], [1.0, 2.0, 3.0, 4.0]])
    with tf.Session() as session:
        session.run(w.initializer)
        waiting = meanwhile(lambda: session.run([loss, of_x]), lambda: session.run([put, w])[1])
        session.run(step)
        return [waiting, session.run(w)]
