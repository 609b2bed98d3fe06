"""Programs whose queues are filled by threads: producers of elements, batches."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from answers import graph, tried


def to_the_end(tf: Any, fetches: Any, limit: int = 50) -> list[Any]:
    """Return what the runs of a session give until its queues are at their end, and the error of the end."""
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coord)
        found: list[Any] = []
        try:
            while len(found) < limit and not coord.should_stop():
                found += tried(lambda: session.run(fetches))
                if hasattr(found[-1], "error"):
                    break
        finally:
            coord.request_stop()
            coord.join(threads)
        return found


def counted(tf: Any, limit: int) -> Any:
    return tf.Variable(np.int64(0)).count_up_to(limit)


@graph
def a_tensor_for_some_epochs(tf: Any) -> Any:
    limited = tf.train.limit_epochs(tf.constant("text"), num_epochs=2)
    return [
        [limited.name, [v.name for v in tf.local_variables()], limited.shape.as_list()],
        tf.train.limit_epochs(limited) is limited,
        *tried(lambda: tf.train.limit_epochs(limited, 0)),
        to_the_end(tf, limited),
    ]


@graph
def rows_of_a_tensor(tf: Any) -> Any:
    queue = tf.train.input_producer([[1, 2], [3, 4]], num_epochs=2, shuffle=False, capacity=3)
    shuffled = tf.train.input_producer(np.arange(6), num_epochs=1, seed=2).dequeue()
    return [
        [queue.name, [s.as_list() for s in queue.shapes], len(tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS))],
        to_the_end(tf, queue.dequeue()),
        sorted(int(k) for k in to_the_end(tf, shuffled)[:-1]),
        *tried(
            lambda: tf.train.input_producer(tf.placeholder(tf.float32)),
            lambda: tf.train.input_producer(tf.placeholder(tf.float32, [3, None])),
            lambda: tf.train.input_producer(tf.placeholder(tf.float32, [3, None]), [2]).shapes[0].as_list(),
        ),
    ]


@graph
def texts_for_ever(tf: Any) -> Any:
    queue = tf.train.string_input_producer(["a", "b"], shuffle=False)
    empty = tf.train.string_input_producer(tf.placeholder_with_default(np.zeros(0, object), [None]), name="none")
    with tf.Session() as session:
        failed = tried(lambda: session.run(tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[1].enqueue_ops[0]))
    del tf.get_collection_ref(tf.GraphKeys.QUEUE_RUNNERS)[1]
    return [
        [queue.name, empty.name],
        to_the_end(tf, queue.dequeue(), 5),
        *failed,
        *tried(lambda: tf.train.string_input_producer([])),
        [op.name for op in tf.get_default_graph().get_operations() if op.type == "ScalarSummary"],
    ]


@graph
def numbers_and_slices(tf: Any) -> Any:
    numbers = tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()
    slices = tf.train.slice_input_producer([["a", "b", "c"], tf.constant([[1], [2], [3]])], 1, shuffle=False)
    return [
        to_the_end(tf, numbers),
        to_the_end(tf, slices),
        [[t.dtype.name, t.shape.as_list()] for t in slices],
        *tried(lambda: tf.train.slice_input_producer([])),
    ]


@graph
def batches_of_tensors(tf: Any) -> Any:
    number = counted(tf, 7)
    batch = tf.train.batch([number, tf.constant("x"), [1.5, 2.5]], batch_size=3)
    return [[[t.name, t.shape.as_list(), t.dtype.name] for t in batch], to_the_end(tf, batch)]


@graph
def a_batch_of_one_tensor_and_a_smaller_one(tf: Any) -> Any:
    batch = tf.train.batch([counted(tf, 5)], 3, allow_smaller_final_batch=True, name="b")
    return [batch.name, batch.shape.as_list(), to_the_end(tf, batch)]


@graph
def batches_of_dicts(tf: Any) -> Any:
    batch = tf.train.batch({"n": counted(tf, 4), "a": tf.constant(2)}, 2)
    one = tf.train.batch({"only": tf.constant([1, 2])}, 2, enqueue_many=True)
    return [to_the_end(tf, batch), {k: v.shape.as_list() for k, v in one.items()}]


@graph
def batches_of_rows(tf: Any) -> Any:
    first = counted(tf, 3)
    rows = tf.stack([first, first + 10])
    return to_the_end(tf, tf.train.batch([rows, tf.constant([[1.0], [2.0]])], 2, enqueue_many=True, capacity=5))


@graph
def batches_that_are_filled_up(tf: Any) -> Any:
    number = counted(tf, 4)
    batch = tf.train.batch([number, tf.fill([number + 1, 2], "s")], 2, dynamic_pad=True)
    unknown = tf.placeholder(tf.float32, [None])
    return [
        [t.shape.as_list() for t in batch],
        to_the_end(tf, batch),
        *tried(
            lambda: tf.train.batch([unknown], 2),
            lambda: tf.train.batch([unknown], 2, shapes=[(3,)]).shape.as_list(),
            lambda: tf.train.batch([tf.placeholder(tf.float32)], 2, dynamic_pad=True),
        ),
    ]


@graph
def batches_of_sparse_tensors(tf: Any) -> Any:
    number = counted(tf, 4)
    sparse = tf.SparseTensor(tf.reshape(number, [1, 1]), tf.reshape(number * 10, [1]), [4])
    each, whole = tf.train.batch([number, sparse], 2)
    return [
        to_the_end(tf, [each, whole.indices, whole.values, whole.dense_shape]),
        whole.indices.shape.as_list(),
        whole.dense_shape.shape.as_list(),
    ]


@graph
def batches_of_rows_of_sparse_tensors(tf: Any) -> Any:
    number = counted(tf, 2)
    sparse = tf.SparseTensor([[0, 1], [2, 0], [2, 2]], tf.stack([number, number + 5, number + 6]), [3, 4])
    batch = tf.train.batch({"s": sparse}, 3, enqueue_many=True)["s"]
    return to_the_end(tf, [batch.indices, batch.values, batch.dense_shape])


@graph
def batches_of_what_is_kept(tf: Any) -> Any:
    number = counted(tf, 8)
    even = tf.train.maybe_batch([number], tf.equal(number % 2, 0), 2)
    found = to_the_end(tf, even)
    tf.get_collection_ref(tf.GraphKeys.QUEUE_RUNNERS).clear()
    rows = tf.stack([tf.constant(0, tf.int64), counted(tf, 4)])
    some = tf.train.maybe_batch([rows], [False, True], 2, enqueue_many=True)
    return [
        found,
        to_the_end(tf, some),
        *tried(
            lambda: tf.train.maybe_batch([number], [True, False], 2),
            lambda: tf.train.maybe_batch([rows], [[True]], 2, enqueue_many=True),
            lambda: tf.train.maybe_batch([number], tf.placeholder(tf.bool), 2),
        ),
    ]


@graph
def batches_of_several_sets(tf: Any) -> Any:
    sets = [(counted(tf, 6), tf.constant("a")), (counted(tf, 4), tf.constant("b"))]
    numbers, texts = tf.train.batch_join(sets, 5)
    found = to_the_end(tf, [numbers, texts])
    pairs = sorted((int(n), t) for part in found[:-1] for n, t in zip(*part, strict=True))
    return [
        [numbers.name, numbers.shape.as_list()],
        [[number, text.decode()] for number, text in pairs],
        *tried(
            lambda: tf.train.batch_join([], 2),
            lambda: tf.train.batch_join([[tf.constant(1)], [tf.constant(1.0)]], 2),
            lambda: tf.train.batch_join([[tf.constant([1])], [tf.constant([1, 2])]], 2),
            lambda: tf.train.batch_join([{"a": tf.constant(1)}, {"b": tf.constant(1)}], 2),
        ),
    ]


@graph
def batches_at_random(tf: Any) -> Any:
    number = counted(tf, 40)
    batch = tf.train.shuffle_batch([number], 8, capacity=32, min_after_dequeue=16, seed=4, num_threads=2)
    found = to_the_end(tf, batch)
    drawn = [int(k) for part in found[:-1] for k in part]
    return [
        [batch.name, len(found), drawn == sorted(drawn), sorted(drawn)],
        found[-1],
        *tried(lambda: tf.train.shuffle_batch([number], 8, 16, 16)),
        [op.name for op in tf.get_default_graph().get_operations() if op.type == "ScalarSummary"],
    ]


@graph
def batches_of_sets_at_random(tf: Any) -> Any:
    sets = [[counted(tf, 7)], [counted(tf, 5)]]
    batch = tf.train.shuffle_batch_join(sets, 5, 20, 3, allow_smaller_final_batch=True)
    drawn = sorted(int(k) for part in to_the_end(tf, batch)[:-1] for k in part)
    kept = tf.train.maybe_shuffle_batch([tf.constant(1)], 2, 9, 3, tf.constant(True))
    joined = tf.train.maybe_shuffle_batch_join([[tf.constant(1)]], 2, 9, 3, False)
    both = tf.train.maybe_batch_join([[tf.constant(1)]], True, 2)
    return [batch.shape.as_list(), drawn, [t.shape.as_list() for t in (kept, joined, both)]]


@graph
def training_on_batches(tf: Any) -> Any:
    xs = np.linspace(-1, 1, 12, dtype=np.float32).reshape(12, 1)
    x, y = tf.train.slice_input_producer([xs, 3 * xs + 1], num_epochs=4, shuffle=False)
    bx, by = tf.train.batch([x, y], 4)
    w, b = tf.Variable([[0.0]]), tf.Variable([0.0])
    loss = tf.reduce_mean((tf.matmul(bx, w) + b - by) ** 2)
    step = tf.train.AdamOptimizer(0.1).minimize(loss)
    with tf.control_dependencies([step]):
        value = tf.identity(loss)
    return to_the_end(tf, value)


@graph
def names_of_files_once(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        for name in ("a1", "a2", "b1"):
            Path(folder, name).write_text("x")
        names = [
            tf.train.match_filenames_once(os.path.join(folder, pattern), name=name)
            for pattern, name in (("a?", "first"), ("*1", None))
        ]
        queue = tf.train.string_input_producer(names[0], num_epochs=1, shuffle=False)
        found = to_the_end(tf, queue.dequeue())
        with tf.Session() as session:
            session.run(tf.local_variables_initializer())
            second = sorted(os.path.basename(name.decode()) for name in session.run(names[1]))
    return [[v.name for v in names], len(found), sorted(os.path.basename(name.decode()) for name in found[:-1]), second]
