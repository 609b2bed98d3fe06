"""Programs of devices, colocation, makers of variables, checks, templates and shapes of TensorFlow's core tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried


@graph
def parts_of_device_names(tf: Any) -> Any:
    spec = tf.DeviceSpec(job="worker", replica=1, task=2, device_type="cpu", device_index=3)
    names = ["", "/job:a", "/job:a/replica:0/task:1/gpu:0", "/cpu:*", "/device:CPU:1", "/gpu:0"]
    merged = tf.DeviceSpec.from_string("/job:a/task:1/cpu:0")
    return [
        spec.to_string(),
        [tf.DeviceSpec.from_string(name).to_string() for name in names],
        [merged.job, merged.replica, merged.task, merged.device_type, merged.device_index],
        tried(lambda: tf.DeviceSpec.from_string("/bar:foo")),
        tried(lambda: tf.DeviceSpec.from_string("/cpu:0/gpu:0")),
        tf.DeviceSpec(job="a") == tf.DeviceSpec.from_string("/job:a"),
    ]


@graph
def devices_of_nodes(tf: Any) -> Any:
    def device() -> str:
        return str(tf.constant(1.0).op.device)

    found = [device()]
    with tf.device("/device:GPU:0"):
        found.append(device())
    with tf.device("/job:worker/replica:2/task:3/device:CPU:1"):
        with tf.device("/device:CPU:0"):
            found.append(device())
        with tf.device("/job:ps"):
            found.append(device())
        with tf.device(None):
            found.append(device())
    with tf.device(lambda op: "/job:ps" if op.type == "Const" else "/job:other"):
        x = tf.constant(1.0)
        found += [x.op.device, tf.identity(x).op.device]
    with tf.device("/job:ps"):
        v = tf.Variable(1.0, name="v")
    with tf.device("/job:worker"):
        changed = v.assign(2.0)
    return [*found, v.op.device, changed.op.device, changed.device]


@graph
def nodes_near_to_others(tf: Any) -> Any:
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    with tf.device("/device:GPU:0"):
        c = tf.constant(3.0, name="c")
    found = [a.op.colocation_groups()]
    with tf.colocate_with(a.op):
        found.append(tf.constant(1.0).op.colocation_groups())
        with tf.colocate_with(b.op):
            found.append(sorted(tf.constant(1.0).op.colocation_groups()))
        with tf.colocate_with(b.op, ignore_existing=True):
            found.append(tf.constant(1.0).op.colocation_groups())
    with tf.device("/cpu:0"), tf.colocate_with(c.op):
        found.append(tf.constant(1.0).op.device)
    v = tf.Variable(1.0, name="v")
    return [*found, v.assign(1.0).op.colocation_groups(), tried(lambda: b.op.get_attr("_class"))]


@graph
def makers_of_variables(tf: Any) -> Any:
    seen: list[Any] = []

    def outer(make: Any, **kwargs: Any) -> Any:
        seen.append(["outer", kwargs["name"], kwargs["trainable"]])
        return make(**kwargs)

    def inner(make: Any, **kwargs: Any) -> Any:
        seen.append(["inner", kwargs["name"], kwargs["synchronization"].name, kwargs["aggregation"].name])
        return make(**{**kwargs, "name": "forced", "trainable": False})

    with tf.variable_creator_scope(outer), tf.variable_creator_scope(inner):
        v = tf.Variable(1.0, name="mine")
        w = tf.get_variable("w", [2], aggregation=tf.VariableAggregation.MEAN)
    u = tf.Variable(2.0, name="after")
    return [seen, v.name, w.name, u.name, len(tf.trainable_variables())]


@graph
def arguments_of_a_getter(tf: Any) -> Any:
    seen: list[Any] = []

    def getter(get: Any, *args: Any, **kwargs: Any) -> Any:
        seen.append([kwargs["synchronization"].name, kwargs["aggregation"].name, kwargs["caching_device"]])
        return get(*args, **kwargs)

    with tf.variable_scope("a", custom_getter=getter):
        tf.get_variable("v", [1])
        tf.get_variable("w", [1], synchronization=tf.VariableSynchronization.ON_READ)
    return [
        seen,
        [v.name for v in tf.trainable_variables()],
        tried(lambda: tf.get_variable("x", [1], custom_getter=3)),
        tf.Variable(1.0, synchronization=tf.VariableSynchronization.ON_READ).trainable,
    ]


@graph
def scopes_used_wrongly(tf: Any) -> Any:
    def crossed() -> None:
        with tf.variable_scope("aa"):
            scope = tf.variable_scope("bb")
            scope.__enter__()
            with tf.variable_scope("cc"):
                scope.__exit__(None, None, None)

    def auxiliary() -> None:
        with tf.variable_scope("a", auxiliary_name_scope="invalid"):
            pass

    return [
        tried(crossed),
        tried(auxiliary),
        tried(lambda: tf.get_variable("foo", initializer=lambda x: [2])),
        tried(lambda: list(tf.Variable([1.0]))),
    ]


@graph
def checks_that_fail_at_once(tf: Any) -> Any:
    small, big = tf.constant([1, 2]), tf.constant([3, 4])
    return [
        tried(lambda: tf.assert_equal(small, big)),
        tried(lambda: tf.assert_less(big, small)),
        tried(lambda: tf.assert_none_equal(small, small)),
        tried(lambda: tf.assert_positive(-small)),
        tried(lambda: tf.assert_equal(tf.constant([1, 1, 1]), tf.constant([1, 1]))),
        tried(lambda: tf.assert_rank(small, 2)),
        tried(lambda: tf.assert_rank(small, 0.5)),
        tried(lambda: tf.assert_rank_in(small, (0, 2))),
        tf.assert_equal(small, small).type,
    ]


@graph
def checks_that_fail_in_a_run(tf: Any) -> Any:
    x, y = tf.placeholder(tf.int32, name="x"), tf.placeholder(tf.int32, name="y")
    checks = [
        tf.assert_equal(x, y),
        tf.assert_less(x, y),
        tf.assert_rank(x, 2),
        tf.assert_rank_in(x, (0, 2)),
        tf.assert_rank_at_least(x, 2),
    ]
    with tf.Session() as session:
        return [tried(lambda check=check: session.run(check, {x: [3, 4], y: [1, 2]})) for check in checks]


@graph
def templates_that_may_not_make_more(tf: Any) -> Any:
    def line(x: Any, name: str = "w") -> Any:
        return x * tf.get_variable(name, [], initializer=tf.ones_initializer())

    def hidden(x: Any, trainable: bool) -> Any:
        return x * tf.Variable(1.0, trainable=trainable)

    one, two = tf.make_template("one", line), tf.make_template("two", hidden)
    one(1.0)
    two(1.0, True)
    three = tf.make_template("three", hidden)
    three(1.0, False)
    return [
        tried(lambda: one(1.0, "other")),
        tried(lambda: two(1.0, True)),
        tried(lambda: three(1.0, False)) is not None,
        [v.name for v in one.non_trainable_variables],
        [v.name for v in one.local_variables],
        one.variable_scope_name,
        tried(lambda: tf.make_template(None, line)),
    ]


@graph
def shapes_that_are_not_known(tf: Any) -> Any:
    unknown = tf.TensorShape(None)
    return [
        unknown[1:3].as_list(),
        unknown[2:].ndims,
        [int(5 // tf.Dimension(2)), int(7 % tf.Dimension(4))],
        tried(lambda: tf.Dimension(1.5)),
        tried(lambda: tf.Dimension("a")),
        tried(lambda: tf.expand_dims(1, [0, 1])),
        tried(lambda: tf.sequence_mask([1, 2], [1, 2])),
        tried(lambda: tf.reverse(tf.ones([2, 3]), [2])),
        tried(lambda: tf.reverse(tf.ones([2, 3]), [0, -2])),
        tried(lambda: tf.matrix_transpose([1, 2])),
        tried(lambda: tf.ones([2])[tf.constant([0, 1])]),
        tried(lambda: tf.ones([2])[tf.constant("a")]),
    ]


@graph
def a_branch_with_slices_of_two_index_types(tf: Any) -> Any:
    x = tf.constant([10.0])
    narrow, wide = tf.constant([0], tf.int32), tf.constant([0], tf.int64)
    chosen = tf.cond(tf.less(1, 2), lambda: tf.IndexedSlices(x + 1, narrow), lambda: tf.IndexedSlices(x - 1, wide))
    return [run(tf, [chosen.values, chosen.indices])]


@graph
def a_sparse_placeholder_of_a_known_shape(tf: Any) -> Any:
    sparse = tf.sparse_placeholder(tf.float32, [7, 9])
    open_one = tf.sparse_placeholder(tf.float32, [None, 9])
    fed = (np.array([[3, 2]]), np.array([1.0], np.float32))
    whole = (*fed, np.array([7, 9]))
    return [
        run(tf, tf.identity(sparse.values), {sparse: fed}),
        run(tf, sparse, {open_one: whole, sparse: fed}).dense_shape,
    ]


@graph
def sessions_used_wrongly(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [])
    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]), tf.constant([3]))
    with tf.Session() as session:
        return [
            tried(lambda: session.partial_run("foo", x + 1, {x: 1.0})),
            tried(lambda: tf.Session("INVALID")),
            tried(lambda: session.run(tf.reshape(tf.ones([4]), tf.cast([x, x], "int32")), {x: 3.0})),
            tried(lambda: tf.convert_to_tensor(slices, tf.int32)),
        ]


@graph
def savers_used_wrongly(tf: Any) -> Any:
    v, w = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="w")
    later = tf.train.Saver(defer_build=True)
    with tf.Session() as session:
        return [
            tried(lambda: tf.train.Saver({"v": v, "again": v})),
            tried(lambda: tf.train.Saver([v, w, v])),
            tried(lambda: tf.train.Saver([v], defer_build=True)),
            tried(lambda: later.save(session, "/tmp/nothing")),
        ]


@graph
def gradients_and_branches_inside_a_given_gradient(tf: Any) -> Any:
    @tf.custom_gradient
    def squared(x: Any) -> Any:
        y = x * x

        def gradient(dy: Any) -> Any:
            return tf.cond(tf.reduce_sum(dy) > 0, lambda: 3 * dy, lambda: tf.gradients(y, x, dy)[0])

        return y, gradient

    @tf.custom_gradient
    def again(x: Any) -> Any:
        y = tf.sin(x) * x
        return y, lambda dy: tf.gradients(y, x, dy)[0] * 2

    x = tf.constant([2.0, -1.0])
    return run(
        tf,
        [
            tf.gradients(squared(x), x)[0],
            tf.gradients(-squared(x), x)[0],
            tf.gradients(again(x), x)[0],
        ],
    )


@graph
def what_partitioners_say(tf: Any) -> Any:
    shapes = [[10, 4], [3, 5], [1000, 8], [1]]
    partitioners = [
        tf.fixed_size_partitioner(4),
        tf.fixed_size_partitioner(2, axis=0),
        tf.variable_axis_size_partitioner(64),
        tf.variable_axis_size_partitioner(100, max_shards=3),
        tf.min_max_variable_partitioner(max_partitions=8, min_slice_size=64),
    ]
    told = [
        [list(partitioner(shape=tf.TensorShape(shape), dtype=dtype)) for shape in shapes for dtype in dtypes_of(tf)]
        for partitioner in partitioners
    ]
    return [told, tried(lambda: tf.variable_axis_size_partitioner(0))]


def dtypes_of(tf: Any) -> list[Any]:
    return [tf.float32, tf.float64, tf.string]
