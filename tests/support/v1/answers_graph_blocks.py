"""Programs of the blocks that a graph is made in: name scopes, devices, threads, what leaves functions' graphs."""

from __future__ import annotations

import threading
from importlib import import_module
from typing import Any

import numpy as np
from answers import graph, run, tried


def _module(tf: Any, name: str) -> Any:
    package = "steepest.v1" if tf.__name__.startswith("steepest") else "tensorflow"
    return import_module(f"{package}.python.{name}")


@graph
def name_scopes_with_slashes_and_values(tf: Any) -> Any:
    found: list[Any] = []
    with tf.name_scope("foo/") as outer:
        for name in ("foo5//", "/", "//", "a//b/c", "", None):
            with tf.name_scope(name) as scope:
                found.append(scope)
        with tf.name_scope("foo5//"), tf.name_scope("foo6") as inner:
            found += [outer, inner]
    other = tf.Graph()
    with other.as_default():
        x = tf.constant([1.0], name="x")
        v = tf.Variable([1.0], name="v")
    with tf.name_scope("of_values", values=[x, v]) as scope:
        y = tf.constant(2.0, name="y")
        found += [scope, tf.get_default_graph() is other, y.graph is other, y.name]
    mine = tf.constant(1.0)

    def both() -> None:
        with tf.name_scope("s", values=[x, mine]):
            pass

    def nameless() -> None:
        with tf.name_scope(None, values=[mine]):
            pass

    return found, tf.get_default_graph() is other, tried(both, nameless, lambda: tf.name_scope("s", [mine]))


@graph
def blocks_of_several_threads(tf: Any) -> Any:
    g = tf.Graph()
    with g.as_default():
        firsts = [tf.constant(float(k), name=f"first_{k}") for k in range(3)]
    g.switch_to_thread_local()
    inside, on = [threading.Event() for _ in firsts], [threading.Event() for _ in firsts]

    def work(k: int) -> None:
        with g.device(f"/job:worker/task:{k}"), g.control_dependencies([firsts[k]]), g.as_default():
            inside[k].set()
            on[k].wait(20)
            tf.constant(1.0, name=f"made_{k}")

    threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    for k, thread in enumerate(threads):
        thread.start()
        inside[k].wait(20)
    for k, thread in enumerate(threads):
        on[k].set()
        thread.join()
    made = [g.get_operation_by_name(f"made_{k}") for k in range(3)]
    return [[op.device, [each.name for each in op.control_inputs]] for op in made]


@graph
def devices_left_out_of_order(tf: Any) -> Any:
    g = tf.Graph()
    outer = g.device("/device:CPU:1")
    outer.__enter__()
    with g.device("/device:CPU:2"):
        return tried(lambda: outer.__exit__(None, None, None))


@graph
def what_leaves_the_graph_of_a_function(tf: Any) -> Any:
    ops = _module(tf, "framework.ops")
    outer, inner, other = tf.Graph(), tf.Graph(), tf.Graph()
    inner._building_function = True
    with outer.as_default(), inner.as_default():
        with ops.init_scope():
            tf.constant(1.0)
        with other.as_default(), ops.init_scope():
            tf.constant(2.0)
    outside = ops.executing_eagerly_outside_functions()
    return [len(each.get_operations()) for each in (outer, inner, other)], outside


@graph
def a_message_with_shapes(tf: Any) -> Any:
    with tf.Graph().as_default() as g:
        tf.placeholder(tf.float32, [None, 2], name="p")
        tf.placeholder(tf.float32, name="q")
    message = g.as_graph_def(add_shapes=True)
    shapes = {node.name: node.attr["_output_shapes"].list.shape[0] for node in message.node}
    sizes = {name: [[each.size for each in shape.dim], shape.unknown_rank] for name, shape in shapes.items()}
    return sizes, message.versions.producer == g.graph_def_versions.producer


@graph
def values_that_constants_decide(tf: Any) -> Any:
    util = _module(tf, "framework.tensor_util")
    x = np.arange(60.0, dtype=np.float32).reshape(3, 4, 5)
    known = [tf.cast(tf.constant(x), tf.float64), tf.concat([x, x], 0), tf.fill([2, 3], 1.0)]
    unknown = [tf.placeholder(tf.float32, [2]), tf.stack([x, tf.placeholder(tf.float32)]), tf.Variable(1.0)]
    found = [util.constant_value(each) for each in [*known, *unknown]]
    return found, util.constant_value(x) is x, [util.is_tensor(each) for each in (x, known[0], unknown[2])]


@graph
def a_gradient_by_a_name_that_is_not_registered(tf: Any) -> Any:
    ops = _module(tf, "framework.ops")
    x = tf.constant(1.0)
    with tf.get_default_graph().gradient_override_map({"Exp": "of_nowhere"}):
        y = tf.exp(x)
    return tried(lambda: ops.get_gradient_function(y.op), lambda: tf.gradients(y, x)), run(tf, y)


@graph
def constants_of_the_internal_module(tf: Any) -> Any:
    c = _module(tf, "framework.constant_op")
    made = [c.constant([7], shape=[3]), c.constant(3.0, shape=[2, 2]), c.constant([1, 2, 3, 4], shape=[2, 2])]
    made += [c.constant_v1([1, 2], shape=[4])]
    refused = tried(
        lambda: c.constant([1, 2, 3], shape=[4]),
        lambda: c.constant([1, 2, 3], shape=[2]),
        lambda: c.constant_v1([1, 2, 3], shape=[2]),
    )
    return run(tf, made), refused


@graph
def what_other_operations_compute_is_not_known_before_a_run(tf: Any) -> Any:
    ones = tf.constant([1, 1])
    hidden = [-ones, ones + 1, tf.expand_dims(ones, 0), tf.shape(tf.zeros([2, 3]))[0], tf.eye(2)]
    checks = [tf.assert_negative(ones - 1), tf.assert_equal(-ones, ones)]  # left to a run: no error here
    return [tf.get_static_value(each) for each in hidden], [check.type for check in checks]


@graph
def default_graphs_of_threads(tf: Any) -> Any:
    here, found = tf.get_default_graph(), []
    tf.Variable(1.0, name="v")

    def work() -> None:
        own = tf.get_default_graph()
        v = tf.get_variable("v", initializer=2.0)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            found.append([own is here, v.name, session.run(v), len(tf.global_variables())])
        tf.reset_default_graph()
        found.append(tf.get_default_graph() is own)
        with here.as_default():
            found.append(tf.constant(1.0).graph is here)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found, tf.get_default_graph() is here, len(tf.global_variables())
