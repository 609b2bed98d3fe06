"""``StagingArea``: where runs put tensors that later runs get, to have them ready; what all kinds of it share."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from ..graph.build import convert
from ..graph.dtypes import DType, as_dtype
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor
from ..graph.scopes import colocate_with, name_scope
from ..graph.shapes import Shape, TensorShape
from .array_ops import identity
from .control_flow_ops import no_op
from .staging_runs import Area, Get, Peek, Put, clear, size

__all__ = ["BaseStagingArea", "StagingArea", "staging_operation"]


def staging_operation(
    op_type: str,
    full: str,
    function: Callable[..., Any],
    inputs: list[Tensor],
    results: list[tuple[DType, Shape]],
    dtypes: list[DType],
    shared_name: str,
    limits: dict[str, int],
) -> Operation:
    """Return an operation of a staging area. Raises ValueError for a negative ``capacity`` or ``memory_limit``."""
    graph = get_default_graph()
    for what, limit in limits.items():
        if limit < 0:
            raise ValueError(f"Attr '{what}' of '{op_type}' Op passed {limit} less than minimum 0.")
    told = {"dtypes": dtypes, "container": graph._container.encode(), **limits, "shared_name": shared_name.encode()}
    return Operation(graph, op_type, full, function, inputs, results, True, differentiable=False, attributes=told)


class BaseStagingArea:
    """What staging areas share: the types, shapes and names of what they hold, and how much that may be."""

    _kind = "StagingArea"  # by which areas without a name are called

    def __init__(
        self,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        capacity: int = 0,
        memory_limit: int = 0,
    ) -> None:
        if executing_eagerly():
            raise RuntimeError("Staging areas belong to graphs; in eager mode pass tensors to functions instead.")
        graph = get_default_graph()
        self._name = shared_name if shared_name is not None else graph.unique_name(self._kind)
        self._dtypes = [as_dtype(each) for each in dtypes]
        if shapes is not None and len(shapes) != len(self._dtypes):
            raise ValueError("StagingArea shapes must be the same length as dtypes")
        if names and len(names) != len(self._dtypes):
            raise ValueError("StagingArea names must be the same length as dtypes")
        self._shapes = [TensorShape(shape) for shape in shapes or [None] * len(self._dtypes)]
        self._names = names or None
        self._capacity, self._memory_limit = capacity, memory_limit
        with name_scope(f"{self._name}_root"):
            self._near = no_op()

    @property
    def name(self) -> str:
        """The name, under which other areas of the session are the same."""
        return self._name

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

    @property
    def capacity(self) -> int:
        """How many elements there may be, 0 for any number."""
        return self._capacity

    @property
    def memory_limit(self) -> int:
        """How many bytes they may have, 0 for any number."""
        return self._memory_limit

    def _here(self, tensors: list[Tensor]) -> list[Tensor]:
        """Return tensors that come out of the area at the device where they are asked for."""
        return [identity(tensor) for tensor in tensors] if no_op().device != self._near.device else tensors

    def _component(self, value: Any, k: int) -> Tensor:
        dtype, found = self._dtypes[k], getattr(value, "dtype", None)
        if found is not None and found != dtype:
            raise ValueError(f"Datatypes do not match. '{as_dtype(found)}' != '{dtype}'")
        tensor: Tensor = convert(value, dtype, f"component_{k}")
        tensor.get_shape().assert_is_compatible_with(self._shapes[k])
        return tensor

    def _named(self, values: dict[str, Any]) -> list[int]:
        """Return the positions of the components that a dict has."""
        if not self._names:
            raise ValueError("Staging areas must have names to enqueue a dictionary")
        if not set(values) <= set(self._names):
            keys = f"Dictionary: ({sorted(values)}), Queue: ({sorted(self._names)})"
            raise ValueError(f"Keys in dictionary to put do not match names of staging area. {keys}")
        return [k for k, key in enumerate(self._names) if key in values]

    def _operation(
        self,
        op_type: str,
        function: Callable[..., Any],
        inputs: list[Tensor],
        results: list[tuple[DType, Shape]],
        name: str,
        dtypes: list[DType] | None = None,
        near: bool = True,
    ) -> Operation:
        limits = {"capacity": self._capacity, "memory_limit": self._memory_limit}
        with colocate_with(self._near) if near else nullcontext():
            full = get_default_graph()._operation_name(name, op_type)
            return staging_operation(
                op_type, full, function, inputs, results, dtypes or self._dtypes, self._name, limits
            )


class StagingArea(BaseStagingArea):
    """A place in a session where runs put elements of one or more tensors, which others get in the same order.

    Args:
        dtypes: the types of an element's components.
        shapes: their shapes; None where any will do.
        names: their names, where elements are dicts.
        shared_name: areas of one session with the same name are one.
        capacity: how many elements there may be, 0 for any number; a run that puts in more waits.
        memory_limit: how many bytes they may have, 0 for any number.

    Raises ValueError where there are not as many shapes, or names, as types; RuntimeError in eager mode.
    Source: ``tf.contrib.staging.StagingArea``.
    """

    @property
    def _area(self) -> Area:
        return Area(self._name, self._capacity, self._memory_limit)

    def put(self, values: Any, name: str | None = None) -> Operation:
        """Return the operation that puts one element in; it waits while there is no room.

        Args:
            values: a tensor, a list of them, or a dict where the area has names.

        Raises ValueError for other types, shapes or names; in a run ResourceExhaustedError for more bytes than may be.
        """
        with name_scope(name, f"{self._name}_put") as scope:
            tensors = self._converted(values)
            return self._operation("Stage", Put(self._area), tensors, [], scope, [tensor.dtype for tensor in tensors])

    def get(self, name: str | None = None) -> Any:
        """Return the components of the element that was put in first, a list or a dict: a run waits for it."""
        return self._element("Unstage", Get(self._area, len(self._dtypes)), [], name or f"{self._name}_get")

    def peek(self, index: Any, name: str | None = None) -> Any:
        """Return the components of the element with number ``index``, which stays: a run waits for it."""
        name = name or f"{self._name}_peek"
        at = convert(index, "int32", f"{name}/index")
        return self._element("StagePeek", Peek(self._area, len(self._dtypes)), [at], name)

    def size(self, name: str | None = None) -> Tensor:
        """Return the tensor that tells how many elements there are."""
        whole: list[tuple[DType, Shape]] = [(as_dtype("int32"), ())]
        name = name or f"{self._name}_size"
        return self._operation("StageSize", self._area.asked(size), [], whole, name, near=False).outputs[0]

    def clear(self, name: str | None = None) -> Operation:
        """Return the operation that throws all elements away."""
        return self._operation("StageClear", self._area.asked(clear), [], [], name or f"{self._name}_clear", near=False)

    def _converted(self, values: Any) -> list[Tensor]:
        places = list(range(len(self._dtypes)))
        if isinstance(values, dict):
            places = self._named(values)
            values = [values[(self._names or ())[k]] for k in places]
        elif self._names:
            raise ValueError("You must enqueue a dictionary in a staging area with names")
        elif not isinstance(values, (list, tuple)):
            values = [values]
        if len(values) > len(places):
            raise ValueError(f"Unexpected number of inputs '{len(values)}' vs '{len(places)}'")
        if not values:
            raise ValueError("Attr 'dtypes' of 'Stage' Op passed list of length 0 less than minimum 1.")
        return [self._component(value, k) for value, k in zip(values, places, strict=False)]

    def _element(self, op_type: str, function: Any, inputs: list[Tensor], name: str) -> Any:
        results = [(dtype, shape.sizes) for dtype, shape in zip(self._dtypes, self._shapes, strict=True)]
        tensors = self._here(list(self._operation(op_type, function, inputs, results, name).outputs))
        return dict(zip(self._names, tensors, strict=True)) if self._names else tensors
