"""What operations hold, as plain values that JSON can have: numbers, arrays, types, nodes, functions by name.

Each object is written once; where it comes again, its number is written. `graph_values_read` reads them.
"""

from __future__ import annotations

import base64
import functools
import math
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

import steepest

from ...ops.indexed_slices import IndexedSlices
from ...optim.optimizer import Optimizer
from ..functions.graph_functions import NotForFilesError, class_path, function_path, path_of
from ..graph.dtypes import DType
from ..graph.graph import Graph
from ..graph.node import Operation, Tensor
from ..graph.shapes import Dimension, TensorShape
from ..optim.update_op import _Update
from ..variables.variables import Variable

__all__ = ["Writing"]

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
        state = value.in_file() if hasattr(value, "in_file") else getattr(value, "__dict__", {})
        return {"object": [number, module, name, self.encode(dict(state))]}

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
