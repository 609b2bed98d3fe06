"""What operations hold, as plain values that JSON can have: numbers, arrays, types, nodes, functions by name.

Each object is written once; where it comes again, its number is written.
"""

from __future__ import annotations

import base64
import functools
import math
from collections.abc import Mapping
from types import BuiltinFunctionType, CellType, FunctionType
from typing import Any

import numpy as np

import steepest

from ...ops.indexed_slices import IndexedSlices
from ...optim.optimizer import Optimizer
from ..graph.branches import Branch
from ..graph.dtypes import TYPES, DType
from ..graph.graph import Graph
from ..graph.node import Operation, Tensor
from ..graph.shapes import Dimension, TensorShape
from .graph_functions import NotForFilesError, class_of, class_path, function_of, function_path, named, path_of
from .update_op import _Update
from .variables import Variable

__all__ = ["Reading", "Writing"]

_HELD_BY_OPTIMIZERS = ("_slot_table", "_native", "_updater", "_cache", "_hooks", "_kept")


class Writing:
    """Values to JSON: ``encode(value)``; NotForFilesError for what cannot be in a file."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._kept: list[Any] = []  # so that no identity is used again meanwhile

    def _seen(self, value: Any) -> tuple[int, bool]:
        known = id(value) in self._numbers
        self._kept.append(value)
        return self._numbers.setdefault(id(value), len(self._numbers)), known

    def mark(self) -> int:
        """Return how many objects are written, for `take_back`."""
        return len(self._numbers)

    def take_back(self, mark: int) -> None:
        """Forget the objects that were written since: what holds them is not in the file."""
        while len(self._numbers) > mark:
            self._numbers.popitem()

    def encode(self, value: Any) -> Any:
        """Return a value as JSON has it: itself, a list, or a dict of one entry that says what it is."""
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if type(value) is list:
            return [self.encode(item) for item in value]
        for kind, write in _KINDS:
            if isinstance(value, kind):
                return write(self, value)
        if (path := path_of(value)) is not None:
            return {"named": path}
        return self._object(value)

    def items(self, values: Any) -> list[Any]:
        """Return several values as JSON has them."""
        return [self.encode(value) for value in values]

    def _function(self, function: FunctionType) -> Any:
        if (name := path_of(function)) is not None:
            return {"named": name}
        number, known = self._seen(function)
        if known:
            return {"again": number}
        path = function_path(function)
        cells = self.items(cell.cell_contents for cell in function.__closure__ or ())
        made = [self.encode(function.__defaults__), self.encode(function.__kwdefaults__)] if path[2] else [None, None]
        return {"function": [number, *path, cells, *made]}

    def _object(self, value: Any) -> Any:
        number, known = self._seen(value)
        if known:
            return {"again": number}
        if isinstance(value, Optimizer):
            return {"optimizer": [number, *self._optimizer(value)]}
        module, name = class_path(type(value))
        return {"object": [number, module, name, self.encode(dict(getattr(value, "__dict__", {})))]}

    def _optimizer(self, optimizer: Optimizer) -> list[Any]:
        kind = type(optimizer)
        if getattr(steepest, kind.__name__, None) is not kind:
            raise NotForFilesError(f"an optimizer of the class {kind.__name__} cannot be in a file")
        if optimizer._hooks:
            raise NotForFilesError("an optimizer with hooks cannot be in a file")
        plain = {name: value for name, value in vars(optimizer).items() if name not in _HELD_BY_OPTIMIZERS}
        return [kind.__name__, self.encode(plain)]

    def _update(self, update: _Update) -> Any:
        slots = [[name, position, op.name] for name, position, op in update.slot_operations()]
        names = [variable.op.name for variable in update.variables]
        settings = [update.sparse, update.hyper, update.finish, update.applies]
        return {"update": [self.encode(update.optimizer), names, slots, *settings]}

    def _variable(self, value: Variable) -> Any:
        if type(value) is not Variable:
            raise NotForFilesError(f"a variable of the class {type(value).__name__} cannot be in a file")
        return {"variable": value.op.name}


def _array(_: Writing, value: Any) -> Any:
    array = np.asarray(value)
    if array.dtype.kind == "O":
        texts = [item.encode() if isinstance(item, str) else item for item in array.ravel().tolist()]
        if not all(isinstance(item, bytes) for item in texts):
            raise NotForFilesError("an array of objects cannot be in a file")
        return {"texts": [list(array.shape), [base64.b64encode(item).decode() for item in texts]]}
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {"array": [array.dtype.str, list(array.shape), isinstance(value, np.generic), data]}


_KINDS: tuple[tuple[Any, Any], ...] = (
    (tuple, lambda own, value: {"tuple": own.items(value)}),
    (dict, lambda own, value: {"dict": [own.items(pair) for pair in value.items()]}),
    (frozenset, lambda own, value: {"frozenset": sorted(own.items(value), key=str)}),
    (set, lambda own, value: {"set": sorted(own.items(value), key=str)}),
    (bytes, lambda own, value: {"bytes": base64.b64encode(value).decode()}),
    (slice, lambda own, value: {"slice": own.items((value.start, value.stop, value.step))}),
    (range, lambda own, value: {"range": own.items((value.start, value.stop, value.step))}),
    (type(Ellipsis), lambda own, value: {"ellipsis": True}),
    ((np.ndarray, np.generic), _array),
    (np.dtype, lambda own, value: {"dtype": value.str}),
    (DType, lambda own, value: {"type": value.name}),
    (TensorShape, lambda own, value: {"shape": None if value.dims is None else value.as_list()}),
    (Dimension, lambda own, value: {"dimension": value.value}),
    (Tensor, lambda own, value: {"tensor": [value.op.name, value.value_index]}),
    (Operation, lambda own, value: {"operation": value.name}),
    (Variable, lambda own, value: own._variable(value)),
    (IndexedSlices, lambda own, value: {"slices": own.items((value.values, value.indices, value.dense_shape))}),
    (Graph, lambda own, value: {"graph": True}),
    (_Update, lambda own, value: own._update(value)),
    (functools.partial, lambda own, value: {"partial": own.items((value.func, list(value.args), value.keywords))}),
    (FunctionType, lambda own, value: own._function(value)),
    (BuiltinFunctionType, lambda own, value: own._function(value)),
)


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
        found = self._instead.get((name, position))
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
