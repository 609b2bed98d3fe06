"""When the summaries of ``tf.contrib.summary`` are recorded, and for which step."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from ..graph.collections import add_to_collection, get_collection
from ..graph.constants import constant
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.run_values import array_of
from ..graph.static_values import constant_value
from ..ops.control_flow_ops import cond
from ..ops.math_ops import equal, logical_and
from ..training.global_steps import get_or_create_global_step

__all__ = [
    "all_summary_ops",
    "all_v2_summary_ops",
    "always_record_summaries",
    "get_step",
    "never_record_summaries",
    "record_if",
    "record_summaries_every_n_global_steps",
    "set_step",
    "should_record_summaries",
    "state",
    "where_recorded",
]

_WRITTEN = "_SUMMARY_V2"  # the collection


class _State(threading.local):
    """What a thread writes to, when, and for which step."""

    writer: Any = None
    recording: Any = None  # a bool, a tensor, or a function that gives one; None: not said
    step: Any = None


state = _State()


@contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Have summaries of this thread recorded inside ``with`` where a condition holds.

    Args:
        condition: a bool, a scalar tensor, or a function that returns one, which is called for each summary.

    Source: ``tf.summary.record_if`` of TensorFlow 2.
    """
    before, state.recording = state.recording, condition
    try:
        yield
    finally:
        state.recording = before


def record_summaries_every_n_global_steps(n: int, global_step: Any = None) -> AbstractContextManager[None]:
    """Have summaries recorded inside ``with`` at steps that ``n`` divides; by default those of the global step.

    Source: ``tf.contrib.summary.record_summaries_every_n_global_steps``.
    """
    step = get_or_create_global_step() if global_step is None else global_step
    if executing_eagerly():
        return record_if(lambda: equal(step % n, 0))
    return record_if(equal(step % n, 0))


def always_record_summaries() -> AbstractContextManager[None]:
    """Have summaries recorded inside ``with``. Source: ``tf.contrib.summary.always_record_summaries``."""
    return record_if(True)


def never_record_summaries() -> AbstractContextManager[None]:
    """Have no summaries recorded inside ``with``. Source: ``tf.contrib.summary.never_record_summaries``."""
    return record_if(False)


def _recording(default: bool) -> Any:
    condition = state.recording() if callable(state.recording) else state.recording
    return default if condition is None else condition


def should_record_summaries() -> Any:
    """Return the tensor that tells whether summaries are recorded; false where nothing was said.

    Source: ``tf.contrib.summary.should_record_summaries``.
    """
    return logical_and(True, _recording(False))


def where_recorded(default: bool, record: Callable[[], Any], name: str | None) -> Any:
    """Return what ``record`` returns where summaries are recorded, else false."""
    recording = _recording(default)
    if executing_eagerly():
        return record() if array_of(recording) else constant(False)
    known = constant_value(recording) if isinstance(recording, Node) else recording
    if known is None:
        written = cond(recording, record, lambda: constant(False), name=name)
    else:
        written = record() if known else constant(False)
    add_to_collection(_WRITTEN, written)
    return written


def all_v2_summary_ops() -> list[Any] | None:
    """Return the graph's summaries that writers write, to be run; None in eager mode.

    Source: ``tf.contrib.summary.all_summary_ops``.
    """
    return None if executing_eagerly() else get_collection(_WRITTEN)


all_summary_ops = all_v2_summary_ops


def get_step() -> Any:
    """Return the step of `set_step`, None where there is none."""
    return state.step


def set_step(step: Any) -> None:
    """Set the step of the summaries of this thread that `write` is given none for: a number, a tensor, a variable."""
    state.step = step
