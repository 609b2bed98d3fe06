"""Sums of rows of tables, side by side, in one native call; the tables' gradients are `BagSlices`."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from ..base.dtypes import Array, code_of, compute_dtype
from ..base.errors import describe, must
from ..ops.bag_slices import BagSlices
from ..ops.dispatch import record, unwrap, wrap_result
from ..ops.indexed_slices import IndexedSlices
from ..ops.registry import Primitive
from ..ops.state import recording
from ..ops.tensor import Operand, Tensor
from ..variables.variable import Variable

__all__ = ["Bags", "bag_numbers", "combined_rows"]


class Bags(NamedTuple):
    """The ids of one table, by bags."""

    ids: Array  # a matrix with a row for each bag, or flat where there are offsets
    offsets: Array | None = None  # int64: bag b is ids[offsets[b]:offsets[b + 1]]
    kept: Array | None = None  # which of the ids as they were given these are; None: all

    def place(self, position: int) -> Any:
        """Return where the id at this position was given."""
        shape = self.ids.shape if self.kept is None else self.kept.shape
        if self.kept is not None:
            position = int(np.flatnonzero(self.kept)[position])
        place = tuple(int(i) for i in np.unravel_index(position, shape))
        return place if len(place) > 1 else place[0]

    def numbers(self) -> Array:
        """Return the bag of each id."""
        if self.offsets is None:
            return bag_numbers(*self.ids.shape)
        count = len(self.offsets) - 1
        return np.repeat(np.arange(count, dtype=np.int32), np.diff(self.offsets))


@lru_cache(maxsize=16)
def bag_numbers(bags: int, length: int) -> Array:
    """Return the bag of each of ``bags * length`` ids, bag by bag; read-only, the same array for all who ask."""
    numbers = np.repeat(np.arange(bags, dtype=np.int32), length)
    numbers.flags.writeable = False
    return numbers


class _Lookup(NamedTuple):
    """What the derivative needs of a lookup besides the tables."""

    who: str
    bags: list[Bags]
    rows: list[Array]  # of each table the ids, as they were read and checked
    columns: list[int]  # where each table's columns begin, and the end
    weights: list[Array] | None
    divisors: list[Array] | None
    read: list[Array]  # what was read: the tables, or rows of theirs
    read_ids: list[Array]
    combiner: str


def combined_rows(
    who: str, tables: list[Any], bags: list[Bags], count: int, combiner: str = "sum", weights: list[Any] | None = None
) -> Any:
    """Return ``[count, sum of widths]``: for each bag and table the sum of its rows, divided as the combiner says.

    Args:
        who: what messages begin with.
        tables: arrays, Tensors or Variables of shape ``[R, D]``, of one dtype.
        bags: for each table the ids of ``count`` bags.
        combiner: ``"sum"``, ``"mean"`` or ``"sqrtn"``.
        weights: for each table an array or Tensor of one number for each id, flat; None for ones.
    """
    floor = recording().floor
    operands, arrays, read_ids = [], [], []
    for position, (table, each) in enumerate(zip(tables, bags, strict=True)):
        operand, array, ids = _operand(who, position, table, each)
        operands.append(operand)
        arrays.append(array)
        read_ids.append(ids)
    dtype, code = _common_dtype(who, arrays)
    columns = [0]
    for table in tables:
        columns.append(columns[-1] + table.shape[1])
    plain = None if weights is None else [_numbers(weight, dtype) for weight in weights]
    divisors = None if combiner == "sum" else _divisors(bags, count, combiner, plain, compute_dtype(dtype))
    out = np.empty((count, columns[-1]), dtype)
    taken = np.empty(sum([each.ids.size for each in bags]), np.int64)
    parts = [
        (array, ids, each.offsets, plain and plain[k], divisors and divisors[k])
        for k, (array, ids, each) in enumerate(zip(arrays, read_ids, bags, strict=True))
    ]
    bad = _core.combine_rows(code, parts, out, taken)
    if bad is not None:
        raise _bad_id(who, len(tables), tables, bags, bad)
    operands += weights or []
    tracked = floor != math.inf and any(type(a) is Tensor and a.mark >= floor for a in map(_as_operand, operands))
    if not tracked:
        return wrap_result(out)
    ends = np.cumsum([each.ids.size for each in bags]).tolist()
    rows = [taken[end - each.ids.size : end] for end, each in zip(ends, bags, strict=True)]
    for k, each in enumerate(bags):
        if read_ids[k] is not each.ids:  # rows were read, with their moves made
            rows[k] = np.ascontiguousarray(each.ids, np.int64).reshape(-1)
    lookup = _Lookup(who, bags, rows, columns, plain, divisors, arrays, read_ids, combiner)
    return record(out, _COMBINE if weights is None else _WITH_WEIGHTS, (*map(_as_operand, operands), lookup))


def _as_operand(value: Any) -> Any:
    return value._operand() if isinstance(value, Operand) and type(value) is not Tensor else value


def _operand(who: str, position: int, table: Any, bags: Bags) -> tuple[Any, Array, Array]:
    """Return what is recorded of a table, an array that has its rows as they stand now, and the ids in that array."""
    if getattr(table, "ndim", 0) != 2:
        raise ValueError(must(who, f"params[{position}]", "be a matrix [R, D]", describe(table)))
    operand: Any = table
    if isinstance(table, Variable):
        operand = table._array if recording().floor == math.inf else table._current_leaf()
        pending = table._pending  # after the leaf: a persistent tape has copied the whole variable
        if pending is not None:  # only these rows make their moves
            rows = table.rows(bags.ids.reshape(-1))
            return operand, rows, np.arange(len(rows)).reshape(bags.ids.shape)
    array = operand.value if isinstance(operand, Tensor) else operand
    return operand, np.ascontiguousarray(array), bags.ids


def _common_dtype(who: str, arrays: list[Array]) -> tuple[np.dtype[Any], int]:
    """Return the dtype of all tables and its code."""
    dtype = arrays[0].dtype
    code = code_of(dtype)
    if code is None:
        raise TypeError(must(who, "params", "be float32, float64, float16 or bfloat16", f"dtype {dtype}"))
    for position, array in enumerate(arrays):
        if array.dtype != dtype:
            raise TypeError(must(who, f"params[{position}]", f"be {dtype}, as the first table", f"dtype {array.dtype}"))
    return dtype, code


def _numbers(weights: Any, dtype: np.dtype[Any]) -> Array:
    return np.ascontiguousarray(unwrap(weights), compute_dtype(dtype))


def _divisors(bags: list[Bags], count: int, combiner: str, weights: list[Array] | None, dtype: Any) -> list[Array]:
    """Return by what each bag's sum is divided; one where there is nothing to sum."""
    result = []
    for k, each in enumerate(bags):
        if weights is not None:
            power = weights[k] if combiner == "mean" else np.square(weights[k])
            total = np.bincount(each.numbers(), weights=power, minlength=count)
        elif each.offsets is not None:
            total = np.diff(each.offsets).astype(np.float64)
        else:
            result.append(_same_divisors(count, each.ids.shape[1], combiner, dtype))
            continue
        total[total == 0] = 1
        result.append((np.sqrt(total) if combiner == "sqrtn" else total).astype(dtype))
    return result


@lru_cache(maxsize=16)
def _same_divisors(count: int, length: int, combiner: str, dtype: Any) -> Array:
    divisors = np.full(count, max(length, 1) if combiner == "mean" else math.sqrt(max(length, 1)), dtype)
    divisors.flags.writeable = False
    return divisors


def _bad_id(who: str, count: int, tables: list[Any], bags: list[Bags], bad: tuple[int, int, int]) -> IndexError:
    table, position, value = bad
    what = "ids" if count == 1 else f"ids of table {table}"
    place = bags[table].place(position)
    return IndexError(must(who, what, f"be in [0, {tables[table].shape[0]})", f"{value} at position {place}"))


def _back(positions: list[int], g: Any, y: Any, *inputs: Any) -> list[Any]:
    """Return the gradients of tables, and of weights, which follow the tables."""
    lookup: _Lookup = inputs[-1]
    tables = len(lookup.bags)
    if isinstance(g, Tensor) and any(type(weights) is Tensor for weights in inputs[tables:-1]):
        rule = "be constants for a second derivative"
        raise TypeError(must(lookup.who, "weights", rule, "recorded ones", "use stop_gradient(weights)"))
    return [
        _table_back(g, k, inputs[k].shape, lookup) if k < tables else _weights_back(g, y, k - tables, lookup)
        for k in positions
    ]


def _table_back(g: Any, position: int, shape: tuple[int, ...], lookup: _Lookup) -> IndexedSlices:
    own = slice(lookup.columns[position], lookup.columns[position + 1])
    bags, rows = lookup.bags[position], lookup.rows[position]
    part = g[:, own]
    if lookup.divisors is not None:
        part = part / lookup.divisors[position][:, None].astype(part.dtype)
    single = bags.offsets is None and bags.ids.shape[1] == 1
    numbers = None if single else bags.numbers()
    weights = None if lookup.weights is None else lookup.weights[position].astype(part.dtype)
    if not isinstance(part, Tensor):
        return BagSlices(part, numbers, rows, shape, weights)
    values = part if numbers is None else part[numbers]
    return IndexedSlices(values if weights is None else values * weights[:, None], rows, shape)


def _weights_back(g: Any, y: Any, k: int, lookup: _Lookup) -> Any:
    own = slice(lookup.columns[k], lookup.columns[k + 1])
    numbers = lookup.bags[k].numbers()
    rows = lookup.read[k][lookup.read_ids[k].reshape(-1)]
    assert lookup.weights is not None
    each = np.sum(g[:, own][numbers] * rows, axis=1)
    if lookup.divisors is None:
        return each
    divisor = lookup.divisors[k].astype(rows.dtype)
    whole = np.sum(g[:, own] * y[:, own], axis=1) / divisor  # how the divisor grows with a weight
    if lookup.combiner == "sqrtn":
        return each / divisor[numbers] - lookup.weights[k] * (whole / divisor)[numbers]
    return each / divisor[numbers] - whole[numbers]


def _combine(*args: Any) -> Any:
    raise NotImplementedError  # `combined_rows` evaluates and records it


_COMBINE = Primitive(_combine, vjp_argnums=_back, linear=True, name="embedding")
_WITH_WEIGHTS = Primitive(_combine, vjp_argnums=_back, name="embedding")  # the weights' rule reads the tables
