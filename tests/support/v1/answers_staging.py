"""Programs of staging areas: what goes in and out, in which order, and what is refused."""

from __future__ import annotations

from typing import Any

from answers import graph, tried
from answers_libraries import internal


def _described(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: (each.name, each.dtype.name, str(each.shape)) for key, each in found.items()}
    return [(each.name, each.dtype.name, str(each.shape)) for each in found]


@graph
def elements_staged(tf: Any) -> Any:
    area = internal(tf, "ops.data_flow_ops").StagingArea
    x, part = tf.placeholder(tf.int32), tf.constant([1.0, 2.0])
    plain = area([tf.int32, tf.float32], [None, [2]])
    named = area([tf.int32, tf.float32], names=["a", "b"], shared_name="shared", capacity=2, memory_limit=100)
    again = area([tf.int32, tf.float32], names=["c", "d"], shared_name="shared")
    out = plain.get()
    shown = plain.peek(x)
    told = [plain.name, named.name, named.names, plain.names, named.capacity, named.memory_limit, named.dtypes]
    one = area([tf.int32])
    with tf.Session() as session:
        for k in (1, 2, 3):
            session.run(plain.put([x, part]), {x: k})
        found = session.run([plain.size(), *shown], {x: 1})
        taken = [session.run(out) for _ in range(2)]
        session.run(plain.clear())
        session.run([named.put({"b": part, "a": tf.constant(4)}), one.put(tf.constant(5))])
        both = session.run([again.get(), one.put(tf.constant(6)), one.get()])
        left = session.run([plain.size(), one.size(), named.size()])
    return [told, _described(out), _described(shown), found, taken, both, left]


@graph
def stages_after_each_other(tf: Any) -> Any:
    x = tf.placeholder(tf.float32)
    first, second = (internal(tf, "ops.data_flow_ops").StagingArea([tf.float32], [[]]) for _ in range(2))
    fill, move = first.put(x), second.put(first.get()[0] * 10)
    result = second.get()[0]
    with tf.Session() as session:
        session.run(fill, {x: 1})
        session.run([fill, move], {x: 2})
        return [session.run([fill, move, result], {x: k}) for k in (3, 4, 5)]


@graph
def what_is_not_staged(tf: Any) -> Any:
    area = internal(tf, "ops.data_flow_ops").StagingArea
    x, number = tf.placeholder(tf.int32), tf.constant(1.0)
    plain, named = area([tf.int32], [[]]), area([tf.int32, tf.float32], names=["a", "b"])
    small = area([tf.int32, tf.int32], memory_limit=16)
    negative = area([tf.int32], capacity=-1)
    wrong = [
        tried(lambda: area([tf.int32], [[], []])),
        tried(lambda: area([tf.int32], names=["a", "b"])),
        tried(lambda: plain.put([])),
        tried(lambda: plain.put([x, x])),
        tried(lambda: plain.put([number])),
        tried(lambda: plain.put([tf.constant([1, 2])])),
        tried(lambda: plain.put({"a": x})),
        tried(lambda: named.put([x, number])),
        tried(lambda: named.put({"a": x, "b": number, "c": x})),
        tried(lambda: negative.put([x])),
    ]
    with tf.Session() as session:
        large = tried(lambda: session.run(small.put([x, x]), {x: [1, 2, 3]}))
        session.run([named.put({"a": x}), small.put([x, x])], {x: 1})
        missing = tried(lambda: session.run(named.get()))
        return [*wrong, large, missing, session.run(small.size())]
