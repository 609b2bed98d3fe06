"""Programs that subscribe to tensors, variables and what is in branches."""

from __future__ import annotations

from typing import Any

import numpy as np
from answers import graph, run, tried
from answers_framework import framework


def _noting(tf: Any, seen: list[Any], mark: Any = None) -> Any:
    def note(value: Any) -> Any:
        seen.append(np.asarray(value).tolist() if mark is None else mark)
        return value

    return lambda t: tf.py_func(note, [t], [t.dtype])


@graph
def what_is_subscribed_runs_with_its_tensor(tf: Any) -> Any:
    subscribe = framework(tf, "subscribe").subscribe
    seen: list[Any] = []
    c = tf.add(tf.constant(1), tf.constant(2))
    with tf.control_dependencies([c]):
        d = tf.constant(42)
    n = -c
    made = subscribe(c, _noting(tf, seen))
    moved = made.op in d.op.control_inputs, c.op in d.op.control_inputs
    again = subscribe(c, _noting(tf, seen, "again"))
    with tf.Session() as session:
        values = [session.run(n), session.run(d)]
    return values, moved, made is again, made.name, sorted(map(str, seen))


@graph
def subscriptions_of_nests(tf: Any) -> Any:
    subscribe = framework(tf, "subscribe").subscribe
    a, b = tf.constant(1.0), tf.constant(2.0)
    in_dict = subscribe({"a": a, "b": (b, [a])}, [])
    same = in_dict["a"] is in_dict["b"][1][0]
    return same, run(tf, [in_dict["a"], in_dict["b"]]), tried(lambda: subscribe("a:0", []))


@graph
def subscriptions_of_variables_and_branches(tf: Any) -> Any:
    subscribe = framework(tf, "subscribe").subscribe
    seen: list[Any] = []
    v, w = tf.Variable(0.0), tf.Variable(4.0)
    total, assigned = tf.add(v, w), v.assign(3.0)
    subscribe(v, _noting(tf, seen))
    with tf.Session() as session:
        session.run([v.initializer, w.initializer])
        values = [session.run(total), session.run(assigned.op if hasattr(assigned, "op") else assigned), len(seen)]
        values += [session.run(total)]
    return values[0], values[2], values[3], seen


# Small parts -------------------------------------------------------------------------------------
