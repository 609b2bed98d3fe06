"""Operands in eager mode: two values of one operation have one type, as TensorFlow has it; Python's numbers take it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.dispatch import Operand, gives_tensors, unwrap, wrap_result
from ...ops.operators import ArrayOperators
from ...ops.symbolic import Symbolic
from ...ops.tensor import Tensor
from .conversion_registry import converted
from .dimension import Dimension
from .dtypes import as_dtype
from .equality import compares_elements
from .errors import InvalidArgumentError
from .graph import taking_in
from .located_errors import of_eager_call

__all__ = ["CHECKED", "OPERATORS", "CheckedOperands", "mismatch", "operand", "stacked_in"]

_ARRAYS = (np.ndarray, np.generic)
_NUMBERS = (bool, int, complex)
_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
_COMPARISONS = ("lt", "le", "gt", "ge")
_CONVERTING = {f"__{name}__" for name in (*_COMPARISONS, "mul", *(f"r{name}" for name in _BINARY))}
# What TensorFlow calls the operations behind operators, and the types in their errors.
_OPERATIONS = {
    "add": "AddV2",
    "sub": "Sub",
    "subtract": "Sub",
    "mul": "Mul",
    "multiply": "Mul",
    "truediv": "RealDiv",
    "true_divide": "RealDiv",
    "floordiv": "FloorDiv",
    "floor_divide": "FloorDiv",
    "mod": "FloorMod",
    "remainder": "FloorMod",
    "pow": "Pow",
    "power": "Pow",
    "matmul": "MatMul",
    "lt": "Less",
    "le": "LessEqual",
    "gt": "Greater",
    "ge": "GreaterEqual",
}
_CALLED = {"float32": "float", "float64": "double"}


def mismatch(op_type: str, position: int, expected: Any, got: Any) -> InvalidArgumentError:
    """Return the error for an operand of another type."""
    expected, got = (_CALLED.get(name := as_dtype(dtype).name, name) for dtype in (expected, got))
    scope = op_type.strip("_")
    scope = scope[1:] if scope[1:] in _OPERATIONS else scope  # of an operator on the right side
    kind = _OPERATIONS.get(scope, op_type)
    named = f" name: {scope}/" if scope in _OPERATIONS else ""
    place = f"input #{position}(zero-based) was expected to be a {expected} tensor but is a {got} tensor"
    return InvalidArgumentError(None, None, f"cannot compute {kind} as {place} [Op:{kind}]" + named)


def _texts(value: Any) -> Any:
    """Return texts, or a nest of lists of them, as an array of bytes; anything else as it is."""
    array = np.asarray(value, object)
    flat = [each.encode() if isinstance(each, str) else each for each in array.ravel().tolist()]
    if not all(isinstance(each, bytes) for each in flat):
        return value
    found = np.empty(len(flat), object)
    found[:] = flat
    return found.reshape(array.shape)


def _in_floats(x: Any, y: Any) -> Any:
    """Return the quotient of integers of 8 and 16 bits in float32, as TensorFlow has it."""
    with np.errstate(all="ignore"):
        return np.true_divide(np.asarray(x).astype(np.float32), np.asarray(y).astype(np.float32))


def _unrecorded(scope: str, dtype: np.dtype[Any], x: Any, y: Any) -> Any:
    """Return the product of truth values or the sum of strings; the error for anything else of these."""
    if dtype.kind == "b" and scope == "truediv":
        raise TypeError("Invalid dtype bool for the operands of a division")
    if scope != {"b": "mul", "O": "add"}[dtype.kind]:
        kind, name = _OPERATIONS[scope], "bool" if dtype.kind == "b" else "string"
        raise InvalidArgumentError(
            None, None, f"Value for attr 'T' of {name} is not in the list of allowed values [Op:{kind}] name: {scope}/"
        )
    return np.logical_and(x, y) if dtype.kind == "b" else np.asarray(np.add(x, y), object)


def _holds_operands(value: Any) -> bool:
    return isinstance(value, Operand) or (isinstance(value, (list, tuple)) and any(map(_holds_operands, value)))


def stacked_in(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return a nest of lists with tensors in it as one value, in which all are cast to a type."""
    if isinstance(value, (list, tuple)):
        return np.stack([stacked_in(item, dtype) for item in value])
    if isinstance(value, Operand):
        return value if value._value.dtype == dtype else value.astype(dtype)  # type: ignore[attr-defined]
    return np.asarray(value).astype(dtype)


def operand(op_type: str, own: np.dtype[Any], other: Any, position: int = 1) -> Any:
    """Return the other operand in the type of the first; InvalidArgumentError for one that is of another type.

    Arrays of numbers are cast as NumPy casts them, and so are Python's integers: they lose bits that are too many.
    """
    if isinstance(other, Operand):
        its: np.dtype[Any] = other._value.dtype  # type: ignore[attr-defined]  # every operand has a value
        if its is not own and its != own:
            raise mismatch(op_type, position, own, its)
    elif own.kind == "O":
        return _texts(other)
    elif isinstance(other, _ARRAYS):
        if other.dtype != own and own.kind in "fViucb" and other.dtype.kind in "fiub":
            with np.errstate(all="ignore"):
                return other.astype(own)
    elif own.kind == "V" and isinstance(other, (int, float)):  # bfloat16, which NumPy would widen
        return np.asarray(other).astype(own)[()]
    elif type(other) is int:
        if own.kind in "iu" and not (0 if own.kind == "u" else -128) <= other < 128:
            return np.asarray(other).astype(own)[()]
    elif isinstance(other, float):
        if own.kind in "iub":
            if op_type in _CONVERTING:  # as TensorFlow has it: before it asks what the operation takes
                raise TypeError(f"Cannot convert {other!r} to EagerTensor of dtype {as_dtype(own).name}")
            raise mismatch(op_type, position, own, np.float32)
    elif isinstance(other, (list, tuple)):
        if _holds_operands(other):
            return stacked_in(other, own)
        array = np.asarray(other)
        if array.dtype.kind == "f" and own.kind in "iub":
            raise mismatch(op_type, position, own, np.float32)
        return array.astype(own)
    elif isinstance(other, Dimension):
        if own not in (np.int32, np.int64):
            raise mismatch(op_type, position, own, np.int32)
        return np.asarray(int(other), own)[()]
    elif not isinstance(other, _NUMBERS) and (made := converted(other, None, None)) is not None:
        return operand(op_type, own, made, position)
    return other


def _checked(name: str) -> Callable[[Any, Any], Any]:
    method = getattr(ArrayOperators, name)
    whole = name.strip("_").lstrip("r") in ("floordiv", "mod")
    multiplies, turned = name.endswith("matmul__"), name.startswith("__r")
    scope = name.strip("_")
    scope = scope if scope in _OPERATIONS else scope[1:]

    def compute(self: Any, other: Any) -> Any:
        if (graph := taking_in()) is not None:
            return getattr(graph._captured(self), name)(other)
        own = self._value.dtype
        value = operand(name, own, other)
        if isinstance(value, Symbolic):  # it takes this one in, where it may
            return NotImplemented
        small = scope == "truediv" and own.kind in "iu" and own.itemsize <= 2
        if small or own.kind in "bO":
            sides = (unwrap(value), self._value) if turned else (self._value, unwrap(value))
            return wrap_result(_in_floats(*sides) if small else _unrecorded(scope, own, *sides))
        for position, matrix in enumerate(((value, self) if turned else (self, value)) if multiplies else ()):
            if np.ndim(matrix) < 2:
                said = f"In[{position}] is not a matrix. Instead it has shape {list(np.shape(matrix))}"
                raise InvalidArgumentError(None, None, f"{said} [Op:MatMul] name: matmul/")
        by_zero: Any = "raise" if whole and self._value.dtype.kind in "iu" else "ignore"
        try:
            with np.errstate(all="ignore", divide=by_zero):
                if multiplies and own.kind == "V":  # bfloat16, of which NumPy has no products
                    return wrap_result(method(self.astype(np.float32), value.astype(np.float32)).astype(own))
                return wrap_result(method(self, value))
        except FloatingPointError:
            raise of_eager_call(ZeroDivisionError("Integer division by zero")) from None
        except (ValueError, ArithmeticError) as error:
            raise of_eager_call(error) from error
        except TypeError:
            if getattr(type(value), "__array_ufunc__", compute) is not None:
                raise
            return NotImplemented  # a sparse tensor has the operator itself

    compute.__name__ = name
    return compute


_OPERATORS = [f"__{name}__" for name in (*_BINARY, *_COMPARISONS)] + [f"__r{name}__" for name in _BINARY]
_PLAIN = {name: getattr(ArrayOperators, name) for name in _OPERATORS if hasattr(ArrayOperators, name)}
CHECKED: dict[str, Callable[..., Any]] = {name: _checked(name) for name in _PLAIN}


def _array_ufunc(self: Any, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """Convert an array on the left side of an operator, for which NumPy asks here."""
    if method == "__call__" and len(inputs) == 2 and self is inputs[1] and isinstance(inputs[0], _ARRAYS):
        if not kwargs and (reflected := _REFLECTED.get(ufunc.__name__)) is not None:
            return CHECKED[reflected](self, inputs[0])
        inputs = (operand(ufunc.__name__, self._value.dtype, inputs[0]), self)
    return _ufunc(self, ufunc, method, *inputs, **kwargs)


_REFLECTED = {
    "add": "__radd__",
    "subtract": "__rsub__",
    "multiply": "__rmul__",
    "true_divide": "__rtruediv__",
    "divide": "__rtruediv__",
    "floor_divide": "__rfloordiv__",
    "remainder": "__rmod__",
    "power": "__rpow__",
    "bitwise_and": "__rand__",
    "bitwise_or": "__ror__",
    "bitwise_xor": "__rxor__",
}
_ufunc: Any = ArrayOperators.__array_ufunc__
CHECKED["__array_ufunc__"] = _array_ufunc


def _negative(self: Any) -> Any:
    if (graph := taking_in()) is None:
        return _MINUS(self)
    node: Any = graph._captured(self)
    return -node


_MINUS = ArrayOperators.__neg__
CHECKED["__neg__"] = _negative


def _bits(function: Any) -> Callable[..., Any]:
    """Return an operator of truth values or integers, which no tape records."""

    def operator(self: Any, *others: Any) -> Any:
        dtype = self._value.dtype
        values = [unwrap(operand("&", dtype, other)) for other in others]
        if dtype.kind not in "biu":
            raise InvalidArgumentError(None, None, f"Operators of bits take bool and integers, not {dtype}")
        return wrap_result(function(self._value, *values))

    return operator


CHECKED["__and__"] = CHECKED["__rand__"] = _bits(np.bitwise_and)
CHECKED["__or__"] = CHECKED["__ror__"] = _bits(np.bitwise_or)
CHECKED["__xor__"] = CHECKED["__rxor__"] = _bits(np.bitwise_xor)
CHECKED["__invert__"] = _bits(np.invert)


OPERATORS = tuple(name for name in CHECKED if name != "__array_ufunc__")
"""The names of these methods."""


def _equality(name: str, function: np.ufunc, same: bool) -> Callable[[Any, Any], Any]:
    """Return ``==`` or ``!=``: as of nodes, values are found in lists and are keys of dicts unless told otherwise."""
    of_arrays = getattr(Tensor, name)

    def compute(self: Any, other: Any) -> Any:
        if not gives_tensors() and isinstance(self, Tensor):
            return of_arrays(self, other)
        if not compares_elements() or other is None:
            return (self is other) is same
        if isinstance(other, Symbolic) or (graph := taking_in()) is None:
            return NotImplemented if isinstance(other, Symbolic) else _elements(self._value, other, function)
        return getattr(graph._captured(self), name)(other)

    return compute


def _elements(own: Any, other: Any, function: np.ufunc) -> Any:
    """Return a tensor of truth values; of shapes that do not fit each other one, which says that they differ."""
    value = unwrap(operand("equal", own.dtype, other))
    try:
        return wrap_result(function(own, value))
    except ValueError:
        return wrap_result(np.asarray(function is np.not_equal))


CHECKED["__eq__"] = _equality("__eq__", np.equal, True)
CHECKED["__ne__"] = _equality("__ne__", np.not_equal, False)


class CheckedOperands:
    """The operators of eager values, which refuse a value of another type."""

    __slots__ = ()
    __hash__ = object.__hash__  # though ``==`` is another

    locals().update(CHECKED)
