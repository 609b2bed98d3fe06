"""How variables are made: getters, functions as initializers, averages of them; what several results are called."""

from __future__ import annotations

import numpy as np
from op_cases import INTS, A, case, words


def text(tf, values):
    return tf.constant([str(value) for value in values])


@case(grad=False)
def initializers_that_are_functions_without_arguments(tf):
    with tf.variable_scope("s", dtype=tf.float64):
        a = tf.get_variable("a", initializer=lambda: tf.ones([3]) * 2.0)
        b = tf.get_variable("b", initializer=lambda: np.zeros((2, 1), np.int32), trainable=False)
        c = tf.get_variable("c", initializer=np.array([1, 2], np.int32))  # of its own type, not the scope's
        d = tf.get_variable("d", [2], initializer=tf.zeros_initializer)
    return [*[tf.identity(v) for v in (a, b, c, d)], text(tf, [v.name for v in tf.trainable_variables()])]


@case(grad=False)
def constants_are_of_the_variables_type_at_once(tf):
    made = {
        "a": tf.constant_initializer([0.1, 1.4]),
        "b": tf.constant_initializer(0.1),
        "c": tf.random_uniform_initializer(0.1, 0.1),
        "d": tf.random_normal_initializer(0.1, 0.0),
        "e": tf.constant_initializer([0.1, 1.4], dtype=tf.float32),
        "f": tf.constant_initializer(np.array([0.1, 1.4], np.float32)),
    }
    return [tf.identity(tf.get_variable(name, [2], tf.float64, start)) for name, start in made.items()]


@case(grad=False)
def variables_made_of_sizes_of_variables(tf):
    w = tf.get_variable("w", initializer=np.ones((3, 2), np.float32))
    like = tf.Variable(tf.zeros(tf.shape(w)), name="like")  # the size is known: w need not be initialised first
    many = tf.Variable(tf.ones_like(w) * tf.cast(tf.size(w), tf.float32) + tf.cast(tf.rank(w), tf.float32))
    return [tf.identity(like), tf.identity(many)]


@case(grad=False)
def sizes_of_what_is_not_fed(tf):
    x, y = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [None, 3])
    w = tf.Variable([1.0, 2.0])
    unconnected = tf.gradients(w * 2.0, [w, x], unconnected_gradients="zero")
    return [tf.shape(x), tf.size(x), tf.rank(y), tf.zeros_like(x), tf.ones_like(x, tf.int32), *unconnected]


@case(grad=False)
def getters_of_scopes(tf):
    seen = []

    def outer(getter, name, **arguments):
        seen.append(f"outer {name} {arguments['shape']} {arguments['trainable']}")
        return getter(name, **arguments) * 2.0

    def inner(getter, name, *args, **arguments):
        seen.append(f"inner {name}")
        return getter(name, *args, **{**arguments, "trainable": False})

    ones = tf.ones_initializer()
    with tf.variable_scope("s", custom_getter=outer, initializer=ones) as scope:
        a = tf.get_variable("a", [2])
        with tf.variable_scope("t", custom_getter=inner):
            b = tf.get_variable("b", [1])
        own = tf.get_variable("c", [1], custom_getter=inner)
    with tf.variable_scope(scope, reuse=True):
        again = tf.get_variable("a", [2])
    names = [v.name for v in tf.global_variables()], [v.name for v in tf.trainable_variables()]
    return [tf.identity(v) for v in (a, b, own, again)] + [text(tf, [*seen, *names, a.name, b.name])]


@case(grad=False)
def averages_in_place_of_variables(tf):
    w = tf.get_variable("w", initializer=[4.0])
    average = tf.train.ExponentialMovingAverage(0.5)
    update = average.apply([w])
    again = average.apply([w])  # keeps its shadow

    def averaged(getter, name, *args, **arguments):
        variable = getter(name, *args, **arguments)
        return average.average(variable) or variable

    with tf.variable_scope(tf.get_variable_scope(), reuse=True, custom_getter=averaged):
        shadow = tf.get_variable("w")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(tf.assign(w, [8.0]))
        session.run(update)
        session.run(again)
        found = session.run(shadow)
    return [tf.constant(found), text(tf, [shadow.name, len(tf.global_variables())])]


@case(grad=False)
def averages_of_tensors(tf):
    x = tf.placeholder(tf.float32, [4, 2])
    with tf.variable_scope("layer"):
        mean, variance = tf.nn.moments(x, [0])
        kept, _ = tf.nn.moments(x, [0], keep_dims=True, name="kept")
        plain, debiased = (tf.train.ExponentialMovingAverage(0.8, zero_debias=zero) for zero in (False, True))
        updates = [plain.apply([mean, variance]), debiased.apply([mean])]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for k in range(3):
            session.run(updates, {x: np.arange(8, dtype=np.float32).reshape(4, 2) * (k + 1)})
        found = session.run([plain.average(mean), plain.average(variance), debiased.average(mean)])
    names = [mean.name, variance.name, kept.name, *(v.name for v in tf.global_variables())]
    return [tf.constant(value) for value in found] + [
        text(tf, [*names, plain.average_name(mean), len(tf.moving_average_variables())])
    ]


@case(A, grad=False, feed=False)
def results_that_have_names(tf, x):
    top, different = tf.nn.top_k(x, 2), tf.unique(tf.constant([3, 1, 3]))
    counted, missing = tf.unique_with_counts(tf.constant([3, 1, 3])), tf.setdiff1d([1, 2, 3], [2])
    drawn = tf.nn.log_uniform_candidate_sampler(tf.constant([[1]], tf.int64), 1, 4, True, 4, seed=1)
    with tf.Session() as session:
        fetched = [session.run(part) for part in (top, different, counted, missing)]
    return [
        *(top.values, top.indices, different.y, different.idx, counted.count, missing.out, missing.idx),
        *(tf.shape(drawn.sampled_candidates), tf.shape(drawn.true_expected_count)),
        text(tf, [type(part)._fields for part in (top, different, counted, missing, drawn, *fetched)]),
    ]


@case(INTS, grad=False, feed=False)
def names_of_constants_made_for_operations(tf, x):
    first = tf.constant(1.0)
    nodes = [tf.add(first, 2.0), first * 3.0, 4.0 - first, tf.maximum(first, 1.0, name="most"), tf.constant(2.0)]
    with tf.name_scope("s"):
        nodes += [first + 1.0, tf.constant(1.0), tf.Variable([1.0], name="v").read_value()]
    graph = tf.get_default_graph()
    taken = [graph.unique_name("new", mark_as_used=False), graph.unique_name("new"), graph.unique_name("new")]
    return text(tf, [node.name for node in nodes] + taken)


@case(grad=False)
def scopes_know_their_variables(tf):
    with tf.variable_scope("s") as scope:
        tf.get_variable("a", [1])
        inside = [v.name for v in scope.global_variables()]
    with tf.variable_scope("t"):
        tf.get_variable("a", [1])
    with tf.variable_scope(scope):
        tf.get_variable("b", [1], trainable=False)
    outside = [v.name for v in scope.trainable_variables()], [v.name for v in scope.global_variables()]
    return text(tf, [inside, *outside, len(tf.get_variable_scope().global_variables())])


@case(grad=False)
def templates_share_their_variables(tf):
    def scaled(x, by=1.0):
        return x * tf.get_variable("w", initializer=2.0) * by

    first, second = tf.make_template("scale", scaled, by=3.0), tf.make_template("scale", scaled)
    early = tf.make_template("other", scaled, create_scope_now_=True)
    a = tf.constant(1.0)
    results = [first(a), first(a + 1.0), first(a, by=0.5), second(a), early(a), early(a)]
    names = [v.name for v in tf.global_variables()], [v.name for v in first.trainable_variables]
    return [*results, text(tf, [*names, first.variable_scope.name, len(early.global_variables)])]


@case(A, grad=False, feed=False)
def names_for_older_programs(tf, x):
    whole = [tf.arg_max(x, 1), tf.arg_min(x, 0), tf.scalar_mul(3.0, x), *tf.identity_n([x, x + 1.0]), *tf.shape_n([x])]
    whole += [
        tf.tensor_scatter_update(x, [[0, 1], [1, 0]], [9.0, 8.0]),
        tf.tensor_scatter_add(x, [[0]], [[1.0, 1.0, 1.0]]),
        tf.tensor_scatter_sub(x, [[1]], [[1.0, 1.0, 1.0]]),
    ]
    told = [tf.dimension_value(x.shape[0]), tf.is_tensor(x), tf.is_tensor(A), tf.is_numeric_tensor(x)]
    told += [tf.is_numeric_tensor(tf.constant("a")), tf.no_regularizer(x)]
    graph = tf.get_default_graph()
    graph.add_to_collections(["k1", "k2"], 1)
    told.append(sorted(key for key in graph.get_all_collection_keys() if str(key).startswith("k")))
    graph.clear_collection("k1")
    told += [graph.get_collection("k1"), graph.get_collection("k2")]
    codes = words("OK ABORTED CANCELLED DATA_LOSS INTERNAL INVALID_ARGUMENT NOT_FOUND OUT_OF_RANGE UNKNOWN UNAVAILABLE")
    errors = words("Aborted Cancelled DataLoss FailedPrecondition InvalidArgument NotFound OutOfRange Unimplemented")
    told += [getattr(tf.errors, code) for code in codes]
    told += [getattr(tf.errors, f"{name}Error")(None, None, "m").error_code for name in errors]
    told.append(tf.OpError is tf.errors.OpError)
    return [*whole, text(tf, told)]
