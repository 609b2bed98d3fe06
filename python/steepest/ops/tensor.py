"""A value that a tape can follow."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.allocation import empty
from ..base.dtypes import is_real
from ..base.errors import must
from . import dispatch
from .methods import ArrayMethods
from .registry import Primitive

__all__ = ["Tensor", "as_array", "constant", "convert_to_tensor"]


class Tensor(ArrayMethods):
    """An array whose making is remembered while a tape records.

    Operations on recorded tensors give recorded tensors; on tensors that no tape follows they give plain arrays.
    NumPy's functions, the operators and ndarray's methods work on it. A Tensor never changes: assignment to its
    elements, and ``out=``, raise TypeError. ``==`` compares element by element, as arrays do.

    Made by `constant`, and by operations under a `GradientTape`.
    """

    # value: ndarray or NumPy scalar. primitive, args, kwargs: the call that made it; primitive is None for a leaf.
    # inputs: the args as plain arrays, for the rules. number: when it was made. mark: at least the floor of the tapes
    # that follow it. owner, version: of a leaf that stands for a Variable, the variable and its version at the reading
    # (None for a snapshot).
    __slots__ = ("__weakref__", "args", "inputs", "kwargs", "mark", "number", "owner", "primitive", "value", "version")

    value: Any
    primitive: Primitive | None
    args: Sequence[Any]
    inputs: Sequence[Any]
    kwargs: dict[str, Any] | None
    mark: float
    number: int
    owner: Any
    version: int | None

    def __init__(self, value: Any, mark: float = -math.inf, owner: Any = None, version: int | None = None) -> None:
        self.value = value
        self.primitive = None
        self.args = self.inputs = ()
        self.kwargs = None
        self.number = 0
        self.mark = mark
        self.owner = owner
        self.version = version

    def _operand(self) -> Any:
        return self

    def numpy(self) -> Any:
        """Return a copy of the value as a plain array (of a scalar, the NumPy scalar); no gradient flows through it."""
        return self.value.copy()

    __hash__ = object.__hash__

    def __eq__(self, other: Any) -> Any:
        return operator.eq(self.value, dispatch.unwrap(other))

    def __ne__(self, other: Any) -> Any:
        return operator.ne(self.value, dispatch.unwrap(other))

    def __setitem__(self, index: Any, value: Any) -> None:
        remedy = "build the new value with np.where or np.concatenate, or keep state in a Variable"
        raise TypeError(must("Tensor", "element", "not be assigned to, a Tensor never changes", repr(index), remedy))

    def __repr__(self) -> str:
        shown = np.array2string(np.asarray(self.value), threshold=20, edgeitems=2, separator=", ", prefix="<Tensor ")
        return f"<Tensor {shown} shape={self.shape} dtype={self.dtype}>"

    def __str__(self) -> str:
        return str(self.value)


dispatch.install(Tensor)


def as_array(who: str, value: Any, dtype: Any = None) -> np.ndarray[Any, Any]:
    """Return a new array of real numbers, placed well; Python floats become float32 and ints int32, as in TensorFlow.

    Raises TypeError for what is not an array of floats, integers or booleans.
    """
    value = dispatch.unwrap(value)
    try:
        if dtype is None and not isinstance(value, (np.ndarray, np.generic)) and not _has_numpy(value):
            given = np.asarray(value)
            if given.dtype == np.float64:
                dtype = np.float32
            elif given.dtype == np.int64 and (not given.size or -(2**31) <= given.min() <= given.max() < 2**31):
                dtype = np.int32
        source = value if isinstance(value, np.ndarray) else np.asarray(value, dtype)
        kind = source.dtype if dtype is None else np.dtype(dtype)
        array = empty(source.shape, kind) if is_real(kind) else None
        if array is not None:
            array[...] = source
    except (TypeError, ValueError) as error:
        raise TypeError(must(who, "value", f"convert to {dtype or 'an array'}", value)) from error
    if array is None:
        raise TypeError(must(who, "value", "be floats, integers or booleans", f"dtype {kind}"))
    return array


def _has_numpy(value: Any) -> bool:
    """Whether a nest of lists has NumPy values in it, which keep their type."""
    if isinstance(value, (list, tuple)):
        return any(_has_numpy(item) for item in value)
    return isinstance(value, (np.ndarray, np.generic))


def constant(value: Any, dtype: Any = None) -> Tensor:
    """Return a Tensor with a copy of ``value``, for ``tape.watch`` and for functions of tensors.

    Python floats and ints (and lists of them) become float32 and int32, as in TensorFlow; arrays keep their type.

    Raises:
        TypeError: for what is not an array of floats, integers or booleans.
    """
    return Tensor(as_array("constant", value, dtype))


def convert_to_tensor(value: Any, dtype: Any = None) -> Any:
    """Return ``value`` itself where it is a Tensor (of that dtype), else as `constant` does; a Variable is read."""
    if isinstance(value, Tensor):
        return value if dtype is None or value.dtype == np.dtype(dtype) else value.astype(dtype)
    if dispatch.is_recorded(value):
        read = value._operand()
        return read if dtype is None or read.dtype == np.dtype(dtype) else read.astype(dtype)
    return constant(value, dtype)
