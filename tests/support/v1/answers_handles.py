"""Programs of handles of variables, of changes to rows and parts of variables, in both modes."""

from __future__ import annotations

import copy
import pickle
from importlib import import_module
from typing import Any

import numpy as np
from answers import eager, graph, run, tried


def _resources(tf: Any) -> Any:
    package = "steepest.v1" if tf.__name__.startswith("steepest") else "tensorflow"
    return import_module(f"{package}.python.ops.resource_variable_ops")


@graph
def handles_get_their_values(tf: Any) -> Any:
    r = _resources(tf)
    handle = r.var_handle_op(dtype=tf.int32, shape=[2, 1])
    wrong = tried(
        lambda: r.assign_variable_op(handle, tf.constant([[0.0], [1.0]])),
        lambda: r.assign_variable_op(handle, tf.constant([1])),
    )
    found: list[Any] = []
    with tf.Session() as session:
        empty = tried(lambda: session.run(r.read_variable_op(handle, tf.int32)))
        session.run(r.assign_variable_op(handle, tf.constant([[-7], [6]])))
        for kind, value in (("add", 1), ("mul", 3), ("div", -4), ("min", 2), ("max", 1), ("sub", 5), ("update", 9)):
            session.run(getattr(r, f"resource_scatter_{kind}")(handle, [0], tf.constant([[value]])))
            found.append(session.run(r.read_variable_op(handle, tf.int32)))
        named = tf.Variable(3.0, name="shared", use_resource=True)
        session.run(named.initializer)
        again = r.var_handle_op(dtype=tf.float32, shape=[], shared_name="shared")
        found.append(session.run(r.read_variable_op(again, tf.float32)))
    return found, wrong, empty


def _changes(tf: Any, evaluate: Any, begin: Any) -> Any:
    found = []
    for kind in ("add", "sub", "max", "min", "mul", "div", "update"):
        v = tf.Variable([1.0, 6.0, 2.0], use_resource=True)
        begin(v)
        evaluate(getattr(v, f"scatter_{kind}")(tf.IndexedSlices(tf.constant([4.0, 3.0]), tf.constant([1, 2]))))
        found.append(evaluate(v.read_value()))
    v = tf.Variable(np.zeros([3, 4], np.float32), use_resource=True)
    begin(v)
    evaluate(tf.batch_scatter_update(v, [[0, 1], [1, 2], [3, 0]], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
    found.append(evaluate(v.read_value()))
    evaluate(v[1, 1:3].assign([7.0, 8.0]))
    evaluate(v[2].assign(tf.fill([4], 9.0)))
    found.append(evaluate(v.read_value()))
    return found


@graph
def rows_and_parts_change(tf: Any) -> Any:
    with tf.Session() as session:
        return _changes(tf, session.run, lambda v: session.run(v.initializer))


@eager
def rows_and_parts_change_at_once(tf: Any) -> Any:
    found = _changes(tf, lambda value: value.numpy(), lambda v: None)
    v = tf.Variable([1.0, 2.0])
    refused = tried(lambda: v[0].assign([1.0, 2.0, 3.0]), lambda: (v + 0)[0].assign(1.0))
    return found, v.numpy(), refused


@eager
def eager_variables_are_copied(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0], name="first", trainable=False)
    copied, kept = copy.deepcopy(v), pickle.loads(pickle.dumps(v))
    copied.assign([3.0, 4.0])
    told = [[each.name, each.trainable, each.shape.as_list(), each.dtype.name] for each in (v, kept)]
    counter = tf.Variable(0)
    counts = [tf.count_up_to(counter, 2).numpy(), counter.count_up_to(2).numpy()]
    return told, v.numpy(), copied.numpy(), kept.numpy(), counts, tried(lambda: tf.count_up_to(counter, 2))


@graph
def variables_of_graphs_are_not_copied(tf: Any) -> Any:
    v = tf.Variable(1.0, use_resource=True)
    return tried(lambda: copy.deepcopy(v)), run(tf, v + 1.0)


@graph
def handles_are_tensors(tf: Any) -> Any:
    r = _resources(tf)
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="v", use_resource=True)
    passed = tf.identity(v.handle)
    found: list[Any] = [v.handle.name, v.handle.op.name, v.handle.dtype.name, v.handle.shape.as_list()]
    found += [isinstance(v.handle, tf.Tensor), v.handle is v.handle, passed.dtype.name, passed.shape.as_list()]
    nowhere = r.var_handle_op(dtype=tf.float32, shape=[], shared_name="nowhere")
    with tf.Session() as session:
        found.append(len(session.run(v.handle)) > 0)
        found.append(session.run(r.var_is_initialized_op(v.handle)))
        session.run(v.initializer)
        session.run(r.assign_add_variable_op(passed, [[1.0, 1.0], [1.0, 1.0]]))
        found.append(session.run(r.read_variable_op(passed, tf.float32)))
        gathered = r.resource_gather(v.handle, [[1], [0]], tf.float32, batch_dims=1)
        found += [session.run(gathered), gathered.shape.as_list()]
        session.run(tf.scatter_nd_update(v, [[0, 1]], tf.constant([9.0])).op)
        found.append(session.run(r.resource_gather_nd(v.handle, [[0, 1]], tf.float32)))
        session.run(r.destroy_resource_op(v.handle))
        session.run(r.destroy_resource_op(nowhere, ignore_lookup_error=True))
        refused = tried(
            lambda: session.run(v),
            lambda: session.run(r.read_variable_op(nowhere, tf.float32)),
            lambda: session.run(r.destroy_resource_op(v.handle, ignore_lookup_error=False)),
        )
        session.run(v.initializer)
        found.append(session.run(v))
    return found, refused


@graph
def cached_variables_are_read_before_they_change(tf: Any) -> Any:
    v = tf.Variable(1.0, caching_device="cpu:0", use_resource=True)
    changed = v.assign_add(1.0)
    with tf.Session() as session:
        session.run(v.initializer)
        before = session.run([v, changed])[0]
        return before, session.run([v.value(), v + 1.0, v.read_value()])


@eager
def handles_of_eager_variables(tf: Any) -> Any:
    r = _resources(tf)
    handle = r.var_handle_op(dtype=tf.int32, shape=[1], name="foo")
    found: list[Any] = [bool(r.var_is_initialized_op(handle)), handle.dtype.name, handle.shape.as_list()]
    found.append(isinstance(handle, tf.Tensor))
    refused = tried(
        lambda: r.read_variable_op(handle, tf.int32),
        lambda: r.assign_add_variable_op(handle, 1),
    )
    r.assign_variable_op(handle, 3)
    found += [r.read_variable_op(handle, tf.int32).numpy(), bool(r.var_is_initialized_op(tf.identity(handle)))]
    r.assign_variable_op(handle, [4, 5])
    found.append(r.read_variable_op(handle, tf.int32).numpy())
    v = tf.Variable([1.0, 2.0])
    r.resource_scatter_add(v.handle, [1], tf.constant([2.0]))
    found.append(v.numpy())
    return found, refused


@eager
def declared_shapes_of_eager_variables(tf: Any) -> Any:
    v = tf.Variable([[1.0]], shape=tf.TensorShape([None, None]), use_resource=True)
    shapes = [v.shape.as_list()]
    v.assign([[2.0, 3.0]])
    v.assign_add([[1.0, 1.0]])
    refused = tried(
        lambda: v.assign([1.0]),
        lambda: tf.Variable([1.0, 2.0], shape=[3], use_resource=True),
        lambda: tf.Variable([1.0, 2.0], shape=[2], use_resource=True).assign([1.0]),
    )
    return shapes, v.numpy(), tf.shape(v).numpy(), refused


@graph
def resources_have_plain_types(tf: Any) -> Any:
    v, w = tf.Variable([1.0], name="v", use_resource=True), tf.Variable([1.0], name="w", use_resource=False)
    with tf.variable_scope("s", use_resource=True):
        u = tf.get_variable("u", [2])
    shown = [[repr(each), each.dtype.name] for each in (v, w, u)]
    return shown, v.value().dtype.name, v.assign([2.0]).dtype.name, w.assign([2.0]).dtype.name


@eager
def eager_variables_refuse_what_does_not_fit(tf: Any) -> Any:
    v, n = tf.Variable([1.0, 2.0, 3.0]), tf.Variable([1, 2, 3])

    def added() -> Any:
        w = v
        w += 1.0
        return w

    refused = tried(
        lambda: tf.Variable([1.5], dtype=tf.int32),
        lambda: tf.Variable(tf.constant([1.5]), dtype=tf.int32),
        lambda: tf.scatter_add(n, [0], [1.5]),
        lambda: tf.scatter_add(n, [0], tf.constant([1.5])),
        lambda: tf.scatter_nd_update(n, [[0]], tf.constant([1.5])),
        lambda: tf.scatter_add(v, tf.constant([0.0]), [1.5]),
        lambda: v.scatter_add([1.0]),
        lambda: v.to_proto(),
        lambda: tf.Variable(1.0, collections="mine"),
        added,
    )
    with tf.GradientTape() as tape:
        looked_up = tf.nn.embedding_lookup(v, [1, 1]) ** 2
    slices = tape.gradient(looked_up, v)
    return refused, tf.is_variable_initialized(v).numpy(), slices.values.numpy(), copy.copy(v).numpy(), n.numpy()


@graph
def resources_refuse_what_does_not_fit(tf: Any) -> Any:
    v, w = tf.Variable([1.0, 2.0], use_resource=True), tf.Variable([1.0], use_resource=False)
    return tried(
        lambda: v.assign(tf.constant([1, 2])),
        lambda: v.assign_add(tf.constant([1, 2])),
        lambda: bool(v),
        lambda: v.scatter_add([1.0]),
        lambda: w.assign(tf.constant([1])),
        lambda: w.count_up_to(3),
        lambda: tf.Variable(1.0, collections="mine"),
    )


@graph
def tensors_of_resources_are_read_once(tf: Any) -> Any:
    found = []
    for resource in (True, False):
        v = tf.Variable([1.0, 2.0], use_resource=resource)
        read = tf.convert_to_tensor(v)
        with tf.control_dependencies([read]):
            change = v.assign_add([10.0, 10.0])
        with tf.control_dependencies([change]):
            later = read * 1.0
        loss = tf.reduce_sum(read * read)
        found += [run(tf, later), run(tf, tf.gradients(loss, v)[0]), tf.gradients(v * 2.0, read)[0] is None]
        found += tried(lambda v=v: tf.convert_to_tensor(v, tf.int32))
    return found


@graph
def shapes_and_types_that_variables_are_told(tf: Any) -> Any:
    whole = tf.Variable([3, 4])
    refused = tried(
        lambda: tf.Variable([3], shape=[2], use_resource=False),
        lambda: whole.count_up_to(5),
        lambda: tf.get_variable("a", initializer=[1, 2], dtype=tf.int64),
        lambda: tf.get_variable("b", initializer=2.0, dtype=tf.float64),
    )
    taken = tf.get_variable("c", initializer=np.float64(2.0), dtype=tf.float64)
    found = [run(tf, taken), run(tf, tf.Variable(3).count_up_to(5)), refused]
    return [*found, tf.Variable([3], shape=[None], use_resource=False).shape.as_list()]


@eager
def what_is_counted_is_an_integer(tf: Any) -> Any:
    counted = tf.Variable(2)
    return counted.count_up_to(3), *tried(lambda: counted.count_up_to(3), lambda: tf.Variable(1.0).count_up_to(3))
