"""Programs of state at its edges: variables of one run, initializers that take types late, averages, parts, files."""

from __future__ import annotations

import os
import tempfile
from importlib import import_module
from typing import Any

import numpy as np
from answers import eager, graph, run, tried


def _module(tf: Any, name: str, room: str = "ops") -> Any:
    package = "steepest.v1" if tf.__name__.startswith("steepest") else "tensorflow"
    return import_module(f"{package}.python.{room}.{name}")


@graph
def temporary_variables_live_in_one_run(tf: Any) -> Any:
    state = _module(tf, "gen_state_ops")

    def made(name: str) -> Any:
        return state.temporary_variable([1, 2], tf.float32, var_name=name)

    both = tf.assign_add(tf.assign(made("foo"), [[4.0, 5.0]]), [[6.0, 7.0]])
    final = state.destroy_temporary_variable(both, var_name="foo")
    other = state.destroy_temporary_variable(made("good"), var_name="bad")
    twice = tf.assign(made("dup"), [[1.0, 2.0]]) + tf.assign(made("dup"), [[3.0, 4.0]])
    with tf.Session() as session:
        values = [session.run(final), session.run(final)]
        return values, tried(lambda: session.run(other), lambda: session.run(twice)), final.shape.as_list()


def _initial_values(tf: Any, evaluate: Any) -> Any:
    v2 = _module(tf, "init_ops_v2")
    found: list[Any] = []
    for initializer in (v2.Zeros(), v2.Ones(), v2.Constant(7), v2.Identity(2.0)):
        found += [evaluate(initializer([2, 2])), evaluate(initializer([2, 2], tf.float64))]
    found += [evaluate(v2.Constant([1, 2])([2])), evaluate(v2.Constant(np.arange(4.0))([2, 2]))]
    for kind in (v2.RandomUniform, v2.RandomNormal, v2.TruncatedNormal, v2.VarianceScaling, v2.Orthogonal):
        seeded = kind(seed=3)
        values = [evaluate(seeded([4, 6], tf.float64)) for _ in range(2)]
        again = seeded([4, 6])
        found += [np.array_equal(*values), again.dtype.name, again.shape.as_list()]
        found.append(np.array_equal(evaluate(again), evaluate(again)))
        found.append(np.array_equal(evaluate(kind()([4, 6])), evaluate(kind()([4, 6]))))
        found.append(sorted(key for key in seeded.get_config()))
    found.append(evaluate(tf.reduce_max(tf.abs(v2.RandomUniform()([1000])))) <= 0.05)
    found.append(0.04 < evaluate(v2.RandomNormal()([1000])).std() < 0.06)
    return found, tried(
        lambda: v2.Constant([1, 2, 3])([2, 2]),
        lambda: v2.Constant([1, 2, 3])([2]),
        lambda: v2.TruncatedNormal()([2], tf.int32),
        lambda: v2.Orthogonal()([2, 2], tf.string),
        lambda: v2.Identity()([2, 2], tf.int32),
        lambda: v2.Identity()([2, 2, 2]),
        lambda: v2.Ones()([2], tf.string),
        lambda: v2.RandomUniform()([2], tf.bool),
    )


@graph
def initializers_take_their_types_late(tf: Any) -> Any:
    with tf.Session() as session:
        return _initial_values(tf, session.run)


@eager
def initializers_take_their_types_late_at_once(tf: Any) -> Any:
    return _initial_values(tf, lambda value: value.numpy())


@graph
def places_that_no_variable_has(tf: Any) -> Any:
    v, scalar = tf.Variable(np.arange(6.0)), tf.Variable(1.0)
    rows = tf.Variable(np.arange(6.0).reshape(2, 3))
    flags = _module(tf, "array_ops").scatter_nd_non_aliasing_add([True, False, False], [[1], [1]], [True, True])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        refused = tried(
            lambda: session.run(tf.batch_scatter_update(v, [-1, 0], [1.0, 2.0])),
            lambda: session.run(tf.batch_scatter_update(rows, [[0], [3]], [[1.0], [2.0]])),
            lambda: session.run(tf.scatter_nd_update(scalar, tf.placeholder_with_default([[0]], None), [2.0])),
        )
        return refused, session.run([scalar, flags])


@graph
def slots_and_averages_are_where_their_variables_are(tf: Any) -> Any:
    averages, slots = _module(tf, "moving_averages", "training"), _module(tf, "slot_creator", "training")
    with tf.device("/job:ps/task:3"):
        v = tf.Variable([1.0, 2.0], name="v")
    with tf.device("/job:worker"):
        optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
        optimizer.minimize(v * v)
        ema = tf.train.ExponentialMovingAverage(0.5)
        ema.apply([v])
        made = [optimizer.get_slot(v, "momentum"), ema.average(v), slots.create_zeros_slot(v, "near")]
        made.append(slots.create_zeros_slot(v, "far", colocate_with_primary=False))
        mean = averages.weighted_moving_average(tf.constant(3.0), 0.5, tf.constant(2.0), collections=["mine"])
    found = [[each.device, each.op.colocation_groups()] for each in made]
    return found, mean.name, [each.name for each in tf.get_collection("mine")], len(tf.global_variables())


@eager
def averages_move_at_once(tf: Any) -> Any:
    assign = _module(tf, "moving_averages", "training").assign_moving_average
    plain, free = tf.Variable([10.0, 11.0]), tf.Variable([0.0, 0.0])
    assign(plain, tf.constant([1.0, 2.0]), 0.25, zero_debias=False)
    assign(free, tf.constant([1.0, 2.0]), 0.25)
    refused = tried(lambda: tf.train.ExponentialMovingAverage(0.5).apply([plain + 1.0]))
    return plain.numpy(), free.numpy(), refused


@eager
def partitioners_cut_eager_variables(tf: Any) -> Any:
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(3)):
        v = tf.get_variable("v", [7, 2], initializer=tf.zeros_initializer())
        w = tf.get_variable("w", initializer=tf.constant(np.arange(14, dtype=np.float32).reshape(7, 2)))
        scalar = tf.get_variable("k", [], initializer=tf.zeros_initializer())
    told = [v.name, v.shape.as_list(), v.dtype.name, scalar.name, len(list(v)), v._get_partitions()]
    parts = [[part.name, part.shape.as_list(), part._save_slice_info.spec, part.trainable] for part in v]
    w.assign_add(tf.ones([7, 2]))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.nn.embedding_lookup(w, [0, 4, 6], partition_strategy="div") ** 2)
    slopes = [None if each is None else tf.convert_to_tensor(each) for each in tape.gradient(loss, list(w))]
    wholes = [
        w.as_tensor().numpy(),
        tf.convert_to_tensor(w).numpy(),
        tf.reduce_sum(w).numpy(),
        (2.0 * tf.identity(w)).numpy(),
    ]
    return told, parts, wholes, loss.numpy(), [each.numpy() for each in slopes]


@eager
def registered_conversions_hold_at_once(tf: Any) -> Any:
    class Twice:
        def __init__(self, value: Any) -> None:
            self.value = value

    def convert(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
        return tf.constant(2 * value.value, dtype=dtype)

    tf.register_tensor_conversion_function(Twice, convert)
    one = Twice(1.0)
    found = [
        tf.convert_to_tensor(one),
        tf.convert_to_tensor(one, tf.float64),
        tf.add(one, 1.0),
        tf.stack([1.0, 2.0]) * one,
    ]
    return [each.numpy() for each in found], tf.reduce_sum(one).numpy()


def _written(tf: Any, evaluate: Any) -> Any:
    io, path = _module(tf, "io_ops"), os.path.join(tempfile.mkdtemp(), "ckpt")
    whole = np.arange(12, dtype=np.float32).reshape(3, 4)
    tensors = [tf.constant(whole[:1]), tf.constant(whole[1:]), tf.constant(7), tf.constant(["a", "bc"])]
    slices = ["3 4 0,1:-", "3 4 1,2:0,4", "", ""]
    evaluate(io.save_v2(path, ["m", "m", "n", "t"], slices, tensors))
    read = io.restore_v2(
        path, ["m", "m", "n", "t"], ["", "3 4 1,2:1,2", "", ""], [tf.float32, tf.float32, tf.int32, tf.string]
    )
    (one,) = io.restore_v2(path, ["n"], [""], [tf.int32])
    refused = tried(
        lambda: evaluate(io.restore_v2(path, ["missing"], [""], [tf.int32])),
        lambda: evaluate(io.restore_v2(path, ["n"], [""], [tf.float32])),
        lambda: evaluate(io.restore_v2(path, ["m"], ["4 4 0,1:-"], [tf.float32])),
        lambda: evaluate(io.restore_v2(path + "no", ["m"], [""], [tf.float32])),
    )
    return evaluate([*read, one]), refused


@graph
def checkpoints_are_written_by_names(tf: Any) -> Any:
    io = _module(tf, "io_ops")
    shapes = [each.shape.as_list() for each in io.restore_v2("x", ["a"], ["3 4 0,1:-"], [tf.float32])]
    wrong = tried(lambda: io.restore_v2("x", ["a", "b"], ["", ""], [tf.float32]))
    with tf.Session() as session:
        return _written(tf, session.run), shapes, wrong


@eager
def checkpoints_are_written_by_names_at_once(tf: Any) -> Any:
    return _written(tf, lambda values: values and [each.numpy() for each in values])


@graph
def scopes_tell_their_settings(tf: Any) -> Any:
    seen: list[Any] = []

    def noting(getter: Any, name: str, **arguments: Any) -> Any:
        seen.append([name, arguments["reuse"], arguments["trainable"]])
        return getter(name, **arguments)

    with tf.variable_scope("a", dtype=tf.float64, custom_getter=noting) as scope:
        tf.get_variable("w", [2])
        with tf.variable_scope("b", reuse=tf.AUTO_REUSE) as inner:
            told = [scope.dtype.name, inner.dtype.name, scope.reuse, inner.reuse is tf.AUTO_REUSE]
    constant = tf.constant_initializer([1, 2], verify_shape=True)
    return (
        told,
        seen,
        tf.get_variable_scope().reuse,
        tried(
            lambda: run(tf, tf.initializers.identity(gain=3)([2, 2], dtype=tf.int64)),
            lambda: tf.initializers.identity(gain=1.5)([2, 2], dtype=tf.int64),
            lambda: tf.orthogonal_initializer()([2, 2], dtype=tf.int32),
            lambda: sorted(constant.get_config()),
        ),
    )
