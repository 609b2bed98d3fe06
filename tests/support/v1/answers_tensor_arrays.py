"""Programs of arrays of tensors: gradients summed in them, what is read once, what does not fit, eager mode."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, graph, run, tried


def _kind(found: Any) -> str:
    return type(getattr(found, "error", found)).__name__


@graph
def gradients_summed_in_arrays(tf: Any) -> Any:
    array = tf.TensorArray(tf.float32, 3, tensor_array_name="foo", infer_shape=False)
    sums = array.grad("one")
    written = sums.write(2, 3.0).write(2, 4.0).write(0, 1.0)
    with tf.control_dependencies([sums.write(1, [5.0]).flow]):
        seen = array.grad("one").read(1)
    other = array.grad("other").write(1, 7.0).read(1)
    grown = tf.TensorArray(tf.float32, 0, dynamic_size=True).write(0, 1.0).write(1, 2.0)
    misfit = tried(lambda: run(tf, sums.write(1, 1.0).write(1, [1.0]).flow))
    twice = tried(lambda: run(tf, array.write(2, 3.0).write(2, 4.0).flow))
    return [
        run(tf, [written.read(2), written.read(0)]),
        run(tf, seen),
        run(tf, other),
        run(tf, grown.grad("g").size()),
        [_kind(each) for each in (*misfit, *twice)],
        [
            "Could not aggregate to TensorArray index 1" in str(misfit[0].error),
            "already been written" in str(twice[0].error),
        ],
    ]


@graph
def arrays_that_are_read_once(tf: Any) -> Any:
    def twice(**options: Any) -> Any:
        array = tf.TensorArray(tf.float32, 2, **options).unstack([[1.0, 2.0], [3.0, 4.0]])
        first = array.read(0)
        with tf.control_dependencies([first]):
            return array.read(0)

    closed = tf.TensorArray(tf.float32, 2).close()
    run(tf, closed)
    (once,) = tried(lambda: run(tf, twice()))
    return [
        _kind(once),
        "Could not read index 0 twice" in str(once.error),
        run(tf, twice(clear_after_read=False)),
        run(tf, tf.map_fn(lambda x: x + 1.0, tf.constant([1.0, 2.0]))),
    ]


@graph
def arrays_that_do_not_fit(tf: Any) -> Any:
    def array(size: int = 3, **options: Any) -> Any:
        return tf.TensorArray(tf.float32, size, infer_shape=False, **options)

    zero = tf.TensorArray(tf.float32, 0).unstack(tf.zeros([0, 3, 5]))
    pieces = tf.TensorArray(tf.float32, 3).split(np.ones([3, 2], np.float32), [1, 1, 1])
    uneven = tf.TensorArray(tf.float32, 2).split(np.ones([3, 2], np.float32), [1, 2])
    cases = tried(
        lambda: run(tf, array().write(0, 3.0).write(1, 4.0).write(2, [3.0]).concat()),
        lambda: run(tf, array().write(0, [3.0]).write(1, [4.0]).write(2, [[3.0]]).concat()),
        lambda: run(tf, array(2).write(0, [3.0]).write(1, [4.0, 5.0]).stack()),
        lambda: run(tf, array().write(0, "text").flow),
        lambda: run(tf, array().write(-1, 1.0).flow),
        lambda: run(tf, array().read(3)),
        lambda: array(element_shape=[None, 3]).write(0, tf.ones([5])),
        lambda: run(tf, array().split([1.0, 2.0, 3.0], [1]).flow),
    )
    return [
        [_kind(each) for each in cases],
        run(tf, [zero.stack(), zero.concat()]),
        [pieces.read(0).shape.as_list(), uneven.read(0).shape.ndims],
        run(tf, array(2).write(0, [[1.0]]).write(1, [[2.0], [3.0]]).concat()),
    ]


@eager
def arrays_of_eager_mode(tf: Any) -> Any:
    array = tf.TensorArray(tf.float32, 3, clear_after_read=False, infer_shape=False)
    array = array.write(0, [1.0, 2.0]).write(0, [3.0, 4.0]).write(1, [5.0, 6.0]).write(2, [7.0, 8.0])
    once = tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0])
    first = float(once.read(0))
    again = once.unstack([3.0, 4.0])
    cases = tried(
        lambda: tf.TensorArray(tf.float32, 2).write(2, 1.0),
        lambda: tf.TensorArray(tf.float32, 2).write(-1, 1.0),
        lambda: tf.TensorArray(tf.float32, 2).read(2),
        lambda: tf.TensorArray(tf.float32, 2).read(-1),
        lambda: tf.TensorArray(tf.float32, 2).write(0, "text"),
        lambda: tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0, 3.0]),
        lambda: tf.TensorArray(tf.float32, 2).grad("g"),
        lambda: array.split([1.0, 2.0], [[1]]),
    )
    return [
        array.stack(),
        array.gather([2, 0]),
        array.concat(),
        int(array.size()),
        first,
        float(again.read(1)),
        [_kind(each) for each in cases],
    ]


@graph
def maps_over_elements(tf: Any) -> Any:
    numbers = np.array([1, 2, 3])
    refused = tried(
        lambda: tf.map_fn(lambda x: x, 1),
        lambda: tf.map_fn(lambda x: x, [1, 2]),
        lambda: tf.map_fn(lambda x: (x, x), numbers, dtype=[tf.int64, tf.int64]),
        lambda: tf.map_fn(lambda x: (x, x), numbers),
    )
    pairs = tf.map_fn(lambda x: (x[1], x[0] * 2), (numbers, -numbers))
    return [
        run(tf, [tf.map_fn(lambda x: x * 2, numbers), *pairs]),
        [_kind(each) for each in refused],
    ]


@eager
def numbers_out_of_range(tf: Any) -> Any:
    refused = tried(
        lambda: tf.constant([2**72]),
        lambda: tf.constant(10**310, tf.float64),
        lambda: tf.fill([[0, 1], [2, 3]], 1.0),
        lambda: tf.fill([3, 2], [1.0, 2.0]),
        lambda: tf.fill([-1], 1.0),
    )
    empty = tf.map_fn(lambda x: tf.constant(""), tf.constant([]), dtype=tf.string)
    return [
        [_kind(each) for each in refused],
        float(tf.constant(2**70, tf.float32)),
        [empty.dtype.name, empty.shape.as_list()],
    ]
