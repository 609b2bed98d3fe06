"""Programs of the internal ``cond_v2`` and ``while_v2``: structures that stay, and gradients."""

from __future__ import annotations

from typing import Any

from answers import graph, run
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
