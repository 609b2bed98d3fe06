"""Programs whose sessions keep values from one run to later ones."""

from __future__ import annotations

from typing import Any

from answers import graph, tried


@graph
def values_that_stay_in_a_session(tf: Any) -> Any:
    with tf.Session() as session:
        first = session.run(tf.get_session_handle(tf.constant(0)))
        name, value = tf.get_session_tensor(first.handle, tf.int32)
        follow = tf.get_session_handle(value + 1)
        for _ in range(4):
            first = session.run(follow, {name: first.handle})
        texts = session.run({"kept": tf.get_session_handle(tf.constant(["a", "b"]))})["kept"]
        text_name, text = tf.get_session_tensor(texts.handle, tf.string)
        found = [
            first.eval(),
            session.run(value * 2, {name: first.handle}),
            session.run(text, {text_name: texts.handle}),
        ]
        return [*found, first.handle.split(";")[2], str(first) == first.handle, name.dtype.name, value.dtype.name]


@graph
def handles_that_are_fed_for_tensors(tf: Any) -> Any:
    product = tf.constant(10) * tf.constant(5)
    with tf.Session() as session:
        kept = session.run(tf.get_session_handle(product + 1))
        return session.run(product * product, {product: kept})


@graph
def values_that_are_forgotten(tf: Any) -> Any:
    with tf.Session() as session:
        handle = tf.get_session_handle(tf.constant([1.0, 2.0]))
        kept, other = session.run(handle), session.run(handle)
        raw = kept.get_raw_handle()
        name, value = tf.get_session_tensor(raw, tf.float32)
        del kept
        found = [session.run(value, {name: raw})]
        name_too, forget = tf.delete_session_tensor(raw)
        found.append(session.run(forget, {name_too: raw}))
        other.delete()
        return [
            *found,
            tried(lambda: session.run(value, {name: raw})),
            tried(lambda: session.run(forget, {name_too: raw})),
            tried(other.eval),
        ]
