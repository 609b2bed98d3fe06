"""A value that a tape can follow, and what it has in common with a Variable."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import must
from .registry import Primitive

__all__ = ["Operand", "Tensor", "unwrap"]


class Operand:
    """Base of `Tensor` and `Variable`: what an operation has to unwrap."""

    __slots__ = ()

    def _operand(self) -> Any:
        """Return a Tensor to be recorded, or the plain array."""
        raise NotImplementedError


_NESTS = (Operand, list, tuple, dict)


def unwrap(value: Any) -> Any:
    """Return ``value`` with plain arrays in place of tensors and variables, in lists, tuples and dicts too."""
    if type(value) is np.ndarray:
        return value
    if isinstance(value, Operand):
        return value.value  # type: ignore[attr-defined]  # both subclasses have it
    if type(value) in (list, tuple):
        if not any(issubclass(kind, _NESTS) for kind in set(map(type, value))):  # the long lists of numbers
            return type(value)(value)
        return type(value)(unwrap(item) for item in value)
    if type(value) is dict:
        return {key: unwrap(item) for key, item in value.items()}
    return value


if TYPE_CHECKING:
    from .methods import ArrayMethods as _Base
else:
    _Base = Operand  # `methods` puts its operators between the two: they make Tensors, so they come later


class Tensor(_Base):
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
        return operator.eq(self.value, unwrap(other))

    def __ne__(self, other: Any) -> Any:
        return operator.ne(self.value, unwrap(other))

    def __setitem__(self, index: Any, value: Any) -> None:
        remedy = "build the new value with np.where or np.concatenate, or keep state in a Variable"
        raise TypeError(must("Tensor", "element", "not be assigned to, a Tensor never changes", repr(index), remedy))

    def __repr__(self) -> str:
        shown = np.array2string(np.asarray(self.value), threshold=20, edgeitems=2, separator=", ", prefix="<Tensor ")
        return f"<Tensor {shown} shape={self.shape} dtype={self.dtype}>"

    def __str__(self) -> str:
        return str(self.value)
