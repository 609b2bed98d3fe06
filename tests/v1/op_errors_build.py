"""Error cases of building nodes: shapes, types, names, arguments."""

from __future__ import annotations

import numpy as np
from op_errors import raises, raising, within


def f(tf, *shape):
    return tf.zeros(shape)


raising(
    {
        "add of incompatible shapes [sum]": lambda tf: tf.add(f(tf, 2), f(tf, 3), name="sum"),
        "operator + of incompatible shapes": lambda tf: f(tf, 2, 3) + f(tf, 2),
        "operator * with a list of incompatible shape": lambda tf: f(tf, 2, 3) * [1.0, 2.0],
        "matmul of incompatible shapes [product]": lambda tf: tf.matmul(f(tf, 2, 3), f(tf, 2, 3), name="product"),
        "matmul of transposed incompatible shapes": lambda tf: tf.matmul(f(tf, 2, 3), f(tf, 3, 2), transpose_b=True),
        "matmul of a vector": lambda tf: tf.matmul(f(tf, 3), f(tf, 3, 2)),
        "matmul of incompatible batches": lambda tf: tf.matmul(f(tf, 2, 3, 4), f(tf, 5, 4, 3)),
        "concat of incompatible shapes": lambda tf: tf.concat([f(tf, 2, 3), f(tf, 2, 4)], 0),
        "concat of different ranks": lambda tf: tf.concat([f(tf, 2, 3), f(tf, 2)], 0),
        "concat along a missing axis": lambda tf: tf.concat([f(tf, 2, 3), f(tf, 2, 3)], 2),
        "concat of scalars": lambda tf: tf.concat([tf.constant(1), tf.constant(2)], 0),
        "concat of nothing": lambda tf: tf.concat([], 0),
        "concat of different types": lambda tf: tf.concat([f(tf, 2), tf.constant([1, 2])], 0),
        "stack of incompatible shapes": lambda tf: tf.stack([f(tf, 2), f(tf, 3)]),
        "stack along a missing axis": lambda tf: tf.stack([f(tf, 2), f(tf, 2)], axis=3),
        "reshape to another size": lambda tf: tf.reshape(f(tf, 2, 3), [4]),
        "reshape to a size that does not divide": lambda tf: tf.reshape(f(tf, 2, 3), [4, -1]),
        "reshape to -2": lambda tf: tf.reshape(f(tf, 2, 3), [-2, 3]),
        "reshape by floats": lambda tf: tf.reshape(f(tf, 2, 3), [3.0, 2.0]),
        "reshape by None": lambda tf: tf.reshape(f(tf, 2, 3), [None, 2]),
        "transpose by too long a permutation": lambda tf: tf.transpose(f(tf, 2, 3), [0, 1, 2]),
        "expand_dims beyond the rank": lambda tf: tf.expand_dims(f(tf, 2), 3),
        "expand_dims without an axis": lambda tf: tf.expand_dims(f(tf, 2)),
        "squeeze of an axis of two": lambda tf: tf.squeeze(f(tf, 2, 1), [0]),
        "squeeze of a missing axis": lambda tf: tf.squeeze(f(tf, 2, 1), [2]),
        "split that does not divide": lambda tf: tf.split(f(tf, 5), 2),
        "split by sizes of another sum": lambda tf: tf.split(f(tf, 5), [2, 2]),
        "split of a scalar": lambda tf: tf.split(tf.constant(1.0), 1),
        "unstack of an unknown size": lambda tf: tf.unstack(tf.placeholder(tf.float32, [None, 2])),
        "unstack by another number": lambda tf: tf.unstack(f(tf, 2, 3), num=3),
        "unstack of a scalar": lambda tf: tf.unstack(tf.constant(1.0)),
        "tile by another rank": lambda tf: tf.tile(f(tf, 2, 3), [2]),
        "pad by another rank": lambda tf: tf.pad(f(tf, 2, 3), [[1, 1]]),
        "pad by an unknown mode": lambda tf: tf.pad(f(tf, 2), [[1, 1]], "WRAP"),
        "pad below zero": lambda tf: tf.pad(f(tf, 2), [[-1, 0]]),
        "reverse of a missing axis": lambda tf: tf.reverse(f(tf, 2), [1]),
        "reduce_sum over a missing axis": lambda tf: tf.reduce_sum(f(tf, 2, 3), axis=2),
        "reduce_any of floats": lambda tf: tf.reduce_any(f(tf, 2)),
        "reduce_sum with two kinds of axis": lambda tf: tf.reduce_sum(f(tf, 2), axis=0, reduction_indices=0),
        "argmax over a missing axis": lambda tf: tf.argmax(f(tf, 2, 3), 5),
        "one_hot of floats": lambda tf: tf.one_hot(tf.constant([1.0, 2.0]), 3),
        "one_hot on and off of two types": lambda tf: tf.one_hot([1], 3, on_value=1, off_value=0.0),
        "one_hot without a depth": lambda tf: tf.one_hot([1]),
        "one_hot of a negative depth": lambda tf: tf.one_hot([1], -3),
        "gather of floating ids": lambda tf: tf.gather(f(tf, 3), [0.5]),
        "gather from a scalar": lambda tf: tf.gather(tf.constant(1.0), [0]),
        "gather along a missing axis": lambda tf: tf.gather(f(tf, 3), [0], axis=2),
        "gather_nd of too long an index": lambda tf: tf.gather_nd(f(tf, 3), [[0, 1]]),
        "embedding_lookup of nothing": lambda tf: tf.nn.embedding_lookup([], [0]),
        "embedding_lookup of None": lambda tf: tf.nn.embedding_lookup(None, [0]),
        "embedding_lookup by an unknown strategy": lambda tf: tf.nn.embedding_lookup(
            [f(tf, 2, 2), f(tf, 2, 2)], [0], partition_strategy="hash"
        ),
        "embedding_lookup_sparse of a dense tensor": lambda tf: tf.nn.embedding_lookup_sparse(
            f(tf, 3, 2), f(tf, 2), None
        ),
        "where of different shapes": lambda tf: tf.where(tf.constant([True, False]), f(tf, 3), f(tf, 3)),
        "where of different branches": lambda tf: tf.where(tf.constant([True, False]), f(tf, 2), f(tf, 3)),
        "where of one branch": lambda tf: tf.where(tf.constant([True]), f(tf, 1)),
        "where of different types": lambda tf: tf.where(tf.constant([True]), f(tf, 1), tf.constant([1])),
        "where of an int condition": lambda tf: tf.where(tf.constant([1]), f(tf, 1), f(tf, 1)),
        "boolean_mask of another shape": lambda tf: tf.boolean_mask(f(tf, 2, 3), [True, False, True]),
        "boolean_mask by a scalar": lambda tf: tf.boolean_mask(f(tf, 2), True),
        "slice of another rank": lambda tf: tf.slice(f(tf, 3, 3), [0], [1]),
        "subscript beyond the end": lambda tf: f(tf, 3)[3],
        "too many subscripts": lambda tf: f(tf, 3)[0, 0],
        "subscript by a float": lambda tf: f(tf, 3)[1.0],
        "subscript by text": lambda tf: f(tf, 3)["a"],
        "subscript by a list": lambda tf: f(tf, 3)[[0, 1]],
        "subscript by two ellipses": lambda tf: f(tf, 3)[..., 0, ...],
        "subscript by a step of zero": lambda tf: f(tf, 3)[::0],
        "subscript of a scalar": lambda tf: tf.constant(1.0)[0],
        "range of no step": lambda tf: tf.range(0, 3, 0),
        "fill of a matrix": lambda tf: tf.fill([2], f(tf, 2)),
        "fill of a negative size": lambda tf: tf.fill([-1], 1.0),
        "zeros of a negative size": lambda tf: tf.zeros([-1]),
        "zeros of an unknown size": lambda tf: tf.zeros([None, 2]),
        "top_k beyond the size": lambda tf: tf.nn.top_k(f(tf, 3), 4),
        "top_k of a scalar": lambda tf: tf.nn.top_k(tf.constant(1.0)),
        "tensordot of incompatible axes": lambda tf: tf.tensordot(f(tf, 2, 3), f(tf, 2, 3), 1),
        "einsum of a wrong rank": lambda tf: tf.einsum("ijk->i", f(tf, 2, 3)),
        "einsum of incompatible sizes": lambda tf: tf.einsum("ij,jk->ik", f(tf, 2, 3), f(tf, 2, 3)),
        "einsum without its operands": lambda tf: tf.einsum("ij,jk->ik", f(tf, 2, 3)),
        "invert_permutation of a matrix": lambda tf: tf.invert_permutation([[0]]),
        "segment_sum of another length": lambda tf: tf.segment_sum(f(tf, 3), [[0, 1]]),
        "broadcast_to a smaller shape": lambda tf: tf.broadcast_to(f(tf, 3), [2]),
        "float32 * float64": lambda tf: f(tf, 2) * tf.zeros([2], tf.float64),
        "int32 * float32": lambda tf: tf.constant([1, 2]) * f(tf, 2),
        "float32 + int32": lambda tf: tf.add(f(tf, 2), tf.constant([1, 2])),
        "int32 + int64": lambda tf: tf.constant(1) + tf.constant(1, tf.int64),
        "int32 + 1.5": lambda tf: tf.constant([1, 2]) + 1.5,
        "1.5 * int32": lambda tf: 1.5 * tf.constant([1, 2]),
        "float32 + text": lambda tf: f(tf, 2) + "a",
        "float32 + None": lambda tf: f(tf, 2) + None,
        "None - float32": lambda tf: None - f(tf, 2),
        "bool + bool": lambda tf: tf.constant(True) + tf.constant(True),
        "tensordot of a scalar": lambda tf: tf.tensordot(tf.constant(1.0), f(tf, 2), 1),
        "float & float": lambda tf: f(tf, 2) & f(tf, 2),
        "~float": lambda tf: ~f(tf, 2),
        "logical_and of ints": lambda tf: tf.logical_and(tf.constant(1), tf.constant(1)),
        "matmul of different types": lambda tf: tf.matmul(f(tf, 2, 2), tf.zeros([2, 2], tf.float64)),
        "sqrt of ints": lambda tf: tf.sqrt(tf.constant(4)),
        "exp of ints": lambda tf: tf.exp(tf.constant([1, 2])),
        "sigmoid of ints": lambda tf: tf.sigmoid(tf.constant([1])),
        "softmax of ints": lambda tf: tf.nn.softmax(tf.constant([1, 2])),
        "cast to an unknown type": lambda tf: tf.cast(f(tf, 2), "float31"),
        "cast of None": lambda tf: tf.cast(None, tf.float32),
        "constant of None": lambda tf: tf.constant(None),
        "constant of an object": lambda tf: tf.constant(object()),
        "constant of ragged lists": lambda tf: tf.constant([[1, 2], [3]]),
        "constant of another shape": lambda tf: tf.constant([1, 2, 3], shape=[2]),
        "constant of a float as an int": lambda tf: tf.constant(1.5, tf.int32),
        "constant of text as a float": lambda tf: tf.constant("a", tf.float32),
        "constant of mixed kinds": lambda tf: tf.constant([1, "a"]),
        "constant of an unknown type": lambda tf: tf.constant(1, "int33"),
        "convert_to_tensor of another type": lambda tf: tf.convert_to_tensor(f(tf, 2), tf.int32),
        "convert_to_tensor of None": lambda tf: tf.convert_to_tensor(None),
        "convert_to_tensor of a dictionary": lambda tf: tf.convert_to_tensor({"a": 1}),
        "placeholder without a type": lambda tf: tf.placeholder(),
        "placeholder of an unknown type": lambda tf: tf.placeholder("floats"),
        "placeholder of a negative size": lambda tf: tf.placeholder(tf.float32, [-1, 2]),
        "placeholder of a shape of text": lambda tf: tf.placeholder(tf.float32, ["a"]),
        "set_shape to another size": lambda tf: tf.placeholder(tf.float32, [2, 3]).set_shape([2, 4]),
        "set_shape to another rank": lambda tf: tf.placeholder(tf.float32, [2, 3]).set_shape([6]),
        "ensure_shape of another size": lambda tf: tf.ensure_shape(f(tf, 2), [3]),
        "bool of a tensor": lambda tf: bool(f(tf, 2)),
        "if of a comparison": lambda tf: 1 if tf.constant(1) < 2 else 0,
        "and of tensors": lambda tf: (tf.constant(1) > 0) and True,
        "chained comparison": lambda tf: 0 < tf.constant(1) < 2,
        "len of a tensor": lambda tf: len(f(tf, 2)),
        "iteration over a tensor": lambda tf: list(f(tf, 2)),
        "iteration over a tensor of unknown size": lambda tf: list(tf.placeholder(tf.float32, [None])),
        "unpacking of a tensor": lambda tf: (lambda a, b: a)(*f(tf, 2)),
        "membership in a tensor": lambda tf: 1 in f(tf, 2),
        "int of a tensor": lambda tf: int(tf.constant(1)),
        "float of a tensor": lambda tf: float(tf.constant(1.0)),
        "index by a tensor": lambda tf: [1, 2, 3][tf.constant(1)],
        "range of Python by a tensor": lambda tf: range(tf.constant(3)),
        "numpy array of a tensor": lambda tf: np.array(f(tf, 2)),
        "numpy function of a tensor": lambda tf: np.sin(f(tf, 2)),
        "call of a tensor": lambda tf: f(tf, 2)(),
        "assignment to an element": lambda tf: f(tf, 2).__setitem__(0, 1.0),
        "format of a tensor": lambda tf: f"{tf.constant(1.0):.3f}",
        "as_list of an unknown shape": lambda tf: tf.placeholder(tf.float32).get_shape().as_list(),
        "len of an unknown shape": lambda tf: len(tf.placeholder(tf.float32).shape),
        "dimension beyond the rank": lambda tf: f(tf, 2).shape[3],
        "attribute that tensors lack": lambda tf: f(tf, 2).mean(),
        "name that tf lacks": lambda tf: tf.reduce_summ,
        "name that tf.nn lacks": lambda tf: tf.nn.reluu,
        "unknown keyword": lambda tf: tf.reduce_sum(f(tf, 2), axes=0),
        "name with a space": lambda tf: tf.constant(1, name="a b"),
        "name that starts with a dash": lambda tf: tf.constant(1, name="-a"),
        "name with a colon": lambda tf: tf.placeholder(tf.float32, name="x:0"),
        "name that is a number": lambda tf: tf.identity(tf.constant(1), name=3),
        "name_scope with a space": lambda tf: within(tf.name_scope("a b")),
        "name_scope of a number": lambda tf: within(tf.name_scope(3)),
        "variable_scope of None": lambda tf: within(tf.variable_scope(None)),
        "variable_scope of a number": lambda tf: within(tf.variable_scope(3)),
        "softmax losses of different shapes": lambda tf: tf.nn.softmax_cross_entropy_with_logits_v2(
            labels=f(tf, 2, 3), logits=f(tf, 2, 4)
        ),
        "sparse softmax losses of a matrix of labels": lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=[[0, 1]], logits=f(tf, 1, 2)
        ),
        "sparse softmax losses of floating labels": lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=f(tf, 2), logits=f(tf, 2, 3)
        ),
        "sigmoid losses of different shapes": lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(
            labels=f(tf, 2, 3), logits=f(tf, 3)
        ),
        "mean_squared_error of different shapes": lambda tf: tf.losses.mean_squared_error(f(tf, 2), f(tf, 3)),
        "mean_squared_error of None": lambda tf: tf.losses.mean_squared_error(None, f(tf, 3)),
        "loss with weights of another shape": lambda tf: tf.losses.mean_squared_error(
            f(tf, 2, 3), f(tf, 2, 3), f(tf, 3)
        ),
        "loss with an unknown reduction": lambda tf: tf.losses.log_loss(f(tf, 2), f(tf, 2), reduction="average"),
        "bias_add of another size": lambda tf: tf.nn.bias_add(f(tf, 2, 3), f(tf, 2)),
        "bias_add of a matrix": lambda tf: tf.nn.bias_add(f(tf, 2, 3), f(tf, 2, 3)),
        "dropout that keeps nothing": lambda tf: tf.nn.dropout(f(tf, 2), keep_prob=0.0),
        "dropout that keeps too much": lambda tf: tf.nn.dropout(f(tf, 2), keep_prob=1.5),
        "dropout of ints": lambda tf: tf.nn.dropout(tf.constant([1]), keep_prob=0.5),
        "dropout with nothing said": lambda tf: tf.nn.dropout(f(tf, 2)),
        "batch_normalization of another size": lambda tf: tf.nn.batch_normalization(
            f(tf, 2, 3), f(tf, 2), 1.0, 0.0, 1.0, 0.1
        ),
        "add_n of nothing": lambda tf: tf.add_n([]),
        "add_n of different shapes": lambda tf: tf.add_n([f(tf, 2), f(tf, 3)]),
        "add_n of different types": lambda tf: tf.add_n([f(tf, 2), tf.constant([1, 2])]),
        "accumulate_n of different shapes": lambda tf: tf.accumulate_n([f(tf, 2), f(tf, 3)]),
        "clip_by_value of larger shape": lambda tf: tf.clip_by_value(f(tf, 2), f(tf, 3, 2), 1.0),
        "clip_by_global_norm of a tensor": lambda tf: tf.clip_by_global_norm(f(tf, 2), 1.0),
        "global_norm of a tensor": lambda tf: tf.global_norm(f(tf, 2)),
        "cond with branches of different types": lambda tf: tf.cond(
            tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(1.0)
        ),
        "cond of a Python bool": lambda tf: tf.cond(True, lambda: tf.constant(1), lambda: tf.constant(1)),
        "cond without functions": lambda tf: tf.cond(tf.constant(True), tf.constant(1), tf.constant(2)),
        "group of a number": lambda tf: tf.group(tf.no_op(), 3),
        "control_dependencies of a number": lambda tf: within(tf.control_dependencies([3])),
        "control_dependencies of an operation alone": lambda tf: within(tf.control_dependencies(tf.no_op())),
        "IndexedSlices arithmetic": lambda tf: tf.IndexedSlices(f(tf, 1, 2), tf.constant([0])) + 1.0,
        "SparseTensor of wrong indices": lambda tf: tf.SparseTensor([0, 1], [1.0, 2.0], [3]),
        "random_uniform of ints without a limit": lambda tf: tf.random_uniform([2], dtype=tf.int32),
        "random_normal of ints": lambda tf: tf.random_normal([2], dtype=tf.int32),
        "get_tensor_by_name of an operation": lambda tf: tf.get_default_graph().get_tensor_by_name("x"),
        "get_tensor_by_name that is not there [x]": lambda tf: tf.get_default_graph().get_tensor_by_name("x:0"),
        "get_operation_by_name that is not there [x]": lambda tf: tf.get_default_graph().get_operation_by_name("x"),
        "get_operation_by_name of a number": lambda tf: tf.get_default_graph().get_operation_by_name(3),
        "as_graph_element of a number": lambda tf: tf.get_default_graph().as_graph_element(3),
    }
)


@raises
def nodes_of_two_graphs(tf):
    x = tf.constant(1.0)
    with tf.Graph().as_default():
        tf.add(x, tf.constant(2.0))


@raises
def control_dependency_on_another_graph(tf):
    x = tf.constant(1.0)
    with tf.Graph().as_default(), tf.control_dependencies([x]):
        tf.constant(1.0)
