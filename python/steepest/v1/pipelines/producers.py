"""Queues that are filled with the rows of a tensor, epoch after epoch: ``tf.train.input_producer`` and its kin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...variables.collections import GraphKeys
from ..graph.build import convert
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.scopes import name_scope
from ..ops.array_ops import identity, shape, size
from ..ops.cast_ops import cast
from ..ops.creation_ops import range as range_of
from ..ops.file_ops import matching_files
from ..ops.gather_ops import gather
from ..ops.queue_ops import FIFOQueue, QueueBase
from ..ops.random_ops import random_shuffle
from ..ops.script_ops import Assert
from ..ops.sparse_ops import convert_to_tensor_or_indexed_slices
from ..summary import scalar
from ..training.queue_runner import QueueRunner, add_queue_runner
from ..variables.variables import Variable

__all__ = [
    "input_producer",
    "limit_epochs",
    "match_filenames_once",
    "range_input_producer",
    "refuse_eagerly",
    "share_name",
    "slice_input_producer",
    "string_input_producer",
    "summarize_share",
]


def refuse_eagerly(kind: type[Exception] = RuntimeError) -> None:
    """Raise an error in eager mode."""
    if executing_eagerly():
        raise kind(
            "Input pipelines based on Queues are not supported when eager execution is enabled. Feed arrays to "
            "functions instead."
        )


def share_name(capacity: int) -> str:
    """Return what the summary of how full a queue is is called."""
    return f"fraction_of_{capacity}_full"


def summarize_share(queue: QueueBase, capacity: int, name: str) -> Any:
    """Return the summary of how full a queue is."""
    return scalar(name, cast(queue.size(), "float32") * (1.0 / capacity))


def match_filenames_once(pattern: Any, name: str | None = None) -> Variable:
    """Return a local variable whose first value are the names of the files that fit a pattern, or several.

    Source: ``tf.train.match_filenames_once``.
    """
    with name_scope(name, "matching_filenames") as scope:
        names = matching_files(pattern)
        local = [GraphKeys.LOCAL_VARIABLES]
        return Variable(names, trainable=False, name=scope, collections=local, validate_shape=False)


def limit_epochs(tensor: Any, num_epochs: int | None = None, name: str | None = None) -> Any:
    """Return the tensor, which can be evaluated ``num_epochs`` times, then raises OutOfRangeError.

    Counts in a local variable: run ``tf.local_variables_initializer()``. Raises ValueError for a number below 1.

    Source: ``tf.train.limit_epochs``.
    """
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be > 0 not {num_epochs}.")
    with name_scope(name, "limit_epochs") as scope:
        epochs = Variable(np.int64(0), trainable=False, name="epochs", collections=[GraphKeys.LOCAL_VARIABLES])
        with get_default_graph().control_dependencies([epochs.count_up_to(num_epochs)]):
            return identity(tensor, name=scope)


def input_producer(
    input_tensor: Any,
    element_shape: Any = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    summary_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> QueueBase:
    """Return a queue of the rows of a tensor, which a queue runner of the graph fills.

    Args:
        input_tensor: the rows.
        element_shape: the shape of a row, where it is not known.
        num_epochs: how often each row comes; None for ever. See `limit_epochs`.
        shuffle, seed: whether the rows of each epoch come in random order.
        capacity, shared_name, name: the queue's.
        summary_name: the name of a summary of how full it is; None for none.
        cancel_op: the queue runner's.

    Raises ValueError where the shape of a row is not known, RuntimeError in eager mode.

    Source: ``tf.train.input_producer``.
    """
    refuse_eagerly()
    with name_scope(name, "input_producer"):
        rows = convert(input_tensor, name="input_tensor")
        row = rows.shape.with_rank_at_least(1)[1:].merge_with(element_shape)
        if not row.is_fully_defined():
            raise ValueError(
                "Either `input_tensor` must have a fully defined shape or `element_shape` must be specified"
            )
        rows = random_shuffle(rows, seed=seed) if shuffle else rows
        rows = limit_epochs(rows, num_epochs)
        queue = FIFOQueue(capacity, [rows.dtype.base_dtype], [row], shared_name=shared_name, name=name)
        add_queue_runner(QueueRunner(queue, [queue.enqueue_many([rows])], cancel_op=cancel_op))
        if summary_name is not None:
            summarize_share(queue, capacity, summary_name)
        return queue


def string_input_producer(
    string_tensor: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> QueueBase:
    """Return a queue of the texts of a tensor: names of files, mostly. Args as of `input_producer`.

    Raises ValueError for an empty list; in a run InvalidArgumentError for an empty tensor.

    Source: ``tf.train.string_input_producer``.
    """
    refuse_eagerly()
    empty = "string_input_producer requires a non-null input tensor"
    if not isinstance(string_tensor, Node) and not len(string_tensor):
        raise ValueError(empty)
    with name_scope(name, "input_producer") as scope:
        texts = convert(string_tensor, "string")
        with get_default_graph().control_dependencies([Assert(size(texts) > 0, [empty])]):
            texts = identity(texts)
        told = share_name(capacity)
        return input_producer(
            texts, [], num_epochs, shuffle, seed, capacity, shared_name, told, scope, cancel_op=cancel_op
        )


def range_input_producer(
    limit: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> QueueBase:
    """Return a queue of the integers below ``limit``. Args as of `input_producer`.

    Source: ``tf.train.range_input_producer``.
    """
    refuse_eagerly()
    with name_scope(name, "input_producer") as scope:
        told = share_name(capacity)
        return input_producer(range_of(limit), [], num_epochs, shuffle, seed, capacity, shared_name, told, scope)


def slice_input_producer(
    tensor_list: Sequence[Any],
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> list[Any]:
    """Return a row of each tensor, the same row of all; they must have as many rows. Args as of `input_producer`.

    Raises ValueError without tensors. Source: ``tf.train.slice_input_producer``.
    """
    refuse_eagerly()
    with name_scope(name, "input_producer"):
        tensors = [convert_to_tensor_or_indexed_slices(tensor) for tensor in tensor_list]
        if not tensors:
            raise ValueError("Expected at least one tensor in slice_input_producer().")
        queue = range_input_producer(shape(tensors[0])[0], num_epochs, shuffle, seed, capacity, shared_name)
        index = queue.dequeue()
        return [gather(tensor, index) for tensor in tensors]
