"""NumPy's protocols, operators and methods, shared by `Tensor` and `Variable`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .. import _core
from ..base.errors import must
from . import dispatch
from . import protocols as protocols  # what the operators leave to Python
from .dispatch import Operand, unwrap
from .registry import PRIMITIVES, Primitive, primitive_of

__all__ = ["GETITEM", "ArrayOperators", "rows_named"]

# The operators record these; `vjps.elementwise`, `vjps.linalg` and `vjps.indexing` give them their rules.
_OPERATORS = (
    *(np.add, np.subtract, np.multiply, np.true_divide),
    operator.pow,  # not np.power: the operator has faster ways for 2, 0.5 and -1
    *(np.remainder, np.matmul, np.negative, np.absolute),
)
_core.register_tape(operators=tuple(primitive_of(function) for function in _OPERATORS))
if not dispatch.WEAK_SCALARS:  # what is no ufunc has to do itself
    primitive_of(operator.pow).fun = lambda a, b: operator.pow(*dispatch.weakened([a, b]))
GETITEM = primitive_of(operator.getitem)


def _compare(name: str) -> Callable[[Any, Any], Any]:
    function: Callable[[Any, Any], Any] = getattr(operator, name)

    def method(self: Any, other: Any) -> Any:
        return dispatch.wrap_result(function(self._value, unwrap(other)))

    method.__name__ = f"__{name}__"
    return method


def _alike(a: Any, b: Any) -> list[Any]:
    """Return both sides, a Python number beside a 0-d array in its type, as NumPy 2 takes it."""
    return [a, b] if dispatch.WEAK_SCALARS else dispatch.weakened([a, b])


def _single(value: Any) -> Any:
    """Return the element of an array of one element, which NumPy 2.4 no longer makes a number of unless it is 0-d.

    Of a complex number NumPy's scalars give the real part, and its arrays nothing.
    """
    if not (isinstance(value, np.ndarray) and value.size == 1):
        return value
    element = value.reshape(())
    return element[()] if element.dtype.kind == "c" else element


class ArrayOperators(Operand):
    """What makes an object usable as an array with NumPy's functions, operators and methods.

    Comparisons, ``bool`` and ``len`` work on the plain value and are not differentiated: control flow may read a value.
    ``int``, ``float`` and ``complex`` of what a tape records are TypeErrors, because the number would go on without its
    gradient; ``.numpy()``, ``.item()`` and ``.tolist()`` give plain values where that is meant.
    """

    __slots__ = ()
    __array_priority__ = 1000.0

    value: Any
    _value: Any  # the same, for the library itself

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if dispatch.is_recorded(self):
            raise dispatch.detaches("np.asarray", self)
        value = np.asarray(self._value)
        if dtype is not None and np.dtype(dtype) != value.dtype:
            if copy is False:
                raise ValueError(must("np.asarray", "copy", "be None or True to change the dtype", copy))
            return value.astype(dtype)
        return value if copy is False else value.copy()

    # Arithmetic: the operators with a derivative are those of `_core._Operators`

    def __floordiv__(self, other: Any) -> Any:
        return np.floor_divide(*_alike(self._value, unwrap(other)))

    def __rfloordiv__(self, other: Any) -> Any:
        return np.floor_divide(*_alike(unwrap(other), self._value))

    def __divmod__(self, other: Any) -> Any:
        return np.divmod(self, other)

    def __rdivmod__(self, other: Any) -> Any:
        return np.divmod(other, self)

    def __pos__(self) -> Any:
        return np.positive(self)

    def __round__(self, ndigits: int | None = None) -> Any:
        if ndigits is None and self._value.ndim == 0:
            return round(self._value[()])
        return np.round(self._value, ndigits or 0)

    # Comparison and conversion: plain values

    __lt__ = _compare("lt")
    __le__ = _compare("le")
    __gt__ = _compare("gt")
    __ge__ = _compare("ge")

    def __bool__(self) -> bool:
        return bool(self._value)

    def __int__(self) -> int:
        return int(_single(dispatch.plain("int", self)))

    def __index__(self) -> int:
        return operator.index(self._value)

    def __float__(self) -> float:
        return float(_single(dispatch.plain("float", self)))

    def __complex__(self) -> complex:
        return complex(_single(dispatch.plain("complex", self)))

    def __format__(self, spec: str) -> str:
        return format(self._value if spec else self, spec) if spec else str(self)

    def __len__(self) -> int:
        return len(self._value)

    def _subscript(self, index: Any) -> Any:
        """Return what ``x[index]`` does: `_core._Operators` has ``__getitem__``, and says why."""
        return dispatch.apply(GETITEM, (self, unwrap(index)))

    def _take_rows(self, primitive: Primitive, index: Any, ids: np.ndarray[Any, Any]) -> Any:
        """Evaluate and record ``primitive(self, index)``, which reads the rows ``ids``."""
        return dispatch.apply(primitive, (self, index))

    def __iter__(self) -> Iterator[Any]:
        if self._value.ndim == 0:
            raise TypeError(must(type(self).__name__, "value", "have an axis to iterate over", "a scalar"))
        return (self[i] for i in range(len(self._value)))

    def __reversed__(self) -> Iterator[Any]:
        return iter([*self][::-1])

    def __contains__(self, item: Any) -> bool:
        return bool(unwrap(item) in self._value)

    # Attributes

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return self._value.shape  # type: ignore[no-any-return]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of an element."""
        return self._value.dtype  # type: ignore[no-any-return]

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._value.ndim  # type: ignore[no-any-return]

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._value.size  # type: ignore[no-any-return]

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self._value.itemsize  # type: ignore[no-any-return]

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self._value.nbytes  # type: ignore[no-any-return]

    @property
    def T(self) -> Any:
        """The transpose: all axes in reverse order."""
        return dispatch.apply(PRIMITIVES[np.transpose], (self,))

    @property
    def mT(self) -> Any:
        """The transpose of each matrix: the last two axes in reverse order."""
        return np.swapaxes(self, -1, -2)

    @property
    def flat(self) -> Any:
        """The elements in one axis, recorded: to read, not to write through."""
        return np.ravel(self)

    @property
    def real(self) -> Any:
        """The real part: of a real value the value itself."""
        return np.real(self)

    @property
    def imag(self) -> Any:
        """The imaginary part: of a real value zeros."""
        return np.imag(self)


def rows_named(index: Any, shape: tuple[int, ...]) -> Any:
    """Return the rows that an index of nothing but row numbers selects, from 0; None for any other index."""
    ids = np.asarray(index) if isinstance(index, list) and index else index
    if not isinstance(ids, np.ndarray) or ids.dtype.kind not in "iu" or not ids.ndim or not shape:
        return None
    if ids.size and (ids.min() < -shape[0] or ids.max() >= shape[0]):
        return None  # NumPy has words for it
    return np.where(ids < 0, ids + shape[0], ids)


def _forward(name: str, function: Callable[..., Any]) -> None:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return _core.call_function(function, (self, *args), kwargs)

    method.__name__ = name
    method.__qualname__ = f"ArrayOperators.{name}"
    method.__doc__ = f"As ``np.{function.__name__}``."
    setattr(ArrayOperators, name, method)


def _refuse(name: str, instead: str) -> None:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        rule = "not be one that changes the elements in place"
        raise TypeError(must(type(self).__name__, "method", rule, name, f"use the result of {instead}"))

    method.__name__ = name
    method.__qualname__ = f"ArrayOperators.{name}"
    method.__doc__ = f"Raise TypeError: ``{instead}`` gives a new value."
    setattr(ArrayOperators, name, method)


for _name, _instead in {
    "sort": "np.sort(x)",
    "partition": "np.partition(x, kth)",
    "fill": "np.full_like(x, value)",
    "put": "np.where(condition, value, x)",
    "resize": "np.resize(x, shape)",
}.items():
    _refuse(_name, _instead)

_NAMES = (
    "all any argmax argmin argpartition argsort choose clip conj conjugate cumprod cumsum diagonal dot max mean min "
    "nonzero prod ravel repeat round searchsorted squeeze std sum swapaxes take trace var"
)
for _name in _NAMES.split(" "):
    _forward(_name, getattr(np, _name))
