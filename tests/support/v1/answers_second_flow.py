"""Programs of the internal ``cond_v2`` and ``while_v2``: structures that stay, and gradients."""

from __future__ import annotations

from typing import Any

from answers import graph, run, tried
from answers_libraries import internal


def _kinds(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: _kinds(each) for key, each in found.items()}
    if isinstance(found, (list, tuple)):
        return [type(found).__name__, *map(_kinds, found)]
    return found.dtype.name


@graph
def loops_that_keep_their_structure(tf: Any) -> Any:
    loop = internal(tf, "ops.while_v2").while_loop

    def more(x: Any) -> Any:
        if isinstance(x, dict):
            return {key: more(each) for key, each in x.items()}
        return type(x)(map(more, x)) if isinstance(x, (list, tuple)) else x + 1

    found = []
    for limit in (None, 3):
        for same in (True, False):
            for values in ([0], (0,), [{"a": tf.constant(1)}], [(0, 1)], [0, 1], (0, 1)):
                results = loop(
                    lambda *x: tf.reduce_sum(tf.nest.flatten(x)) < 3,
                    lambda *x, like=values: type(like)(map(more, x)),
                    values,
                    maximum_iterations=limit,
                    return_same_structure=same,
                )
                found.append(_kinds(results))
    x, y = tf.constant([[2.0]]), tf.constant(3.0)
    power = loop(lambda v: v < 18.0, lambda v: v * y, [x])[0]
    return [found, run(tf, [power, tf.gradients(power, [x, y])])]


@graph
def conditions_that_keep_their_structure(tf: Any) -> Any:
    choice = internal(tf, "ops.cond_v2").cond_v2
    p, x = tf.placeholder(tf.bool), tf.constant(3.0)
    cube = choice(p, lambda: tf.pow(x, 3), lambda: x)
    (slope,) = tf.gradients(cube, [x])
    (bend,) = tf.gradients(slope, [x])
    listed = choice(p, lambda: [x], lambda: [x * 2.0])
    one = choice(tf.constant([[True]]), lambda: {"a": x}, lambda: {"a": x + 1.0})
    values = [run(tf, [cube, slope, bend, listed, one], {p: told}) for told in (True, False)]
    return [_kinds(cube), _kinds(listed), _kinds(one), values]


@graph
def operations_for_conditions_and_loops(tf: Any) -> Any:
    flow, loops = internal(tf, "ops.cond_v2"), internal(tf, "ops.while_v2")
    x = tf.constant(2.0, name="x")
    with tf.name_scope("outer"):
        chosen = flow.cond_v2(tf.constant(True), lambda: x * 2.0, lambda: x + 1.0, name=None)
        pair = flow.cond_v2(tf.constant(False), lambda: (x * 2.0, x), lambda: (x + 1.0, x), name="both")
        direct = flow.fast_cond_v2(tf.constant(False), lambda: x * 2.0, lambda: x + 1.0, name="fast")
        cases = flow.indexed_case(tf.constant(1), [lambda: x, lambda: x + 5.0])
        last = loops.while_loop(lambda v: v < 9.0, lambda v: v * 2.0, [x], return_same_structure=False)
    held = tf.get_variable("held", initializer=1.0, use_resource=True)
    read = flow.cond_v2(tf.constant(True), lambda: held * 2.0, lambda: x)
    made = [chosen, pair[0], pair[1], cases, last, read]
    ops = [each.op.inputs[0].op for each in made] + [direct.op]
    attributes = [
        ops[0].get_attr("then_branch").name,
        ops[0].get_attr("else_branch").name,
        ops[4].get_attr("body").name,
    ]
    parts = [[op.type for op in part.get_operations() if op.type != "Const"] for part in flow.get_func_graphs(ops[-1])]
    return [
        [(each.op.type, each.op.inputs[0].op is op) for each, op in zip(made, ops, strict=False)],
        [(op.name, op.type) for op in ops],
        [each.op.name for each in made],
        [name.rpartition("_")[0] for name in attributes],
        [("Mul" in parts[0], "Mul" in parts[1]), ops[-1].get_attr("_lower_using_switch_merge")],
        ops[0].inputs[1] is x,
        run(tf, [*made, direct, tf.gradients([chosen, cases, last, read], [x, held])]),
    ]


@graph
def ways_that_do_not_go_together(tf: Any) -> Any:
    x, told = tf.constant(1.0), tf.constant(True)
    slices = tf.IndexedSlices(tf.ones([1]), tf.constant([0]))

    def refused(*ways: Any) -> Any:
        body = tf.function(lambda: tf.cond(told, *ways), autograph=False)
        return tried(lambda: body())

    def loop(result: Any) -> Any:
        return tried(
            lambda: tf.function(lambda: tf.while_loop(lambda v: tf.reduce_sum(v) < 9.0, result, [x]), autograph=False)()
        )

    found = [
        refused(lambda: (x, x), lambda: ((x,), x)),
        refused(lambda: x, lambda: tf.constant(1)),
        refused(lambda: slices, lambda: x),
        refused(lambda: {"a": x}, lambda: {"b": x}),
        loop(lambda v: tf.cast(v, tf.float64)),
        loop(lambda v: tf.stack([v, v])),
    ]
    same = tried(
        lambda: tf.cond(told, lambda: {"a": 1}, lambda: {"b": 1}), lambda: tf.cond(told, lambda: 1, lambda: 1.0)
    )
    return [*found, *same]
