"""Programs of tapes in graph mode: what they record, from when on, and what they are asked for."""

from __future__ import annotations

from typing import Any

from answers import graph, run, tried


def _gradient(tf: Any, record: Any, **options: Any) -> Any:
    x, tape = tf.constant(3.0), tf.GradientTape(**options)
    found = record(tape, x)
    return [None if each is None else run(tf, each) for each in (found if isinstance(found, list) else [found])]


@graph
def operations_outside_a_tape_are_constants(tf: Any) -> Any:
    def before(tape: Any, x: Any) -> Any:
        y = x * x
        with tape:
            tape.watch(x)
            z = y * x
        return [tape.gradient(z, x)]

    def only_before(tape: Any, x: Any) -> Any:
        y = x * x
        with tape:
            tape.watch(x)
            z = y * 2.0
        return tape.gradient(z, [x, y])

    def after(tape: Any, x: Any) -> Any:
        with tape:
            tape.watch(x)
            z = x * 2.0
        return tape.gradient(z * z, x)

    def unwatched(tape: Any, x: Any) -> Any:
        with tape:
            z = x * 2.0
        return tape.gradient(z, x)

    def watched_late(tape: Any, x: Any) -> Any:
        with tape:
            y = x * x
            tape.watch(x)
            z = y * x
        return tape.gradient(z, x)

    return [_gradient(tf, record) for record in (before, only_before, after, unwatched, watched_late)]


@graph
def tapes_pause_go_on_and_begin_again(tf: Any) -> Any:
    def paused(tape: Any, x: Any) -> Any:
        with tape:
            tape.watch(x)
            y = x * x
            with tape.stop_recording():
                z = y * 5.0
            w = z + y
        return tape.gradient(w, x)

    def entered_again(tape: Any, x: Any) -> Any:
        with tape:
            tape.watch(x)
            y = x * x
        with tape:
            z = y * x
        return tape.gradient(z, x)

    def begun_again(tape: Any, x: Any) -> Any:
        with tape:
            tape.watch(x)
            y = x * x
            tape.reset()
            tape.watch(x)
            z = y + x
        return tape.gradient(z, x)

    def asked_while_paused(tape: Any, x: Any) -> Any:
        with tape:
            tape.watch(x)
            y = x * x
            with tape.stop_recording():
                return tape.gradient(y, x)

    records = (paused, entered_again, begun_again, asked_while_paused)
    idle = tf.GradientTape()
    errors = [tried(lambda: idle.stop_recording().__enter__()), tried(idle.reset)]
    return [_gradient(tf, record, persistent=True) for record in records], errors


@graph
def tapes_in_graphs_record_gradients(tf: Any) -> Any:
    def twice(tape: Any, x: Any) -> Any:
        with tape:
            tape.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x * x * x
            slope = inner.gradient(y, x)
        return [slope, tape.gradient(slope, x)]

    def again(tape: Any, x: Any) -> Any:
        with tape:
            tape.watch(x)
            y = x * x
            slope = tape.gradient(y, x)
            return [slope, tape.gradient(slope, x), tape.jacobian(y, x)]

    return [_gradient(tf, record, persistent=True) for record in (twice, again)]


@graph
def tapes_are_of_one_class(tf: Any) -> Any:
    class Counting(tf.GradientTape):  # type: ignore[misc, name-defined]  # a module that mypy does not know
        asked = 0

        def gradient(self, *args: Any, **kwargs: Any) -> Any:
            self.asked += 1
            return super().gradient(*args, **kwargs)

    x = tf.constant(3.0)
    with Counting(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    value = run(tf, tape.gradient(y, x))
    return value, tape.asked, isinstance(tape, tf.GradientTape), isinstance(tf.GradientTape(), tf.GradientTape)
