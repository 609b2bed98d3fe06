"""Programs of queues: what goes in, what comes out and when, and which errors a closed one raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from answers import graph, tried


def in_session(tf: Any, *fetches: Any) -> list[Any]:
    """Return what one run after the other gives in one session."""
    with tf.Session() as session:
        return tried(*(lambda fetch=fetch: session.run(fetch) for fetch in fetches))


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


@graph
def equal_priorities(tf: Any) -> Any:
    draws = np.random.RandomState(3)
    queue = tf.PriorityQueue(200, tf.int32, ())
    rank, number = tf.placeholder(tf.int64, [None]), tf.placeholder(tf.int32, [None])
    put, count = queue.enqueue_many((rank, number)), tf.placeholder(tf.int32)
    take = queue.dequeue_many(count)
    found, given = [], 0
    with tf.Session() as session:
        for size, taken in ((7, 3), (20, 11), (1, 2), (60, 71), (2, 0), (1, 3)):
            session.run(put, {rank: draws.randint(0, 5, size), number: np.arange(given, given + size)})
            given += size
            found.append(session.run(take, {count: taken}))
    return found


@graph
def shapes_of_queues_that_sessions_share(tf: Any) -> Any:
    made = [
        tf.PaddingFIFOQueue(10, tf.float32, (shape,), shared_name="one") for shape in ((None,), (2,), (None, 2), (3,))
    ]
    few = [tf.RandomShuffleQueue(5, least, tf.float32) for least in (-1, 6, 2)]
    kinds = []
    with tf.Session() as session:
        for queue in [*made, *few]:
            try:
                kinds.append(session.run(queue.size()))
            except tf.errors.InvalidArgumentError:
                kinds.append("refused")
    return kinds
