"""A value that a tape can follow, and what it has in common with a Variable."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from ..base.errors import must

__all__ = ["Operand", "Tensor", "unwrap"]


class Operand(_core._Operators):
    """Base of `Tensor` and `Variable`: what an operation has to unwrap; has operators and NumPy's protocols."""

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
        return value._value  # type: ignore[attr-defined]  # both subclasses have it
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


class Tensor(_Base, _core._Tensor):
    """An array whose making is remembered while a tape records.

    Operations on recorded tensors give recorded tensors; on tensors that no tape follows they give plain arrays.
    NumPy's functions, the operators and ndarray's methods work on it. A Tensor never changes: assignment to its
    elements, and ``out=``, raise TypeError. ``==`` compares element by element, as arrays do.

    Made by `constant`, and by operations under a `GradientTape`.
    """

    # The fields are those of `_core._Tensor`. value: ndarray or NumPy scalar. primitive, args, kwargs: the call that
    # made it; primitive is None for a leaf. number: when it was made. mark: at least the floor of the tapes that
    # follow it. owner, version: of a leaf that stands for a Variable, the variable and its version at the reading
    # (None for a snapshot). _notes: what a program has noted on it by attributes of its own, where it has.
    __slots__ = ("__weakref__", "_notes")

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

    def __copy__(self) -> Tensor:
        return self  # it never changes

    def __deepcopy__(self, memo: Any) -> Tensor:
        return self

    def __reduce__(self) -> Any:
        return Tensor, (self.value,)

    def __repr__(self) -> str:
        shown = np.array2string(np.asarray(self.value), threshold=20, edgeitems=2, separator=", ", prefix="<Tensor ")
        return f"<Tensor {shown} shape={self.shape} dtype={self.dtype}>"

    def __str__(self) -> str:
        return str(self.value)


# What a Variable calls it too: in TensorFlow's eager mode its ``value`` is a method.
setattr(Tensor, "_value", Tensor.value)  # noqa: B010  # no slot of its own

_core.register_tape(tensor=Tensor, operand=Operand, ufunc=np.ufunc)
