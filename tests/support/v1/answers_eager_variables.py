"""Programs of eager mode: variables, averages, optimizers, scopes."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, tried


@eager
def names_of_eager_variables(tf: Any) -> Any:
    v = tf.Variable(1.0, name="v")
    with tf.name_scope("scope"):
        w = tf.Variable(1.0, name="w")
    with tf.variable_scope("vars"):
        u = tf.get_variable("u", [2], initializer=tf.ones_initializer())
    return v.name, w.name, u.name


@eager
def several_eager_variables_have_one_name(tf: Any) -> Any:
    twice = [tf.Variable(float(i), name="again") for i in range(2)]
    for _ in range(2):
        with tf.name_scope("opened_again"):
            twice.append(tf.Variable(1.0, name="v"))
        with tf.variable_scope("entered_again"):
            twice += [tf.get_variable("v", [1]), tf.Variable(1.0, name="w")]
    optimizer = tf.train.AdamOptimizer(0.1)
    optimizer.apply_gradients([(tf.constant(1.0), v) for v in twice[:2]])
    return [v.name for v in twice], [v.name for v in optimizer.variables()], twice[:2]


@eager
def attributes_of_eager_variables(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0], name="attributes", trainable=False)
    w = tf.Variable([1.0], name="constrained", constraint=lambda x: tf.clip_by_value(x, 0.0, 1.0))
    return [
        v.value(),
        v.read_value(),
        v.numpy(),
        v.shape.as_list(),
        v.get_shape().as_list(),
        v.shape[0].value,
        v.dtype.name,
        v.trainable,
        w.trainable,
        v.initializer is None,
        v.constraint is None,
        w.constraint is None,
    ]


@eager
def changes_of_eager_variables(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0, 3.0], name="changes")
    rows = tf.IndexedSlices(tf.constant([10.0, 20.0]), tf.constant([0, 2]))
    changes = [
        lambda: v.assign([4.0, 5.0, 6.0]),
        lambda: v.assign_add([1.0, 1.0, 1.0]),
        lambda: v.assign_sub([0.5, 0.5, 0.5]),
        lambda: v.load([7.0, 8.0, 9.0]),
        lambda: v.scatter_add(rows),
        lambda: v.scatter_sub(rows),
        lambda: v.scatter_update(rows),
        lambda: tf.scatter_add(v, [1], [5.0]),
        lambda: tf.scatter_nd_add(v, [[0]], [5.0]),
        lambda: tf.scatter_nd_update(v, [[0], [1]], [5.0, 6.0]),
        lambda: tf.assign(v, [1.0, 1.0, 1.0]),
        lambda: tf.assign_add(v, [1.0, 2.0, 3.0]),
        lambda: v.assign([1.0]),
    ]
    found = []
    for change in changes:
        (result,) = tried(change)
        found.append(type(result).__name__ == "Raised")
        found.append(v.numpy())
    return found


@eager
def results_of_changes(tf: Any) -> Any:
    v = tf.Variable(1.0, name="results")
    return v.assign(2.0).numpy(), v.assign_add(1.0).numpy(), v.assign(5.0, read_value=False) is None, v.value()


@eager
def values_of_variables_are_snapshots(tf: Any) -> Any:
    v = tf.Variable([1.0], name="snapshots")
    before, read = v.value(), v.read_value()
    v.assign([2.0])
    return before, read, v.value() * 2.0, tf.identity(v)


@eager
def variables_by_name_twice(tf: Any) -> Any:
    one = tf.get_variable("twice", [])
    two = tf.get_variable("twice", [])
    with tf.variable_scope("again"):
        three = tf.get_variable("twice", [2], initializer=tf.zeros_initializer())
    return two.shape.as_list(), one is two, three.name, three


@eager
def averages_of_variables(tf: Any) -> Any:
    v, average = tf.Variable([1.0, 2.0], name="averaged"), tf.train.ExponentialMovingAverage(0.9)
    average.apply([v])
    v.assign([2.0, 4.0])
    average.apply([v])
    first = average.average(v).numpy()
    v.assign([0.0, 0.0])
    average.apply([v])
    return first, average.average(v), average.average_name(v)


@eager
def averages_with_counted_updates(tf: Any) -> Any:
    v, average = tf.Variable(1.0, name="counted"), tf.train.ExponentialMovingAverage(0.9, num_updates=2)
    average.apply([v])
    v.assign(2.0)
    average.apply([v])
    return average.average(v)


@eager
def steps_of_optimizers(tf: Any) -> Any:
    train = tf.train
    found = []
    for number, optimizer in enumerate(
        (
            train.GradientDescentOptimizer(0.1),
            train.MomentumOptimizer(0.1, 0.9),
            train.AdamOptimizer(0.1),
            train.AdagradOptimizer(0.1),
            train.RMSPropOptimizer(0.1),
        )
    ):
        v = tf.Variable([1.0, 2.0], name=f"stepped{number}")
        step = tf.Variable(0, dtype=tf.int64, name=f"count{number}")
        for _ in range(2):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(v * v)
            optimizer.apply_gradients([(tape.gradient(loss, v), v)], global_step=step)
        found.append([v.numpy(), step.numpy()])
    return found


@eager
def a_constraint_after_a_step(tf: Any) -> Any:
    v = tf.Variable([0.5, 2.0], name="bounded", constraint=lambda x: tf.clip_by_value(x, 0.0, 1.0))
    tf.train.GradientDescentOptimizer(1.0).apply_gradients([(tf.constant([2.0, 0.1]), v)])
    return v


@eager
def slots_of_eager_optimizers(tf: Any) -> Any:
    v, optimizer = tf.Variable([1.0], name="slotted"), tf.train.MomentumOptimizer(0.1, 0.9)
    optimizer.apply_gradients([(tf.constant([1.0]), v)])
    slot = optimizer.get_slot(v, "momentum")
    return slot.name, slot, [s.name for s in optimizer.variables()], optimizer.get_slot_names()


@eager
def wrong_changes(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0], name="wrong")
    return tried(
        lambda: v.assign([1.0]),
        lambda: v.assign_add([1.0, 2.0, 3.0]),
        lambda: tf.scatter_add(v, [5], [1.0]),
        lambda: tf.Variable(None),
        lambda: tf.Variable([1.0], constraint=5),
        lambda: tf.placeholder(tf.float32),
        lambda: tf.gradients(v, [v]),
    )


@eager
def the_global_step(tf: Any) -> Any:
    step = tf.train.get_or_create_global_step()
    v = tf.Variable(1.0, name="with_step")
    tf.train.GradientDescentOptimizer(0.1).apply_gradients([(tf.constant(1.0), v)], global_step=step)
    return step.name, step.value(), step.dtype.name, tf.train.get_global_step() is step


@eager
def templates_share_their_variables_eagerly(tf: Any) -> Any:
    scale = tf.make_template("scale", lambda x: x * tf.get_variable("w", initializer=2.0))
    first = scale(tf.constant(1.0))
    scale.trainable_variables[0].assign(5.0)
    collected = [tf.trainable_variables(), tf.global_variables(), tf.get_collection("variables")]
    return first, scale(tf.constant(1.0)), len(scale.trainable_variables), len(scale.variables), collected


@eager
def scopes_that_reuse_make_new_variables(tf: Any) -> Any:
    made = []
    for _ in range(2):
        with tf.variable_scope("reusing", reuse=tf.AUTO_REUSE):
            made.append(tf.get_variable("v", [2], initializer=tf.ones_initializer()))
    made[0].assign([3.0, 4.0])
    return made[1], made[0] is made[1]


@eager
def custom_getters_eagerly(tf: Any) -> Any:
    seen: list[str] = []

    def doubled(getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        seen.append(name)
        return getter(name, *args, **kwargs) * 2.0

    with tf.variable_scope("doubling", custom_getter=doubled, initializer=tf.ones_initializer()):
        value = tf.get_variable("v", [2])
    return value, seen


@eager
def numbers_of_variables(tf: Any) -> Any:
    v, w = tf.Variable(3.5, name="number"), tf.Variable([1.0, 2.0], name="numbers")
    ids = tf.Variable([1, 0], name="ids")
    return tried(
        lambda: float(v),
        lambda: int(v),
        lambda: bool(v > 2.0),
        lambda: [float(part) for part in (w[0], w[1])],
        lambda: np.array(w),
        lambda: tf.IndexedSlices(w, ids).indices,
        lambda: {v: 1}[v],
        lambda: f"{v.numpy():.2f}",
    )


@eager
def tensors_are_equal_to_themselves_alone(tf: Any) -> Any:
    a, b = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0])
    found = [a == a, a == b, a != b, a != a, a is not None, a == None, a in [b, a], [b, a].index(a)]  # noqa: E711
    return found, tf.equal(a, b)


@eager
def a_cast_to_a_variables_own_type_is_the_variable(tf: Any) -> Any:
    rate = tf.Variable(1.0, name="rate")
    same, other = tf.cast(rate, tf.float32), tf.cast(rate, tf.float64)
    as_float = tf.to_float(rate)
    rate.assign(0.25)
    return same is rate, as_float * 2.0, same * 2.0, other * 2.0, tf.cast(rate * 1.0, tf.float32)


@eager
def norms_and_clips_of_plain_numbers(tf: Any) -> Any:
    many, norm = tf.clip_by_global_norm([2.5, [1.0, 2.0]], 1.0)
    found = [*many, norm, tf.global_norm([3.0, tf.constant(4.0)]), tf.clip_by_norm([3.0, 4.0], 1.0)]
    return [
        *found,
        tf.clip_by_value(2.5, 0.0, 1.0),
        tf.clip_by_value([1, 5], 0, 3),
        tf.clip_by_average_norm([3.0], 1.0),
    ]


@eager
def plain_fractions_before_arrays(tf: Any) -> Any:
    doubles = np.asarray([1.0, 2.0])
    singles = [tf.multiply(0.5, doubles), tf.pow(2.0, doubles), tf.subtract([1.0, 1.0], doubles)]
    singles.append(tf.maximum(1.5, np.int32(3)))
    return singles, tf.multiply(doubles, 0.5), tf.multiply(0.5, doubles) + tf.constant([1.0, 1.0])


@eager
def names_that_are_given_again(tf: Any) -> Any:
    found: list[Any] = []
    for _ in range(2):
        with tf.name_scope("inner") as scope:
            found += [scope, tf.Variable(1.0, name="v").name]
        with tf.name_scope("a/b") as outer, tf.name_scope("c") as inner:
            found += [outer, inner]
        with tf.variable_scope("vs", reuse=tf.AUTO_REUSE), tf.name_scope("q") as within:
            found += [within, tf.get_variable("z", [1]).name]
        found.append(tf.Variable(1.0).name)
    return found
