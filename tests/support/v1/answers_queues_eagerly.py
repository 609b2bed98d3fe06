"""Programs of queues in eager mode: elements go in and come out at once."""

from __future__ import annotations

import threading
from typing import Any

from answers import eager, tried


def _made(result: Any) -> Any:
    if isinstance(result, dict):
        return {key: result[key].numpy() for key in sorted(result)}
    if isinstance(result, (list, tuple)):
        return [_made(each) for each in result]
    return None if result is None else (result.numpy(), result.dtype.name, result.shape.as_list())


@eager
def elements_go_in_and_come_out_at_once(tf: Any) -> Any:
    queue = tf.FIFOQueue(4, [tf.int32, tf.string], names=["a", "b"], shapes=[[], []])
    found = [queue.enqueue({"a": 1, "b": "x"}), queue.enqueue_many({"a": [2, 3], "b": ["y", "z"]})]
    found += [queue.size(), queue.dequeue(), queue.dequeue_many(2), queue.is_closed(), queue.close()]
    found.append(queue.is_closed())
    return _made(found), tried(queue.dequeue, lambda: queue.enqueue({"a": 1, "b": "x"}))


@eager
def kinds_of_queues_at_once(tf: Any) -> Any:
    padded = tf.PaddingFIFOQueue(5, [tf.float32], [[None]])
    padded.enqueue([[1.0, 2.0]])
    padded.enqueue([[3.0]])
    first = tf.PriorityQueue(5, [tf.string], [[]])
    first.enqueue_many([[3, 1, 2], ["c", "a", "b"]])
    mixed = tf.RandomShuffleQueue(5, 0, tf.int32, shapes=[[]], seed=1)
    mixed.enqueue_many([[1, 2, 3]])
    taken = tf.reduce_sum(mixed.dequeue_many(3))
    return _made([padded.dequeue_many(2), first.dequeue(), first.dequeue_up_to(2), taken])


@eager
def what_a_queue_refuses_at_once(tf: Any) -> Any:
    queue = tf.FIFOQueue(3, tf.float32, shapes=[[2]])
    return tried(
        lambda: queue.enqueue([[1.0, 2.0, 3.0]]),
        lambda: queue.enqueue({"a": 1.0}),
        lambda: tf.FIFOQueue(3, tf.float32).dequeue_many(1),
        lambda: queue.dequeue_many(-1),
    )


@eager
def an_element_is_waited_for(tf: Any) -> Any:
    queue = tf.FIFOQueue(1, tf.float32)
    thread = threading.Timer(0.1, lambda: queue.enqueue(5.0))
    thread.start()
    found = _made(queue.dequeue())
    thread.join()
    return found


@eager
def names_are_not_shared(tf: Any) -> Any:
    one, other = (tf.FIFOQueue(3, tf.int32, shared_name="s") for _ in range(2))
    one.enqueue(7)
    return _made([one.size(), other.size()])


@eager
def bodies_of_functions_use_queues(tf: Any) -> Any:
    queue = tf.FIFOQueue(9, tf.float32, shapes=[[]])

    @tf.function
    def through(x: Any) -> Any:
        queue.enqueue(x)
        queue.enqueue(x * 2)
        return queue.dequeue() + queue.dequeue()

    return _made([through(tf.constant(3.0)), through(tf.constant(4.0)), queue.size()])


@eager
def a_function_makes_its_queue_outside_of_itself(tf: Any) -> Any:
    kept = []

    @tf.function
    def through(x: Any) -> Any:
        if not kept:
            kept.append(tf.FIFOQueue(5, [tf.int32], shapes=[[]]))
        kept[0].enqueue(x)
        kept[0].enqueue(x + 3)
        return kept[0].dequeue()

    return _made([through(tf.constant(2)), kept[0].size(), kept[0].dequeue()])
