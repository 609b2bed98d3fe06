"""Operations on queues under the names, and with the arguments, of the generated module ``gen_data_flow_ops``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from ..graph.build import dtype_of
from ..graph.dtypes import as_dtype
from ..graph.scopes import container as in_container
from ..ops.queue_base import QueueBase
from ..ops.queue_ops import GPUCompatibleFIFOQueue, PaddingFIFOQueue, PriorityQueue, RandomShuffleQueue

__all__ = [
    "fifo_queue_v2",
    "padding_fifo_queue_v2",
    "priority_queue_v2",
    "queue_close_v2",
    "queue_dequeue_many_v2",
    "queue_dequeue_up_to_v2",
    "queue_dequeue_v2",
    "queue_enqueue_many_v2",
    "queue_enqueue_v2",
    "queue_is_closed_v2",
    "queue_size_v2",
    "random_shuffle_queue_v2",
]


def fifo_queue_v2(
    component_types: Any,
    shapes: Any = (),
    capacity: int = -1,
    container: str = "",
    shared_name: str = "",
    name: str | None = None,
) -> Any:
    """Return the tensor that stands for a `FIFOQueue`; a negative capacity is any. In eager mode its elements."""
    elements = {"capacity": capacity, "dtypes": component_types, "shapes": shapes or None}
    return _made(GPUCompatibleFIFOQueue, container, shared_name, name or "FIFOQueueV2", **elements)


def padding_fifo_queue_v2(
    component_types: Any,
    shapes: Any = (),
    capacity: int = -1,
    container: str = "",
    shared_name: str = "",
    name: str | None = None,
) -> Any:
    """Return the tensor that stands for a `PaddingFIFOQueue`."""
    elements = {"capacity": capacity, "dtypes": component_types, "shapes": shapes}
    return _made(PaddingFIFOQueue, container, shared_name, name or "PaddingFIFOQueueV2", **elements)


def priority_queue_v2(
    shapes: Any,
    component_types: Any = (),
    capacity: int = -1,
    container: str = "",
    shared_name: str = "",
    name: str | None = None,
) -> Any:
    """Return the tensor that stands for a `PriorityQueue`."""
    elements = {"capacity": capacity, "types": component_types, "shapes": shapes}
    return _made(PriorityQueue, container, shared_name, name or "PriorityQueueV2", **elements)


def random_shuffle_queue_v2(
    component_types: Any,
    shapes: Any = (),
    capacity: int = -1,
    min_after_dequeue: int = 0,
    seed: int = 0,
    seed2: int = 0,
    container: str = "",
    shared_name: str = "",
    name: str | None = None,
) -> Any:
    """Return the tensor that stands for a `RandomShuffleQueue`."""
    elements = {"capacity": capacity, "dtypes": component_types, "shapes": shapes or None}
    drawn = {"min_after_dequeue": min_after_dequeue, "seed": (seed or seed2) or None}
    return _made(RandomShuffleQueue, container, shared_name, name or "RandomShuffleQueueV2", **elements, **drawn)


def queue_enqueue_v2(handle: Any, components: Sequence[Any], timeout_ms: int = -1, name: str | None = None) -> Any:
    """Return the operation that puts an element in, of which ``components`` are the parts. It waits for any time."""
    del timeout_ms
    return _behind(handle, map(dtype_of, components)).enqueue(list(components), name or "QueueEnqueueV2")


def queue_enqueue_many_v2(handle: Any, components: Sequence[Any], timeout_ms: int = -1, name: str | None = None) -> Any:
    """Return the operation that puts the rows of ``components`` in, one after the other."""
    del timeout_ms
    return _behind(handle, map(dtype_of, components)).enqueue_many(list(components), name or "QueueEnqueueManyV2")


def queue_dequeue_v2(
    handle: Any, component_types: Sequence[Any], timeout_ms: int = -1, name: str | None = None
) -> list[Any]:
    """Return the components of an element, as a list."""
    del timeout_ms
    return _listed(_behind(handle, component_types).dequeue(name or "QueueDequeueV2"))


def queue_dequeue_many_v2(
    handle: Any, n: Any, component_types: Sequence[Any], timeout_ms: int = -1, name: str | None = None
) -> list[Any]:
    """Return the components of ``n`` elements below each other, as a list."""
    del timeout_ms
    return _listed(_behind(handle, component_types).dequeue_many(n, name or "QueueDequeueManyV2"))


def queue_dequeue_up_to_v2(
    handle: Any, n: Any, component_types: Sequence[Any], timeout_ms: int = -1, name: str | None = None
) -> list[Any]:
    """Return the components of ``n`` elements, or of what is left of a closed queue, as a list."""
    del timeout_ms
    return _listed(_behind(handle, component_types).dequeue_up_to(n, name or "QueueDequeueUpToV2"))


def queue_close_v2(handle: Any, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
    """Return the operation after which nothing enters any more."""
    return _behind(handle, ()).close(cancel_pending_enqueues, name or "QueueCloseV2")


def queue_is_closed_v2(handle: Any, name: str | None = None) -> Any:
    """Return the tensor that tells whether it is closed."""
    return _behind(handle, ()).is_closed(name or "QueueIsClosedV2")


def queue_size_v2(handle: Any, name: str | None = None) -> Any:
    """Return the tensor that tells how many elements there are."""
    return _behind(handle, ()).size(name or "QueueSizeV2")


def _made(kind: Callable[..., QueueBase], container: str, shared_name: str, name: str, **settings: Any) -> Any:
    """Return the tensor that stands for a new queue, made inside a container where one is named."""
    with in_container(container) if container else nullcontext():
        return kind(**settings, shared_name=shared_name or None, name=name).queue_ref


def _behind(handle: Any, dtypes: Any) -> QueueBase:
    """Return the queue that a handle stands for; of the shapes of its elements nothing is known."""
    return QueueBase([as_dtype(each).base_dtype for each in dtypes], None, None, handle)


def _listed(found: Any) -> list[Any]:
    return found if isinstance(found, list) else [found]
