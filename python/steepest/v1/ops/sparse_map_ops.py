"""Sparse tensors that a session keeps from one run to later ones, each under a number."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.errors import InvalidArgumentError
from ..graph.graph import get_default_graph
from ..graph.node import Operation
from ..graph.run_values import array_of
from .sparse_array_ops import checked_sparse, parts_of, produced
from .sparse_ops import SparseTensor, convert_to_tensor

__all__ = ["add_many_sparse_to_tensors_map", "add_sparse_to_tensors_map", "take_many_sparse_from_tensors_map"]

_ADDING = ("AddSparseToTensorsMap", "AddManySparseToTensorsMap")


class _Kept:
    """What a session keeps under one name."""

    def __init__(self) -> None:
        self._numbers = count()
        self._kept: dict[int, Any] = {}

    def add(self, *parts: Any) -> int:
        number = next(self._numbers)
        self._kept[number] = parts
        return number

    def take(self, numbers: Sequence[int]) -> list[Any]:
        for number in numbers:
            if number not in self._kept:
                raise InvalidArgumentError(None, None, f"Unable to find SparseTensor: {number} in map")
        return [self._kept.pop(number) for number in numbers]


_sessions: weakref.WeakKeyDictionary[Any, dict[str, _Kept]] = weakref.WeakKeyDictionary()


def _kept_in(session: Any, name: str) -> _Kept:
    return _sessions.setdefault(session, {}).setdefault(name, _Kept())


def add_sparse_to_tensors_map(
    sp_input: Any, container: str | None = None, shared_name: str | None = None, name: str | None = None
) -> Any:
    """Return the number under which a run keeps a sparse tensor."""

    def added(kept: _Kept, *parts: Any) -> Any:
        return np.int64(kept.add(*parts))

    return _adding(_ADDING[0], sp_input, added, (), container, shared_name, name)


def add_many_sparse_to_tensors_map(
    sp_input: Any, container: str | None = None, shared_name: str | None = None, name: str | None = None
) -> Any:
    """Return the numbers under which a run keeps the rows of a sparse tensor, each without the first axis."""

    def added(kept: _Kept, where: Any, values: Any, sizes: Any) -> Any:
        if len(sizes) < 2:
            raise ValueError(f"Rank of input SparseTensor should be > 1, but saw rank: {len(sizes)}")
        rows = [where[:, 0] == k for k in range(int(sizes[0]))]
        return np.array([kept.add(where[row, 1:], values[row], sizes[1:]) for row in rows], np.int64)

    return _adding(_ADDING[1], sp_input, added, (None,), container, shared_name, name)


def _adding(
    op_type: str,
    sp_input: Any,
    function: Callable[..., Any],
    shape: Any,
    container: str | None,
    shared_name: str | None,
    name: str | None,
) -> Any:
    graph = get_default_graph()
    full = graph._operation_name(name, op_type)

    def added(session: Any, *parts: Any) -> Any:
        return function(_kept_in(session, shared_name or full), *(np.array(array_of(part)) for part in parts))

    told = {"container": (container or graph._container).encode(), "shared_name": (shared_name or "").encode()}
    inputs = parts_of(checked_sparse(sp_input))
    options: Any = {"contextual": True, "differentiable": False, "same": False, "attributes": told}
    return call(op_type, added, inputs, name=f"{full}/", shape=shape, dtype="int64", **options)


def take_many_sparse_from_tensors_map(
    sparse_map_op: Any, sparse_handles: Any, rank: int | None = None, name: str | None = None
) -> SparseTensor:
    """Return the sparse tensors of numbers below each other, as large as the largest; they are kept no longer.

    Args:
        sparse_map_op: the operation that gave the numbers.
        sparse_handles: the numbers.
        rank: how many axes one has.

    Raises TypeError for another operation. InvalidArgumentError, in a run, for numbers that nothing is kept under.
    """
    if not isinstance(sparse_map_op, Operation):
        raise TypeError("sparse_map_op be an Operation")
    if sparse_map_op.type not in _ADDING:
        raise TypeError(f"sparse_map_op must be one of {' or '.join(_ADDING)}. Instead, found `{sparse_map_op.type}`.")
    shared = sparse_map_op.get_attr("shared_name").decode() or sparse_map_op.name
    dtype = sparse_map_op.operands[1].dtype.base_dtype

    def taken(session: Any, numbers: Any) -> Any:
        found = _kept_in(session, shared).take(array_of(numbers).reshape(-1).tolist())
        ranks = [len(sizes) + 1 for _, _, sizes in found]
        for k, each in enumerate(ranks):
            if each != ranks[0]:
                told = f"rank prior to SparseTensor[{k}] was: {ranks[0]} but rank of SparseTensor[{k}] is: {each}"
                raise ValueError(f"Inconsistent rank across SparseTensors: {told}")
        places = [np.insert(where, 0, k, axis=1) for k, (where, _, _) in enumerate(found)]
        sizes = np.max([sizes for _, _, sizes in found], axis=0)
        values = np.concatenate([values for _, values, _ in found])
        return np.concatenate(places).astype(np.int64), values, np.array([len(found), *sizes], np.int64)

    handles = convert_to_tensor(sparse_handles, "int64")
    ndim = None if rank is None else rank + 1
    return produced(
        "TakeManySparseFromTensorsMap", taken, [handles], dtype, ndim, name, differentiable=False, contextual=True
    )
