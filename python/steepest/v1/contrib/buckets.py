"""``tf.contrib.training.bucket``: batches of elements that are alike, such as sequences of about one length."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ..graph.errors import CancelledError, OutOfRangeError
from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from ..graph.static_values import constant_value
from ..ops.cast_ops import cast
from ..ops.control_flow_ops import cond, group, no_op
from ..ops.math_ops import equal, greater_equal
from ..ops.queue_ops import FIFOQueue, PaddingFIFOQueue
from ..ops.reduce_ops import reduce_sum
from ..ops.sparse_ops import convert_to_tensor, convert_to_tensor_or_sparse_tensor
from ..pipelines.making import checked_keep, shapes_of, types_of
from ..pipelines.sparse_elements import element_of, kinds_of
from ..summary import scalar
from ..training.queue_runner import QueueRunner, add_queue_runner

__all__ = ["bucket", "bucket_by_sequence_length"]


def bucket(
    tensors: Any,
    which_bucket: Any,
    batch_size: Any,
    num_buckets: int,
    num_threads: int = 1,
    capacity: int = 32,
    bucket_capacities: Sequence[int] | None = None,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    keep_input: Any = True,
    shared_name: str | None = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Return the number of a bucket and a batch of its elements, as soon as there are enough in one.

    Args:
        tensors: a list or a dict of tensors, an element.
        which_bucket: the number of the bucket into which the element goes.
        batch_size: how many elements are a batch; a list has a number for each bucket.
        num_buckets: how many buckets there are.
        num_threads: how many threads compute elements.
        capacity: how many batches wait, and how many elements in each bucket.
        bucket_capacities: how many elements may wait in each bucket.
        shapes, dynamic_pad, allow_smaller_final_batch, keep_input, shared_name: see ``tf.train.maybe_batch``.
        name: of the operations.

    Raises ValueError for lists that have not a number for each bucket, and for shapes that are not known.

    Source: ``tf.contrib.training.bucket``.
    """
    if isinstance(batch_size, (list, tuple)):
        if len(batch_size) != num_buckets:
            raise ValueError("If batch_size is a list it must have num_buckets elements")
        sizes, common = list(batch_size), None
    else:
        sizes, common = [batch_size] * num_buckets, constant_value(convert_to_tensor(batch_size, "int32"))
    capacities = [capacity] * num_buckets if bucket_capacities is None else list(bucket_capacities)
    if len(capacities) != num_buckets:
        raise ValueError(
            f"The list bucket_capacities ({capacities}) must have exactly num_buckets ({num_buckets}) elements."
        )
    keys = sorted(tensors, key=str) if isinstance(tensors, dict) else None
    given = [tensors[key] for key in keys] if keys is not None else list(tensors)
    with name_scope(name, "bucket", given):
        element = [convert_to_tensor_or_sparse_tensor(each) for each in given]
        if not element:
            raise ValueError("Expected at least one tensor in bucket().")
        keep, kinds = checked_keep(keep_input, False), kinds_of(element, False)
        element = [element_of(each, False) for each in element]
        types = types_of([element])
        shapes = shapes_of([element], False) if shapes is None else shapes
        which = convert_to_tensor(which_bucket, "int32", name="which_bucket")
        make = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        queues = [
            make(
                capacities[k],
                types,
                shapes,
                shared_name=None if shared_name is None else f"{shared_name}_{k}",
                name=f"bucket_queue_{k}",
            )
            for k in range(num_buckets)
        ]
        rows = None if allow_smaller_final_batch or common is None else int(common)
        top = PaddingFIFOQueue(
            capacity,
            ["int32", *types],
            [[], *([rows, *TensorShape(each).as_list()] for each in shapes)],
            shared_name=shared_name,
            name="top_queue",
        )
        _run(queues, top, [_put(queues, element, which, keep)] * num_threads, sizes, allow_smaller_final_batch)
        _summarize(queues, top, capacity)
        number, *taken = top.dequeue(name="dequeue_top")
        found = [each if kind is None else kind.restored(each) for kind, each in zip(kinds, taken, strict=True)]
        return number, dict(zip(keys, found, strict=True)) if keys is not None else found


def _put(queues: list[Any], element: list[Any], which: Any, keep: Any) -> Any:
    """Return the operation that puts an element into its bucket, where it is to be kept."""

    def put() -> Any:
        into = [cond(equal(which, k), partial(queue.enqueue, element), no_op) for k, queue in enumerate(queues)]
        return group(*into, name="group_enqueues")

    known = constant_value(keep)
    if known is None:
        return cond(keep, put, no_op)
    return put() if known else no_op()


def _run(queues: list[Any], top: Any, puts: list[Any], sizes: list[Any], smaller: bool) -> None:
    """Add the threads that fill the buckets, and those that take batches from them."""

    def batch_of(k: int, queue: Any) -> list[Any]:
        take = queue.dequeue_up_to if smaller else queue.dequeue_many
        taken = take(sizes[k], name=f"read_bucket_{k}")
        return taken if isinstance(taken, list) else [taken]

    moves = [top.enqueue([k, *batch_of(k, queue)], name=f"enqueue_from_bucket_{k}") for k, queue in enumerate(queues)]
    ends = (OutOfRangeError, CancelledError)
    cancel = top.close(cancel_pending_enqueues=True)
    add_queue_runner(QueueRunner(queues[0], moves, top.close(), cancel, ends))
    closed = group(*(queue.close() for queue in queues))
    cancelled = group(*(queue.close(cancel_pending_enqueues=True) for queue in queues))
    add_queue_runner(QueueRunner(top, puts, closed, cancelled, ends))


def _summarize(queues: list[Any], top: Any, capacity: int) -> None:
    for queue in queues:
        scalar(f"bucket/{queue.name}/size", cast(queue.size(), "float32"))
    share = cast(top.size(), "float32") * (1.0 / capacity)
    scalar(f"bucket/{top.name}/fraction_of_{capacity}_full", share)


def bucket_by_sequence_length(
    input_length: Any,
    tensors: Any,
    batch_size: Any,
    bucket_boundaries: Sequence[int],
    num_threads: int = 1,
    capacity: int = 32,
    bucket_capacities: Sequence[int] | None = None,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    keep_input: Any = True,
    shared_name: str | None = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Return the lengths and the other tensors of batches of sequences that lie between the same boundaries.

    Args:
        input_length: the length of the element.
        bucket_boundaries: growing lengths: a bucket has those from one on to below the next.

    The other arguments are those of `bucket`. Raises TypeError and ValueError for boundaries that are no such lengths.

    Source: ``tf.contrib.training.bucket_by_sequence_length``.
    """
    bounds = list(bucket_boundaries) if isinstance(bucket_boundaries, (list, tuple)) else None
    if bounds is None:
        raise TypeError(f"bucket_boundaries must be a list or tuple, but received: {bucket_boundaries}")
    if not bounds:
        raise ValueError("bucket_boundaries must not be empty")
    for first, second in zip(bounds, [*bounds[1:], None], strict=True):
        if not isinstance(first, int) or not isinstance(second, (int, type(None))):
            raise TypeError(f"bucket boundaries must be integers, but saw: {first} and {second}")
        if second is not None and first >= second:
            raise ValueError(f"Buckets must contain sequential increasing lengths, but saw: {first} before {second}")
    keys = sorted(tensors, key=str) if isinstance(tensors, dict) else None
    listed = [tensors[key] for key in keys] if keys is not None else list(tensors)
    with name_scope(name, "bucket_by_sequence_length", [input_length, *listed]):
        length = convert_to_tensor(input_length, "int32", name="input_length")
        which = reduce_sum(cast(greater_equal(length, bounds), "int32"))  # so many boundaries are not above it
        _, found = bucket(
            [length, *listed],
            which,
            batch_size,
            len(bounds) + 1,
            num_threads,
            capacity,
            bucket_capacities,
            None if shapes is None else [[], *shapes],
            dynamic_pad,
            allow_smaller_final_batch,
            keep_input,
            shared_name,
        )
        return found[0], dict(zip(keys, found[1:], strict=True)) if keys is not None else found[1:]
