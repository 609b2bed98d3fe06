"""What ``Session.run`` is asked for: nests of nodes and names, and the same nests with values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...ops.indexed_slices import IndexedSlices
from ...ops.symbolic import Symbolic
from .graph import Graph
from .mappings import maker_of
from .node import Operation, Tensor
from .run_conversions import conversion_for
from .tensor_kind import Tensor as Result

__all__ = ["Fetches", "IndexedSlicesValue", "SparseTensorValue", "fetches_of"]


class IndexedSlicesValue(NamedTuple):
    """The value of `IndexedSlices` after a run."""

    values: Any
    indices: Any
    dense_shape: Any


class SparseTensorValue(NamedTuple):
    """The value of a ``SparseTensor`` after a run, or for ``feed_dict``."""

    indices: Any
    values: Any
    dense_shape: Any


class Fetches:
    """The nodes in a nest of fetches, each once, and how their values are put back into the nest."""

    def __init__(self, graph: Graph, fetches: Any) -> None:
        self.targets: list[Tensor | Operation] = []
        self._graph = graph
        self._positions: dict[Any, int] = {}
        self._structure: Any = self._structure_of(fetches)

    def _structure_of(self, fetch: Any) -> Any:
        fetch_type = type(fetch)
        if (fetch_type is Result or fetch_type is Operation) and fetch.op.graph is self._graph:
            return self._position(fetch)
        if fetch is None:
            raise TypeError(f'Argument `fetch` = {fetch} has invalid type "{fetch_type.__name__}". Cannot be None')
        if isinstance(fetch, (list, tuple)):
            items = [self._structure_of(item) for item in fetch]
            if hasattr(fetch, "_fields"):  # a named tuple
                return fetch_type(*items)
            return tuple(items) if isinstance(fetch, tuple) else items
        if isinstance(fetch, dict):
            return _Mapping(maker_of(fetch), {key: self._structure_of(item) for key, item in fetch.items()})
        if isinstance(fetch, IndexedSlices):
            shape = fetch.dense_shape
            known = shape is None or isinstance(shape, tuple)
            parts = [self._part(fetch.values), self._part(fetch.indices)]
            return _Slices(parts, _Known(shape) if known else self._structure_of(shape))
        if (conversion := conversion_for(fetch)) is not None:
            parts, put_together = conversion.fetch(fetch)
            return _Converted([self._structure_of(part) for part in parts], put_together)
        if hasattr(fetch_type, "__attrs_attrs__"):
            fields = [field.name for field in fetch_type.__attrs_attrs__]
            values = [self._structure_of(getattr(fetch, name)) for name in fields]
            return _Converted(values, lambda found: fetch_type(*found))
        if hasattr(fetch, "_sparse_parts"):
            return SparseTensorValue(*(self._structure_of(part) for part in fetch._sparse_parts))
        return self._position(self._element(fetch))

    def _part(self, part: Any) -> Any:
        return self._structure_of(part) if isinstance(part, Symbolic) else _Known(np.asarray(part))

    def _element(self, fetch: Any) -> Any:
        try:
            return self._graph.as_graph_element(fetch)
        except TypeError as error:
            raise TypeError(
                f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}, must be a string or Tensor. ({error})"
            ) from None
        except (ValueError, KeyError) as error:
            message = error.args[0] if error.args else error
            raise ValueError(f"Fetch argument {fetch!r} cannot be interpreted as a Tensor. ({message})") from None

    def _position(self, element: Any) -> int:
        if self._graph._unfetchable and not self._graph.is_fetchable(element):
            raise ValueError(f"Operation {element.op.name} has been marked as not fetchable.")
        position = self._positions.setdefault(element, len(self.targets))
        if position == len(self.targets):
            self.targets.append(element)
        return position

    def structured(self, values: list[Any]) -> Any:
        """Return the values in the structure of the fetches."""
        return _structured(self._structure, values)


def fetches_of(graph: Graph, fetches: Any, known: dict[Any, Fetches]) -> Fetches:
    """Return the `Fetches` of what is asked for; those of a list or tuple of nodes are kept in ``known``."""
    if type(fetches) not in (list, tuple):
        return Fetches(graph, fetches)
    key = (type(fetches), len(graph._unfetchable), *fetches)
    try:
        found = known.get(key)
    except TypeError:  # a nest of nests
        return Fetches(graph, fetches)
    if found is None:
        found = Fetches(graph, fetches)
        if all(type(fetch) in (Tensor, Operation) for fetch in fetches):
            known[key] = found
    return found


class _Known:
    """A part that is known without a run."""

    def __init__(self, value: Any) -> None:
        self.value = value


class _Mapping:
    """The places of a dict, or of another mapping."""

    def __init__(self, make: Callable[..., Any], items: dict[Any, Any]) -> None:
        self.make = make
        self.items = items


class _Converted:
    """The places of what is fetched for an object, and how they become one."""

    def __init__(self, parts: list[Any], put_together: Any) -> None:
        self.parts = parts
        self.put_together = put_together


class _Slices:
    """The places of an `IndexedSlices`."""

    def __init__(self, parts: list[Any], shape: Any) -> None:
        self.parts = parts
        self.shape = shape


def _structured(structure: Any, values: list[Any]) -> Any:
    if type(structure) is int:
        return values[structure]
    if isinstance(structure, list):
        return [_structured(item, values) for item in structure]
    if isinstance(structure, tuple):
        items = [_structured(item, values) for item in structure]
        return type(structure)(*items) if hasattr(structure, "_fields") else tuple(items)
    if isinstance(structure, _Mapping):
        return structure.make((key, _structured(item, values)) for key, item in structure.items.items())
    if isinstance(structure, _Converted):
        return structure.put_together([_structured(part, values) for part in structure.parts])
    if isinstance(structure, _Slices):
        first, second = (_structured(part, values) for part in structure.parts)
        return IndexedSlicesValue(first, second, _structured(structure.shape, values))
    return structure.value
