"""Summaries of ``tf.contrib.summary``: each is written by the thread's writer, where summaries are recorded."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ...variables.names import get_default_store
from ..graph.constants import constant
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.scopes import control_dependencies, name_scope
from ..ops.control_flow_ops import no_op
from .event_files import EventFile
from .op_util import summary_scope as tagged
from .protos import protos
from .recording import choose_step, state, where_recorded
from .resource_writers import write_to
from .values import audio_value, bytes_of, histogram_value, image_value, scalar_value, tensor_value

__all__ = ["add_summary", "added", "audio", "done", "generic", "histogram", "image", "scalar"]


def _summary(op_type: str, name: Any, family: str | None, step: Any, inputs: Any, value: Callable[..., bytes]) -> Any:
    """Write a summary whose tag is the name below the open scopes."""
    if state.writer is None:
        return no_op()
    outer = get_default_store().state.name_scope if executing_eagerly() else get_default_graph().get_name_scope()

    def record() -> Any:
        # The scope of before: what is recorded in a branch has the tag that it has outside of it.
        with name_scope(f"{outer}/" if outer else None), tagged(name, family) as (tag, scope):

            def run(file: EventFile, at: Any, *values: Any) -> None:
                add_summary(file, at, value(tag, *values))

            return done(op_type, run, step, inputs, scope)

    return where_recorded(False, record, "")


def added(file: EventFile, step: Any, **what: Any) -> None:
    """Let an event of a step wait for a file."""
    messages = protos()
    if messages is not None:
        file.write_event(messages.event.Event(wall_time=time.time(), step=int(np.asarray(step).item()), **what))


def add_summary(file: EventFile, step: Any, serialized: bytes) -> None:
    """Let the event of a summary wait for a file."""
    messages = protos()
    if messages is not None:
        added(file, step, summary=messages.summary.Summary.FromString(serialized))


def done(op_type: str, run: Callable[..., None], step: Any, inputs: Any, name: str | None) -> Any:
    """Write to the writer's file; return true after that."""
    written = write_to(
        state.writer._resource,
        op_type,
        run,
        ((choose_step(step), "int64"), *inputs),
        name,
    )
    with control_dependencies([] if written is None else [written]):
        return constant(True)


def generic(name: str, tensor: Any, metadata: Any = None, family: str | None = None, step: Any = None) -> Any:
    """Write a tensor as it is; return whether it was.

    Args:
        name: the tag, below the open scopes.
        tensor: any tensor.
        metadata: a ``SummaryMetadata`` for TensorBoard's plugins, or its bytes.
        family: put before the tag.
        step: a number or a tensor, by default the global step.

    Source: ``tf.contrib.summary.generic``.
    """
    inputs = ((tensor, None), (bytes_of(metadata), "string"))
    return _summary("WriteSummary", name, family, step, inputs, tensor_value)


def scalar(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Write a number; return whether it was written. Arguments as for `generic`."""
    return _summary("WriteScalarSummary", name, family, step, ((tensor, None),), scalar_value)


def histogram(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Write how values are spread; return whether it was written. Arguments as for `generic`."""
    return _summary("WriteHistogramSummary", name, family, step, ((tensor, None),), histogram_value)


def image(
    name: str, tensor: Any, bad_color: Any = None, max_images: int = 3, family: str | None = None, step: Any = None
) -> Any:
    """Write the first ``max_images`` images of a batch; return whether they were written.

    Args:
        bad_color: the bytes of pixels that are not finite, by default red.

    See `generic` for the others. Source: ``tf.contrib.summary.image``.
    """
    inputs = ((tensor, None), ([255, 0, 0, 255] if bad_color is None else bad_color, "uint8"), (max_images, "int32"))

    def value(tag: str, images: Any, color: Any, most: Any) -> bytes:
        return image_value(tag, images, int(most), color)

    return _summary("WriteImageSummary", name, family, step, inputs, value)


def audio(
    name: str, tensor: Any, sample_rate: Any, max_outputs: int, family: str | None = None, step: Any = None
) -> Any:
    """Write the first ``max_outputs`` sounds of a batch, of ``sample_rate`` frames a second; see `generic`.

    Source: ``tf.contrib.summary.audio``.
    """

    def value(tag: str, sounds: Any, rate: Any, most: Any) -> bytes:
        return audio_value(tag, sounds, float(rate), int(most))

    inputs = ((tensor, None), (sample_rate, "float32"), (max_outputs, "int32"))
    return _summary("WriteAudioSummary", name, family, step, inputs, value)
