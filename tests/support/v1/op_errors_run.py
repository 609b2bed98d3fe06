"""Error cases of sessions: feeds, fetches, closed and foreign sessions, values that only a run can check."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from op_errors import raises, raising, run


def fed(value, shape=(2, 3), dtype="float32"):
    """Return a case that feeds the value to a placeholder called x."""

    def provoke(tf):
        x = tf.placeholder(dtype, shape, name="x")
        return run(tf, x + x, {x: value})

    return provoke


raising(
    {
        "feed of another shape [x]": fed(np.zeros((3, 2))),
        "feed of another rank [x]": fed(np.zeros(3)),
        "feed of a scalar for a matrix [x]": fed(1.0),
        "feed of another shape in the known part [x]": fed(np.zeros((7, 4)), (None, 3)),
        "feed of ragged lists": fed([[1.0, 2.0], [3.0]]),
        "feed of text": fed("text", ()),
        "feed of texts": fed(np.array([["a", "b", "c"]] * 2)),
        "feed of an object": fed(object(), ()),
        "feed of a dictionary": fed({}, ()),
        "feed of too large an int": fed(2**40, (), "int32"),
        "run of None": lambda tf: run(tf, [tf.constant(1), None][1]),
        "run of a number": lambda tf: run(tf, [tf.constant(1), 3][1]),
        "run of an array": lambda tf: run(tf, [tf.constant(1), np.zeros(2)][1]),
        "run of a list with a number": lambda tf: run(tf, [tf.constant(1), 3]),
        "run of a list with None": lambda tf: run(tf, [tf.constant(1), None]),
        "run of an unknown tensor name [nothing:0]": lambda tf: run(tf, [tf.constant(1), "nothing:0"][1]),
        "run of an unknown operation name [nothing]": lambda tf: run(tf, [tf.constant(1), "nothing"][1]),
        "run of a name with a wrong output [c:1]": lambda tf: run(tf, [tf.constant(1, name="c"), "c:1"][1]),
        "run of a name with a colon too many": lambda tf: run(tf, [tf.constant(1, name="c"), "c:0:0"][1]),
        "run of an empty name": lambda tf: run(tf, [tf.constant(1), ""][1]),
        "run in an empty graph": lambda tf: run(tf, []),
        "run of a function": lambda tf: run(tf, [tf.constant(1), len]),
        "run of a type": lambda tf: run(tf, [tf.constant(1), tf.float32]),
        "run of a graph": lambda tf: run(tf, [tf.constant(1), tf.get_default_graph()]),
        "missing feed [x]": lambda tf: run(tf, tf.placeholder(tf.float32, [2], name="x") * 2.0),
        "missing feed of a placeholder that is fetched [x]": lambda tf: run(tf, tf.placeholder(tf.float32, name="x")),
        "feed of an unknown key": lambda tf: run(tf, tf.constant(1), {3: 1}),
        "feed of an unknown name [x:0]": lambda tf: run(tf, tf.constant(1), {"x:0": 1}),
        "feed of an operation": lambda tf: run(tf, tf.constant(1), {tf.no_op(name="n"): 1}),
        "feed to a name of an operation": lambda tf: run(tf, [tf.placeholder("float32", [], name="x")], {"x": 1.0}),
        "feeds in a list": lambda tf: run(tf, tf.constant(1), [1, 2]),
        "uninitialised variable [v]": lambda tf: run(tf, tf.Variable(1.0, name="v") + 1.0),
        "uninitialised variable that is fetched [v]": lambda tf: run(tf, tf.Variable(1.0, name="v")),
        "assign_add to an uninitialised variable [v]": lambda tf: run(
            tf, tf.assign_add(tf.Variable(1.0, name="v"), 1.0)
        ),
        "gather beyond the end [rows]": lambda tf: run(tf, tf.gather(tf.ones([3, 2]), [0, 3], name="rows")),
        "gather of a negative id [rows]": lambda tf: run(tf, tf.gather(tf.ones([3, 2]), [-1], name="rows")),
        "embedding_lookup beyond the end": lambda tf: run(tf, tf.nn.embedding_lookup(tf.ones([3, 2]), [5])),
        "gather_nd beyond the end": lambda tf: run(tf, tf.gather_nd(tf.ones([3, 2]), [[0, 2]])),
        "int division by zero": lambda tf: run(tf, tf.constant([1, 2]) // tf.constant([1, 0])),
        "int remainder of zero": lambda tf: run(tf, tf.constant(1) % tf.constant(0)),
        "negative power of an int": lambda tf: run(tf, tf.pow(tf.constant([2]), tf.constant([-1]))),
        "invert_permutation of repeats": lambda tf: run(tf, tf.invert_permutation([0, 0])),
        "labels beyond the classes": lambda tf: run(
            tf, tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 3], logits=tf.zeros([2, 3]))
        ),
        "labels below the classes": lambda tf: run(
            tf, tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, -1], logits=tf.zeros([2, 3]))
        ),
        "segment ids that are not sorted": lambda tf: run(tf, tf.segment_sum(tf.ones([3]), [1, 0, 2])),
        "unsorted segment id beyond the number": lambda tf: run(tf, tf.unsorted_segment_sum(tf.ones([2]), [0, 5], 3)),
        "scatter_update beyond the end": lambda tf: run(
            tf, tf.scatter_update(v := tf.Variable(tf.ones([3])), [3], [1.0]), None, v.initializer
        ),
        "scatter_add of a negative row": lambda tf: run(
            tf, tf.scatter_add(v := tf.Variable(tf.ones([3])), [-1], [1.0]), None, v.initializer
        ),
        "scatter_nd beyond the end": lambda tf: run(tf, tf.scatter_nd([[5]], [1.0], [3])),
        "dynamic_partition beyond the number": lambda tf: run(tf, tf.dynamic_partition([1.0, 2.0], [0, 2], 2)),
        "assert that fails": lambda tf: run(tf, tf.Assert(tf.constant(False), [tf.constant("why")])),
        "assert_equal that fails": lambda tf: run(tf, tf.assert_equal(tf.placeholder_with_default(1, []), 2)),
        "check_numerics of infinity": lambda tf: run(tf, tf.check_numerics(tf.constant(np.inf), "too large")),
        "transpose by a repeated axis": lambda tf: run(tf, tf.transpose(tf.ones([2, 3]), [0, 0])),
        "reduce_mean over a repeated axis": lambda tf: run(tf, tf.reduce_mean(tf.ones([2, 3]), axis=[0, 0])),
        "slice beyond the end": lambda tf: run(tf, tf.slice(tf.ones([3]), [2], [2])),
        "reshape with two unknowns": lambda tf: run(tf, tf.reshape(tf.ones([2, 3]), [-1, -1])),
        "subscript by floats beyond the end": lambda tf: run(tf, tf.ones([3])[tf.constant(3)]),
        "split by sizes of another sum that are fed": lambda tf: run(
            tf, tf.split(tf.ones([5]), sizes := tf.placeholder(tf.int32, [2])), {sizes: [2, 2]}
        ),
        "one_hot of a fed negative depth": lambda tf: run(
            tf, tf.one_hot([0], depth := tf.placeholder(tf.int32, [])), {depth: -1}
        ),
        "concat along a fed missing axis": lambda tf: run(
            tf, tf.concat([tf.ones([2]), tf.ones([2])], axis := tf.placeholder(tf.int32, [])), {axis: 3}
        ),
        "fill of a fed negative size": lambda tf: run(tf, tf.zeros(n := tf.placeholder(tf.int32, [1])), {n: [-2]}),
        "range of a fed step of zero": lambda tf: run(tf, tf.range(0, 3, d := tf.placeholder(tf.int32, [])), {d: 0}),
        "top_k beyond a fed size": lambda tf: run(
            tf, tf.nn.top_k(x := tf.placeholder(tf.float32, [None]), 3), {x: [1.0]}
        ),
        "matrix_inverse of zeros": lambda tf: run(tf, tf.matrix_inverse(tf.zeros([2, 2]))),
        "py_func that raises": lambda tf: run(tf, tf.py_func(lambda: 1 / 0, [], tf.float32)),
        "py_func of another type": lambda tf: run(tf, tf.py_func(lambda: np.float64(1.0), [], tf.float32)),
    }
)


def unknown(function):
    """Return a case in which shapes disagree only when two placeholders are fed."""

    def provoke(tf):
        x, y = (tf.placeholder(tf.float32, None, name=name) for name in "xy")
        return run(tf, function(tf, x, y), {x: np.zeros((2, 3)), y: np.zeros((2, 4))})

    return provoke


raising(
    {
        "addition of fed shapes [sum]": unknown(lambda tf, x, y: tf.add(x, y, name="sum")),
        "product of fed shapes [product]": unknown(lambda tf, x, y: tf.matmul(x, y, name="product")),
        "concat of fed shapes": unknown(lambda tf, x, y: tf.concat([x, y], 0)),
        "stack of fed shapes": unknown(lambda tf, x, y: tf.stack([x, y])),
        "reshape of a fed shape": unknown(lambda tf, x, y: tf.reshape(x, [4, -1]) + y[0, 0]),
        "reshape to a fed size": unknown(lambda tf, x, y: tf.reshape(x, [tf.shape(y)[1], 2])),
        "squeeze of a fed shape": unknown(lambda tf, x, y: tf.squeeze(x, [0])),
        "split of a fed shape": unknown(lambda tf, x, y: tf.split(x, 2, axis=1)),
        "reduction over an axis that a feed lacks": unknown(lambda tf, x, y: tf.reduce_sum(x, axis=2)),
        "subscript beyond a fed shape": unknown(lambda tf, x, y: x[5]),
        "losses of fed shapes": unknown(
            lambda tf, x, y: tf.nn.softmax_cross_entropy_with_logits_v2(labels=x, logits=y)
        ),
        "tile of another rank": unknown(lambda tf, x, y: tf.tile(x, tf.shape(tf.shape(y)))),
        "bias of a fed shape": unknown(lambda tf, x, y: tf.nn.bias_add(x, y[0])),
        "reduction of a fed scalar over an axis": unknown(lambda tf, x, y: tf.reduce_sum(x[0, 0], axis=0)),
        "where that would broadcast fed shapes": unknown(lambda tf, x, y: tf.where(x > 0, x, x[:1])),
        "product of fed vectors": unknown(lambda tf, x, y: tf.matmul(x[0], y[1])),
        "concat of fed scalars": unknown(lambda tf, x, y: tf.concat([x[0, 0], y[0, 0]], 0)),
        "where of fed shapes": unknown(lambda tf, x, y: tf.where(x > 0, x, y)),
        "cumsum of a fed scalar": unknown(lambda tf, x, y: tf.cumsum(x[0, 0], -1)),
        "cumprod of a fed scalar": unknown(lambda tf, x, y: tf.cumprod(x[0, 0])),
        "gather of a fed scalar": unknown(lambda tf, x, y: tf.gather(x[0, 0], [0])),
        "gather of a fed scalar's last axis": unknown(lambda tf, x, y: tf.gather(x[0, 0], [0], axis=-1)),
        "gradient of a fed scalar's last axis": unknown(
            lambda tf, x, y: tf.gradients(tf.gather(x[0, 0], [0], axis=-1), x)[0]
        ),
        "ensure_shape of a fed shape": unknown(lambda tf, x, y: tf.ensure_shape(x, [2, 4])),
    }
)


@raises
def run_of_a_closed_session(tf):
    node, session = tf.constant(1), tf.Session()
    session.close()
    session.run(node)


@raises
def run_after_the_with_block(tf):
    node = tf.constant(1)
    with tf.Session() as session:
        pass
    session.run(node)


@raises
def run_of_another_graphs_tensor(tf):
    node = tf.constant(1)
    with tf.Graph().as_default():
        tf.constant(2)
        run(tf, node)


@raises
def run_of_another_graphs_tensor_under_the_same_name(tf):
    node = tf.constant(1, name="c")
    with tf.Graph().as_default():
        tf.constant(2, name="c")
        run(tf, node)


@raises
def run_of_another_graphs_operation(tf):
    node = tf.no_op()
    with tf.Graph().as_default():
        tf.constant(2)
        run(tf, node)


@raises
def feed_of_another_graphs_placeholder(tf):
    node = tf.placeholder(tf.float32, [])
    with tf.Graph().as_default():
        run(tf, tf.constant(1.0), {node: 1.0})


@raises
def feed_of_a_tensor(tf):
    x, y = tf.placeholder(tf.float32, []), tf.constant(1.0)
    run(tf, x, {x: y})


@raises
def eval_without_a_session(tf):
    tf.constant(1).eval()


@raises
def run_of_an_operation_without_a_session(tf):
    tf.no_op().run()


@raises
def control_dependency_cycle(tf):
    x = tf.constant(1.0, name="x")
    y = tf.add(x, 1.0, name="y")
    z = tf.add(y, 1.0, name="z")
    y.op._add_control_input(z.op)
    run(tf, z)


@raises
def graphs_left_out_of_order(tf):
    def leave():
        one, two = tf.Graph().as_default(), tf.Graph().as_default()
        with one, two:
            one.__exit__(None, None, None)

    with ThreadPoolExecutor(1) as other:  # the stack of graphs stays broken, and each thread has its own
        other.submit(leave).result()


@raises
def reset_inside_a_graph(tf):
    with tf.Graph().as_default():
        tf.reset_default_graph()


@raises
def node_in_a_finished_graph(tf):
    tf.get_default_graph().finalize()
    tf.constant(1)


@raises
def partial_fetches_in_a_dictionary_with_a_number(tf):
    run(tf, {"a": tf.constant(1), "b": 2})


@raises
def placeholder_with_default_fed_another_shape(tf):
    x = tf.placeholder_with_default(np.zeros((2, 3), np.float32), [None, 3], name="x")
    run(tf, x, {x: np.zeros((2, 4))})
