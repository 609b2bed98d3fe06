"""Programs of shapes, sizes, types, scopes and collections, as TensorFlow's own tests of its core have them."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried


@graph
def shapes_merged_and_joined(tf: Any) -> Any:
    S = tf.TensorShape
    a = S([1, None])
    return [
        str(a.merge_with([None, 2])),
        a.is_compatible_with([1, 5]),
        str(a.concatenate([3])),
        a.num_elements(),
        str(S(None)),
        repr(S([1, 2]) == S([1, 2])),
        a[0:1].as_list(),
        len(a),
        str(S([3]) + S([4])),
        a == [1, None],
        S([1, 2]) != S([1, 3]),
        list(S([1, 2]).dims) == [1, 2],
    ]


@graph
def dimensions_in_arithmetic(tf: Any) -> Any:
    D = tf.Dimension
    a = D(12)
    n = D(None)
    return [
        str(a + n),
        a * 2 == 24,
        (n * 3).value,
        (a // 5).value,
        str(a),
        repr(a),
        a.is_compatible_with(n),
        a.merge_with(n).value,
        a < 13,
        n < 13,
        a > n,
        a != 12,
        n == 12,
        (15 - a).value,
        (2 * a).value,
        a % 5 == 2,
        int(a),
        bool(D(0)),
        str(n),
    ]


@graph
def dimensions_that_differ(tf: Any) -> Any:
    return tf.Dimension(3).merge_with(4)


@graph
def a_negative_dimension(tf: Any) -> Any:
    return tf.Dimension(-1)


@graph
def dimensions_compared(tf: Any) -> Any:
    return [
        tf.Dimension(None) == tf.Dimension(None),
        tf.Dimension(1) != tf.Dimension(None),
        tf.Dimension(None) >= 2,
        3 + tf.Dimension(None) is None,
    ]


@graph
def types_of_many_names(tf: Any) -> Any:
    return [
        tf.as_dtype("float32_ref").name,
        tf.as_dtype(np.int64).name,
        tf.as_dtype(float).name,
        tf.as_dtype(bool).name,
        tf.as_dtype(str).name,
        tf.as_dtype(1).name,
        tf.float32.is_compatible_with(tf.float64),
        tf.int32.min,
        tf.float16.max,
        repr(tf.int8),
        tf.float32 == np.float32,
        tf.string.size,
        tf.float64.size,
        tf.as_dtype(object).name,
        tf.float32 in {tf.float32: 1},
        tf.half.name,
        tf.bool.is_bool,
        tf.uint8.is_unsigned,
    ]


@graph
def a_type_that_is_none(tf: Any) -> Any:
    return tf.as_dtype("nosuch")


@graph
def subscripts_with_tensors(tf: Any) -> Any:
    x = tf.constant(np.arange(24).reshape(2, 3, 4))
    return run(
        tf,
        [
            x[..., 1],
            x[0, ...],
            x[:, tf.newaxis, 1:],
            x[-1, ::-1, ::2],
            x[tf.constant(1)],
            x[1 : tf.constant(2)],
            x[:, : tf.constant(2)],
            tf.constant([1, 2, 3])[tf.constant(-1)],
        ],
    )


@graph
def assignment_to_an_element(tf: Any) -> Any:
    x = tf.constant([1])
    x[0] = 1


@graph
def reductions_along_axes(tf: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return run(
        tf,
        [
            tf.reduce_sum(x, tf.constant([0, 1])),
            tf.reduce_sum(x, []),
            tf.reduce_sum(x, -1, keepdims=True),
            tf.reduce_prod(x, 0),
            tf.reduce_logsumexp(x),
            tf.reduce_all([[True, False]], 1),
            tf.reduce_max(x, [0]),
            tf.math.reduce_variance(x),
            tf.math.reduce_std(x, 0),
            tf.reduce_mean(tf.constant([1, 2])),
        ],
    )


@graph
def name_scopes_of_a_graph(tf: Any) -> Any:
    g = tf.Graph()
    with g.as_default():
        with g.name_scope("a") as sc:
            x = tf.constant(1.0, name="x")
            with g.name_scope("b"):
                y = tf.add(x, 1, name="y")
            with g.name_scope(sc):
                z = tf.constant(2, name="z")
            with g.name_scope(None):
                w = tf.constant(2, name="w")
        with g.name_scope("a"):
            q = tf.constant(3, name="x")
    return [
        x.name,
        y.name,
        z.name,
        w.name,
        q.name,
        sc,
        g.unique_name("a/x"),
        g.unique_name("k", mark_as_used=False),
        g.get_name_scope(),
    ]


@graph
def control_inputs(tf: Any) -> Any:
    g = tf.get_default_graph()
    a = tf.constant(1.0)
    b = tf.constant(2.0)
    with g.control_dependencies([a]):
        c = tf.constant(3.0)
        with g.control_dependencies([b]):
            d = tf.identity(b)
        with g.control_dependencies(None):
            e = tf.constant(1.0)
    return [
        [o.name for o in c.op.control_inputs],
        [o.name for o in d.op.control_inputs],
        [o.name for o in e.op.control_inputs],
    ]


@graph
def attributes_of_an_operation(tf: Any) -> Any:
    x = tf.constant(1.0)
    return [
        x.op.node_def.name,
        x.op.node_def.op,
        x.op.get_attr("dtype").name,
        str(x.op.get_attr("value") is not None),
    ]


@graph
def collections_of_a_graph(tf: Any) -> Any:
    g = tf.get_default_graph()
    g.add_to_collection("k", 1)
    g.add_to_collections(["k", "j"], 2)
    g.get_collection_ref("k").append(5)
    return [g.get_collection("k"), g.get_collection("j"), sorted(g.get_all_collection_keys()), g.collections]


@graph
def a_finished_graph(tf: Any) -> Any:
    g = tf.get_default_graph()
    g.finalize()
    tf.constant(1)


@graph
def contradictions_of_shapes(tf: Any) -> Any:
    x = tf.placeholder(tf.float32, [None, 2])
    return tried(lambda: x.set_shape([0]), lambda: x.set_shape([2, 1]), lambda: tf.add_n([x, tf.zeros([2, 3])]))


@graph
def types_that_operations_do_not_take(tf: Any) -> Any:
    whole, truth = tf.constant([1, 2]), tf.constant([True])
    found = tried(
        lambda: tf.nn.softplus(whole),
        lambda: tf.nn.softmax(whole),
        lambda: tf.matmul([[True]], [[True]]),
        lambda: tf.reduce_sum(truth),
        lambda: tf.exp(whole),
        lambda: tf.logical_and(whole, whole),
    )
    return [str(raised.error).partition(":")[0] for raised in found]
