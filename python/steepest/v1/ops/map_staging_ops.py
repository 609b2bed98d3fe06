"""``MapStagingArea``: a staging area whose elements have keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..graph.build import convert
from ..graph.dtypes import DType, as_dtype
from ..graph.node import Operation, Tensor
from ..graph.scopes import name_scope
from ..graph.shapes import Shape
from .map_staging_runs import Get, GetAny, MapArea, Peek, Put, clear, incomplete_size, size
from .staging_ops import BaseStagingArea

__all__ = ["MapStagingArea"]


class MapStagingArea(BaseStagingArea):
    """A place in a session where runs put elements of one or more tensors under a key, by which others get them.

    The components of an element may be put in, and taken out, one after the other; whoever asks for a key waits until
    it has all of them.

    Args as of `StagingArea`, and
        ordered: who asks for any key gets the least one; else the one that was put in first.

    Source: ``data_flow_ops.MapStagingArea``.
    """

    _kind = "MapStagingArea"

    def __init__(
        self,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        ordered: bool = False,
        capacity: int = 0,
        memory_limit: int = 0,
    ) -> None:
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)
        self._ordered = ordered
        self._area = MapArea(self._name, len(self._dtypes), ordered, capacity, memory_limit)

    def put(self, key: Any, vals: Any, indices: Any = None, name: str | None = None) -> Operation:
        """Return the operation that puts components of a key in; it waits while there is no room.

        Args:
            key: an int64.
            vals: a list of tensors, or a dict where the area has names: it may have some of them.
            indices: which components a list has.

        Raises ValueError for other types, shapes or names; in a run InvalidArgumentError for a component that is
            there already, ResourceExhaustedError for more bytes than may be.
        """
        with name_scope(name, f"{self._name}_put") as scope:
            tensors, places = self._converted(vals, indices)
            inputs = [convert(key, "int64"), convert(places, "int32"), *tensors]
            return self._operation(self._type("Stage"), Put(self._area), inputs, [], scope)

    def get(self, key: Any = None, indices: Any = None, name: str | None = None) -> Any:
        """Return the key, and its components in a list or a dict, and take them out: a run waits for them.

        ``indices``: positions or names of the components; by default all. Without ``key`` any that is there.

        Raises in a run InvalidArgumentError for components that were taken before.
        """
        if key is None:
            return self._any(indices, name or f"{self._name}_get_nokey")
        return key, self._components("Unstage", Get(self._area), key, indices, name or f"{self._name}_get")

    def peek(self, key: Any, indices: Any = None, name: str | None = None) -> Any:
        """Return components of a key, which stay: a run waits for them."""
        return self._components("Peek", Peek(self._area), key, indices, name or f"{self._name}_pop")

    def size(self, name: str | None = None) -> Tensor:
        """Return the tensor that tells how many keys have all their components."""
        return self._number("Size", size, name or f"{self._name}_size")

    def incomplete_size(self, name: str | None = None) -> Tensor:
        """Return the tensor that tells how many keys have some of their components."""
        return self._number("IncompleteSize", incomplete_size, name or f"{self._name}_incomplete_size")

    def clear(self, name: str | None = None) -> Operation:
        """Return the operation that throws all away."""
        name = name or f"{self._name}_clear"
        return self._operation(self._type("Clear"), self._area.asked(clear), [], [], name, near=False)

    def _type(self, what: str) -> str:
        return f"{'Ordered' * bool(self._ordered)}Map{what}"

    def _number(self, what: str, question: Any, name: str) -> Tensor:
        whole: list[tuple[DType, Shape]] = [(as_dtype("int32"), ())]
        return self._operation(self._type(what), self._area.asked(question), [], whole, name, near=False).outputs[0]

    def _components(self, what: str, function: Any, key: Any, indices: Any, name: str) -> Any:
        places = self._places(indices)
        inputs = [convert(key, "int64"), convert(places, "int32")]
        return self._together(places, self._operation(self._type(what), function, inputs, self._of(places), name))

    def _any(self, indices: Any, name: str) -> Any:
        places = self._places(indices)
        results = [(as_dtype("int64"), None), *self._of(places)]
        inputs = [convert(places, "int32")]
        made = self._operation(self._type("UnstageNoKey"), GetAny(self._area), inputs, results, name)
        return self._here(made.outputs[:1])[0], self._together(places, made, 1)

    def _of(self, places: Sequence[int]) -> list[tuple[DType, Shape]]:
        return [(self._dtypes[place], self._shapes[place].sizes) for place in places]

    def _together(self, places: Sequence[int], made: Operation, skipped: int = 0) -> Any:
        tensors = self._here(made.outputs[skipped:])
        if self._names is None:
            return tensors
        return {self._names[place]: tensor for place, tensor in zip(places, tensors, strict=True)}

    def _places(self, indices: Any) -> list[int]:
        """Return the positions of components that are asked for by positions or names."""
        if indices is None:
            return list(range(len(self._dtypes)))
        if not isinstance(indices, (list, tuple)):
            raise TypeError(f"Invalid indices type '{type(indices)}'")
        if not indices:
            raise ValueError("Empty indices")
        if all(isinstance(each, str) for each in indices):
            names = self._names
            if names is None:
                raise ValueError(
                    f"String indices provided '{indices}', but this Staging Area was not created with names."
                )
            unknown = [each for each in indices if each not in names]
            if unknown:
                raise ValueError(f"Named index '{unknown[0]}' not in Staging Area names '{names}'")
            return [names.index(each) for each in indices]
        if not all(isinstance(each, int) for each in indices):
            raise TypeError(f"Mixed types in indices '{indices}'. May only be str or int")
        return list(indices)

    def _converted(self, vals: Any, indices: Any) -> tuple[list[Tensor], list[int]]:
        if isinstance(vals, dict):
            indices = self._named(vals)
            vals = [vals[(self._names or ())[place]] for place in indices]
        elif self._names:
            raise ValueError("You must enqueue a dictionary in a staging area with names")
        elif indices is None:
            raise ValueError("Indices must be supplied when inserting a list of tensors")
        elif len(indices) != len(vals):
            raise ValueError(f"Number of indices '{len(indices)}' doesn't match number of values '{len(vals)}'")
        if len(vals) > len(self._dtypes):
            raise ValueError(f"Unexpected number of inputs '{len(vals)}' vs '{len(self._dtypes)}'")
        return [self._component(value, k) for value, k in zip(vals, indices, strict=True)], list(indices)
