"""Programs of places in a session where elements have keys, ``Barrier`` and ``MapStagingArea``, and of stacks."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried
from answers_libraries import internal


@graph
def elements_of_a_barrier(tf: Any) -> Any:
    made = internal(tf, "ops.data_flow_ops").Barrier
    barrier = made((tf.float32, tf.string), shapes=((2,), ()), name="b")
    first = barrier.insert_many(0, ["k", "l"], [[1.0, 2.0], [3.0, 4.0]])
    late = [barrier.insert_many(0, ["m"], [[5.0, 6.0]]), barrier.insert_many(1, ["m"], ["of m"])]
    second = barrier.insert_many(1, ["l", "k"], ["of l", "of k"])
    taken, few = barrier.take_many(2), barrier.take_many(3, allow_small_batch=True)
    sizes = [barrier.ready_size(), barrier.incomplete_size()]
    nothing = barrier.insert_many(0, [], np.zeros((0, 2), np.float32))
    close, cancel = barrier.close(), barrier.close(cancel_pending_enqueues=True)
    found = [[each.shape.as_list() for each in (taken.indices, taken.keys, *taken.values, few.keys, sizes[0])]]
    with tf.Session() as session:
        for step in (first, late[0], late[1]):
            session.run(step)
            found.append(session.run(sizes))
        found += tried(*(lambda n=n: session.run(n) for n in (first, nothing)))
        session.run(second)
        indices, keys, (numbers, texts) = session.run(taken)
        order = np.argsort(keys)  # of one insertion's elements either may come first
        found += [indices, keys[order], numbers[order], texts[order]]
        for step in (barrier.insert_many(0, ["p"], [[7.0, 8.0]]), close):
            session.run(step)
        found += tried(*(lambda n=n: session.run(n) for n in (first, close)))
        session.run(barrier.insert_many(1, ["p"], ["of p"]))
        found += [session.run(sizes), session.run(few)]
        found += tried(*(lambda n=n: session.run(n) for n in (few, taken, second, cancel, cancel, nothing)))
    return found, tried(lambda: barrier.insert_many(0, ["n", "o"], [[1.0, 2.0]]))


@graph
def barriers_that_cannot_be(tf: Any) -> Any:
    made = internal(tf, "ops.data_flow_ops").Barrier
    first = made(tf.float32, shapes=(), shared_name="s")
    others = [made(tf.int32, shapes=(), shared_name="s"), made(tf.float32, shapes=(2,), shared_name="s")]
    found = tried(lambda: made(tf.float32, shapes=(0,)), lambda: made((tf.float32, tf.int32), shapes=((2, None), ())))
    with tf.Session() as session:
        session.run(first.insert_many(0, ["k"], [1.0]))
        same = made(tf.float32, shapes=(), shared_name="s").take_many(1)
        found += [session.run(same), *tried(*(lambda b=b: session.run(b.ready_size()) for b in others))]
    return found, first.name, first.barrier_ref.dtype.base_dtype.name


@graph
def components_of_a_map_staging_area(tf: Any) -> Any:
    made = internal(tf, "ops.data_flow_ops").MapStagingArea
    key, asked, x = tf.placeholder(tf.int64, []), tf.placeholder(tf.int64, []), tf.placeholder(tf.float32, [])
    area = made([tf.float32, tf.int32], shapes=[[], [2]], names=["x", "y"], ordered=True)
    whole = area.put(key, {"y": tf.constant([1, 2]), "x": x})
    parts = [area.put(key, {"x": x}), area.put(key, {"y": tf.constant([3, 4])})]
    (any_key, any_whole), (_, only_y), seen = area.get(), area.get(asked, ["y"]), area.peek(asked, ["x"])
    sizes = [area.size(), area.incomplete_size()]
    found = [any_key.dtype.name, {k: v.shape.as_list() for k, v in any_whole.items()}, sorted(only_y)]
    with tf.Session() as session:
        for number in (5, 3):
            session.run(whole, {key: number, x: number})
        session.run(parts[0], {key: 1, x: 9.0})
        found += [session.run(sizes), session.run(seen, {asked: 5}), session.run(only_y, {asked: 5})]
        found += tried(lambda: session.run(only_y, {asked: 5}), lambda: session.run(parts[0], {key: 1, x: 0.0}))
        found += [session.run([any_key, any_whole]), session.run(sizes)]
        session.run(parts[1], {key: 1})
        found += [session.run([any_key, any_whole]), session.run([area.get(indices=["x"]), *sizes])]
        found += [session.run([whole, only_y], {key: 8, asked: 8, x: 1.0})[1]]
        session.run(area.clear())
        found.append(session.run(sizes))
    return found


@graph
def wrong_arguments_of_map_staging_areas(tf: Any) -> Any:
    made, x = internal(tf, "ops.data_flow_ops").MapStagingArea, tf.constant(1.0)
    plain, named = made([tf.float32, tf.int32]), made([tf.float32], names=["x"], memory_limit=4)
    long = named.put(tf.constant(1, tf.int64), {"x": tf.constant([1.0, 2.0])})
    return tried(
        lambda: plain.put(1, [x]),
        lambda: plain.put(1, [x], [1]),
        lambda: plain.put(1, [x], [0, 1]),
        lambda: plain.put(1, {"x": x}),
        lambda: named.put(1, [x], [0]),
        lambda: named.put(1, {"y": x}),
        lambda: plain.get(1, ["x"]),
        lambda: plain.get(1, []),
        lambda: plain.get(1, 0),
        lambda: named.get(1, ["x", 0]),
        lambda: named.get(1, ["z"]),
        lambda: made([tf.float32], shapes=[[], []]),
        lambda: run(tf, long),
        lambda: run(tf, plain.put(1, [tf.constant(1), x], [1, 0])),
    )


@graph
def stacks_that_last_for_a_run(tf: Any) -> Any:
    made = internal(tf, "ops.gen_data_flow_ops")
    handle = made.stack_v2(2, tf.float32, stack_name="s")
    other = made.stack_v2(-1, tf.int32, stack_name="s")
    pushed = made.stack_push_v2(handle, [1.0, 2.0])
    with tf.control_dependencies([pushed]):
        again = made.stack_push_v2(handle, 3.0)
    with tf.control_dependencies([again]):
        first, third = made.stack_pop_v2(handle, tf.float32), made.stack_push_v2(handle, 4.0)
    with tf.control_dependencies([first]):
        second = made.stack_pop_v2(handle, tf.float32)
    with tf.control_dependencies([second, made.stack_push_v2(other, 1)]):
        close = made.stack_close_v2(other)
    n = tf.while_loop(lambda i: i < 4, lambda i: i + tf.sign(made.stack_push_v2(other, i + 5) + 1), [0])
    shapes = [tf.TensorShape([]), tf.TensorShape(None)]
    taken = tf.while_loop(
        lambda i, s: i > 0, lambda i, s: (i - 1, s * 10 + made.stack_pop_v2(other, tf.int32)), [n, 0], shapes
    )
    values = [run(tf, [first, second]), run(tf, [first, second, pushed]), run(tf, taken)]
    with tf.control_dependencies([third, made.stack_push_v2(other, 1.0)]):
        failing = [made.stack_pop_v2(handle, tf.float32), made.stack_pop_v2(other, tf.int32)]
    failing.append(made.stack_pop_v2(other, tf.int32))
    return (
        values,
        first.shape.ndims,
        pushed.shape.as_list(),
        tried(*(lambda n=n: run(tf, n) for n in failing), lambda: run(tf, close)),
    )
