"""What `graph_values` has written, made again: arrays, nodes of the graph that is made, functions by their names."""

from __future__ import annotations

import base64
import functools
from collections.abc import Mapping
from types import CellType
from typing import Any

import numpy as np

import steepest

from ...ops.indexed_slices import IndexedSlices
from ...optim.optimizer import Optimizer
from ..functions.graph_functions import NotForFilesError, class_of, function_of, named
from ..graph.branches import Branch
from ..graph.dtypes import TYPES, DType
from ..graph.graph import Graph
from ..graph.node import Operation, Tensor
from ..graph.shapes import Dimension, TensorShape
from ..optim.update_op import _Update
from ..variables.variables import Variable

__all__ = ["Reading"]


class Reading:
    """JSON to values: ``decode(value)``; NotForFilesError for what a file must not hold.

    ``operations`` and ``variables`` are those of the file, by name, ``branches`` by number; ``instead``: the tensors
    that stand for some of the file.
    """

    def __init__(
        self,
        graph: Graph,
        operations: dict[str, Operation],
        variables: dict[str, Variable],
        instead: Mapping[tuple[str, int], Tensor] | None = None,
    ) -> None:
        self._graph, self._operations, self._variables = graph, operations, variables
        self._instead = instead or {}  # what stands for tensors of the file
        self.named = False  # whether tensors are meant that are in the file themselves, as collections mean them
        self.branches: list[Branch] = []
        self._objects: dict[int, Any] = {}

    def decode(self, value: Any) -> Any:
        """Return the value that `Writing.encode` was given."""
        if isinstance(value, list):
            return [self.decode(item) for item in value]
        if not isinstance(value, dict):
            return value
        ((kind, parts),) = value.items()
        read = getattr(self, f"_read_{kind}", None) if kind in _READ else None
        if read is None:
            raise NotForFilesError(f"a file of a graph has no {kind!r}")
        return read(parts)

    def _read_float(self, parts: str) -> float:
        return float(parts)

    def _read_tuple(self, parts: list[Any]) -> Any:
        return tuple(self.decode(parts))

    def _read_dict(self, parts: list[Any]) -> Any:
        return dict(self.decode(parts))

    def _read_set(self, parts: list[Any]) -> Any:
        return set(self.decode(parts))

    def _read_frozenset(self, parts: list[Any]) -> Any:
        return frozenset(self.decode(parts))

    def _read_bytes(self, parts: str) -> bytes:
        return base64.b64decode(parts)

    def _read_slice(self, parts: list[Any]) -> slice:
        return slice(*self.decode(parts))

    def _read_range(self, parts: list[Any]) -> range:
        return range(*self.decode(parts))

    def _read_ellipsis(self, _: Any) -> Any:
        return Ellipsis

    def _read_array(self, parts: list[Any]) -> Any:
        dtype, shape, scalar, data = parts
        array = np.frombuffer(base64.b64decode(data), np.dtype(dtype)).reshape(shape).copy()
        return array[()] if scalar else array

    def _read_texts(self, parts: list[Any]) -> Any:
        shape, texts = parts
        array = np.empty(len(texts), object)
        array[:] = [base64.b64decode(text) for text in texts]
        return array.reshape(shape)

    def _read_dtype(self, parts: str) -> Any:
        return np.dtype(parts)

    def _read_type(self, parts: str) -> DType:
        base = TYPES[parts.removesuffix("_ref")]
        return base.reference() if parts.endswith("_ref") else base

    def _read_shape(self, parts: Any) -> TensorShape:
        return TensorShape(parts)

    def _read_dimension(self, parts: Any) -> Dimension:
        return Dimension(parts)

    def tensor(self, name: str, position: int) -> Tensor:
        """Return what a tensor of the file has become."""
        found = None if self.named and name in self._operations else self._instead.get((name, position))
        tensor: Tensor = self._operations[name].outputs[position] if found is None else found
        return tensor

    def _read_tensor(self, parts: list[Any]) -> Tensor:
        return self.tensor(*parts)

    def _read_operation(self, parts: str) -> Operation:
        return self._operations[parts]

    def _read_variable(self, parts: str) -> Variable:
        return self._variables[parts]

    def _read_slices(self, parts: list[Any]) -> IndexedSlices:
        return IndexedSlices(*self.decode(parts))

    def _read_graph(self, _: Any) -> Graph:
        return self._graph

    def _read_branch(self, parts: int) -> Branch:
        return self.branches[parts]

    def _read_partial(self, parts: list[Any]) -> Any:
        function, args, keywords = self.decode(parts)
        return functools.partial(function, *args, **keywords)

    def _read_named(self, parts: str) -> Any:
        return named(parts)

    def _read_again(self, parts: int) -> Any:
        return self._objects[parts]

    def _read_function(self, parts: list[Any]) -> Any:
        number, module, top, way, checksum, given, defaults, by_name = parts
        cells = [CellType() for _ in given]
        function = function_of((module, top, way, checksum), cells, self.decode(defaults), self.decode(by_name))
        self._objects[number] = function  # before its cells: it may be in one of them
        for cell, content in zip(cells, given, strict=True):
            cell.cell_contents = self.decode(content)
        return function

    def _read_object(self, parts: list[Any]) -> Any:
        number, module, name, state = parts
        kind: Any = class_of(module, name)
        made = self._objects[number] = kind.__new__(kind)
        if state != {"dict": []}:
            vars(made).update(self.decode(state))
        return made

    def _read_optimizer(self, parts: list[Any]) -> Optimizer:
        number, name, plain = parts
        kind = getattr(steepest, name, None)
        if not (isinstance(kind, type) and issubclass(kind, Optimizer)):
            raise NotForFilesError(f"there is no optimizer {name}")
        made: Optimizer = kind.__new__(kind)
        self._objects[number] = made
        vars(made).update(self.decode(plain), _hooks=[])
        made._begin()
        return made

    def _read_update(self, parts: list[Any]) -> _Update:
        optimizer, names, slots, sparse, hyper, finish, applies = parts
        variables = [self._variables[name] for name in names]
        made = _Update(self.decode(optimizer), variables, sparse, hyper, finish, applies, self._graph)
        made.slot_ops = [(name, position, self._operations[variable]) for name, position, variable in slots]
        return made


_READ = frozenset(name.removeprefix("_read_") for name in vars(Reading) if name.startswith("_read_"))
