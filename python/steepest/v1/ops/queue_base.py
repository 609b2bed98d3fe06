"""What all queues have: runs of a session put elements of one or more tensors in, others take them out, and wait."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...base.errors import must
from ..graph.build import call
from ..graph.dtypes import DType, as_dtype
from ..graph.eager_call import eager_session
from ..graph.errors import InvalidArgumentError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor
from ..graph.scopes import name_scope
from ..graph.shapes import Shape, TensorShape
from ..graph.static_values import constant_value
from .queue_runs import Close, Dequeue, DequeueMany, Enqueue, EnqueueMany, is_closed, size
from .queue_waiting import Elements
from .sparse_ops import convert_to_tensor as convert

__all__ = ["QueueBase", "name_list"]

_OPTIONS: dict[str, Any] = {"contextual": True, "differentiable": False, "same": False}


class QueueBase:
    """What queues share.

    Args:
        dtypes: the types of an element's components.
        shapes: their shapes, None where any will do.
        names: their names, where elements are dicts.
        queue_ref: the tensor that stands for the queue; in eager mode its elements.

    Source: ``tf.QueueBase``.
    """

    def __init__(self, dtypes: Any, shapes: Any, names: Any, queue_ref: Any) -> None:
        if shapes is not None and len(shapes) != len(dtypes):
            raise ValueError(
                "Queue shapes must have the same length as dtypes, received "
                f"len(shapes)={len(shapes)}, len(dtypes)={len(dtypes)}"
            )
        self._names = name_list(names, dtypes)
        self._dtypes: list[DType] = dtypes
        self._shapes = [TensorShape(shape) for shape in shapes or [None] * len(dtypes)]
        self._queue_ref: Any = queue_ref

    @staticmethod
    def from_list(index: Any, queues: list[QueueBase]) -> QueueBase:
        """Return the queue that is number ``index``, a tensor, of a list.

        Raises TypeError for what is no list of queues of the same types and names.
        """
        if not queues or not isinstance(queues, list) or not all(isinstance(queue, QueueBase) for queue in queues):
            raise TypeError("A list of queues expected")
        first = queues[0]
        if any(queue.dtypes != first.dtypes for queue in queues):
            raise TypeError("Queues do not have matching component dtypes.")
        if any(queue.names != first.names for queue in queues):
            raise TypeError("Queues do not have matching component names.")
        shapes = [
            functools.reduce(TensorShape.most_specific_compatible_shape, each)
            for each in zip(*(queue.shapes for queue in queues), strict=True)
        ]
        inputs = (convert(index, name="index"), *(queue.queue_ref for queue in queues))
        chosen = call("QueueSelect", _chosen, inputs, shape=(), dtype="string", differentiable=False, same=False)
        return QueueBase(first.dtypes, shapes, first.names, chosen)

    @property
    def queue_ref(self) -> Any:
        """The tensor that stands for the queue."""
        return self._queue_ref

    @property
    def name(self) -> str:
        """The name of the operation that makes it."""
        if isinstance(self._queue_ref, Elements):
            return str(self._queue_ref.made_by.name)
        return str(self._queue_ref.op.name)

    @property
    def dtypes(self) -> list[DType]:
        """The types of an element's components."""
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        """Their shapes."""
        return self._shapes

    @property
    def names(self) -> list[str] | None:
        """Their names, None where elements are no dicts."""
        return self._names

    # In -----------------------------------------------------------------------------------------

    def enqueue(self, vals: Any, name: str | None = None) -> Any:
        """Return the operation that puts one element in; it waits while the queue is full.

        Args:
            vals: a tensor, a list of them, or a dict where the queue has names.

        Raises ValueError for another shape, or names; in a run CancelledError where the queue is closed.
        """
        with name_scope(name, f"{self._called}_enqueue") as scope:
            values = self._converted(vals)
            for value, shape in zip(values, self._shapes, strict=False):
                value.get_shape().assert_is_compatible_with(shape)
            return self._operation("QueueEnqueueV2", Enqueue(), values, scope)

    def enqueue_many(self, vals: Any, name: str | None = None) -> Any:
        """Return the operation that puts the rows of the tensors in, one after the other. Raises as `enqueue`."""
        with name_scope(name, f"{self._called}_EnqueueMany") as scope:
            values = self._converted(vals)
            rows = TensorShape([None])
            for value, shape in zip(values, self._shapes, strict=False):
                whole = value.get_shape().with_rank_at_least(1)
                rows = rows.merge_with([whole[0]])
                whole[1:].assert_is_compatible_with(shape)
            return self._operation("QueueEnqueueManyV2", EnqueueMany(), values, scope)

    def _converted(self, vals: Any) -> list[Tensor]:
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(self._names, key=str) != sorted(vals, key=str):
                keys = f"Dictionary: {sorted(vals)}, Queue: {sorted(self._names)}"
                raise ValueError(f"Keys in dictionary to enqueue do not match names of Queue. {keys}")
            vals = [vals[key] for key in self._names]
        elif self._names:
            raise ValueError("You must enqueue a dictionary in a Queue with names")
        elif not isinstance(vals, (list, tuple)):
            vals = [vals]
        if len(vals) < len(self._dtypes):
            raise ValueError(must("enqueue", "vals", f"have {len(self._dtypes)} components", len(vals)))
        pairs = zip(vals, self._dtypes, strict=False)
        return [convert(value, dtype, f"component_{k}") for k, (value, dtype) in enumerate(pairs)]

    # Out ----------------------------------------------------------------------------------------

    def dequeue(self, name: str | None = None) -> Any:
        """Return an element: a tensor, a list, or a dict where the queue has names; its run waits until there is one.

        Raises OutOfRangeError, in a run, where the queue is closed and empty.
        """
        sizes = [shape.sizes for shape in self._shapes]
        return self._left("QueueDequeueV2", Dequeue(), (), sizes, name or f"{self._called}_Dequeue")

    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """Return ``n`` elements below each other; shapes must be known.

        Raises OutOfRangeError, in a run, where the queue is closed and has fewer.
        """
        return self._stacked("QueueDequeueManyV2", n, name or f"{self._called}_DequeueMany")

    def dequeue_up_to(self, n: Any, name: str | None = None) -> Any:
        """Return ``n`` elements, or what is left of them where the queue is closed; at least one."""
        return self._stacked("QueueDequeueUpToV2", n, name or f"{self._called}_DequeueUpTo")

    def _stacked(self, op_type: str, n: Any, name: str) -> Any:
        up_to = op_type == "QueueDequeueUpToV2"
        prefix = name if name.endswith("/") else f"{name}/"
        n = convert(n, "int32", f"{prefix.rpartition('/')[0]}/n")
        known = constant_value(n)
        if known is not None and known < 0 and not executing_eagerly():
            raise ValueError(f"{name}: Input 'n' must be >= 0, but is {int(known)}")
        rows = None if up_to or known is None else int(known)
        sizes = [None if shape.sizes is None else (rows, *shape.sizes) for shape in self._shapes]
        return self._left(op_type, DequeueMany(up_to), (n,), sizes, name)

    def _left(self, op_type: str, function: Any, inputs: Any, shapes: list[Shape], name: str) -> Any:
        function, inputs = self._joined(function, inputs)
        tensors = call(
            op_type,
            function,
            inputs,
            name=name,
            outputs=len(self._dtypes),
            shape=lambda *_: shapes,
            dtype=self._dtypes,
            **_OPTIONS,
        )
        if self._names:
            return dict(zip(self._names, tensors, strict=True))
        return tensors[0] if len(tensors) == 1 else list(tensors)

    # The queue ----------------------------------------------------------------------------------

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """Return the operation after which nothing enters any more: what waits to is let in before, or cancelled."""
        return self._operation(
            "QueueCloseV2", Close(bool(cancel_pending_enqueues)), (), name or f"{self._called}_Close"
        )

    def is_closed(self, name: str | None = None) -> Any:
        """Return the tensor that tells whether it is closed."""
        return self._asked("QueueIsClosedV2", is_closed, "bool", name or f"{self._called}_Is_Closed")

    def size(self, name: str | None = None) -> Any:
        """Return the tensor that tells how many elements there are."""
        return self._asked("QueueSizeV2", size, "int32", name or f"{self._called}_Size")

    def _asked(self, op_type: str, function: Callable[..., Any], dtype: str, name: str) -> Any:
        function, inputs = self._joined(function, ())
        return call(op_type, function, inputs, name=name, shape=(), dtype=dtype, **_OPTIONS)

    def _operation(self, op_type: str, function: Any, values: Iterable[Any], name: str) -> Operation | None:
        """Return the operation; in eager mode it is done at once, and there is none."""
        function, inputs = self._joined(function, values)
        if executing_eagerly():
            function(eager_session, *inputs)
            return None
        graph = inputs[0].graph
        with graph.as_default():
            full = graph._operation_name(name, op_type)
            return Operation(graph, op_type, full, function, list(inputs), (), True, differentiable=False)

    def _joined(self, function: Any, values: Iterable[Any]) -> tuple[Any, tuple[Any, ...]]:
        """Return a function of the queue, and the inputs that it has: where all is done at once, the values alone.

        The queue of eager mode is a node of its own in the body of a function.
        """
        queue = self._queue_ref
        if not isinstance(queue, Elements):
            return function, (queue, *values)
        if executing_eagerly():
            return lambda session, *given: function(session, queue, *given), tuple(values)
        graph = get_default_graph()
        full = graph._operation_name(None, "QueueHandle")
        handle = Operation(
            graph, "QueueHandle", full, lambda _: queue, (), [(as_dtype("string"), ())], True, differentiable=False
        )
        return function, (handle.outputs[0], *values)

    @property
    def _called(self) -> str:
        return self.name.rpartition("/")[2]


def _chosen(index: Any, *queues: Any) -> Any:
    if not 0 <= index < len(queues):
        raise InvalidArgumentError(None, None, f"indices = {int(index)} is not in [0, {len(queues)})")
    return queues[int(index)]


def name_list(names: Any, dtypes: Sequence[Any]) -> list[str] | None:
    """Return the names of components, None for none; ValueError where there are not as many as types."""
    if names is None:
        return None
    listed = list(names) if isinstance(names, (list, tuple)) else [names]
    if len(listed) != len(dtypes):
        counts = f"received len(names)={len(listed)}, len(dtypes)={len(dtypes)}"
        raise ValueError(f"List of names must have the same length as the list of dtypes, {counts}")
    return listed
