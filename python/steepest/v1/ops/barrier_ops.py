"""``Barrier``: where runs put the components of elements in, and others take the elements that are complete."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from ..graph.build import call, convert
from ..graph.dtypes import DType, as_dtype
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor
from ..graph.session_values import lifted
from ..graph.shapes import Shape, TensorShape, compatible
from ..graph.static_values import constant_value
from .barrier_runs import BarrierKind, close, incomplete_size, inserted, ready_size, taken

__all__ = ["Barrier"]

_OPTIONS: dict[str, Any] = {"contextual": True, "differentiable": False, "same": False}


class BarrierTakeMany(NamedTuple):
    """What `Barrier.take_many` returns."""

    indices: Any
    keys: Any
    values: Any


class Barrier:
    """A place in a session where elements of one or more tensors have keys, which are texts.

    Args:
        types: the types of an element's components, or one type.
        shapes: their shapes, or one shape; None where any will do.
        shared_name: barriers of one session with the same name are one.

    Raises ValueError for shapes without elements, RuntimeError in eager mode. Source: ``data_flow_ops.Barrier``.
    """

    def __init__(self, types: Any, shapes: Any = None, shared_name: str | None = None, name: str = "barrier") -> None:
        if executing_eagerly():
            raise RuntimeError("Barriers belong to graphs; in eager mode take a dict.")
        listed = types if isinstance(types, (list, tuple)) else [types]
        self._types = [as_dtype(each).base_dtype for each in listed]
        self._shapes = [TensorShape(None)] * len(self._types) if shapes is None else self._listed(shapes)
        graph = get_default_graph()
        with lifted(graph):
            full = graph._operation_name(name, "Barrier")
            made = BarrierKind(full, shared_name, self._types, [shape.sizes for shape in self._shapes])
            results: list[tuple[DType, Shape]] = [(as_dtype("string").reference(), None)]
            told: dict[str, Any] = {
                "capacity": -1,
                "component_types": self._types,
                "shapes": [] if shapes is None else self._shapes,
                "container": graph._container.encode(),
                "shared_name": (shared_name or "").encode(),
            }
            op = Operation(graph, "Barrier", full, made, (), results, True, differentiable=False, attributes=told)
        self._barrier_ref = op.outputs[0]
        self._name = full.rpartition("/")[2]

    def _listed(self, shapes: Any) -> list[TensorShape]:
        """Return one shape, or a list of them, as a list. Raises ValueError where one has no elements."""
        given = [shapes] if isinstance(shapes, TensorShape) else list(shapes)
        if all(shape is None or isinstance(shape, int) for shape in given):
            given = [given]
        found = [TensorShape(shape) for shape in given]
        if not all(shape.is_fully_defined() for shape in found):
            raise ValueError(f"All shapes must be fully defined: {given}")
        for position, shape in enumerate(found):
            if shape.num_elements() == 0:
                raise ValueError(f"Empty tensors are not supported, but received shape '{shape}' at index {position}")
        if len(found) != len(self._types):
            raise ValueError(f"shapes must have as many parts as types, got {len(found)} and {len(self._types)}")
        return found

    @property
    def barrier_ref(self) -> Tensor:
        """The tensor that stands for the barrier."""
        return self._barrier_ref

    @property
    def name(self) -> str:
        """The name of the operation that makes it."""
        return self._barrier_ref.op.name

    def insert_many(self, component_index: int, keys: Any, values: Any, name: str | None = None) -> Operation:
        """Return the operation that gives the elements of ``keys`` the rows of ``values`` as one of their components.

        Raises in a run InvalidArgumentError for elements that have it, CancelledError for new ones where the barrier
        is closed.
        """
        rows, texts = convert(values, self._types[component_index]), convert(keys, "string")
        if None not in (texts._shape, rows._shape) and not compatible(texts._shape, (rows._shape or ())[:1]):
            raise ValueError(f"insert_many: keys {texts!r} must be as many as the rows of values {rows!r}")
        function = functools.partial(inserted, position=component_index)
        return self._operation("BarrierInsertMany", function, [texts, rows], name)

    def take_many(
        self, num_elements: Any, allow_small_batch: bool = False, timeout: Any = None, name: str | None = None
    ) -> BarrierTakeMany:
        """Return the indices, keys and components of elements that are complete; a run waits for them.

        They come in the order in which they were begun: the index is the number of the insertion that did, from -2**63.

        Args:
            allow_small_batch: fewer elements will do once the barrier is closed.
            timeout: TensorFlow has no use for it either; NotImplementedError for anything but None.

        Raises in a run OutOfRangeError where the barrier is closed and has fewer.
        """
        if timeout is not None:
            raise NotImplementedError("Barrier.take_many: timeout is not supported, as in TensorFlow's kernel")
        count = convert(num_elements, "int32")
        known = None if allow_small_batch else constant_value(count)
        rows = None if known is None else int(known)
        shapes = [(rows,), (rows,), *(None if s.sizes is None else (rows, *s.sizes) for s in self._shapes)]
        types = ["int64", "string", *self._types]
        found = call(
            "BarrierTakeMany",
            functools.partial(taken, small=bool(allow_small_batch)),
            (self._barrier_ref, count),
            name=name or f"{self._name}_BarrierTakeMany",
            shape=lambda *_: shapes,
            dtype=types,
            outputs=len(types),
            **_OPTIONS,
        )
        return BarrierTakeMany(found[0], found[1], list(found[2:]))

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation:
        """Return the operation after which no new elements begin; if so asked, those begun are thrown away."""
        return self._operation("BarrierClose", functools.partial(close, cancel=bool(cancel_pending_enqueues)), [], name)

    def ready_size(self, name: str | None = None) -> Tensor:
        """Return the tensor that tells how many elements have all their components."""
        return self._asked("BarrierReadySize", ready_size, name)

    def incomplete_size(self, name: str | None = None) -> Tensor:
        """Return the tensor that tells how many elements have some of their components."""
        return self._asked("BarrierIncompleteSize", incomplete_size, name)

    def _asked(self, op_type: str, question: Callable[..., Any], name: str | None) -> Tensor:
        called = name or f"{self._name}_{op_type}"
        number: Tensor = call(op_type, question, (self._barrier_ref,), name=called, shape=(), dtype="int32", **_OPTIONS)
        return number

    def _operation(self, op_type: str, function: Any, inputs: list[Tensor], name: str | None) -> Operation:
        graph = self._barrier_ref.graph
        with graph.as_default():
            full = graph._operation_name(name or f"{self._name}_{op_type}", op_type)
            given = [self._barrier_ref, *inputs]
            return Operation(graph, op_type, full, function, given, (), True, differentiable=False)
