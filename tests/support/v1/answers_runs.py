"""Programs of sessions, errors and templates, as TensorFlow's own tests of its core have them."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried


@graph
def schedules_of_learning_rates(tf: Any) -> Any:
    return run(
        tf,
        [
            tf.train.polynomial_decay(0.05, 5, 10, 0.001, power=0.5, cycle=True),
            tf.train.piecewise_constant(tf.constant(3), [2, 4], [1.0, 0.5, 0.1]),
            tf.train.cosine_decay(1.0, 5, 10, alpha=0.1),
        ],
    )


@graph
def names_of_an_optimizer(tf: Any) -> Any:
    v = tf.Variable([1.0, 2.0], name="v")
    o = tf.train.AdamOptimizer(0.1)
    op = o.minimize(v[0] * v[1])
    return [
        op.name,
        op.type,
        o.get_name(),
        o.get_slot_names(),
        o.get_slot(v, "m").name,
        [x.name for x in o.variables()],
    ]


@graph
def an_optimizer_of_the_program(tf: Any) -> Any:

    class Own(tf.train.Optimizer):
        def __init__(self, lr):
            super().__init__(False, "O")
            self._lr = lr

        def _prepare(self):
            self._t = tf.convert_to_tensor(self._lr)

        def _create_slots(self, vl):
            for v in vl:
                self._zeros_slot(v, "m", self._name)

        def _apply_dense(self, g, v):
            m = self.get_slot(v, "m")
            mt = m.assign(0.9 * m + g)
            return tf.group(tf.assign_sub(v, tf.cast(self._t, v.dtype.base_dtype) * mt), mt)

        def _resource_apply_dense(self, g, v):
            return self._apply_dense(g, v)

    v = tf.Variable([1.0, 2.0])
    op = Own(0.1).minimize(tf.reduce_sum(v * v))
    with tf.Session() as s:
        s.run(tf.global_variables_initializer())
        s.run(op)
        s.run(op)
        return s.run(v)


@graph
def errors_of_a_session(tf: Any) -> Any:
    a = tf.placeholder(tf.float32, [2], name="a")
    out = []
    with tf.Session() as s:
        for f in (
            lambda: s.run(a),
            lambda: s.run(a, {a: [1.0]}),
            lambda: s.run("a:0", {"a:0": [1.0, 2.0]}).tolist(),
            lambda: s.run("b:0"),
            lambda: s.run(None),
            lambda: s.run([]),
            lambda: s.run({}),
            lambda: s.run(a, {"x:0": 1}),
            lambda: s.run(3),
            lambda: s.run(a, {a: "s"}),
            lambda: s.run((a, [a]), {a: [1, 2]}),
        ):
            try:
                out.append(f())
            except Exception as e:
                out.append(type(e).__name__)
    return out


@graph
def what_an_error_says(tf: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    y = tf.check_numerics(tf.log(x - 1.0), "bad", name="chk")
    try:
        run(tf, y)
    except tf.errors.InvalidArgumentError as e:
        return [e.op.name, e.node_def.name, e.error_code, tf.errors.INVALID_ARGUMENT, "bad" in e.message]


@graph
def losses_by_reduction(tf: Any) -> Any:
    L = tf.losses
    return [
        run(
            tf,
            [
                L.mean_squared_error([1.0, 2.0], [3.0, 5.0], reduction=r)
                for r in (
                    L.Reduction.NONE,
                    L.Reduction.SUM,
                    L.Reduction.MEAN,
                    L.Reduction.SUM_OVER_BATCH_SIZE,
                    L.Reduction.SUM_BY_NONZERO_WEIGHTS,
                )
            ],
        ),
        len(L.get_losses()),
        run(tf, L.get_total_loss()),
    ]


@graph
def lookups_in_parts(tf: Any) -> Any:
    e = tf.Variable(np.arange(8.0).reshape(4, 2).astype(np.float32))
    return run(tf, [tf.nn.embedding_lookup([e, e], [0, 1, 5]), tf.nn.embedding_lookup(e, [[0], [3]], max_norm=1.0)])


@graph
def shapes_of_random_values(tf: Any) -> Any:
    tf.set_random_seed(1)
    return [
        list(run(tf, x).shape)
        for x in (
            tf.random_normal([2, 3]),
            tf.random_uniform([2], 0, 5, tf.int32),
            tf.truncated_normal([3]),
            tf.random_shuffle([1, 2, 3]),
            tf.multinomial([[1.0, 1.0]], 4),
            tf.random_gamma([2], [1.0, 2.0]),
            tf.random_poisson([1.0, 2.0], [3]),
            tf.random.categorical([[1.0, 1.0]], 2, dtype=tf.int32),
        )
    ]


@graph
def counts(tf: Any) -> Any:
    return run(
        tf,
        [
            tf.bincount([1, 1, 2]),
            tf.histogram_fixed_width_bins([0.0, 1.0], [0.0, 2.0], 4),
            tf.confusion_matrix([0, 1], [1, 1]),
            tf.math.bincount([1, 2], minlength=5),
        ],
    )


@graph
def running_sums(tf: Any) -> Any:
    return run(
        tf,
        [
            tf.cumsum([1, 2, 3], exclusive=True, reverse=True),
            tf.cumprod([1.0, 2.0, 3.0]),
            tf.accumulate_n([tf.ones([2])] * 3),
            tf.add_n([1.0, 2.0]),
        ],
    )


@graph
def products_of_matrices(tf: Any) -> Any:
    a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return run(
        tf,
        [
            tf.matmul(a, a, transpose_b=True),
            tf.tensordot(a, a, 1),
            tf.tensordot(a, a, [[0], [1]]),
            tf.einsum("ij,jk->ik", a, a),
            a @ a,
            tf.trace(a),
            tf.norm(a, ord=1),
            tf.norm(a, axis=[0, 1], ord="fro"),
            tf.linalg.norm(a, 2, axis=1),
        ],
    )


@graph
def a_product_of_sparse_matrices(tf: Any) -> Any:
    a = tf.constant([[1.0, 0.0], [3.0, 4.0]])
    return run(tf, tf.sparse_matmul(a, a, a_is_sparse=True))


@graph
def templates(tf: Any) -> Any:

    def f(x):
        return x * tf.get_variable("w", [], initializer=tf.constant_initializer(3.0))

    t_ = tf.make_template("tt", f)
    a = t_(2.0)
    b = t_(3.0)
    return [
        run(tf, [a, b]),
        [v.name for v in tf.global_variables()],
        t_.name,
        [v.name for v in t_.variables],
        t_.variable_scope.name,
    ]


@graph
def local_variables(tf: Any) -> Any:
    v = tf.get_local_variable("l", [2])
    return [v.trainable, [x.name for x in tf.local_variables()]]


@graph
def steps_at_which_summaries_are_saved(tf: Any) -> Any:
    class Writer:
        def __init__(self) -> None:
            self.steps: list[int] = []
            self.flushed = 0

        def add_summary(self, summary: Any, step: int) -> None:
            self.steps.append(int(step))

        def add_session_log(self, log: Any, step: int) -> None:
            pass

        def flush(self) -> None:
            self.flushed += 1

    step = tf.train.get_or_create_global_step()
    count = step.assign_add(1)
    single, several = Writer(), Writer()
    scalar = tf.summary.scalar("value", tf.cast(step, tf.float32))
    hooks = [
        tf.train.SummarySaverHook(save_steps=3, summary_writer=single, summary_op=scalar),
        tf.train.SummarySaverHook(save_steps=1, summary_writer=several, summary_op=[scalar, scalar]),
    ]
    with tf.train.SingularMonitoredSession(hooks=hooks) as session:
        for _ in range(7):
            session.run(count)
    options = {}, {"scaffold": 1, "summary_op": 2}
    wrong = [tried(lambda o=o: tf.train.SummarySaverHook(save_steps=1, **o)) for o in options]
    return single.steps, several.steps, single.flushed > 0, wrong
