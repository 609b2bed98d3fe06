"""Programs that build branches and loops of their own: ``switch`` and ``merge``, ``enter``, ``exit``; dead values."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried
from answers_libraries import internal


@graph
def results_of_a_condition_that_nothing_takes(tf: Any) -> Any:
    p = tf.placeholder(tf.bool, [])
    counts = [tf.Variable(0) for _ in range(3)]

    def added(number: int) -> Any:
        return [tf.assign_add(count, number) for count in counts[:2]]

    first, second = tf.cond(p, lambda: added(1), lambda: added(10))
    inner, _ = tf.cond(p, lambda: tf.cond(p, lambda: added(100), lambda: added(1)), lambda: added(1))
    with tf.control_dependencies([second]):
        waiting = tf.assign_add(counts[2], 1)
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for fetched, told in ((first, True), (second, False), ([first, second], True), (inner, True), (waiting, False)):
            session.run(fetched, {p: told})
            found.append(session.run(counts[:2])[fetched is waiting :])
    return found


@graph
def one_of_several_functions_at_random(tf: Any) -> Any:
    flow = internal(tf, "ops.control_flow_ops")
    x, case = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int32, [])
    functions = [lambda y: y + 1.0, lambda y: tf.reduce_sum(y) * y, lambda y: tf.concat([y, y], 0)[1:3]]
    ways = [f(flow.switch(x, tf.equal(case, k))[1]) for k, f in enumerate(functions)]
    chosen, position = flow.merge(ways)
    gradient = tf.gradients(tf.square(chosen), x)[0]
    fed = [{x: [2.0, 5.0], case: k} for k in range(3)]
    values = [run(tf, [chosen, position, gradient], each) for each in fed]
    return values, chosen.shape.as_list(), position.dtype.name, position.shape.as_list()


@graph
def what_waits_for_dead_values(tf: Any) -> Any:
    flow = internal(tf, "ops.control_flow_ops")
    p, x = tf.placeholder(tf.bool, []), tf.constant([1.0, 2.0])
    total, log = tf.Variable(0.0, use_resource=False), tf.Variable(0.0, use_resource=False)
    no, yes = flow.switch(x, p)
    with tf.control_dependencies([no]):
        constant, added = tf.constant(7.0), tf.assign_add(total, 1.0).op
    with tf.control_dependencies([tf.group(yes)]):
        noted = tf.assign_add(log, tf.reduce_sum(yes))
    parts = tf.split(no, 2)
    merged = flow.merge([constant, noted])
    both = flow.merge([yes * 2.0, tf.concat(parts[::-1], 0)])
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for told in (True, False, True):
            feed = {p: told}
            found.append([session.run(merged, feed), session.run([added, both], feed), session.run([total, log])])
            found.append(tried(*(lambda n=n, f=feed: session.run(n, f) for n in (no, constant, parts[0], noted, yes))))
            fed = {**feed, no: [5.0, 6.0]}
            found.append(tried(lambda f=fed: session.run(parts, f)))
    return found


@graph
def shapes_and_kinds_of_merged_values(tf: Any) -> Any:
    flow = internal(tf, "ops.control_flow_ops")
    shapes = [[None, None], [[1, 2], None], [[1, 2], [2, 1]], [[1, 2], [1, 2, 3]], [[None, 2], [None, 2]], [[3], [3]]]
    merged = [flow.merge([tf.placeholder(tf.float32, shape) for shape in pair])[0] for pair in shapes]
    slices = tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([4, 0]), tf.constant([6, 1]))
    sparse = tf.SparseTensor([[0], [3]], [1.0, 2.0], [5])
    ways = [flow.switch(each, tf.constant(False)) for each in (slices, sparse)]
    found = [flow.merge([no, yes])[0] for no, yes in ways]
    mixed, position = flow.merge([flow.switch(tf.constant([[8.0]]), tf.constant(True))[1], ways[0][1]])
    return (
        [each.shape.as_list() if each.shape.ndims is not None else None for each in merged],
        [type(each).__name__ for each in (*found, ways[0], mixed)],
        run(tf, [found[0].values, found[0].indices, found[1].values, mixed.values, mixed.indices, position]),
        tried(lambda: flow.merge([tf.constant(1), None]), lambda: flow.switch(tf.constant(1), tf.constant([True]))),
    )


@graph
def variables_that_a_switch_passes_on(tf: Any) -> Any:
    flow = internal(tf, "ops.control_flow_ops")
    p, at = tf.placeholder(tf.bool, []), tf.placeholder(tf.int32, [])
    v, w = (tf.Variable([first], use_resource=False) for first in (7.0, 8.0))
    no, yes = flow.ref_switch(v._ref(), p)
    changed = [tf.assign(no, [1.0]), tf.assign_add(yes, [10.0])]
    merged = flow.merge(changed)[0]
    one = flow.ref_select(at, [v._ref(), w._ref()]) + 0.5
    same = flow._Identity(v._ref())
    found = []
    with tf.Session() as session:
        found += tried(lambda: session.run(one, {at: 1}))
        session.run(tf.global_variables_initializer())
        for told in (True, False):
            found += [session.run(merged, {p: told}), session.run([v, w])]
        found += tried(*(lambda n=n: session.run(one, {at: n}) for n in (0, 1, 2)))
        found.append(session.run(tf.assign(same, [4.0])))
    return [found, no.dtype.name, one.shape.as_list(), run(tf, tf.Variable(2.0).initialized_value())]


@graph
def rounds_of_a_frame(tf: Any) -> Any:
    flow, made = internal(tf, "ops.control_flow_ops"), internal(tf, "ops.gen_control_flow_ops")
    n, step = tf.placeholder(tf.int32, []), tf.constant(2)
    first, total = made.enter(tf.constant(0), "loop", False), made.enter(tf.constant(1), "loop", False)
    one, last = made.enter(step, "loop", True), made.enter(n, "loop", True)
    i, product = (flow.merge([each, each])[0] for each in (first, total))
    goes_on = flow.loop_cond(tf.less(i, last))
    (i_end, i_more), (end, more) = (flow.switch(each, goes_on) for each in (i, product))
    added = tf.add(i_more, one)
    for merged, value in ((i, added), (product, tf.multiply(more, added))):
        merged.op._update_input(1, flow.next_iteration(value))
    result, count = flow.exit(end), flow.exit(i_end)
    alone = flow.exit(made.enter(step, "other") * made.enter(n, "other"))
    apart = made.enter(step, "here") + made.enter(step, "there")
    values = [run(tf, [result, count, result + count, alone], {n: limit}) for limit in (0, 1, 7)]
    known = [made.enter(np.ones(3), "a", is_constant=told).shape.ndims for told in (True, False)]
    return values, known, tried(lambda: run(tf, apart))


@graph
def gradients_through_one_way_of_a_switch(tf: Any) -> Any:
    flow = internal(tf, "ops.control_flow_ops")
    x, p = tf.constant([2.0, 3.0]), tf.placeholder(tf.bool, [])
    gradients = [tf.gradients(way * way, x)[0] for way in flow.switch(x, p)]
    return [run(tf, gradients, {p: told}) for told in (True, False)]


@graph
def gradients_through_the_first_value_of_a_loop(tf: Any) -> Any:
    x, y = tf.constant(3.0), tf.constant(2.0)

    def slopes(of: Any, by: Any, first: Any) -> Any:
        return tf.while_loop(
            lambda i, v: i < 2, lambda i, v: (i + 1, tf.gradients(of(v), v if by is None else by)[0]), [0, first]
        )

    found = [run(tf, slopes(of, by, x)) for of, by in ((lambda v: v * v * y, None), (lambda v: v * y * y, y))]
    return found, tried(
        lambda: slopes(lambda v: v * 2.0, x, x),
        lambda: slopes(lambda v: v * x, x, x + 1.0),
        lambda: slopes(lambda v: tf.cond(v > 1.0, lambda: v, lambda: y), x, x * x),
    )


@graph
def what_an_assignment_to_a_resource_returns(tf: Any) -> Any:
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    added = v.assign_add(2.0)
    with tf.control_dependencies([added]):
        after = tf.identity(v)
    with tf.Session() as session:
        session.run(v.initializer)
        return session.run([added.read_value() * 10.0, after]), session.run(v), v.dtype.name
