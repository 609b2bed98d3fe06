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
from ..ops.sparse_ops import convert_to_tensor
from ..training.global_steps import get_or_create_global_step

__all__ = [
    "all_summary_ops",
    "all_v2_summary_ops",
    "always_record_summaries",
    "choose_step",
    "get_step",
    "has_default_writer",
    "is_recording_summaries",
    "legacy_should_record_summaries",
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
    is_recording: Any = None  # a bool, a tensor, or a function that gives one; None: not said
    step: Any = None


state = _summary_state = _State()  # the other name is TensorFlow's, which its tests set a writer of


@contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Have summaries of this thread recorded inside ``with`` where a condition holds.

    Args:
        condition: a bool, a scalar tensor, or a function that returns one, which is called for each summary.

    Source: ``tf.summary.record_if`` of TensorFlow 2.
    """
    before, state.is_recording = state.is_recording, condition
    try:
        yield
    finally:
        state.is_recording = before


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


def has_default_writer() -> bool:
    """Tell whether summaries of this thread have a writer. Source: TensorFlow's ``summary_ops_v2``."""
    return state.writer is not None


def is_recording_summaries() -> Any:
    """Return what `record_if` was given, false without a writer. Source: TensorFlow's ``summary_ops_v2``."""
    return False if state.writer is None or state.is_recording is None else state.is_recording


def _recording(default: bool) -> Any:
    condition = state.is_recording() if callable(state.is_recording) else state.is_recording
    return default if condition is None else condition


def should_record_summaries() -> Any:
    """Return the tensor that tells whether summaries are recorded: never without a writer, else unless it is said.

    Source: ``tf.summary.should_record_summaries`` of TensorFlow 2.
    """
    return constant(False) if state.writer is None else logical_and(True, _recording(True))


def legacy_should_record_summaries() -> Any:
    """Return the tensor that tells whether summaries are recorded; false where nothing was said.

    Source: ``tf.contrib.summary.should_record_summaries``.
    """
    return logical_and(True, _recording(False))


def where_recorded(default: bool, record: Callable[[], Any], name: str | None) -> Any:
    """Return what ``record`` returns where summaries are recorded, else false."""
    recording = _recording(default)
    if executing_eagerly():
        return record() if array_of(recording) else constant(False)
    recording = recording if isinstance(recording, (bool, Node)) else convert_to_tensor(recording)
    known = constant_value(recording) if isinstance(recording, Node) else recording
    if known is None:
        written = cond(recording, record, lambda: constant(False), name=name)
    else:
        written = record() if known else constant(False)
    add_to_collection(_WRITTEN, written)
    return written


def choose_step(step: Any) -> Any:
    """Return a step as a tensor, by default the global step. Raises ValueError for one of several numbers."""
    if step is None:
        return get_or_create_global_step()
    chosen = convert_to_tensor(step, "int64")
    if chosen.shape.num_elements() != 1:
        raise ValueError(f"Argument `step` must be a scalar. Received step with shape {chosen.shape}.")
    return chosen


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
