"""Programs of names that few programs use: sessions, threads, strings, checks."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run


@graph
def newer_arguments(tf: Any) -> Any:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return run(
        tf,
        [
            tf.logical_xor(True, False, name="q"),
            tf.gather_nd(x, [[1], [0]], batch_dims=1),
            tf.matrix_diag([1.0, 2.0], k=1),
            tf.matrix_diag_part(x, k=1),
            tf.matrix_set_diag(x, [9.0], k=1),
            tf.nn.swish(x, beta=2.0),
            tf.count_nonzero(x, reduction_indices=[0]),
            tf.count_nonzero(x, keep_dims=True),
            tf.count_nonzero(input=x),
            tf.nn.top_k(x, 1)[0],
        ],
    )


@graph
def linspace_of_three(tf: Any) -> Any:
    return run(tf, tf.linspace(0.0, 1.0, 3))


@graph
def a_monitored_session_finishes_the_graph(tf: Any) -> Any:
    with tf.train.MonitoredSession(session_creator=tf.train.ChiefSessionCreator(tf.train.Scaffold()), hooks=[]) as s:
        return s.run(tf.constant(1.0)) if not s.graph.finalized else "fin"


@graph
def a_session_creator(tf: Any) -> Any:
    x = tf.constant(3.0)
    with tf.train.MonitoredSession(session_creator=tf.train.ChiefSessionCreator()) as s:
        return [s.run(x), s.should_stop()]


@graph
def threads_that_stop_together(tf: Any) -> Any:
    c = tf.train.Coordinator()
    import threading

    def work():
        while not c.should_stop():
            c.request_stop()

    th = [threading.Thread(target=work) for _ in range(2)]
    [q.start() for q in th]
    c.join(th)
    return c.should_stop()


@graph
def a_thread_that_fails(tf: Any) -> Any:
    c = tf.train.Coordinator()
    import threading

    def work():
        with c.stop_on_exception():
            raise ValueError("x")

    th = [threading.Thread(target=work)]
    [q.start() for q in th]
    c.join(th)


@graph
def no_queues(tf: Any) -> Any:
    c = tf.train.Coordinator()
    with tf.Session() as s:
        th = tf.train.start_queue_runners(sess=s, coord=c)
        c.request_stop()
        c.join(th)
        return len(th)


@graph
def pairs_of_errors(tf: Any) -> Any:
    return run(tf, tf.losses.mean_pairwise_squared_error([[1.0, 2.0], [3.0, 5.0]], [[4.0, 8.0], [1.0, 2.0]]))


@graph
def a_fused_normalization(tf: Any) -> Any:
    return run(
        tf, list(tf.nn.fused_batch_norm(np.arange(8, dtype=np.float32).reshape(2, 2, 1, 2), [1.0, 1.0], [0.0, 0.0]))[:3]
    )


@graph
def functions_of_strings(tf: Any) -> Any:
    return run(
        tf,
        [
            tf.as_string([1, 2]),
            tf.as_string(1.5),
            tf.string_join(["a", "b"], "-"),
            tf.reduce_join([["a", "b"], ["c", "d"]], 1),
            tf.string_to_number(["1.5", "2"]),
            tf.substr("hello", 1, 3),
            tf.regex_replace("abc", "b", "x"),
            tf.string_strip(" a "),
            tf.strings.length(["ab", "c"]),
            tf.strings.lower("AB"),
            tf.strings.join(["a", "b"]),
        ],
    )


@graph
def strings_split(tf: Any) -> Any:
    r = run(tf, tf.string_split(["a b", "c"]))
    return [r.indices, r.values.tolist(), r.dense_shape]


@graph
def debugging_names(tf: Any) -> Any:
    return run(
        tf,
        tf.debugging.is_finite(1.0)
        if hasattr(tf.debugging, "is_finite")
        else tf.debugging.is_numeric_tensor(tf.constant(1.0)),
    )


@graph
def debugging_checks(tf: Any) -> Any:
    with tf.control_dependencies([tf.debugging.assert_equal(1, 1)]):
        return run(tf, tf.debugging.check_numerics(tf.constant(1.0), "m"))


@graph
def stateless_draws(tf: Any) -> Any:
    return [list(tf.random.stateless_uniform([2], [1, 2]).shape), list(tf.random.stateless_normal([2], [1, 2]).shape)]


@graph
def types_by_name(tf: Any) -> Any:
    return [d.name for d in (tf.dtypes.float32, tf.dtypes.as_dtype("int32"))] + [run(tf, tf.dtypes.cast(1.7, tf.int32))]


@graph
def a_run_in_parts(tf: Any) -> Any:
    a = tf.placeholder(tf.float32, [])
    b = a + 1
    c = b * 2
    with tf.Session() as s:
        h = s.partial_run_setup([b, c], [a])
        return [s.partial_run(h, b, {a: 1.0}), s.partial_run(h, c)]


@graph
def one_device(tf: Any) -> Any:
    with tf.Session() as s:
        return s.list_devices()[0].device_type


@graph
def a_callable_with_options(tf: Any) -> Any:
    x = tf.placeholder(tf.float32)
    with tf.Session() as s:
        return s.make_callable(x * 2, [x], accept_options=False)(3.0)
