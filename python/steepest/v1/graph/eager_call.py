"""Calls in eager mode: arguments become arrays, results tensors, and an object stands in for the session."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from ...ops.dispatch import Operand, is_recorded
from ...ops.indexed_slices import IndexedSlices
from ...ops.tensor import Tensor as EagerTensor
from ...variables.variable import Variable
from .constants import constant_array
from .conversion_registry import converted
from .dtypes import as_dtype
from .eager_following import followed
from .eager_operands import mismatch, operand, stacked_in
from .errors import InvalidArgumentError
from .session import Session

__all__ = ["EagerSession", "RunSession", "apart", "eager_result", "eager_session", "eager_values"]


class EagerSession:
    """Stands in for a session in eager mode: it has the generators of random numbers."""

    _closed, _config = False, None

    def __init__(self) -> None:
        self._generators: dict[Any, Any] = {}

    def _aside(self) -> Any:
        """Return a context in which a run waits: nothing was taken that others would wait for."""
        return nullcontext()


eager_session = EagerSession()
RunSession = Session | EagerSession
"""The first argument of the functions of contextual operations."""


def eager_values(op_type: str, inputs: Sequence[Any], same: bool) -> list[Any]:
    """Return the inputs as arrays, tensors and variables, where they share one type all in it.

    Raises InvalidArgumentError for a tensor of another type, TypeError for a Python value that is of none.
    """
    values = [value if isinstance(value, Operand) else _read(value) for value in inputs]
    if not same:
        return [constant_array(value) if _is_python(value) else value for value in values]
    first: Any = next((value for value in values if isinstance(value, Operand)), None)
    if first is None:
        first = next((value for value in values if not _is_python(value)), None)
        if first is not None and first is not values[0]:
            first = constant_array(values[0])  # numbers of Python's before an array: the array takes their type
    dtype: np.dtype[Any] | None = None if first is None else np.dtype(_own_dtype(first))
    found: list[Any] = []
    for position, value in enumerate(values):
        if _is_python(value):
            value = constant_array(value, None if dtype is None else as_dtype(dtype))
            dtype = value.dtype if dtype is None else dtype
        elif dtype is not None and value is not first:
            try:
                value = operand(op_type, dtype, value, position)
            except InvalidArgumentError:
                if not (cast := _with_lists_cast(inputs)):
                    raise
                return eager_values(op_type, cast, same)
        found.append(value)
    return found


def _with_lists_cast(inputs: Sequence[Any]) -> list[Any]:
    """Return the inputs, lists of tensors cast to the type of the first tensor; none where nothing would be cast."""
    first = next((value for value in inputs if isinstance(value, Operand)), None)
    lists = [isinstance(value, (list, tuple)) and _operand_within(value) is not None for value in inputs]
    if first is None or not any(lists):
        return []
    dtype = as_dtype(_own_dtype(first))
    return [eager_value(value, dtype) if listed else value for value, listed in zip(inputs, lists, strict=True)]


def _read(value: Any) -> Any:
    value = eager_value(value)
    return _bytes_of(value) if isinstance(value, _ARRAYS) else value


def _own_dtype(value: Any) -> Any:
    """Return NumPy's type of the value: lists of tensors are objects there, as strings are."""
    return value._value.dtype if isinstance(value, Operand) else value.dtype  # type: ignore[attr-defined]


def eager_value(value: Any, dtype: Any = None) -> Any:
    """Return slices as the array they stand for, lists with tensors in them stacked, and anything else as it is.

    Tensors in lists are cast to the type, where one is asked for. What a program has registered a conversion for is
    converted, which is asked for the type.
    """
    if isinstance(value, IndexedSlices):
        return value.to_dense()
    if isinstance(value, (list, tuple)) and (first := _operand_within(value)) is not None:
        own = np.dtype(first.dtype)
        wanted = own if dtype is None else np.dtype(dtype.dtype)
        return _stacked(value, own) if wanted == own else stacked_in(value, wanted)
    if isinstance(value, _PLAIN):
        return value
    made = converted(value, dtype, None)
    return value if made is None else made


_PLAIN = (Operand, np.ndarray, np.generic, bool, int, float, complex, str, bytes)


def _operand_within(value: Any) -> Any:
    """Return the first tensor or variable in a nest of lists, None where there is none."""
    if isinstance(value, (list, tuple)):
        return next((found for found in map(_operand_within, value) if found is not None), None)
    return value if isinstance(value, Operand) else None


def _stacked(value: Any, dtype: np.dtype[Any]) -> Any:
    if isinstance(value, (list, tuple)):
        return np.stack([_stacked(item, dtype) for item in value])
    if isinstance(value, Operand) and _own_dtype(value) != dtype:
        raise mismatch("Pack", 1, dtype, _own_dtype(value))
    return value if isinstance(value, Operand) else constant_array(value, as_dtype(dtype))


_ARRAYS = (np.ndarray, np.generic)


def _is_python(value: Any) -> bool:
    return not isinstance(value, (Operand, *_ARRAYS))


def _bytes_of(array: Any) -> Any:
    """Return an array of texts as one of bytes, any other as it is."""
    return constant_array(array) if array.dtype.kind in "SUO" and not hasattr(array, "element_dtype") else array


def apart(result: Any, values: Sequence[Any]) -> Any:
    """Return what a function gives for values, copied where it is a view of a variable's memory, which will change."""
    for value in values:
        if isinstance(value, Variable):
            return _copied_from(result, [value._value for value in values if isinstance(value, Variable)])
    return result


def _copied_from(result: Any, memory: list[Any]) -> Any:
    if isinstance(result, (tuple, list)):
        return type(result)(_copied_from(item, memory) for item in result)
    array = result.value if type(result) is EagerTensor else result
    if not isinstance(array, np.ndarray):
        return result
    if array.base is None:  # no view: it can only be a variable's own array
        shared = any(array is each for each in memory)
    else:
        shared = any(np.may_share_memory(array, each) for each in memory)
    if not shared:
        return result
    if array is result or is_recorded(result):  # of a recorded tensor a recorded copy, through which gradients flow
        return np.copy(result)
    return EagerTensor(array.copy())


def eager_result(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(eager_result(item) for item in result)
    if isinstance(result, (np.ndarray, np.generic)):
        return followed(EagerTensor(np.asarray(result)))
    # A list of tensors, or a text that stood in an array of them.
    one = isinstance(result, bytes) or hasattr(result, "element_dtype")
    return EagerTensor(np.array(result, object)) if one else result
