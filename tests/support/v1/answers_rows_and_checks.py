"""Programs of sets, weights, checks with what they show, variables that begin in the run that reads them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from answers import graph, run, tried


def _sparse(tf: Any, rows: list[list[int]]) -> Any:
    places = [[i, k] for i, row in enumerate(rows) for k in range(len(row))]
    return tf.SparseTensor(places, [x for row in rows for x in row], [len(rows), max(map(len, rows))])


@graph
def sets_of_rows(tf: Any) -> Any:
    dense, sparse = tf.constant([[9, 1, 5], [2, 4, 3]]), _sparse(tf, [[1, 9], [1]])
    found = [
        tf.sets.set_intersection(dense, sparse),
        tf.sets.set_difference(dense, sparse),
        tf.sets.set_difference(dense, sparse, aminusb=False),
        tf.sets.set_union(sparse, sparse),
    ]
    sizes = [tf.sets.set_size(each) for each in found]
    return [list(run(tf, each)) for each in found], run(tf, sizes), [each.indices.shape.as_list() for each in found]


@graph
def sets_that_are_none(tf: Any) -> Any:
    unordered = tf.SparseTensor([[1, 0], [0, 1]], [1, 2], [2, 2])
    return tried(
        lambda: run(tf, tf.sets.set_size(unordered)),
        lambda: tf.sets.set_size(tf.constant([[1]])),
        lambda: tf.sets.set_union(tf.constant([[1.0]]), tf.constant([[1.0]])),
        lambda: tf.sets.set_union(tf.constant([[1]]), tf.constant([[1]], tf.int64)),
    )


@graph
def checks_of_shapes_with_names(tf: Any) -> Any:
    x, y, z = tf.ones([3, 2]), tf.ones([4, 2]), tf.placeholder(tf.float32, [None, 2])
    check = tf.debugging.assert_shapes([(x, ("N", "Q")), (z, ("N", "Q"))])
    return tried(
        lambda: run(tf, tf.debugging.assert_shapes([(x, ("N", "Q")), (y, ("D", 2)), (y, ("*", "Q"))])),
        lambda: tf.debugging.assert_shapes([(x, ("N", "Q")), (y, ("N", "Q"))]),
        lambda: tf.debugging.assert_shapes([(x, (3,))]),
        lambda: run(tf, check, {z: np.ones((3, 2))}),
        lambda: run(tf, check, {z: np.ones((4, 2))}),
    )


@graph
def ranks_that_are_tensors(tf: Any) -> Any:
    x, one, two = tf.ones([2]), tf.placeholder(tf.int32), tf.placeholder(tf.int32)
    check = tf.assert_rank_in(x, (one, two))
    return tried(
        lambda: run(tf, check, {one: 1, two: 3}),
        lambda: run(tf, check, {one: 2, two: 3}),
        lambda: run(tf, check, {one: [1, 2], two: 3}),
        lambda: tf.assert_rank_in(x, (1, 0.5)),
    )


@graph
def variables_that_begin_in_the_run(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    with tf.control_dependencies([v.initializer]):
        first = v.read_value()
    with tf.control_dependencies([first]):
        second = tf.identity(v.assign_add([1.0, 1.0]))
    with tf.Session() as session:
        return session.run([second]), session.run(v)


@graph
def what_waits_for_what(tf: Any) -> Any:
    a = tf.constant(1.0, name="a")
    with tf.control_dependencies([a]):
        b = tf.constant(2.0)
        c = tf.identity(b)
        with tf.control_dependencies([a, b]):
            d = tf.constant(3.0)
    return [[op.name for op in node.op.control_inputs] for node in (b, c, d)]


@graph
def shapes_that_are_not_known_compared(tf: Any) -> Any:
    unknown = tf.TensorShape(None)
    return tried(
        lambda: unknown != tf.TensorShape(None),
        lambda: tf.TensorShape([1]).merge_with([1, 2]),
        lambda: tf.TensorShape([1]).assert_same_rank([1, 2]),
        lambda: tf.as_dtype(None),
        lambda: tf.convert_to_tensor([tf.constant(1.0)], dtype=tf.int32),
        lambda: run(tf, tf.cumsum(tf.ones([2, 2]), 5)),
        lambda: tf.fill([[2, 2]], 1.0),
    )


@graph
def variables_that_begin_with_others(tf: Any) -> Any:
    p = tf.get_variable("p", [3], initializer=tf.constant_initializer(2.0))
    moment = tf.Variable(p * 0, dtype=tf.float32, name="moment")
    copy = tf.get_variable("copy", initializer=tf.concat([p, [7.0]], 0))
    plain = tf.Variable(p, name="plain")
    old = tf.Variable(p.initialized_value() + 1, name="old")
    step = p.assign_add([1.0, 1.0, 1.0])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = session.run([moment, copy, plain, old])
        session.run(step)
        session.run([copy.initializer, plain.initializer])
        plain.load([5.0, 5.0, 5.0], session)
        return first, session.run([moment, copy, plain, old])


@graph
def names_of_templates(tf: Any) -> Any:
    made = tf.make_template("made", lambda x: x * tf.get_variable("w", [2]), create_scope_now_=True)
    before = made.var_scope.name
    made(tf.ones([2]))
    return before, made.variable_scope.name, [v.name for v in tf.trainable_variables()]


@graph
def what_printed_tensors_look_like(tf: Any) -> Any:
    values = [
        np.float32([1 / 3, 0.1, 1e-5, 1e22, 2.0]),
        np.float64([1 / 3, 1e100, 3.0]),
        np.float32([np.nan, -np.inf, -0.0]),
        np.float16([0.1, 1.0]),
        np.float32([[1, 2], [0.5, 3]]),
        np.arange(24).reshape(2, 3, 4),
        np.array([True, False]),
        np.array([b'a"\n', b"b"]),
        np.float32(2),
        np.zeros([0], np.float32),
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "printed"
        for value in values:
            for summarize in (1, -1):
                run(tf, tf.print(tf.constant(value), "and", 1.0, summarize=summarize, output_stream=f"file://{path}"))
        return path.read_text()


@graph
def checks_of_shapes_as_parts(tf: Any) -> Any:
    x, u = tf.placeholder(tf.float32, [None, 2], name="x"), tf.placeholder(tf.float32, name="u")

    def shown(pairs: Any, feed: Any, **options: Any) -> str:
        try:
            run(tf, tf.debugging.assert_shapes(pairs, **options), feed)
        except (tf.errors.InvalidArgumentError, ValueError) as error:
            lines = [line for line in str(error).splitlines() if "assertion failed" in line or "must" in line]
            return lines[0] if lines else str(error).splitlines()[0]
        return "holds"

    return [
        shown([(x, ("N", "Q")), (u, ("N", "D"))], {x: np.ones([3, 2]), u: np.ones([2, 3])}),
        shown([(x, (4, "Q"))], {x: np.ones([3, 2])}, message="first"),
        shown([(u, ("*", "N", 3))], {u: np.ones([2, 2])}),
        shown([(u, ("*", "N", 3))], {u: 5}),
        shown([(u, ("N",))], {u: np.ones([2, 2])}),
        shown([(u, ())], {u: [5, 5]}),
        shown([(u, ())], {u: [5]}),
        shown([(u, (1,))], {u: 5}),
        shown([(x, (4, "Q"))], {x: np.ones([3, 2])}, data=["other"]),
        shown([(tf.ones([2, 3]), "23"), (tf.ones([3]), None)], {}),
        shown([(tf.ones([2, 3, 4]), ("*", 2, 4))], {}, message="first"),
        shown([(tf.ones([2, 3]), ("*", 1, 2, 3))], {}),
        shown([(tf.ones([2, 3]), ())], {}),
    ]


@graph
def arrays_of_whole_numbers(tf: Any) -> Any:
    whole = np.array([1.0, 2.0])
    return [
        run(tf, tf.constant(whole, tf.int32)),
        run(tf, tf.convert_to_tensor(np.float32(3), tf.int64)),
        run(tf, tf.ones([2], tf.int32) * whole),
        *tried(
            lambda: tf.constant([1.0, 2.0], tf.int32),
            lambda: tf.constant(1.5, tf.int32),
            lambda: tf.ones([2], tf.int32) + 1.0,
        ),
    ]


@graph
def special_functions_of_numbers_and_arrays(tf: Any) -> Any:
    b, x = np.array([0.5, 2.0]), np.array([0.25, 0.75])
    parts = [tf.placeholder(tf.float32) for _ in range(3)]
    return [
        run(tf, tf.betainc(0.1, b.astype(np.float32), x.astype(np.float32))),
        tried(
            lambda: run(tf, tf.betainc(*parts), dict(zip(parts, (0.5, [0.5], [[0.5]]), strict=True))),
            lambda: run(tf, tf.argmax(tf.zeros([0]))),
        ),
    ]


@graph
def sets_of_rows_that_do_not_fit(tf: Any) -> Any:
    dense, sparse = tf.constant([[1, 2, 2], [3, 4, 5]]), tf.SparseTensor([[0, 0], [0, 3], [1, 1]], [1, 4, 3], [2, 5])
    three = tf.placeholder_with_default([[1], [2], [3]], None)
    pairs = [(dense, dense), (dense, sparse), (sparse, sparse)]
    found = [tf.sets.set_union(one, other).values.op.type for one, other in pairs]
    for action in (
        lambda: tf.sets.set_union(dense, [[1], [2], [3]]),
        lambda: tf.sets.set_union(dense, [1, 2]),
        lambda: tf.sets.set_union(1, 1),
        lambda: tf.sets.set_union(dense, [[1.0]]),
        lambda: run(tf, tf.sets.set_union(dense, three)),
        lambda: run(tf, tf.sets.set_union(dense, tf.SparseTensor([[0, 3], [0, 0]], [1, 2], [2, 5]))),
    ):
        try:
            found.append(str(action()))
        except Exception as error:
            found.append(type(error).__name__)
    return found


@graph
def rows_of_what_is_passed_on_are_slices(tf: Any) -> Any:
    """Return values after steps of an optimizer with slots, which leaves the other rows alone where slices arrive."""
    found = []
    for k, passed in enumerate((tf.identity, lambda v: v.read_value(), lambda v: tf.identity(tf.identity(v)))):
        for resource in (False, True):
            v = tf.get_variable(
                f"passed_{k}_{resource}",
                initializer=np.arange(6, dtype=np.float32).reshape(3, 2),
                use_resource=resource,
            )
            optimizer = tf.train.MomentumOptimizer(0.5, 0.5)
            whole = optimizer.minimize(tf.reduce_sum(v))
            source = passed(v)
            rows = tf.reduce_sum(tf.gather(source, [0, 2]) ** 2)
            step = optimizer.minimize(rows)
            slope, both = tf.gradients(rows, v)[0], tf.gradients(rows + source[1, 0], [v, source])
            kinds = [isinstance(each, tf.IndexedSlices) for each in (slope, *both)]
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                session.run(whole)
                session.run(step)
                found.append([kinds, session.run([v, tf.convert_to_tensor(slope), *both])])
    return found
