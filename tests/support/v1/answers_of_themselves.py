"""Programs of what operations and variables say of themselves, rows of variables, slopes at the edge of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import eager, graph, run, tried

INF = float("inf")


@graph
def signatures_and_places_of_operations(tf: Any) -> Any:
    x, p = tf.constant([1.0], name="x"), tf.placeholder(tf.float32, [2])
    less, product = (x - 1.0).op, tf.matmul([[1.0]], [[2.0]]).op
    drawn = tf.random_uniform([2])
    lines = [line for line in less.traceback if line[0].endswith("answers_of_themselves.py")]
    return [
        [op.op_def.name for op in (x.op, p.op, less, product)],
        [[arg.name for arg in op.op_def.input_arg] for op in (x.op, less, product)],
        [len(op.op_def.output_arg) for op in (x.op, less)],
        [op.op_def.is_stateful for op in (x.op, p.op, less)],
        any(op.op_def.is_stateful for op in drawn.graph.get_operations()),
        [[line[2], line[1] > 0] for line in lines],
    ]


@graph
def attributes_of_messages(tf: Any) -> Any:
    tf.constant([1.0, 2.0], name="a")
    tf.placeholder(tf.float32, [None, 2], name="b")
    tf.identity(tf.constant(1), name="c")
    nodes = {node.name: node.attr for node in tf.get_default_graph().as_graph_def().node}
    return [
        nodes["a"]["dtype"].type,
        tf.make_ndarray(nodes["a"]["value"].tensor),
        [size.size for size in nodes["b"]["shape"].shape.dim],
        nodes["c"]["T"].type,
        tf.get_default_graph().get_tensor_by_name("a:0").op.node_def.attr["dtype"].type,
    ]


@graph
def attributes_given_by_scopes(tf: Any) -> Any:
    graph = tf.get_default_graph()

    @tf.RegisterGradient("SevenTimesForAttributes")
    def seven(op: Any, grad: Any) -> Any:
        return grad * 7.0

    with graph._attr_scope({"_A": tf.AttrValue(s=b"foo"), "_B": tf.AttrValue(i=3)}):
        first = tf.no_op()
        with graph._attr_scope({"_A": None}):
            second = tf.no_op()
    with graph.gradient_override_map({"Identity": "SevenTimesForAttributes"}):
        y = tf.identity(tf.constant(1.0))
    return [
        [first.get_attr("_A"), second.get_attr("_B")],
        tried(lambda: second.get_attr("_A"), lambda: tf.no_op().get_attr("_B")),
        y.op.get_attr("_gradient_op_type"),
        tried(lambda: tf.no_op().graph.colocate_with(None).__enter__()),
        tried(lambda: graph.as_graph_element("x", False, False)),
    ]


@graph
def names_that_are_only_looked_up(tf: Any) -> Any:
    graph = tf.get_default_graph()
    marks = [True, False, False, True, False, True, True, False, True]
    names = ["foo", "foo", "foo", "foo", "foo", "foo_1", "foo", "foo_1", "Foo"]
    return [graph.unique_name(name, mark_as_used=mark) for name, mark in zip(names, marks, strict=True)]


@graph
def messages_of_variables(tf: Any) -> Any:
    with tf.variable_scope("a"):
        v = tf.Variable(10.0, name="v", trainable=False)
    proto, within = v.to_proto(), v.to_proto(export_scope="a")
    again = tf.Variable.from_proto(proto)
    return [
        [proto.variable_name, proto.initializer_name, proto.trainable, within.variable_name, v.to_proto("b")],
        [again.name, run(tf, again)],
    ]


@graph
def rows_of_variables_by_methods(tf: Any) -> Any:
    v = tf.get_variable("v", initializer=tf.constant([[1.0, 2.0], [3.0, 4.0]]), use_resource=True)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(v.scatter_nd_update([[0]], [[5.0, 6.0]]))
        found = [session.run(v)]
        session.run(v.scatter_nd_add([[1, 0]], [1.0]))
        session.run(v.scatter_nd_sub([[1, 1]], [1.0]))
        return [*found, session.run([v, v.sparse_read([1, 0]), v.gather_nd([[0, 1]])])]


@graph
def sparse_or_not(tf: Any) -> Any:
    sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 2])
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([1.0]), np.array([2, 2]))
    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))
    convert = tf.convert_to_tensor_or_sparse_tensor
    return [
        convert(sparse) is sparse,
        isinstance(convert(value), tf.SparseTensor),
        convert([1, 2], tf.int64).dtype.name,
        tried(lambda: convert(sparse, tf.int32), lambda: tf.convert_to_tensor_or_indexed_slices(slices, tf.int32)),
        [tf.sparse_placeholder(tf.float32, shape).shape.as_list() for shape in ([2, 3], [None, 3], [None, None])],
    ]


@graph
def parts_of_runs_that_feed_again(tf: Any) -> Any:
    a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    y = a + b
    with tf.Session() as session:
        handle = session.partial_run_setup([y], [a, b])
        first = session.partial_run(handle, y, {a: 1.0, b: 2.0})
        return [
            first,
            [type(found).__name__ for found in tried(lambda: session.partial_run(handle, y, {a: 1.0, b: 2.0}))],
            tried(lambda: session.partial_run_setup([], [a])),
        ]


@graph
def slopes_at_the_edge_of_numbers(tf: Any) -> Any:
    edge = np.array([-INF, -2.0, -0.5, 0.5, 3.0, INF])
    a, b = (tf.constant(part.ravel()) for part in np.meshgrid(edge, edge))
    base = tf.constant(np.array([-INF, -2.0, 0.5, 3.0, INF]))
    zero, x = tf.constant(np.zeros(5)), tf.constant(np.array([-INF, 1.0, 2.0]))
    sums = tf.math.cumulative_logsumexp(x)
    return [
        run(tf, tf.gradients(tf.floormod(a, b), [a, b])),
        run(tf, tf.gradients(tf.pow(base, zero), [base])),
        run(tf, tf.gradients(tf.math.nextafter(a, b), [a, b])),
        run(tf, [sums, tf.gradients(sums, x)[0][1:]]),
    ]


@eager
def parts_of_complex_numbers_of_any_form(tf: Any) -> Any:
    forms = [tf.constant([1 + 2j, 3 - 4j]), tf.constant([1.0, -2.0]), 1 + 2j, np.array([1 + 1j]), [1.0, 2.0]]
    functions = [tf.real, tf.imag, tf.angle, tf.conj, tf.abs]
    v = tf.Variable([1.0, -1.0])
    real, conj = tf.real(v), tf.conj(v)
    v.assign([5.0, 5.0])
    return [[[f(x), f(x).dtype.name] for x in forms] for f in functions] + [real, conj]


@eager
def variables_of_complex_numbers_and_strings(tf: Any) -> Any:
    v, s = tf.Variable([1 + 2j, 2.0]), tf.Variable(["a", "bc"])
    made = tf.Variable(np.array([1j], np.complex64))
    v.assign([1.0, 2j])
    v.assign_add([1j, 1.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.abs(v) ** 2)
    found = [v.numpy(), v.dtype.name, made.dtype.name, tape.gradient(y, v), v * 2.0]
    s.assign(["d", "e"])
    return [*found, s.numpy(), s.dtype.name]


@eager
def rows_of_variables_in_eager_mode(tf: Any) -> Any:
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    v.scatter_nd_update([[0]], [[5.0, 6.0]])
    v.scatter_nd_add([[1, 0]], [1.0])
    return [v.numpy(), v.sparse_read([1]), v.gather_nd([[0, 1]])]
