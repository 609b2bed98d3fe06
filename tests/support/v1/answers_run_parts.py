"""Programs of runs in parts, callables of sessions, sessions inside each other, and what runs tell of themselves."""

from __future__ import annotations

from typing import Any

from answers import graph, tried


def _placeholders(tf: Any) -> Any:
    return [tf.placeholder(tf.float32, [], name) for name in "abc"]


@graph
def runs_in_parts(tf: Any) -> Any:
    a, b, c = _placeholders(tf)
    total = a + b
    product = total * c
    found = []
    with tf.Session() as session:
        first = session.partial_run_setup([total, product], [a, b, c])
        second = session.partial_run_setup([total, product], [a, b, c])
        found.append(session.partial_run(first, total, {a: 1, b: 2}))
        found.append(session.partial_run(second, [total], {a: 5, b: 2}))
        found.append(session.partial_run(first, product, {c: found[0] * 17}))
        found.append(session.partial_run(second, {"p": product}, {c: 2}))
        return found


@graph
def parts_that_a_run_was_not_set_up_with(tf: Any) -> Any:
    a, b, c = _placeholders(tf)
    total = a + b
    product = total * c
    with tf.Session() as session:
        open_run = session.partial_run_setup([total], [a, b])
        found = [tried(lambda: session.partial_run(open_run, total, {a: 1, b: 2, c: 3}))]
        open_run = session.partial_run_setup([total, product], [a, b, c])
        session.partial_run(open_run, total, {a: 1, b: 2})
        found.append(tried(lambda: session.partial_run(open_run, product, {a: 1, c: 3})))
        open_run = session.partial_run_setup([total, product], [a, b, c])
        session.partial_run(open_run, total, {a: 1, b: 2})
        found.append(tried(lambda: session.partial_run(open_run, total, {c: 3})))
        return [*found, tried(lambda: session.partial_run_setup([])), tried(lambda: session.partial_run("none", total))]


@graph
def what_a_run_tells_of_itself(tf: Any) -> Any:
    x = tf.constant(1.0)
    metadata, traced = tf.RunMetadata(), tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    found = [metadata.HasField("step_stats")]
    with tf.Session() as session:
        for options in (None, traced, tf.RunOptions(output_partition_graphs=True)):
            session.run(x, options=options, run_metadata=metadata)
            found += [metadata.HasField("step_stats"), len(metadata.step_stats.dev_stats) > 0]
            found.append(len(metadata.partition_graphs) > 0)
        called = session.make_callable(x, accept_options=True)
        found.append(called(options=traced, run_metadata=metadata))
        found += [metadata.HasField("step_stats"), metadata.step_stats.dev_stats[0].device]
    return found


@graph
def sessions_inside_each_other(tf: Any) -> Any:
    first, second = tf.Session(), tf.Session()
    tf.constant(1.0, name=b"bytes")

    def again() -> None:
        with first, first:
            pass

    found = [tried(again)]
    one, two = second.as_default(), tf.Session().as_default()
    one.__enter__(), two.__enter__()
    found.append(tf.get_default_session() is second)
    two.__exit__(None, None, None)
    found.append(tf.get_default_session() is second)
    one.__exit__(None, None, None)
    config = tf.ConfigProto(graph_options=tf.GraphOptions(infer_shapes=True))
    nodes = tf.Session(config=config).graph_def.node
    return [*found, nodes[0].name, "_output_shapes" in nodes[0].attr]
