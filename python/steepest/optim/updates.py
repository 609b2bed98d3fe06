"""What `apply_gradients` is given, checked and put into the form that kernels read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ..base.arrays import is_masked, to_array, with_packed_rows
from ..base.dtypes import Array, compute_dtype, is_real
from ..base.errors import describe, must
from ..ops.bag_slices import BagSlices
from ..ops.indexed_slices import IndexedSlices, check_rows
from ..ops.tensor import Tensor
from ..variables.variable import Variable
from .parameters import Parameter, ParameterTable

__all__ = [
    "Update",
    "array_of",
    "arrays_at_hand",
    "check_bounds",
    "check_dtypes",
    "pairs_of",
    "rows_of",
    "targets_of",
    "to_pairs",
    "to_update",
]


class Update(NamedTuple):
    """One checked pair: a parameter, the array to write, and a gradient that fits it."""

    parameter: Parameter
    target: Array  # the live array, as the user gave it
    values: Array  # aligned, its rows packed; the parameter's type, or float32 for a half type
    indices: Array | None  # None: a dense gradient
    wide: bool  # values are float32 although the parameter is of a half type
    bags: Array | None = None  # for each index the row of `values` that it gets; None: its own
    weights: Array | None = None  # for each index what this row is multiplied by, of the type of `values`; None: ones

    def expanded(self) -> Update:
        """Return the update with a row of values for each index."""
        if self.indices is None or (self.bags is None and self.weights is None):
            return self
        slices = BagSlices(self.values, self.bags, self.indices, self.target.shape, self.weights)
        return self._replace(values=slices.values, bags=None, weights=None)

    @property
    def places(self) -> Any:
        """The indices in the native core's form."""
        if self.weights is not None:
            return self.indices, self.bags, self.weights
        return self.indices if self.bags is None else (self.indices, self.bags)


def to_pairs(who: str, grads_and_vars: Any) -> list[tuple[Any, Any]]:
    """Turn any iterable of (gradient, variable) pairs into a list; TypeError or ValueError when it is not one."""
    pairs = pairs_of(who, "grads_and_vars", grads_and_vars)
    if not pairs:
        raise ValueError(must(who, "grads_and_vars", "hold at least one pair", "none", "No variables provided."))
    return pairs


def pairs_of(who: str, argument: str, value: Any) -> list[tuple[Any, Any]]:
    """Return an iterable of pairs, also an empty one, as a list; TypeError or ValueError when it is not one."""
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes, np.ndarray, Variable, Tensor)):
        raise TypeError(must(who, argument, "be an iterable of (gradient, variable) pairs", describe(value)))
    pairs: list[tuple[Any, Any]] = []
    for position, pair in enumerate(value):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise ValueError(must(who, f"{argument}[{position}]", "be a (gradient, variable) pair", describe(pair)))
        pairs.append((pair[0], pair[1]))
    return pairs


def array_of(value: Any) -> Array:
    """Return the array behind a Variable, a Tensor, or anything that NumPy converts."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, (Variable, Tensor)):
        return np.asarray(value._value)
    return to_array("steepest", "value", value)


def rows_of(value: Any, ids: Array) -> Array:
    """Return rows of a parameter, with their pending moves made in the result but not in the parameter."""
    return value.rows(ids) if isinstance(value, Variable) else array_of(value)[ids]


def _convert(who: str, what: str, gradient: Any, dtype: np.dtype[Any]) -> tuple[Array, bool]:
    """Return the gradient's values as an array that the kernels read as it lies, of a type that they take."""
    values = array_of(gradient)
    if is_masked(values):
        remedy = "write gradient.filled(0) where what is masked has no gradient"
        raise TypeError(must(who, what, "be without a mask", f"masked {describe(values)}", remedy))
    if not is_real(values.dtype):
        raise TypeError(
            must(
                who, what, f"convert to {dtype} under NumPy's same_kind rule", f"{describe(gradient)} ({values.dtype})"
            )
        )
    wide = False
    if values.dtype != dtype:
        # A half type's gradient of another type is kept in float32, where the arithmetic is done anyway.
        target = compute_dtype(dtype)
        wide = target != dtype
        values = values.astype(target)
    return with_packed_rows(values), wide


def to_update(who: str, position: int, gradient: Any, target: Any, table: ParameterTable) -> Update:
    """Check one pair with a gradient; the errors name its position and the variable.

    Raises:
        TypeError: for a type that does not convert.
        ValueError: for a shape that does not fit.
    """
    parameter = table.meet(who, target)
    if isinstance(target, np.ndarray):
        array = target
    else:
        array = parameter._array_for(table) if isinstance(parameter, Variable) else parameter._value
    what = f"gradient {position} of {parameter.name!r}"
    if isinstance(gradient, IndexedSlices):
        if array.ndim == 0:
            raise ValueError(must(who, what, "be dense for a scalar", repr(gradient)))
        by_row, bags, weights = gradient.by_bags if isinstance(gradient, BagSlices) else (gradient.values, None, None)
        if weights is not None:
            if by_row.dtype not in (array.dtype, compute_dtype(array.dtype)) or weights.dtype != by_row.dtype:
                by_row, bags, weights = gradient.values, None, None  # the products are converted, not the factors
            else:
                weights = np.ascontiguousarray(weights)
        values, wide = _convert(who, what, by_row, array.dtype)
        indices = array_of(gradient.indices)
        if indices.ndim != 1:
            raise ValueError(must(who, f"{what}: indices", "be 1-D", describe(indices), "flatten them and the values"))
        if indices.dtype not in (np.int32, np.int64):
            raise TypeError(must(who, f"{what}: indices", "be int32 or int64", f"dtype {indices.dtype}"))
        indices = with_packed_rows(indices)
        expected = (indices.shape[0] if bags is None else values.shape[0], *array.shape[1:])
        if values.shape != expected:
            rule = f"have values of shape {expected}, one row of the variable for each index,"
            raise ValueError(must(who, what, rule, f"shape {values.shape}"))
        return Update(parameter, array, values, indices, wide, bags, weights)
    try:
        values, wide = _convert(who, what, gradient, array.dtype)
    except ValueError as error:  # a ragged list
        raise TypeError(must(who, what, "be an array, IndexedSlices or None", gradient)) from error
    if values.shape != array.shape:
        rule = f"have the variable's shape {array.shape}"
        raise ValueError(must(who, what, rule, f"shape {values.shape}", "gradients are not broadcast"))
    return Update(parameter, array, values, None, wide)


def check_bounds(who: str, position: int, update: Update) -> None:
    """Raise IndexError, with position and value, for an index outside the variable's rows."""
    if update.indices is not None:  # of a scalar there are none
        what = f"gradient {position} of {update.parameter.name!r}: indices"
        check_rows(who, what, update.indices, update.target.shape[0])


def check_dtypes(who: str, valid: Iterable[Any], parameters: Iterable[Parameter]) -> None:
    """Raise ValueError for a parameter of another type than the valid ones."""
    names = {dtype if isinstance(dtype, str) else np.dtype(dtype).name for dtype in valid}
    for parameter in parameters:
        dtype = getattr(parameter.dtype, "base_dtype", parameter.dtype)  # variables of graphs are of float32_ref
        if dtype.name not in names:
            rule = f"have one of the types {', '.join(sorted(names))}"
            raise ValueError(must(who, f"variable {parameter.name!r}", rule, f"{parameter.dtype}"))


@contextmanager
def arrays_at_hand(updates: list[Update]) -> Iterator[None]:
    """Let parameters that are plain arrays refer to them inside; outside they do not keep the arrays alive."""
    plain = [update for update in updates if not isinstance(update.parameter, Variable)]
    for update in plain:
        update.parameter._array = update.target
    try:
        yield
    finally:
        for update in plain:
            update.parameter._array = None


def targets_of(updates: Iterable[Update]) -> list[Variable | Array]:
    """Return what the updates are of, as the user gave it: Variables and arrays."""
    return [u.parameter if isinstance(u.parameter, Variable) else u.target for u in updates]
