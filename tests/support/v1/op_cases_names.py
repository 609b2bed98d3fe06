"""What nodes, variables, shapes and types are called, and how they print."""

from __future__ import annotations

import numpy as np
from op_cases import A, case


def text(tf, values):
    return tf.constant([str(value) for value in values])


@case(A, feed=False, grad=False)
def names_of_nodes(tf, x):
    nodes = [
        x,
        x + x,
        x + x,
        x - 1.0,
        x * 2.0,
        2.0 * x,
        x / 2.0,
        x // 1.0,
        x % 2.0,
        x**2.0,
        -x,
        abs(x),
        x < 1.0,
        x >= 1.0,
    ]
    nodes += [
        x[0],
        x[0],
        tf.identity(x),
        tf.exp(x),
        tf.log(x),
        tf.sqrt(x),
        tf.square(x),
        tf.maximum(x, x),
        tf.minimum(x, x),
    ]
    nodes += [
        tf.reduce_sum(x),
        tf.reduce_mean(x),
        tf.reduce_max(x),
        tf.reduce_min(x),
        tf.reduce_prod(x),
        tf.argmax(x, 1),
    ]
    nodes += [
        tf.matmul(x, x, transpose_b=True),
        tf.transpose(x),
        tf.reshape(x, [-1]),
        tf.concat([x, x], 0),
        tf.stack([x, x]),
    ]
    nodes += [tf.nn.relu(x), tf.sigmoid(x), tf.tanh(x), tf.nn.softmax(x), tf.nn.softplus(x), tf.nn.log_softmax(x)]
    nodes += [
        tf.cast(x, tf.int32),
        tf.to_float(x),
        tf.shape(x),
        tf.size(x),
        tf.rank(x),
        tf.expand_dims(x, 0),
        tf.squeeze(x),
    ]
    nodes += [
        tf.tile(x, [1, 2]),
        tf.one_hot([1], 3),
        tf.range(3),
        tf.fill([2], 1.0),
        tf.zeros([2]),
        tf.ones([2]),
        tf.add_n([x, x]),
    ]
    nodes += [
        tf.equal(x, x),
        tf.greater(x, x),
        tf.logical_not(x > 0.0),
        tf.stop_gradient(x),
        tf.placeholder(tf.float32, [2]),
    ]
    nodes += [
        tf.add(x, x),
        tf.subtract(x, x),
        tf.multiply(x, x),
        tf.divide(x, x),
        tf.pow(x, x),
        tf.negative(x),
        tf.abs(x),
    ]
    nodes += [tf.zeros_like(x), tf.ones_like(x), tf.nn.l2_loss(x), tf.nn.bias_add(x, x[0]), tf.pad(x, [[0, 1], [0, 0]])]
    return text(tf, [node.name for node in nodes])


@case(grad=False)
def names_in_scopes(tf):
    names = []
    with tf.name_scope("a") as scope:
        names += [scope, tf.constant(1).name, tf.constant(1, name="c").name]
        with tf.name_scope("b"):
            names += [tf.constant(1, name="c").name, tf.no_op(name="n").name]
    with tf.name_scope("a") as scope:
        names += [scope, tf.constant(1, name="c").name]
    with tf.name_scope("a/"):
        names += [tf.constant(1, name="c").name]
    with tf.name_scope(None):
        names += [tf.constant(1, name="c").name, tf.constant(1, name="c").name]
    graph = tf.get_default_graph()
    names += [graph.unique_name("c"), graph.unique_name("c"), graph.unique_name("new", mark_as_used=False)]
    return text(tf, names)


@case(grad=False)
def names_of_variables(tf):
    names = [
        tf.Variable(1.0).name,
        tf.Variable(1.0).name,
        tf.Variable(1.0, name="w").name,
        tf.Variable(1.0, name="w").name,
    ]
    with tf.name_scope("scope"):
        names += [tf.Variable(1.0, name="v").name, tf.get_variable("g", [1]).name]
    with tf.variable_scope("net"):
        names += [tf.Variable(1.0, name="v").name, tf.get_variable("g", [1]).name, tf.constant(1, name="c").name]
        with tf.variable_scope("layer"):
            names += [tf.get_variable("w", [1]).name, tf.get_variable_scope().name]
    with tf.variable_scope("net", reuse=True):
        names += [tf.get_variable("g", [1]).name, tf.constant(1, name="c").name, tf.get_variable_scope().reuse]
    with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
        names += [tf.get_variable("h", [1]).name, tf.get_variable("h", [1]).name]
    with tf.variable_scope(None, default_name="block"):
        names += [tf.get_variable("w", [1]).name]
    with tf.variable_scope(None, default_name="block"):
        names += [tf.get_variable("w", [1]).name]
    variable = tf.Variable(1.0, name="x")
    names += [variable.op.name, variable.initializer.name, variable.value().name, (variable + 1.0).op.name]
    names += [v.name for v in tf.trainable_variables()]
    return text(tf, names)


@case(grad=False)
def names_of_slots(tf):
    with tf.variable_scope("net"):
        variable = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    loss = tf.reduce_sum(variable)
    step = tf.train.get_or_create_global_step()
    trains = [
        tf.train.AdamOptimizer().minimize(loss, global_step=step),
        tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss),
    ]
    trains += [
        tf.train.AdagradOptimizer(0.1).minimize(loss),
        tf.train.AdamOptimizer(name="mine").minimize(loss, name="go"),
    ]
    return text(tf, [train.name for train in trains] + sorted(v.name for v in tf.global_variables()))


@case(A, feed=False, grad=False)
def how_nodes_print(tf, x):
    fed = tf.placeholder(tf.float32, [None, 3], name="fed")
    unknown = tf.placeholder(tf.int32, name="unknown")
    shapes = [x.shape, fed.shape, unknown.shape, tf.TensorShape([None]), tf.TensorShape([]), fed.shape[0], fed.shape[1]]
    prints = [str(x), repr(x), str(fed), repr(fed), str(unknown), repr(unknown), *map(str, shapes), *map(repr, shapes)]
    prints += [str(tf.float32), repr(tf.float32), tf.int64.name, repr(tf.bool), tf.float32.as_numpy_dtype.__name__]
    prints += [
        tf.as_dtype("float32") == tf.float32,
        tf.float32 == np.float32,
        tf.int32.is_integer,
        tf.float64.is_floating,
    ]
    prints += [
        tf.float32.size,
        tf.int8.max,
        tf.int8.min,
        tf.float32 in (tf.float64, tf.float32),
        hash(tf.int32) == hash(tf.int32),
    ]
    return text(tf, prints)


@case(grad=False)
def how_variables_print(tf):
    variables = [tf.Variable([1.0, 2.0], name="w"), tf.Variable(3, name="n")]
    return text(tf, [repr(v) for v in variables] + [str(v.shape) for v in variables])


@case(A, feed=False, grad=False)
def what_shapes_answer(tf, x):
    fed = tf.placeholder(tf.float32, [None, 3])
    a, b = fed.shape, tf.TensorShape([2, 3])
    answers = [a.ndims, a.as_list(), len(a), a[0].value, a[1].value, a[1:], a.is_fully_defined(), b.is_fully_defined()]
    answers += [
        b.num_elements(),
        a.num_elements(),
        a.is_compatible_with(b),
        a.merge_with(b),
        a.concatenate([4]),
        list(b),
    ]
    answers += [
        b == [2, 3],
        b == tf.TensorShape([2, 3]),
        b != [3, 2],
        a.assert_has_rank(2),
        b[0] * 2,
        b[-1] + 1,
        int(b[1]),
    ]
    answers += [
        tf.TensorShape(None).ndims,
        tf.TensorShape(None).is_compatible_with(b),
        x.get_shape().dims,
        x.shape.rank,
    ]
    answers += [fed.get_shape()[0].value is None, tf.Dimension(3) == 3, tf.Dimension(None).value, tf.Dimension(3) // 2]
    return text(tf, answers)


@case(A, feed=False, grad=False)
def nodes_are_equal_only_to_themselves(tf, x):
    y = tf.identity(x)
    variable = tf.Variable(1.0)
    told = [x == x, x == y, x != y, x in [y, x], len({x, y, x}), {x: 1}[x], variable == variable, x is None, x == None]  # noqa: E711
    return text(tf, told)


@case(A, feed=False, grad=False)
def operations_tell_of_themselves(tf, x):
    y = tf.matmul(x, x, transpose_b=True, name="product")
    graph = tf.get_default_graph()
    told = [y.op.name, y.op.type, [i.name for i in y.op.inputs], [o.name for o in y.op.outputs], y.op.graph is graph]
    told += [graph.get_tensor_by_name("product:0") is y, graph.get_operation_by_name("product") is y.op, y.value_index]
    told += [[op.name for op in graph.get_operations()], y.graph is graph, [c.name for c in x.consumers()]]
    return text(tf, told)


@case(grad=False)
def collections(tf):
    variable = tf.Variable(1.0, name="w")
    hidden = tf.Variable(2.0, trainable=False, name="hidden")
    local = tf.Variable(3.0, collections=[tf.GraphKeys.LOCAL_VARIABLES], name="local")
    kept = tf.get_variable(
        "kept",
        [1],
        initializer=tf.ones_initializer(),
        regularizer=lambda w: tf.nn.l2_loss(w),
        collections=["mine", tf.GraphKeys.GLOBAL_VARIABLES],
    )
    tf.add_to_collection("mine", 3)
    tf.add_to_collections(["a", "b"], "x")
    names = [
        [v.name for v in found] for found in (tf.global_variables(), tf.trainable_variables(), tf.local_variables())
    ]
    told = [
        *names,
        tf.get_collection("mine")[1:],
        tf.get_collection("a"),
        tf.get_collection("none"),
        tf.get_collection_ref("b"),
    ]
    told += [v.name for v in tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)] + [
        v.name for v in tf.get_collection("mine")[:1]
    ]
    told += [v.name for v in tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="hid")]
    told += [
        getattr(tf.GraphKeys, key)
        for key in ("GLOBAL_VARIABLES", "TRAINABLE_VARIABLES", "LOSSES", "TRAIN_OP", "GLOBAL_STEP")
    ]
    assert variable is not hidden
    assert local is not kept
    return text(tf, told)
