"""Programs of blocks of pixels, parts of arrays that are not there, shapes in loops and critical sections."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried

X = np.arange(24, dtype=np.float32).reshape(1, 4, 6, 1)


@graph
def blocks_of_pixels(tf: Any) -> Any:
    open_sizes = tf.placeholder(tf.float32, [None, 4, None, 2])
    sizes = tf.placeholder(tf.int32, [2])
    shapes = [
        tf.space_to_batch_nd(X, [2, 3], [[0, 0], [1, 2]]),
        tf.space_to_batch_nd(open_sizes, [2, 1], [[0, 0], [0, 0]]),
        tf.space_to_batch_nd(X, sizes, [[0, 0], [0, 0]]),
        tf.batch_to_space_nd(np.zeros([6, 2, 3, 1], np.float32), [2, 3], [[0, 1], [2, 0]]),
        tf.space_to_depth(open_sizes, 2),
        tf.depth_to_space(np.zeros([2, 3, 1, 8], np.float32), 2),
    ]
    refused = tried(
        lambda: tf.space_to_batch_nd(X, [3, 2], [[0, 0], [0, 0]]),
        lambda: tf.space_to_batch_nd(X, [0, 2], [[0, 0], [0, 0]]),
        lambda: tf.space_to_batch_nd(X, [2, 2], [[0, -2], [0, 0]]),
        lambda: tf.batch_to_space_nd(X, [2, 2], [[0, 0], [0, 0]]),
        lambda: tf.batch_to_space_nd(np.zeros([4, 1, 1, 1]), [2, 2], [[3, 3], [0, 0]]),
        lambda: tf.space_to_depth(X, 4),
        lambda: tf.space_to_depth(X, 1),
        lambda: tf.depth_to_space(X, 2),
    )
    return [[tensor.shape.as_list() for tensor in shapes], [type(each.error).__name__ for each in refused]]


@graph
def bits_and_shifts(tf: Any) -> Any:
    two = np.arange(4, dtype=np.int32).reshape(2, 2)
    seen = [tf.bitcast(two, tf.int64), tf.bitcast(two, tf.uint8), tf.bitcast(two, tf.float32)]
    refused = tried(
        lambda: tf.bitcast(np.zeros([2, 3], np.int32), tf.int64),
        lambda: tf.bitcast([True], tf.uint8),
        lambda: tf.manip.roll(two, [1], [0, 1]),
        lambda: tf.manip.roll(two, 1, [[0]]),
        lambda: tf.tile(two, [[1, 2], [3, 4]]),
    )
    rolled = tf.manip.roll(two, [1, 1], [0, 0])
    tall = tf.matrix_set_diag(np.zeros([4, 3], np.float32), np.ones(3, np.float32))
    parted = tf.dynamic_partition(np.float32(3), 1, 2)
    return [
        [tensor.shape.as_list() for tensor in seen],
        [type(getattr(each, "error", None)).__name__ for each in refused],
        run(tf, [rolled, tall, *parted]),
        tf.dynamic_stitch([[0, 2], 1], [np.ones([2, 5]), np.ones(5)]).shape.as_list(),
    ]


@graph
def parts_that_are_not_there(tf: Any) -> Any:
    x, number = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    feeds = {x: [1.0, 2.0, 3.0, 4.0]}

    def of_run(tensor: Any, given: Any = None) -> Any:
        (found,) = tried(lambda: run(tf, tensor, {**feeds, number: given or 0}))
        return type(getattr(found, "error", found)).__name__

    return [
        of_run(x[1:, 1:]),
        of_run(tf.slice(x, [5], [1])),
        of_run(tf.slice(x, [3], [2])),
        of_run(tf.split(x, 3)),
        of_run(tf.split(x, 2, axis=2)),
        of_run(tf.split(x, [3, 2])),
        of_run(tf.unstack(x, 3)),
        of_run(tf.transpose(x, [1, 0])),
        of_run(tf.transpose([[1.0, 2.0]], number), [0, 0]),
        of_run(tf.stack([x, x[:2]])),
        of_run(tf.unique(tf.reshape(x, number))[0], [2, 2]),
        tf.pad(np.zeros([4, 4]), [[1, 2], number]).shape.as_list(),
    ]


@graph
def shapes_of_values_in_rounds(tf: Any) -> Any:
    def going(item: Any, invariant: Any = None) -> Any:
        shapes = None if invariant is None else [tf.TensorShape([]), invariant]
        _, found = tf.while_loop(lambda k, _: k < 3, lambda k, x: [k + 1, x], [0, item], shapes)
        parts = [getattr(found, name) for name in ("indices", "values", "dense_shape") if hasattr(found, name)]
        return [tensor.shape.as_list() if tensor.shape.ndims is not None else None for tensor in parts or [found]]

    sparse = tf.SparseTensor([[0, 1]], [1.0], [3, 4])
    slices = tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 5]), tf.constant([9, 3]))

    def more(k: Any, x: Any) -> Any:
        return [k + 1, tf.sparse.add(x, tf.SparseTensor([[2, 2]], [1.0], [3, 4]))]

    _, grown = tf.while_loop(lambda k, _: k < 3, more, [0, sparse])
    refused = tried(
        lambda: going(sparse, tf.TensorShape([5])),
        lambda: going(tf.ones([2]), tf.TensorShape([5])),
        lambda: going(tf.ones([2]), tf.SparseTensorSpec([2])),
        lambda: tf.while_loop(lambda k, _: k < 3, lambda k, x: [k, x, x], [0, 1]),
        lambda: tf.cond(tf.constant(True), lambda: {"a": 1}, lambda: {"b": 1}),
        lambda: tf.scan(lambda a, x: (a, x), tf.ones([2]), 1.0),
    )
    return [
        going(sparse),
        going(sparse, tf.TensorShape([None])),
        going(sparse, tf.SparseTensorSpec([None, None])),
        going(slices),
        going(slices, tf.TensorShape([None, 3])),
        going(tf.ones([2]), tf.TensorSpec([None])),
        run(tf, tf.sparse.to_dense(grown)),
        [type(each.error).__name__ for each in (*refused[:4], refused[5])],
        refused[4],
    ]


@graph
def functions_one_after_the_other(tf: Any) -> Any:
    section, other = tf.CriticalSection(name="one"), tf.CriticalSection(name="other")
    total = tf.get_variable("total", [], initializer=tf.zeros_initializer(), use_resource=True)

    def add() -> Any:
        with tf.control_dependencies([total.assign_add(2.0)]):
            return {"after": total.read_value() * 1.0, "one": tf.constant(1)}

    found = [section.execute(add) for _ in range(3)]
    nested = tried(lambda: section.execute(lambda: section.execute(lambda: tf.constant(1))))
    taken = tried(lambda: other.execute(lambda: total + 1.0), lambda: tf.CriticalSection("a", critical_section_def=1))
    values = run(tf, found)
    return [
        section.name,
        sorted(float(each["after"]) for each in values),
        [int(each["one"]) for each in values],
        [type(each.error).__name__ for each in (*nested, taken[1])],
    ]


@graph
def functions_of_a_section_are_not_mixed(tf: Any) -> Any:
    section, same = (tf.CriticalSection(shared_name="s") for _ in range(2))
    other = tf.CriticalSection()
    total = tf.get_variable("sum", [], initializer=tf.zeros_initializer(), use_resource=True)

    def add() -> Any:
        before = total.value()  # of a resource: what it has then
        with tf.control_dependencies([before]), tf.control_dependencies([total.assign_add(2.0)]):
            return tf.identity(before)

    found = [each.execute(add) for each in (section, same) * 3]
    with tf.control_dependencies([section.execute(lambda: total.assign(9.0).op)]):
        written = total.read_value()
    nested = tried(
        lambda: section.execute(lambda: same.execute(lambda: tf.constant(1))),
        lambda: section.execute(lambda: other.execute(lambda: tf.constant(1))),
    )
    refused = isinstance(nested[0].error, ValueError)
    return sorted(map(float, run(tf, found))), float(run(tf, found[4])), run(tf, [written, nested[1]]), refused


@graph
def images_of_unknown_rank_in_blocks(tf: Any) -> Any:
    x, five = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None] * 5)
    none = [[0, 0], [0, 0]]
    return [
        *(str(move(x, none, 2).shape) for move in (tf.space_to_batch, tf.batch_to_space)),
        *(tried(lambda move=move: move(five, none, 2)) for move in (tf.space_to_batch, tf.batch_to_space)),
        *(tried(lambda dtype=dtype: tf.constant(tf.Dimension(3), dtype)) for dtype in (tf.float32, tf.bool)),
        tf.constant(tf.Dimension(3), tf.int64).dtype.name,
    ]


@graph
def gradients_that_branches_and_loops_do_not_pass_on(tf: Any) -> Any:
    a, b, c, d = (tf.Variable([1.0, 2.0]) for _ in range(4))
    flag, keep = tf.placeholder_with_default(True, []), tf.stop_gradient

    def chosen() -> Any:  # of two results one depends on b, and only stopped or compared values on c and d
        return tf.cond(flag, lambda: (a * 2.0, b + keep(c)), lambda: (a + tf.to_float(d > 1.0), b))

    def looped() -> Any:  # y goes to x a round later, z stays where it is, and d counts the rounds
        start = (0, a + 0.0, b + 0.0, c + 0.0)
        return tf.while_loop(
            lambda i, x, y, z: tf.reduce_sum(d) > tf.to_float(i), lambda i, x, y, z: (i + 1, y, y * 2.0, z + 1.0), start
        )[1:]

    first, second = chosen()
    x, y, z = looped()
    nested = tf.cond(flag, lambda: looped()[2], lambda: c * chosen()[0])
    slopes = [tf.gradients(t, [a, b, c, d]) for t in (first, second, x, y, z, nested)]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        values = session.run([[g for g in each if g is not None] for each in slopes])
    return [[g is None for g in each] for each in slopes], values


@graph
def gradients_that_are_stopped_inside_and_outside_of_loops(tf: Any) -> Any:
    x, y, z = (tf.constant(value) for value in (3.0, 2.0, 1.0))

    def body(x: Any, y: Any, z: Any) -> Any:
        stopped = tf.stop_gradient(tf.square(y))
        return tf.square(x) + stopped, stopped, z * 2.0

    loop = tf.while_loop(lambda x, y, z: x < 100.0, body, [x, y * 1.0, z])
    targets = [loop[0], loop[1], tf.stop_gradient(loop[0]), loop[0] + tf.stop_gradient(loop[2])]
    slopes = [tf.gradients(target, [x, y, z]) for target in targets]
    given = [[g for g in each if g is not None] for each in slopes]
    return [[g is None for g in each] for each in slopes], run(tf, given)


@graph
def what_mapped_functions_return_is_described_or_unknown(tf: Any) -> Any:
    rows = tf.placeholder_with_default(np.ones((2, 3), np.float32), (None, 3))
    unknown = tf.map_fn(lambda x: x * 2.0, rows, infer_shape=False)
    described = tf.map_fn(lambda x: tf.cast(x, tf.float64), rows, fn_output_signature=tf.TensorSpec((3,), tf.float64))
    several = tf.map_fn(lambda x: (x, tf.size(x)), rows, fn_output_signature=(tf.float32, tf.int32))
    shapes = [unknown.shape.ndims, described.shape.as_list(), [each.shape.as_list() for each in several]]
    return shapes, run(tf, [unknown, described, *several])


@graph
def ways_of_a_choice_are_given_once(tf: Any) -> Any:
    choice, one = tf.placeholder_with_default(True, ()), lambda: tf.constant(1)
    return tried(
        lambda: tf.cond(choice, one, one, fn1=one),
        lambda: tf.cond(choice, one, one, fn2=one),
        lambda: run(tf, tf.cond(choice, fn1=one, fn2=one)),
        lambda: tf.group(3),
    )
