"""Programs of conditional accumulators: gradients are summed until enough of them have come."""

from __future__ import annotations

from typing import Any

from answers import graph, tried


@graph
def means_and_sums_of_gradients(tf: Any) -> Any:
    found = []
    x = tf.placeholder(tf.float32)
    with tf.Session() as session:
        for kind in ("MEAN", "SUM"):
            held = tf.ConditionalAccumulator(tf.float32, tf.TensorShape([2]), reduction_type=kind)
            for value in ([1.0, 2.0], [3.0, 7.0], [5.0, 0.0]):
                session.run(held.apply_grad(x), {x: value})
            found += [session.run(held.num_accumulated()), session.run(held.take_grad(2))]
            found += [session.run(held.num_accumulated()), held.take_grad(1).shape.as_list()]
    return found


@graph
def gradients_of_earlier_steps_are_left_out(tf: Any) -> Any:
    held = tf.ConditionalAccumulator(tf.float64)
    one, late = held.apply_grad([1.0, 2.0], local_step=1), held.apply_grad([10.0, 20.0], local_step=0)
    count, take = held.num_accumulated(), held.take_grad(1)
    found = []
    with tf.Session() as session:
        session.run(held.set_global_step(1))
        for step in (late, one, late, one):
            session.run(step)
            found.append(session.run(count))
        found.append(session.run(take))
        session.run(one)
        return [*found, session.run(count)]


@graph
def rows_of_gradients(tf: Any) -> Any:
    found = []
    with tf.Session() as session:
        for kind, shape in (("MEAN", [4, 2]), ("SUM", None)):
            held = tf.SparseConditionalAccumulator(tf.float32, shape=shape, reduction_type=kind)
            session.run(held.apply_grad([0, 2], [[1.0, 2.0], [3.0, 4.0]]))
            session.run(held.apply_indexed_slices_grad(tf.IndexedSlices([[6.0, 8.0]], [2], [4, 2])))
            session.run(held.apply_grad([1, 3], [[5.0, 5.0], [7.0, 7.0]], [4, 2]))
            taken = session.run(held.take_grad(3))
            session.run(held.apply_grad([3, 3], [[1.0, 2.0], [3.0, 4.0]], local_step=1))
            found += [taken.indices, taken.values, taken.shape]
            found += list(session.run(held.take_indexed_slices_grad(1)))
    return found


@graph
def gradients_that_do_not_fit(tf: Any) -> Any:
    x = tf.placeholder(tf.float32)
    with tf.Session() as session:

        def of(shape: Any, value: Any) -> Any:
            held = tf.ConditionalAccumulator(tf.float32, shape=shape)
            return tried(lambda: session.run(held.apply_grad(x), {x: value}))

        def rows(*parts: Any) -> Any:
            held = tf.SparseConditionalAccumulator(tf.float32, shape=[3, 3])
            return tried(lambda: session.run(held.apply_grad(*parts)))

        held = tf.ConditionalAccumulator(tf.float32, shape=[1])
        session.run(held.apply_grad([1.0]))
        return [
            of([3], [[1.0]]),
            of([None, 2], [1.0, 2.0]),
            rows([0, 5], [[1.0, 2.0, 3.0]] * 2),
            rows([[0, 1]], [[1.0, 2.0, 3.0]]),
            rows([0], 3.0),
            rows([0], [[1.0, 2.0, 3.0]] * 2),
            rows([0], [[1.0, 2.0, 3.0]], [4, 3]),
            rows([0], [[1.0, 2.0]]),
            rows([0], [1.0]),
            tried(lambda: held.apply_grad([[1.0]])),
            tried(lambda: session.run(held.take_grad(0))),
            tried(lambda: session.run(held.take_grad(2), options=tf.RunOptions(timeout_in_ms=50))),
        ]
