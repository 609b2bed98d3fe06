"""Programs of names that few programs use: nodes, shapes, arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run


@graph
def references_to_nodes(tf: Any) -> Any:
    x = tf.constant(1.0)
    return [x.ref() == x.ref(), x.ref().deref() is x, x.experimental_ref() == x.ref(), len({x.ref(): 1})]


@graph
def the_number_of_axes(tf: Any) -> Any:
    return [tf.constant([[1.0]]).ndim, "sub" if "__add__" in tf.Tensor.OVERLOADABLE_OPERATORS else ""]


@graph
def slices_have_the_operation_of_their_values(tf: Any) -> Any:
    v = tf.Variable(np.ones((4, 2), np.float32))
    g = tf.gradients(tf.gather(v, [0, 1]), v)[0]
    return [type(g).__name__, g.op is g.values.op, g.graph is tf.get_default_graph(), g.name == g.values.name, g.device]


@graph
def ways_to_aggregate(tf: Any) -> Any:
    return [tf.VariableAggregation.MEAN.name, tf.VariableSynchronization.ON_READ.name]


@graph
def ranks_at_least_and_at_most(tf: Any) -> Any:
    s = tf.TensorShape([1, None])
    return [
        str(s.with_rank_at_least(1)),
        str(s.with_rank_at_most(3)),
        str(tf.TensorShape(None).with_rank_at_least(2).ndims),
    ]


@graph
def what_types_say(tf: Any) -> Any:
    d = tf.float32
    return [
        d.real_dtype.name,
        d.is_numpy_compatible,
        d.is_quantized,
        d.as_datatype_enum,
        d.limits,
        tf.uint8.limits,
        tf.bool.limits,
    ]


@graph
def containers_are_accepted(tf: Any) -> Any:
    g = tf.get_default_graph()
    with g.container("x"):
        tf.constant(1)
    with tf.container("y"):
        tf.constant(1)
    return 1


@graph
def gather_by_batch(tf: Any) -> Any:
    return run(tf, tf.batch_gather([[1.0, 2.0], [3.0, 4.0]], [[1], [0]]))


@graph
def positions_along_axes(tf: Any) -> Any:
    return run(tf, tf.unravel_index([3, 5], [2, 3]))


@graph
def sequences_reversed(tf: Any) -> Any:
    return run(tf, tf.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1, batch_axis=0))


@graph
def shapes_broadcast(tf: Any) -> Any:
    return [
        str(tf.broadcast_static_shape(tf.TensorShape([3, 1]), tf.TensorShape([4]))),
        run(tf, tf.broadcast_dynamic_shape([3, 1], [4])),
    ]


@graph
def scatter_into_tensors(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0, 3.0])
    return run(
        tf,
        [
            tf.tensor_scatter_nd_update(x, [[1]], [9.0]),
            tf.tensor_scatter_nd_add(x, [[1]], [9.0]),
            tf.tensor_scatter_nd_sub(x, [[1]], [9.0]),
            tf.tensor_scatter_nd_max(x, [[1]], [9.0]),
            tf.tensor_scatter_nd_min(x, [[1]], [9.0]),
        ],
    )


@graph
def a_histogram(tf: Any) -> Any:
    return run(tf, tf.histogram_fixed_width([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5))


@graph
def stack_in_parallel(tf: Any) -> Any:
    return run(tf, tf.parallel_stack([tf.constant([1, 2]), tf.constant([3, 4])]))


@graph
def bits_as_another_type(tf: Any) -> Any:
    return run(tf, tf.bitcast(tf.constant([1.0], tf.float32), tf.int32))


@graph
def a_constant_for_sure(tf: Any) -> Any:
    return run(tf, tf.guarantee_const(tf.constant(2.0)))


@graph
def checks_that_hold(tf: Any) -> Any:
    return [
        tf.assert_same_float_dtype([tf.constant(1.0)]).name,
        tf.assert_rank_in(tf.constant([1.0]), [1, 2]) is not None,
        tf.assert_proper_iterable([1, 2]),
    ]


@graph
def a_rank_that_is_not_listed(tf: Any) -> Any:
    return tf.assert_rank_in(tf.constant(1.0), [1, 2])


@graph
def a_numpy_function(tf: Any) -> Any:
    return run(tf, tf.numpy_function(lambda x: x * 2, [np.float32([1.0, 2.0])], tf.float32))


@graph
def a_counter(tf: Any) -> Any:
    v = tf.Variable(0, trainable=False)
    return run(tf, tf.count_up_to(v, 3))


@graph
def all_numbers_checked(tf: Any) -> Any:
    x = tf.constant([1.0, 0.0])
    tf.log(x)
    return run(tf, tf.add_check_numerics_ops())


@graph
def no_tables(tf: Any) -> Any:
    return [run(tf, tf.tables_initializer()), run(tf, tf.initialize_all_tables())]


@graph
def nests(tf: Any) -> Any:
    return [
        tf.nest.flatten({"a": 1, "b": [2, 3]}),
        tf.nest.map_structure(lambda x: x + 1, [1, (2, 3)]),
        tf.nest.pack_sequence_as([0, [0, 0]], [1, 2, 3]),
        tf.nest.is_nested([1]),
    ]


@graph
def seeds_of_operations(tf: Any) -> Any:
    found = []
    for of_graph, of_op in ((None, None), (None, 1), (1, 1), (0, 0), (-1, 5), (2, -1), (2**31 - 1, 0)):
        with tf.Graph().as_default():
            tf.set_random_seed(of_graph)
            found.append(list(tf.get_seed(of_op)))
    return found


@graph
def names_of_schedules(tf: Any) -> Any:
    step, train = tf.Variable(3, name="step"), tf.train
    schedules = [
        train.exponential_decay(0.1, step, 10, 0.5),
        train.exponential_decay(0.1, step, 10, 0.5, name="mine"),
        train.polynomial_decay(0.1, step, 10),
        train.inverse_time_decay(0.1, step, 10, 0.5),
    ]
    return [schedule.name for schedule in schedules]


@graph
def functions_say_their_names(tf: Any) -> Any:
    """Programs put the name of an activation into scopes, and choose by it."""
    nn = [tf.nn.relu, tf.nn.relu6, tf.nn.elu, tf.nn.selu, tf.nn.sigmoid, tf.nn.tanh, tf.nn.softplus, tf.nn.softsign]
    one = [tf.abs, tf.exp, tf.log, tf.sqrt, tf.square, tf.sign, tf.erf, tf.real, tf.conj, tf.is_nan, tf.to_float]
    two = [tf.add, tf.subtract, tf.multiply, tf.pow, tf.maximum, tf.equal, tf.less, tf.logical_and, tf.floordiv]
    more = [tf.scatter_nd_add, tf.unsorted_segment_max, tf.nn.nce_loss, tf.assert_equal, tf.bitwise.invert, tf.fft]
    texts = [tf.string_strip, tf.sparse_maximum, tf.is_non_decreasing, tf.math.bessel_i0, tf.initializers.he_normal]
    return [function.__name__ for function in nn + one + two + more + texts]


@graph
def gradients_of_numbers(tf: Any) -> Any:
    x = tf.Variable(2.0)
    found = [tf.gradients(x * 3.0, 0.5), tf.gradients(x * 3.0, [x, 0.5]), tf.gradients(4.0, x)]
    return [[each is None for each in grads] for grads in found]


@graph
def names_of_what_is_made_of_several_operations(tf: Any) -> Any:
    x, labels = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([0, 1])
    found: list[Any] = []
    with tf.name_scope("net"):
        for name in (None, "mine", "mine"):
            found.append(tf.nn.softmax_cross_entropy_with_logits(labels=x, logits=x, name=name))
            found.append(tf.nn.softmax_cross_entropy_with_logits_v2(labels=x, logits=x, name=name))
            found.append(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x, name=name))
            found += [tf.boolean_mask(x, [True, False]), tf.norm(x, name=name), tf.div(x, x, name=name), x // x]
    found += [tf.global_norm([x]), tf.eye(3), tf.sequence_mask(labels, 3), tf.math.reduce_std(x), tf.div_no_nan(x, x)]
    found += [tf.math.unsorted_segment_mean(x, labels, 2), tf.losses.softmax_cross_entropy(x, x), tf.div(x, x)]
    with tf.name_scope("mine/"):
        found.append(tf.identity(tf.norm(x, name="norm"), "norm"))
    return [each.name for each in found]


@graph
def constants_of_operations_of_one_name(tf: Any) -> Any:
    x = tf.constant([0.5, 1.0])
    made = [x - 1.0, x - 1.0, tf.multiply(x, 2.0), tf.multiply(x, 2.0), tf.subtract(x, 1.0, name="a")]
    with tf.name_scope("b"):
        made += [tf.nn.relu(x - 1), 2 - tf.nn.relu(x - 1), x - 1.0]
    made.append(tf.subtract(x, 1.0, name="a"))
    return [op.name for op in tf.get_default_graph().get_operations()]


@graph
def types_that_are_none(tf: Any) -> Any:
    x, fed = tf.constant([3, 1, 1]), tf.placeholder(tf.float32, [None, 2])
    made = [
        *tf.unique(x, None),
        *tf.unique_with_counts(x, None),
        tf.argmax(x, output_type=None),
        tf.argmin(x, output_type=None),
        tf.shape(fed, out_type=None),
        tf.size(fed, out_type=None),
        tf.searchsorted([1.0, 2.0], [1.5], out_type=None),
        *tf.setdiff1d(x, x, index_dtype=None),
        tf.string_to_number(tf.constant(["1"]), None),
        tf.shape_n([fed], None)[0],
        tf.random_poisson(1.0, [2], dtype=None),
        tf.histogram_fixed_width([1.0, 2.0], [0.0, 3.0], 3, dtype=None),
        tf.sequence_mask([1], 3, dtype=None),
        tf.multinomial([[1.0, 2.0]], 2, output_dtype=None),
        *tf.linalg.lu(np.eye(2), output_idx_type=None),
        tf.serialize_sparse(tf.SparseTensor([[0]], [1.0], [2]), out_type=None),
    ]
    return [each.dtype.name for each in made]


@graph
def operators_that_can_be_overridden(tf: Any) -> Any:
    names = tf.Tensor.OVERLOADABLE_OPERATORS
    return [type(names).__name__, sorted(names & {"__eq__", "__ne__", "__rdiv__", "__matmul__", "__getitem__"})]


@graph
def one_type_of_objects_that_are_no_tensors(tf: Any) -> Any:
    class Half:
        dtype = tf.float16

    return [tf.debugging.assert_same_float_dtype([Half(), None, tf.constant(1.0, tf.float16)]).name]
