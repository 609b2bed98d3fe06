"""How batches are made: sets of tensors go into a queue, and leave it below each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..graph.build import convert
from ..graph.dtypes import DType
from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from ..graph.static_values import constant_value
from ..ops.cast_ops import cast
from ..ops.control_flow_ops import cond, no_op
from ..ops.data_flow_ops import dynamic_partition
from ..ops.queue_ops import QueueBase
from ..ops.sparse_ops import convert_to_tensor_or_sparse_tensor
from ..training.queue_runner import QueueRunner, add_queue_runner
from .producers import refuse_eagerly
from .sparse_elements import element_of, kinds_of

__all__ = ["Form", "batches_of", "checked_keep", "shapes_of", "types_of"]


class Form(NamedTuple):
    """What elements and batches are.

    Args:
        batch_size: how many elements are a batch.
        keep_input: a truth value: whether a set is an element; with ``enqueue_many`` one for each row, or for all.
        enqueue_many: each row of the tensors is an element.
        shapes: those of the components; by default the tensors'.
        allow_smaller_final_batch: the last elements are a batch, too.
    """

    batch_size: Any
    keep_input: Any
    enqueue_many: bool
    shapes: Any
    allow_smaller_final_batch: bool


def batches_of(
    who: str,
    sets: Sequence[Any],
    threads: int,
    make_queue: Callable[[list[DType], list[Any]], QueueBase],
    summarize: Callable[[QueueBase], Any],
    form: Form,
    name: str | None,
) -> Any:
    """Return batches, in the form of a set.

    Args:
        who: the default name.
        sets: lists or dicts of tensors; what makes each runs in ``threads`` threads.
        make_queue: makes the queue for components of these types and shapes.
        summarize: makes the summary of how full it is.
        form: what elements and batches are.

    Raises ValueError and TypeError for sets that do not fit each other.
    """
    refuse_eagerly(ValueError)
    if not sets:
        raise ValueError("Expected at least one set of tensors")
    many = form.enqueue_many
    keys = sorted(sets[0], key=str) if isinstance(sets[0], dict) else None
    if keys is not None and any(set(each) != set(keys) for each in sets):
        raise ValueError("All dictionaries in tensors_list must have the same keys")
    with name_scope(name, who) as scope:
        lists = [[each[key] for key in keys] if keys is not None else each for each in sets]
        lists = [[convert_to_tensor_or_sparse_tensor(tensor) for tensor in each] for each in lists]
        if not lists[0]:
            raise ValueError(f"Expected at least one tensor in {who}().")
        keep = checked_keep(form.keep_input, many)
        kinds = kinds_of(lists[0], many)
        if any(kinds_of(each, many) != kinds for each in lists):
            raise ValueError(f"Inconsistent SparseTensors list: {lists[0]} vs. {lists[1:]}")
        lists = [[element_of(tensor, many) for tensor in each] for each in lists]
        queue = make_queue(types_of(lists), shapes_of(lists, many) if form.shapes is None else form.shapes)
        enqueue = [_kept(queue, each, keep, many) for each in lists]
        add_queue_runner(QueueRunner(queue, enqueue * threads))
        summarize(queue)
        taken = (queue.dequeue_up_to if form.allow_smaller_final_batch else queue.dequeue_many)(
            form.batch_size, name=scope
        )
        listed = taken if isinstance(taken, list) else [taken]
        found = [t if kind is None else kind.restored(t) for kind, t in zip(kinds, listed, strict=True)]
        if keys is not None:
            return dict(zip(keys, found, strict=True))
        return found if isinstance(taken, list) else found[0]


def checked_keep(keep_input: Any, enqueue_many: bool) -> Any:
    """Return ``keep_input`` as a tensor. Raises ValueError for a shape that it cannot have."""
    keep = convert(keep_input)
    if keep.shape.ndims is None:
        raise ValueError("`keep_input` dimensions must be known at graph construction.")
    if not enqueue_many and keep.shape.ndims == 1:
        raise ValueError("`keep_input` cannot be a vector when `enqueue_many=False`.")
    if keep.shape.ndims > 1:
        raise ValueError("`keep_input` must be 0 or 1 dimensions.")
    return keep


def _kept(queue: QueueBase, tensors: list[Any], keep: Any, enqueue_many: bool) -> Any:
    """Return the operation that puts tensors into a queue, where they are to be kept."""
    put = queue.enqueue_many if enqueue_many else queue.enqueue
    if keep.shape.ndims:
        rows = cast(keep, "int32")
        return put([dynamic_partition(tensor, rows, 2)[1] for tensor in tensors])
    known = constant_value(keep)
    if known is None:
        return cond(keep, lambda: put(tensors), no_op)
    return put(tensors) if known else no_op()


def types_of(lists: list[list[Any]]) -> list[DType]:
    """Return the types of elements' components. Raises TypeError where they differ."""
    types = [[tensor.dtype.base_dtype for tensor in each] for each in lists]
    for other in types[1:]:
        if other != types[0]:
            first, second = (", ".join(dtype.name for dtype in each) for each in (types[0], other))
            raise TypeError(f"Expected types to be consistent: {first} vs. {second}.")
    return types[0]


def shapes_of(lists: list[list[Any]], enqueue_many: bool) -> list[list[int | None]]:
    """Return the shapes of elements. Raises ValueError where they differ, or their rank is not known."""
    for tensor in (tensor for each in lists for tensor in each):
        if tensor.shape.ndims is None:
            raise ValueError(f"Cannot infer Tensor's rank: {tensor}")
    found = []
    for tensors in zip(*lists, strict=True):
        shapes = [TensorShape(tensor.shape) for tensor in tensors]
        if enqueue_many:
            shapes = [shape.with_rank_at_least(1)[1:] for shape in shapes]
        for other in shapes[1:]:
            shapes[0].assert_is_compatible_with(other)
        found.append(shapes[0].as_list())
    return found
