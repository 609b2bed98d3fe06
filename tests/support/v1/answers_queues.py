"""Programs of queues: what goes in, what comes out and when, and which errors a closed one raises."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from answers import graph, tried


def in_session(tf: Any, *fetches: Any) -> list[Any]:
    """Return what one run after the other gives in one session."""
    with tf.Session() as session:
        return tried(*(lambda fetch=fetch: session.run(fetch) for fetch in fetches))


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
def a_queue_in_order(tf: Any) -> Any:
    queue = tf.FIFOQueue(10, [tf.float32, tf.string], shapes=[(), (2,)])
    first, second = queue.dequeue()
    return in_session(
        tf,
        queue.enqueue((1.5, ["a", "b\0"])),
        queue.enqueue_many(([2.0, 3.0], [["c", ""], ["d", "é"]])),
        queue.size(),
        (first, second),
        queue.dequeue_many(2),
        [queue.size(), queue.is_closed()],
    )


@graph
def elements_of_free_shape(tf: Any) -> Any:
    queue = tf.FIFOQueue(4, tf.int32)
    return in_session(
        tf, queue.enqueue([[1, 2]]), queue.enqueue(3), queue.dequeue(), queue.dequeue(), queue.dequeue_many(0)
    )


@graph
def what_a_queue_says_of_itself(tf: Any) -> Any:
    queue = tf.FIFOQueue(10, (tf.int32, tf.float32), shapes=((), (5, 8)), names=("i", "j"), name="q")
    with tf.name_scope("outer"):
        other = tf.FIFOQueue(3, tf.float32, shapes=[3])
        taken = other.dequeue_up_to(4)
    taken_dict = queue.dequeue()
    return [
        [queue.name, [t.name for t in queue.dtypes], [s.as_list() for s in queue.shapes], list(queue.names)],
        [other.name, other.names, other.queue_ref.shape.as_list(), isinstance(other.queue_ref, tf.Tensor)],
        [taken.name, taken.shape.as_list(), other.dequeue_many(4).shape.as_list(), other.dequeue().name],
        [taken_dict["j"].shape.as_list(), queue.enqueue({"i": 1, "j": np.zeros((5, 8))}).name],
        [other.size().name, other.close().name, other.is_closed().name, other.enqueue_many(tf.zeros([2, 3])).name],
        other.dequeue_many(tf.placeholder(tf.int32)).shape.as_list(),
        tf.FIFOQueue(3, tf.float32).dequeue_many(2).shape.ndims,
    ]


@graph
def elements_that_are_dicts(tf: Any) -> Any:
    queue = tf.FIFOQueue(5, [tf.int32, tf.float32], shapes=[(), ()], names=["i", "f"])
    return [
        *in_session(
            tf,
            queue.enqueue({"f": 1.0, "i": 2}),
            queue.enqueue_many({"i": [3, 4], "f": [5.0, 6.0]}),
            queue.dequeue(),
            queue.dequeue_many(2),
        ),
        *tried(
            lambda: queue.enqueue((1, 2.0)),
            lambda: queue.enqueue({"i": 1}),
            lambda: tf.FIFOQueue(5, tf.int32).enqueue({"i": 1}),
            lambda: tf.FIFOQueue(5, tf.int32, names=["a", "b"]),
        ),
    ]


@graph
def elements_that_do_not_fit(tf: Any) -> Any:
    queue, fed = tf.FIFOQueue(5, [tf.int32, tf.float32], shapes=[(), (2,)]), tf.placeholder(tf.float32)
    one, many = queue.enqueue([1, fed]), queue.enqueue_many([[1, 2], fed])
    with tf.Session() as session:
        return tried(
            lambda: session.run(one, {fed: [1.0]}),
            lambda: session.run(many, {fed: [[1.0, 2.0]]}),
            lambda: session.run(many, {fed: [[1.0], [2.0]]}),
            lambda: queue.enqueue([1.5, [1.0, 2.0]]),
            lambda: queue.enqueue([1, tf.constant([1, 2])]),
            lambda: queue.enqueue([1, [1.0, 2.0, 3.0]]),
            lambda: queue.enqueue_many([1, [[1.0, 2.0]]]),
            lambda: queue.enqueue_many([[1, 2], [[1.0, 2.0]]]),
            lambda: queue.dequeue_many(-1),
            lambda: tf.FIFOQueue(5, tf.int32, shapes=[(), ()]),
            lambda: tf.FIFOQueue(5, tf.int32, shapes=(None,)),
            lambda: session.run(queue.size()),
        )


@graph
def a_closed_queue(tf: Any) -> Any:
    queue = tf.FIFOQueue(5, tf.float32, shapes=())
    put, close = queue.enqueue(1.0), queue.close()
    return in_session(
        tf,
        put,
        [queue.is_closed()],
        close,
        put,
        [queue.is_closed(), queue.size()],
        queue.dequeue_many(2),
        queue.dequeue_up_to(2),
        queue.dequeue_up_to(2),
        queue.dequeue(),
        queue.dequeue_many(0),
        queue.enqueue_many([np.zeros(0, np.float32)]),
        close,
        queue.close(cancel_pending_enqueues=True),
    )


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


@graph
def queues_of_one_name(tf: Any) -> Any:
    one, two = (tf.FIFOQueue(3, tf.float32, (), shared_name="both") for _ in range(2))
    different: list[Callable[[], Any]] = [
        lambda: tf.FIFOQueue(4, tf.float32, (), shared_name="both"),
        lambda: tf.FIFOQueue(3, tf.int32, (), shared_name="both"),
        lambda: tf.FIFOQueue(3, tf.float32, shared_name="both"),
        lambda: tf.FIFOQueue(3, tf.float32, (1,), shared_name="both"),
        lambda: tf.RandomShuffleQueue(3, 1, tf.float32, (), shared_name="both"),
    ]
    with tf.Session() as session:
        session.run(one.enqueue(1.0))
        return [
            session.run([one.size(), two.size()]),
            session.run(two.dequeue()),
            tried(*(lambda make=make: session.run(make().queue_ref.op) for make in different)),
        ]


@graph
def sessions_do_not_share_queues(tf: Any) -> Any:
    queue = tf.FIFOQueue(3, tf.float32)
    with tf.Session() as one, tf.Session() as other:
        one.run(queue.enqueue(1.0))
        return [one.run(queue.size()), other.run(queue.size())]


@graph
def one_of_several_queues(tf: Any) -> Any:
    queues = [tf.FIFOQueue(3, tf.float32, [(k, 3)]) for k in (2, 4)]
    index = tf.placeholder(tf.int32)
    chosen = tf.QueueBase.from_list(index, queues)
    sizes, put = [queue.size() for queue in queues], queues[1].enqueue(np.ones((4, 3)))
    taken = chosen.dequeue()
    with tf.Session() as session:
        session.run(put)
        return [
            chosen.shapes[0].as_list(),
            *tried(lambda: session.run(taken, {index: 1}), lambda: session.run(taken, {index: 2})),
            session.run(sizes),
            tried(
                lambda: tf.QueueBase.from_list(0, []),
                lambda: tf.QueueBase.from_list(0, queues[0]),
                lambda: tf.QueueBase.from_list(0, [queues[0], tf.FIFOQueue(3, tf.int32, [(2, 3)])]),
            ),
        ]


@graph
def elements_at_random(tf: Any) -> Any:
    queue = tf.RandomShuffleQueue(20, 5, tf.int32, shapes=(), seed=3)
    put, many, size, close = queue.enqueue_many([np.arange(20)]), queue.dequeue_many(15), queue.size(), queue.close()
    with tf.Session() as session:
        session.run(put)
        first = session.run(many).tolist()
        left = session.run(size)
        session.run(close)
        rest = [session.run(queue.dequeue()) for _ in range(5)]
        return [
            left,
            first == sorted(first),
            sorted(first + [int(k) for k in rest]),
            *tried(
                lambda: session.run(queue.dequeue()),
                lambda: session.run(tf.RandomShuffleQueue(3, 5, tf.int32).size()),
            ),
        ]


@graph
def elements_that_are_filled_up(tf: Any) -> Any:
    queue = tf.PaddingFIFOQueue(9, [tf.float32, tf.string, tf.int32], [(None, 2), (None,), ()])
    a, b = tf.placeholder(tf.float32), tf.placeholder(tf.string)
    put, many = queue.enqueue([a, b, 5]), queue.dequeue_many(2)
    with tf.Session() as session:
        session.run(put, {a: np.ones((1, 2)), b: ["x"]})
        session.run(put, {a: np.ones((3, 2)), b: ["y", "z"]})
        return [
            [t.shape.as_list() for t in many],
            session.run(many),
            *tried(
                lambda: session.run(put, {a: np.ones((1, 3)), b: ["x"]}), lambda: session.run(queue.dequeue_many(0))
            ),
            tried(
                lambda: tf.PaddingFIFOQueue(9, tf.float32, None),
                lambda: tf.PaddingFIFOQueue(9, tf.float32, (None,)),
                lambda: tf.PaddingFIFOQueue(9, tf.float32, [(), ()]),
                lambda: tf.PaddingFIFOQueue(9, tf.float32, [tf.TensorShape(None)]),
            ),
        ]


@graph
def elements_by_priority(tf: Any) -> Any:
    queue = tf.PriorityQueue(9, tf.string, shapes=[()])
    put = queue.enqueue_many([np.array([3, 1, 2, 1]), ["c", "a", "b", "A"]])
    return [
        [t.name for t in queue.dtypes],
        [s.as_list() for s in queue.shapes],
        *in_session(tf, put, queue.enqueue([np.int64(0), "z"]), queue.dequeue_many(3), queue.dequeue(), queue.size()),
        *tried(lambda: tf.PriorityQueue(9, tf.string), lambda: queue.enqueue(["a", "b"])),
    ]


@graph
def names_of_the_queues(tf: Any) -> Any:
    return [
        tf.queue.FIFOQueue is tf.FIFOQueue,
        tf.queue.QueueBase is tf.QueueBase,
        tf.io.PaddingFIFOQueue is tf.PaddingFIFOQueue,
        tf.queue.PriorityQueue is tf.io.PriorityQueue,
        tf.io.RandomShuffleQueue is tf.RandomShuffleQueue,
        isinstance(tf.FIFOQueue(1, "float32"), tf.queue.QueueBase),
    ]


@graph
def queues_in_the_body_of_a_function(tf: Any) -> Any:
    queue = tf.FIFOQueue(5, tf.float32, ())

    @tf.function
    def twice(x):
        queue.enqueue(x)
        queue.enqueue(x + 1.0)
        return queue.dequeue() * 10.0, queue.size()

    return in_session(tf, twice(tf.constant(1.0)), twice(tf.constant(5.0)), queue.dequeue_many(2))


@graph
def a_loop_that_takes_elements(tf: Any) -> Any:
    queue = tf.FIFOQueue(9, tf.float32, ())
    total = tf.while_loop(lambda k, _: k < 3, lambda k, s: (k + 1, s + queue.dequeue()), (0, 0.0))
    return in_session(tf, queue.enqueue_many([[1.0, 2.0, 4.0, 8.0]]), total, queue.size())
