"""The kinds of queues: which element comes out next, and whether elements may differ in shape."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from ..graph.dtypes import DType, as_dtype
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation
from ..graph.scopes import device, init_scope
from ..graph.session_values import lifted
from ..graph.shapes import Shape, TensorShape
from .queue_base import QueueBase, name_list
from .queue_runs import Kind
from .random_sequences import get_seed

__all__ = [
    "FIFOQueue",
    "GPUCompatibleFIFOQueue",
    "PaddingFIFOQueue",
    "PriorityQueue",
    "QueueBase",
    "RandomShuffleQueue",
]


class FIFOQueue(QueueBase):
    """A queue whose elements come out in the order in which they went in.

    Args:
        capacity: how many elements there may be; a run that puts in more waits.
        dtypes: the types of an element's components.
        shapes: their shapes, all known; without them elements may differ in shape, and come out one by one.
        names: their names, for elements that are dicts.
        shared_name: queues of one session with the same name are one.

    In eager mode a queue is made at once, and its methods put in and take out at once; a function that makes one makes
    it outside of itself. Source: ``tf.FIFOQueue``.
    """

    _device: Any = "CPU"  # of the operation in a graph

    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str | None = "fifo_queue",
    ) -> None:
        types = _type_list(dtypes)
        with init_scope(), nullcontext() if executing_eagerly() else device(self._device):
            _make(self, "FIFOQueue", types, _shape_list(shapes), names, name, capacity, shared_name)


class GPUCompatibleFIFOQueue(FIFOQueue):
    """A `FIFOQueue` that may be placed anywhere. Source: ``data_flow_ops.GPUCompatibleFIFOQueue``."""

    _device = None


class PaddingFIFOQueue(QueueBase):
    """A `FIFOQueue` whose elements may differ in the sizes that are None: `dequeue_many` fills them up.

    Args as of `FIFOQueue`; ``shapes`` must be a list. Source: ``tf.PaddingFIFOQueue``.
    """

    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any,
        names: Any = None,
        shared_name: str | None = None,
        name: str | None = "padding_fifo_queue",
    ) -> None:
        types = _type_list(dtypes)
        listed = isinstance(shapes, (list, tuple)) and shapes
        if not listed or any(shape is None or isinstance(shape, int) for shape in shapes):
            raise ValueError("When providing partial shapes, a list of shapes must be provided.")
        sizes = [TensorShape(shape).sizes for shape in shapes]
        if None in sizes:
            raise ValueError(f"All shapes must have a defined rank: {shapes}")
        if len(sizes) != len(types):
            given = f"but received {len(types)} dtypes and {len(sizes)} shapes."
            raise ValueError(f"Shapes must be provided for all components, {given}")
        _make(self, "PaddingFIFOQueue", types, sizes, names, name, capacity, shared_name)


class RandomShuffleQueue(QueueBase):
    """A queue whose elements come out at random.

    Args as of `FIFOQueue`, and
        min_after_dequeue: so many elements stay, to be mixed with those that come, until the queue is closed.
        seed: that of the draws.

    Source: ``tf.RandomShuffleQueue``.
    """

    def __init__(
        self,
        capacity: int,
        min_after_dequeue: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        seed: int | None = None,
        shared_name: str | None = None,
        name: str | None = "random_shuffle_queue",
    ) -> None:
        draws = (min_after_dequeue, get_seed(seed))
        types = _type_list(dtypes)
        _make(self, "RandomShuffleQueue", types, _shape_list(shapes), names, name, capacity, shared_name, *draws)


class PriorityQueue(QueueBase):
    """A queue whose elements begin with a priority, int64: the least comes out first.

    Args as of `FIFOQueue`; ``types`` and ``shapes`` are those of the components after the priority.

    Source: ``tf.PriorityQueue``.
    """

    def __init__(
        self,
        capacity: int,
        types: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str | None = "priority_queue",
    ) -> None:
        types = [as_dtype("int64"), *_type_list(types)]
        sizes = _shape_list(shapes)
        if sizes is None:
            raise TypeError("Expected list for 'shapes' argument to 'priority_queue_v2' Op, not None.")
        _make(self, "PriorityQueue", types, [(), *sizes], names, name, capacity, shared_name)


def _make(
    queue: QueueBase,
    kind: str,
    dtypes: list[DType],
    shapes: list[Shape] | None,
    names: Any,
    name: str | None,
    capacity: int,
    shared_name: str | None,
    kept: int = 0,
    seeds: tuple[Any, Any] = (None, None),
) -> None:
    """Make the operation of a queue, outside of any branch; in eager mode its elements."""
    names = name_list(names, dtypes)
    if shapes is not None and len(shapes) != len(dtypes):
        QueueBase.__init__(queue, dtypes, shapes, names, None)  # raises
    if executing_eagerly():
        alone = Kind(kind, name or kind, None, capacity, dtypes, shapes, kept, seeds)  # names are not shared here
        QueueBase.__init__(queue, dtypes, shapes, names, alone.made())
        return
    graph = get_default_graph()
    with lifted(graph):
        full = graph._operation_name(name, f"{kind}V2")
        made = Kind(kind, full, shared_name, capacity, dtypes, shapes, kept, seeds)
        results: list[tuple[DType, Shape]] = [(as_dtype("string"), ())]
        skipped = int(kind == "PriorityQueue")  # whose priorities come of themselves
        told: dict[str, Any] = {
            "capacity": made.capacity,
            "component_types": dtypes[skipped:],
            "shapes": [TensorShape(shape) for shape in (shapes or ())[skipped:]],
            "container": graph._container.encode(),
            "shared_name": (shared_name or "").encode(),
        }
        if kind == "RandomShuffleQueue":
            told |= {"min_after_dequeue": made.kept, "seed": int(seeds[0] or 0), "seed2": int(seeds[1] or 0)}
        operation = Operation(graph, f"{kind}V2", full, made, (), results, True, differentiable=False, attributes=told)
    QueueBase.__init__(queue, dtypes, shapes, names, operation.outputs[0])


def _type_list(dtypes: Any) -> list[DType]:
    return [as_dtype(each).base_dtype for each in (dtypes if isinstance(dtypes, (list, tuple)) else [dtypes])]


def _shape_list(shapes: Any) -> list[Shape] | None:
    """Return shapes that are all known; one shape stands for a list of it."""
    if shapes is None:
        return None
    if isinstance(shapes, TensorShape):
        shapes = [shapes]
    if not isinstance(shapes, (list, tuple)):
        raise TypeError(f"Shapes must be a TensorShape or a list or tuple of TensorShapes, got {type(shapes)} instead.")
    if all(shape is None or isinstance(shape, int) for shape in shapes):
        shapes = [shapes]
    found = [TensorShape(shape) for shape in shapes]
    if not all(shape.is_fully_defined() for shape in found):
        raise ValueError(f"All shapes must be fully defined: {found}")
    return [shape.sizes for shape in found]
