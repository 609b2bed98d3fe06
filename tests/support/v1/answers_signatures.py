"""Programs of functions with signatures, of blocks that keep their order, and of what eager tensors tell."""

from __future__ import annotations

from typing import Any

from answers import eager, graph, tried
from answers_framework import framework


def _with_signature(tf: Any) -> Any:
    spec = tf.TensorSpec

    @tf.function(input_signature=[spec([2], tf.float32), {"a": spec([], tf.int32), "b": [spec([], tf.bool)]}])
    def nested(x: Any, parts: Any) -> Any:
        return x, parts["a"] + 1, parts["b"][0]

    @tf.function(input_signature=[spec([], tf.float32), spec([], tf.bool)])
    def default(x: Any, training: Any = True) -> Any:
        return x, training

    @tf.function(input_signature=[spec([], tf.float32)])
    def shorter(x: Any, training: bool = True) -> Any:
        return x if training else -x

    one = tf.constant(1.0)
    fitting = [
        nested([1, 2], {"a": 3, "b": [True]}),
        default(one),
        default(one, training=False),
        default(training=False, x=2),
        shorter(one),
    ]
    wrong = tried(
        lambda: nested([1.0, 2.0, 3.0], {"a": 3, "b": [True]}),
        lambda: nested([1.0, 2.0], {"a": 3, "b": [True, False]}),
        lambda: nested([1.0, 2.0]),
        lambda: nested(tf.constant([1, 2]), {"a": 3, "b": [True]}),
        lambda: nested(object(), {"a": 3, "b": [True]}),
        lambda: default(one, unknown=False),
        lambda: default(one, True, False),
        lambda: default(one, x=one),
        lambda: tf.function(lambda x: x, input_signature=[(2, 3)]),
        lambda: tf.function(lambda x: x, input_signature={"x": spec([], tf.float32)}),
    )
    return fitting, wrong


@graph
def functions_with_signatures(tf: Any) -> Any:
    fitting, wrong = _with_signature(tf)
    with tf.Session() as session:
        return session.run(fitting), wrong


@eager
def functions_with_signatures_in_eager_mode(tf: Any) -> Any:
    return _with_signature(tf)


@eager
def a_signature_of_a_sparse_tensor(tf: Any) -> Any:
    @tf.function(input_signature=[tf.SparseTensorSpec([None, 4], tf.float32)])
    def values(x: Any) -> Any:
        return x.values * 2.0

    sp = tf.SparseTensor([[0, 0], [1, 2]], [1.0, 3.0], [3, 4])
    other = tf.SparseTensor([[0, 0]], [1.0], [3, 5])
    return values(sp), tried(lambda: values(other), lambda: values(tf.constant(1.0)))


@eager
def functions_that_change_their_arguments(tf: Any) -> Any:
    def call(change: Any, argument: Any) -> Any:
        return lambda: tf.function(change)(argument)

    def numbers() -> list[Any]:
        return [tf.constant(0.0), tf.constant(1.0)]

    return tried(
        call(lambda x: x.append(tf.constant(0.0)), numbers()),
        call(lambda x: x.reverse(), numbers()),
        call(lambda x: x[0].clear(), [{"a": tf.constant(0.0)}]),
        call(lambda x: [*x, x[0]], numbers()),
    )


@eager
def what_eager_tensors_tell_of_themselves(tf: Any) -> Any:
    t = tf.constant([1.0, 2.0])
    meaningless = tried(lambda: t.op, lambda: t.name, lambda: t.graph, lambda: t.nothing)
    return t.device, t.backing_device, tf.Variable(1.0).device, t.cpu(), t._shape_tuple(), meaningless


@graph
def a_block_keeps_the_order_of_its_operations(tf: Any) -> Any:
    module = framework(tf, "auto_control_deps")
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    p = tf.placeholder(tf.bool, [])
    with module.AutomaticControlDependencies() as block:
        v.assign(v + 1.0)
        tf.cond(p, lambda: v.assign(v * 3.0), lambda: v.assign(v * 5.0))
        v.assign(v * 2.0)
        value = block.mark_as_return(v.read_value())

    @module.automatic_control_dependencies
    def step() -> Any:
        v.assign(v + 1.0)
        v.assign(v * 2.0)
        return v.read_value()

    stepped = step()
    found = []
    with tf.Session() as session:
        for fed in (True, False):
            session.run(v.initializer)
            found.append(session.run(value, {p: fed}))
        session.run(v.initializer)
        return found, session.run(stepped)
