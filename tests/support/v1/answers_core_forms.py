"""Programs of what TensorFlow's core tests ask beside values: static shapes of constants, axes, modes of files."""

from __future__ import annotations

import tempfile
from collections import OrderedDict, defaultdict
from importlib import import_module
from typing import Any

import numpy as np
from answers import graph, run, tried

ROWS = np.array([[1, 1, 2], [1, 1, 2], [3, 3, 4]], np.int32)
MATRIX = np.array([[2.0, 1.0, 3.0], [1.0, 3.0, 2.0], [4.0, 1.0, 1.0]])


def _kernels(tf: Any) -> Any:
    package = "steepest.v1" if tf.__name__.startswith("steepest") else "tensorflow"
    return import_module(f"{package}.python.ops.gen_array_ops")


@graph
def different_rows_and_columns(tf: Any) -> Any:
    kernels = _kernels(tf)
    found = []
    for axis in ([0], [1], [-1]):
        parts = kernels.unique_with_counts_v2(tf.constant(ROWS), np.array(axis, np.int32))
        found.append([run(tf, list(parts)), [each.shape.as_list() for each in parts]])
    vector = kernels.unique_v2(tf.constant([3.0, 1.0, 3.0]), np.array([], np.int64), tf.int64)
    refused = [
        tried(lambda axis=axis: kernels.unique_v2(tf.constant(ROWS), np.array(axis, np.int32)))[0]
        for axis in ([], [0, 1], [2])
    ]
    return [found, run(tf, list(vector)), [each.dtype.name for each in vector], refused]


@graph
def factors_and_inverses(tf: Any) -> Any:
    x, both = tf.constant(MATRIX), tf.constant(np.arange(8.0).reshape(2, 2, 2))
    factors = tf.linalg.lu(x)
    wide = tf.linalg.lu(both, output_idx_type=tf.int64)
    unknown = tf.linalg.lu(tf.placeholder(tf.float32, [None, 2, 2]))
    inverse = tf.linalg.pinv(x)
    return [
        run(tf, [list(factors), list(wide), inverse]),
        [each.dtype.name for each in (*factors, *wide)],
        [each.shape.as_list() for each in (*factors, *unknown, inverse)],
        run(tf, [tf.linalg.pinv(np.arange(6.0).reshape(2, 3)), tf.linalg.pinv(both, rcond=0.3)]),
        run(tf, tf.gradients(inverse * np.arange(9.0).reshape(3, 3), x)),
        tried(lambda: tf.gradients(factors[0], x))[0],
        tried(lambda: run(tf, tf.linalg.lu(tf.zeros([2, 2]))))[0],
    ]


@graph
def shapes_that_constants_decide(tf: Any) -> Any:
    unknown, pairs = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None, 2])
    entropy = tf.nn.sigmoid_cross_entropy_with_logits
    variable = tf.Variable([1.0, 2.0], validate_shape=False)
    sized = [
        tf.confusion_matrix([0, 1, 2], [0, 2, 2]),
        tf.confusion_matrix(tf.constant([0, 1]), [0, 1], num_classes=4),
        tf.bincount([1, 1, 3]),
        tf.bincount([1, 1, 3], minlength=5, maxlength=5),
        tf.bincount(tf.constant([1, 1, 3]), maxlength=2),
        entropy(labels=unknown, logits=unknown),
        entropy(labels=pairs, logits=unknown),
        entropy(labels=unknown, logits=pairs),
        entropy(labels=pairs, logits=tf.constant([[1.0, 2.0]])),
        tf.assign(variable, [[1.0, 2.0, 3.0]], validate_shape=False),
    ]
    return [str(each.shape) for each in sized]


@graph
def what_modes_of_files_allow(tf: Any) -> Any:
    folder = tempfile.mkdtemp()
    with tf.gfile.GFile(f"{folder}/a", "w") as writing:
        refused = [tried(writing.read)[0], tried(writing.readline)[0]]
        writing.write("text")
    with tf.gfile.GFile(f"{folder}/a") as reading:
        refused += [tried(lambda: reading.write("x"))[0], reading.read(), tried(lambda: reading.seek(-1))[0]]
    tf.gfile.MkDir(f"{folder}/b")
    tf.gfile.MkDir(f"{folder}/b")
    return [refused, sorted(tf.gfile.ListDirectory(folder)), tried(lambda: tf.gfile.MkDir(f"{folder}/no/b"))[0]]


@graph
def gradients_that_a_program_prevents(tf: Any) -> Any:
    x, kernels = tf.constant([1.0, 2.0]), _kernels(tf)
    y = kernels.prevent_gradient(x, message="not here", name="closed")
    return [
        [y.name, y.op.type, y.shape.as_list(), y.op.get_attr("message").decode()],
        run(tf, [y, *tf.gradients(y * 3.0, y)]),
        tried(lambda: tf.gradients(y * x, x))[0],
        tf.gradients(tf.stop_gradient(y), x),
    ]


@graph
def mappings_pair_by_key(tf: Any) -> Any:
    x = tf.constant(2.0)
    flag = tf.placeholder(tf.bool, [])
    plain = tf.cond(flag, lambda: {"a": x, "b": 3 * x}, lambda: {"b": 30 * x, "a": 10 * x})
    ordered = tf.cond(
        flag, lambda: OrderedDict([("b", x), ("a", 3 * x)]), lambda: OrderedDict([("a", 30 * x), ("b", 10 * x)])
    )
    chosen = tf.case([(flag, lambda: {"a": x, "b": 3 * x})], default=lambda: {"b": 30 * x, "a": 10 * x})
    slope = tf.gradients(plain["a"], x)[0]
    with tf.Session() as session:
        found = [session.run([plain, ordered, chosen, slope], {flag: side}) for side in (True, False)]
        fetched = session.run(defaultdict(list, {"z": x, "a": [x, 2 * x]}))
    mapped = tf.nest.map_structure(lambda item: item + 1, defaultdict(int, {"k": 1}))
    return [
        [[sorted(a.items()), list(b.items()), sorted(c.items()), d] for a, b, c, d in found],
        type(ordered).__name__,
        [type(fetched).__name__, fetched.default_factory is list, sorted(fetched.items())],
        [type(mapped).__name__, mapped.default_factory is int, mapped["k"], mapped["none"]],
    ]


@graph
def where_variables_are_read_and_begin(tf: Any) -> Any:
    with tf.variable_scope("a", caching_device="/job:cache"):
        cached = tf.get_variable("v", [])
        with tf.variable_scope("b"):
            inner = tf.get_variable("v", [])
        with tf.variable_scope("c", caching_device=""):
            plain = tf.get_variable("v", [])
        with tf.variable_scope("d") as scope:
            scope.set_caching_device("/job:live")
            live = tf.get_variable("v", [])
            own = tf.get_variable("w", [], caching_device="/job:own")
    places = [v.value().device for v in (cached, inner, plain, live, own)]
    with tf.device("/cpu:3"):
        made = tf.Variable(lambda: tf.constant(42.0), name="made")
    begins = [made.op.device, *[each.op.colocation_groups() for each in made.initializer.inputs]]

    def body(i: Any) -> Any:
        return i + tf.Variable(tf.zeros([], tf.int32)).read_value()

    inside = tried(lambda: tf.while_loop(lambda i: i < 3, body, [tf.constant(0)]))[0]
    return [places, begins, inside]


@graph
def variables_of_messages(tf: Any) -> Any:
    sync, aggregation = tf.VariableSynchronization.NONE, tf.VariableAggregation.ONLY_FIRST_REPLICA
    v = tf.Variable(10.0, trainable=False, synchronization=sync, aggregation=aggregation, name="v")
    message = v.to_proto()
    again = tf.Variable(variable_def=message)
    refused = tried(lambda: tf.Variable(1.0, variable_def=message), lambda: message.ClearField("none"))
    message.ClearField("initial_value_name")
    found = [again.name, again.trainable, again.synchronization.name, again.aggregation.name]
    return [found, run(tf, again.initialized_value()), refused, message.initial_value_name]


@graph
def what_names_of_scopes_may_be(tf: Any) -> Any:
    def opened(name: str, make: Any) -> str:
        try:
            with make(name):
                return tf.no_op().name
        except ValueError as error:
            return str(error).split(". ")[0].split(",")[0]

    with tf.name_scope("in"):
        inner = [opened(name, make) for make in (tf.name_scope, tf.variable_scope) for name in ("_", "a b", "x")]
    return [inner, [opened(name, make) for make in (tf.name_scope, tf.variable_scope) for name in ("_", "-x", "y")]]


@graph
def parts_that_initializers_are_told(tf: Any) -> Any:
    package = "steepest.v1" if tf.__name__.startswith("steepest") else "tensorflow"
    made = import_module(f"{package}.python.ops.variable_scope")._PartitionInfo
    part = made(full_shape=[9, 3], var_offset=[4, 0])
    wrong = [
        ({"full_shape": None, "var_offset": [0]}, None),
        ({"full_shape": [1, 2], "var_offset": "ab"}, None),
        ({"full_shape": [1, 2], "var_offset": [0]}, None),
        ({"full_shape": [1, 2], "var_offset": [0, 2]}, None),
        ({"full_shape": [9, 3], "var_offset": [4, 0]}, None),
        ({"full_shape": [9, 3], "var_offset": [4, 0]}, [1, 3, 2]),
        ({"full_shape": [9, 3], "var_offset": [4, 0]}, [6, 3]),
        ({"full_shape": [9, 3], "var_offset": [4, 0]}, [1, 1]),
    ]
    return [
        part.single_offset([1, 3]),
        part.single_slice_dim([1, 3]),
        made(full_shape=[9, 3], var_offset=[0, 0]).single_offset([9, 3]),
        [
            tried(lambda fields=fields, shape=shape: made(**fields).single_slice_dim(shape))[0]
            for fields, shape in wrong
        ],
    ]


@graph
def texts_that_are_fed(tf: Any) -> Any:
    texts = ["\n\x01\x00", "\u26a3 unicode"]
    fed = tf.placeholder(tf.string, [2])
    again = tf.identity(fed)
    with tf.Session() as session:
        given = [texts, np.array(texts, object), np.array([text.encode() for text in texts], object)]
        return [session.run([fed, again], {fed: each}) for each in given]


@graph
def operations_that_are_changed(tf: Any) -> Any:
    x, y, w = tf.constant(1.0), tf.constant(2.0), tf.constant([[1.0, 2.0]])
    z = x + y
    after = z * 3.0
    with tf.control_dependencies([x, y]):
        last = tf.identity(w)
    found: list[Any] = [[op.name for op in last.op.control_inputs], [op.name for op in x.op._control_outputs]]
    last.op._remove_all_control_inputs()
    found.append([len(last.op.control_inputs), len(x.op._control_outputs)])
    values = [run(tf, after)]
    z.op._update_input(0, y)
    values.append(run(tf, after))
    fed = tf.placeholder_with_default(5.0, [])
    z.op._update_input(1, fed)
    values.append(run(tf, after))
    with tf.Graph().as_default():
        other = tf.constant(1.0)
    found.append([[op.name for op in each.consumers()] for each in (x, y)])
    refused = [
        tried(lambda: z.op._update_input(0, other))[0],
        tried(lambda: x.op._update_input(1, y))[0],
        tried(lambda: last.op._update_input(0, tf.zeros([2, 2])))[0],
    ]
    return [found, values, refused]


@graph
def lookups_of_mixed_types(tf: Any) -> Any:
    ids = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], tf.constant([0, 1, 2], tf.int64), [3, 2])
    weights = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [1.0, 2.0, 3.0], [3, 2])
    table = np.arange(6.0).reshape(3, 2)
    narrow = table.astype(np.float32)
    safe = tf.nn.safe_embedding_lookup_sparse
    return [
        run(tf, safe([narrow], ids, weights)),
        tried(lambda: safe([narrow[:2], table[2:]], ids, None))[0],
        tried(lambda: safe([tf.constant(table)], ids, weights))[0],
    ]


@graph
def kinds_of_numbers_and_texts(tf: Any) -> Any:
    values = [1, np.int8(1), True, 1.5, np.float32(1), 1j, np.complex64(1), "a", b"a", None]
    kinds = [getattr(tf.compat, f"{kind}_types") for kind in ("integral", "real", "complex", "bytes_or_text")]
    return [[isinstance(value, kind) for kind in kinds] for value in values]


@graph
def lookups_that_are_transformed(tf: Any) -> Any:
    package = "steepest.v1" if tf.__name__.startswith("steepest") else "tensorflow"
    looked_up = import_module(f"{package}.python.ops.embedding_ops")._embedding_lookup_and_transform
    tables = [tf.constant(MATRIX[::2]), tf.constant(MATRIX[1::2])]

    def size(rows: Any) -> Any:
        return tf.norm(rows, axis=1)

    found = [looked_up(tables, np.array(ids), max_norm=2.0, transform_fn=size) for ids in (2, [0, 2], [[0], [1]])]
    return [run(tf, found), run(tf, looked_up(tables, np.array([[1]])))]


@graph
def sizes_of_sparse_values(tf: Any) -> Any:
    value = tf.SparseTensorValue(indices=((0, 1), (1, 0)), values=(42, 24), dense_shape=(2, 3))
    asked = [tf.shape(value), tf.size(value), tf.rank(value), tf.shape(value, out_type=tf.int64)]
    v = tf.Variable([1, 2])
    refused = [tried(lambda d=d: v[:].assign(tf.constant([3, 4], d)))[0] for d in (tf.int8, tf.int64)]
    return [run(tf, asked), refused]
