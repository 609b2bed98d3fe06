"""``tf.train.batch`` and its kin: batches of what a graph computes, in queues that queue runners of the graph fill.

The functions differ in three ways. Those with ``join`` take several sets of tensors, each made in a thread of its own;
those with ``shuffle`` draw elements at random; those with ``maybe`` leave out what is not to be kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..graph.dtypes import DType
from ..ops.cast_ops import cast
from ..ops.math_ops import maximum
from ..ops.queue_ops import FIFOQueue, PaddingFIFOQueue, QueueBase, RandomShuffleQueue
from ..summary import scalar
from .making import Form, batches_of
from .producers import share_name, summarize_share

__all__ = [
    "batch",
    "batch_join",
    "maybe_batch",
    "maybe_batch_join",
    "maybe_shuffle_batch",
    "maybe_shuffle_batch_join",
    "shuffle_batch",
    "shuffle_batch_join",
]

_Parts = tuple[Callable[[list[DType], list[Any]], QueueBase], Callable[[QueueBase], Any]]


def _in_order(capacity: int, dynamic_pad: bool, shared_name: str | None) -> _Parts:
    """Return what makes a queue of elements in order, and its summary."""
    kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue

    def make(dtypes: list[DType], shapes: list[Any]) -> QueueBase:
        return kind(capacity, dtypes, shapes, shared_name=shared_name)

    return make, lambda queue: summarize_share(queue, capacity, share_name(capacity))


def _at_random(capacity: int, min_after_dequeue: int, seed: int | None, shared_name: str | None) -> _Parts:
    """Return what makes a queue of elements at random, and its summary."""
    spare = capacity - min_after_dequeue
    if spare <= 0:
        raise ValueError(f"capacity {capacity} must be bigger than min_after_dequeue {min_after_dequeue}.")

    def make(dtypes: list[DType], shapes: list[Any]) -> QueueBase:
        return RandomShuffleQueue(capacity, min_after_dequeue, dtypes, shapes, seed=seed, shared_name=shared_name)

    def summarize(queue: QueueBase) -> Any:
        full = cast(maximum(0, queue.size() - min_after_dequeue), "float32") * (1.0 / spare)
        return scalar(f"fraction_over_{min_after_dequeue}_of_{spare}_full", full)

    return make, summarize


def batch(
    tensors: Any,
    batch_size: Any,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Return batches of tensors: a list, one tensor for one, or a dict as ``tensors`` are.

    Args:
        tensors: a list or a dict of tensors, sparse ones among them.
        batch_size: how many elements are a batch.
        num_threads: how many threads compute elements.
        capacity, shared_name: the queue's.
        enqueue_many: each row of the tensors is an element.
        shapes: those of an element's components; by default the tensors'.
        dynamic_pad: components may differ in the sizes that are not known; smaller ones are filled up with zeros.
        allow_smaller_final_batch: what is left at the end is a batch, too.

    Start the threads with `start_queue_runners`. Raises ValueError for shapes that are not known, and in eager mode.

    Source: ``tf.train.batch``.
    """
    options = capacity, enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch, shared_name, name
    return maybe_batch(tensors, True, batch_size, num_threads, *options)


def maybe_batch(
    tensors: Any,
    keep_input: Any,
    batch_size: Any,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Return batches of those tensors that are to be kept: where ``keep_input``, a truth value, says so.

    With ``enqueue_many`` it may have a value for each row. The other arguments are those of `batch`.

    Source: ``tf.train.maybe_batch``.
    """
    parts = _in_order(capacity, dynamic_pad, shared_name)
    form = Form(batch_size, keep_input, enqueue_many, shapes, allow_smaller_final_batch)
    return batches_of("batch", [tensors], num_threads, *parts, form, name)


def batch_join(
    tensors_list: Sequence[Any],
    batch_size: Any,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Return batches of several sets of tensors, each computed in a thread of its own. Args as of `batch`.

    Source: ``tf.train.batch_join``.
    """
    options = capacity, enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch, shared_name, name
    return maybe_batch_join(tensors_list, True, batch_size, *options)


def maybe_batch_join(
    tensors_list: Sequence[Any],
    keep_input: Any,
    batch_size: Any,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Return batches of those of several sets of tensors that are to be kept. Args as of `maybe_batch`.

    Source: ``tf.train.maybe_batch_join``.
    """
    parts = _in_order(capacity, dynamic_pad, shared_name)
    form = Form(batch_size, keep_input, enqueue_many, shapes, allow_smaller_final_batch)
    return batches_of("batch_join", tensors_list, 1, *parts, form, name)


def shuffle_batch(
    tensors: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Return batches of elements in random order.

    Args as of `batch`, and
        min_after_dequeue: so many elements stay in the queue, for the next ones to be drawn from.
        seed: that of the draws.

    Raises ValueError where ``capacity`` is not larger.

    Source: ``tf.train.shuffle_batch``.
    """
    options = seed, enqueue_many, shapes, allow_smaller_final_batch, shared_name, name
    return maybe_shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, True, num_threads, *options)


def maybe_shuffle_batch(
    tensors: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    keep_input: Any,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Return batches, in random order, of what is to be kept. Args as of `maybe_batch` and `shuffle_batch`.

    Source: ``tf.train.maybe_shuffle_batch``.
    """
    parts = _at_random(capacity, min_after_dequeue, seed, shared_name)
    form = Form(batch_size, keep_input, enqueue_many, shapes, allow_smaller_final_batch)
    return batches_of("shuffle_batch", [tensors], num_threads, *parts, form, name)


def shuffle_batch_join(
    tensors_list: Sequence[Any],
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Return batches of several sets of tensors in random order. Args as of `batch_join` and `shuffle_batch`.

    Source: ``tf.train.shuffle_batch_join``.
    """
    options = seed, enqueue_many, shapes, allow_smaller_final_batch, shared_name, name
    return maybe_shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, True, *options)


def maybe_shuffle_batch_join(
    tensors_list: Sequence[Any],
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    keep_input: Any,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Return batches of what is to be kept of several sets, in random order. Args as of `shuffle_batch_join`.

    Source: ``tf.train.maybe_shuffle_batch_join``.
    """
    parts = _at_random(capacity, min_after_dequeue, seed, shared_name)
    form = Form(batch_size, keep_input, enqueue_many, shapes, allow_smaller_final_batch)
    return batches_of("shuffle_batch_join", tensors_list, 1, *parts, form, name)
