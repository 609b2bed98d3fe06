"""Staging areas where threads matter: who waits, for what, and until when."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.graph.mode import eagerly


def started(target: Callable[[], Any]) -> threading.Thread:
    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    return thread


def ended(thread: threading.Thread) -> bool:
    thread.join(10)
    return not thread.is_alive()


@pytest.mark.parametrize("limits", [{"capacity": 2}, {"memory_limit": 1000}])
def test_a_run_waits_for_room(limits: dict[str, int]) -> None:
    area = tf.contrib.staging.StagingArea([tf.float32], **limits)
    x = tf.placeholder(tf.float32)
    put, (out,), size = area.put(x), area.get(), area.size()
    with tf.Session() as session:
        thread = started(lambda: [session.run(put, {x: np.full(100, k)}) for k in range(3)])
        thread.join(0.2)
        assert thread.is_alive()
        assert session.run(size) == 2
        assert session.run(out)[0] == 0
        assert ended(thread)
        assert session.run(size) == 2
        cleared = started(lambda: session.run(put, {x: np.zeros(100)}))
        cleared.join(0.1)
        assert cleared.is_alive()
        session.run(area.clear())
        assert ended(cleared)
        assert session.run(size) == 1


def test_a_run_waits_for_an_element() -> None:
    area = tf.contrib.staging.StagingArea([tf.int32], capacity=2)
    seen: list[Any] = []
    first, second = area.peek(0)[0], area.peek(1)[0]
    with tf.Session() as session:
        later = started(lambda: seen.append(session.run(second)))
        assert session.run([area.get()[0], area.put(3)])[0] == 3  # the same run puts it in
        session.run(area.put(4))
        assert session.run(first) == 4  # although another waits to see the next one
        session.run(area.put(5))
        assert ended(later)
        assert seen == [5]


def test_waiting_ends() -> None:
    area = tf.contrib.staging.StagingArea([tf.int32])
    errors: list[Any] = []
    out, last = area.get()[0], area.peek(7)[0]
    with tf.Session() as session:
        options = tf.RunOptions(timeout_in_ms=50)
        for tensor in (out, last):
            with pytest.raises(tf.errors.DeadlineExceededError):
                session.run(tensor, options=options)
        with pytest.raises(tf.errors.InvalidArgumentError, match="index must be at least 0"):
            session.run(area.peek(-1))

        def wait() -> None:
            with pytest.raises(tf.errors.CancelledError) as caught:
                session.run(last)
            errors.append(caught.value)

        thread = started(wait)
        end = time.monotonic() + 10
        while not session._queues["staging", area.name]._lines[2:] and time.monotonic() < end:
            time.sleep(0.005)
    assert ended(thread)
    assert len(errors) == 1


def test_areas_belong_to_graphs() -> None:
    with eagerly(), pytest.raises(RuntimeError, match="Staging areas belong to graphs"):
        tf.contrib.staging.StagingArea([tf.int32])
