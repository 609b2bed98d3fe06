"""Operations of staging areas under the names, and with the arguments, of the generated ``gen_data_flow_ops``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple

from ..graph.build import convert
from ..graph.dtypes import as_dtype
from ..graph.graph import get_default_graph
from ..graph.node import Operation
from ..graph.scopes import container as in_container
from ..graph.shapes import Shape
from ..ops import map_staging_runs as keyed
from ..ops import staging_runs as plain
from ..ops.staging_ops import staging_operation

__all__ = [
    "map_clear",
    "map_incomplete_size",
    "map_peek",
    "map_size",
    "map_stage",
    "map_unstage",
    "map_unstage_no_key",
    "ordered_map_clear",
    "ordered_map_incomplete_size",
    "ordered_map_peek",
    "ordered_map_size",
    "ordered_map_stage",
    "ordered_map_unstage",
    "ordered_map_unstage_no_key",
    "stage",
    "stage_clear",
    "stage_peek",
    "stage_size",
    "unstage",
]


class MapUnstageNoKey(NamedTuple):
    """A key that was there, and its components."""

    key: Any
    values: Any


class _Area:
    """The staging area that operations of one name share; one without a name is that of its operation alone."""

    def __init__(
        self, dtypes: Any, capacity: int = 0, memory_limit: int = 0, container: str = "", shared_name: str = ""
    ) -> None:
        self.dtypes = [as_dtype(each).base_dtype for each in dtypes]
        self._limits = {"capacity": capacity, "memory_limit": memory_limit}
        self._container, self._shared_name = container, shared_name

    def operation(
        self, op_type: str, made: Callable[..., Any], inputs: list[Any], results: Sequence[Any], name: str | None
    ) -> Operation:
        """Return an operation; ``made(name, capacity, memory_limit)`` is what it does to the area."""
        with in_container(self._container) if self._container else nullcontext():
            full = get_default_graph()._operation_name(name or op_type, op_type)
            does = made(self._shared_name or full, *self._limits.values())
            shape: Shape = () if op_type.endswith("Size") else None
            found = [(as_dtype(each), shape) for each in results]
            return staging_operation(op_type, full, does, inputs, found, self.dtypes, self._shared_name, self._limits)


def stage(values: Sequence[Any], *limits: Any, name: str | None = None, **named: Any) -> Operation:
    """Return the operation that puts one element in, of which ``values`` are the components."""
    tensors = [convert(value) for value in values]
    area = _Area([tensor.dtype for tensor in tensors], *limits, **named)
    return area.operation("Stage", lambda *told: plain.Put(plain.Area(*told)), tensors, (), name)


def unstage(dtypes: Any, *limits: Any, name: str | None = None, **named: Any) -> list[Any]:
    """Return the components of the element that was put in first."""
    area = _Area(dtypes, *limits, **named)
    count = len(area.dtypes)
    return list(
        area.operation("Unstage", lambda *told: plain.Get(plain.Area(*told), count), [], area.dtypes, name).outputs
    )


def stage_peek(index: Any, dtypes: Any, *limits: Any, name: str | None = None, **named: Any) -> list[Any]:
    """Return the components of an element, which stays."""
    area, at = _Area(dtypes, *limits, **named), convert(index, "int32")
    count = len(area.dtypes)
    made = area.operation("StagePeek", lambda *told: plain.Peek(plain.Area(*told), count), [at], area.dtypes, name)
    return list(made.outputs)


def stage_size(dtypes: Any, *limits: Any, name: str | None = None, **named: Any) -> Any:
    """Return how many elements there are."""
    area = _Area(dtypes, *limits, **named)
    return area.operation("StageSize", lambda *told: plain.Area(*told).asked(plain.size), [], ["int32"], name).outputs[
        0
    ]


def stage_clear(dtypes: Any, *limits: Any, name: str | None = None, **named: Any) -> Operation:
    """Return the operation that throws all elements away."""
    area = _Area(dtypes, *limits, **named)
    return area.operation("StageClear", lambda *told: plain.Area(*told).asked(plain.clear), [], [], name)


class _Keyed:
    """The operations of areas whose elements have keys; those of ``ordered`` ones give the least key first."""

    def __init__(self, ordered: bool) -> None:
        self._ordered, self._prefix = ordered, "OrderedMap" if ordered else "Map"

    def _operation(
        self, what: str, does: Callable[..., Any], inputs: list[Any], results: Any, name: str | None, area: _Area
    ) -> Operation:
        def made(shared_name: str, *limits: int) -> Any:
            return does(keyed.MapArea(shared_name, len(area.dtypes), self._ordered, *limits))

        return area.operation(self._prefix + what, made, inputs, results, name)

    def stage(
        self,
        key: Any,
        indices: Any,
        values: Sequence[Any],
        dtypes: Any,
        *limits: Any,
        name: str | None = None,
        **named: Any,
    ) -> Operation:
        """Return the operation that puts components of a key in."""
        inputs = [convert(key, "int64"), convert(indices, "int32"), *map(convert, values)]
        return self._operation("Stage", keyed.Put, inputs, (), name, _Area(dtypes, *limits, **named))

    def peek(
        self, key: Any, indices: Any, dtypes: Any, *limits: Any, name: str | None = None, **named: Any
    ) -> list[Any]:
        """Return components of a key, which stay."""
        inputs, area = [convert(key, "int64"), convert(indices, "int32")], _Area(dtypes, *limits, **named)
        return list(self._operation("Peek", keyed.Peek, inputs, area.dtypes, name, area).outputs)

    def unstage(
        self, key: Any, indices: Any, dtypes: Any, *limits: Any, name: str | None = None, **named: Any
    ) -> list[Any]:
        """Return components of a key, and take them out."""
        inputs, area = [convert(key, "int64"), convert(indices, "int32")], _Area(dtypes, *limits, **named)
        return list(self._operation("Unstage", keyed.Get, inputs, area.dtypes, name, area).outputs)

    def unstage_no_key(
        self, indices: Any, dtypes: Any, *limits: Any, name: str | None = None, **named: Any
    ) -> MapUnstageNoKey:
        """Return a key that is there, and components of it, and take them out."""
        area, inputs = _Area(dtypes, *limits, **named), [convert(indices, "int32")]
        made = self._operation("UnstageNoKey", keyed.GetAny, inputs, ["int64", *area.dtypes], name, area)
        return MapUnstageNoKey(made.outputs[0], list(made.outputs[1:]))

    def size(self, dtypes: Any, *limits: Any, name: str | None = None, **named: Any) -> Any:
        """Return how many keys have all their components."""
        area = _Area(dtypes, *limits, **named)
        return self._operation("Size", lambda at: at.asked(keyed.size), [], ["int32"], name, area).outputs[0]

    def incomplete_size(self, dtypes: Any, *limits: Any, name: str | None = None, **named: Any) -> Any:
        """Return how many keys have some of their components."""
        area = _Area(dtypes, *limits, **named)
        made = self._operation("IncompleteSize", lambda at: at.asked(keyed.incomplete_size), [], ["int32"], name, area)
        return made.outputs[0]

    def clear(self, dtypes: Any, *limits: Any, name: str | None = None, **named: Any) -> Operation:
        """Return the operation that throws all away."""
        area = _Area(dtypes, *limits, **named)
        return self._operation("Clear", lambda at: at.asked(keyed.clear), [], [], name, area)


_map, _ordered_map = _Keyed(False), _Keyed(True)
map_stage, ordered_map_stage = _map.stage, _ordered_map.stage
map_peek, ordered_map_peek = _map.peek, _ordered_map.peek
map_unstage, ordered_map_unstage = _map.unstage, _ordered_map.unstage
map_unstage_no_key, ordered_map_unstage_no_key = _map.unstage_no_key, _ordered_map.unstage_no_key
map_size, ordered_map_size = _map.size, _ordered_map.size
map_incomplete_size, ordered_map_incomplete_size = _map.incomplete_size, _ordered_map.incomplete_size
map_clear, ordered_map_clear = _map.clear, _ordered_map.clear
