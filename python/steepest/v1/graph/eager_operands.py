"""Operands in eager mode: two values of one operation have one type, as TensorFlow has it; Python's numbers take it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...ops.dispatch import Operand, gives_tensors, unwrap, wrap_result
from ...ops.operators import ArrayOperators
from ...ops.symbolic import Symbolic
from ...ops.tensor import Tensor
from .conversion_registry import converted
from .devices import LOCAL_CPU
from .dtypes import as_dtype, of_array
from .eager_shapes import EagerShape
from .errors import InvalidArgumentError
from .located_errors import of_eager_call

__all__ = ["OPERATORS", "CheckedOperands", "give_tensors_their_methods", "operand"]

_ARRAYS = (np.ndarray, np.generic)
_NUMBERS = (bool, int, complex)
_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
_COMPARISONS = ("lt", "le", "gt", "ge")
_CONVERTING = {f"__{name}__" for name in (*_COMPARISONS, *(f"r{name}" for name in _BINARY))}
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


def operand(op_type: str, own: np.dtype[Any], other: Any, position: int = 1) -> Any:
    """Return the other operand in the type of the first; InvalidArgumentError for one that is of another type.

    Beside floats arrays of numbers are converted, and so are Python's numbers.
    """
    if isinstance(other, Operand):
        its: np.dtype[Any] = other._value.dtype  # type: ignore[attr-defined]  # every operand has a value
        if its is not own and its != own:
            raise mismatch(op_type, position, own, its)
    elif isinstance(other, _ARRAYS):
        if other.dtype != own and own.kind in "fV" and other.dtype.kind in "fiu":
            return other.astype(own)
        if own.kind in "iu" and other.dtype.kind == "f":
            raise mismatch(op_type, position, own, other.dtype)
    elif isinstance(other, float):
        if own.kind in "iub":
            if op_type in _CONVERTING:  # as TensorFlow has it: before it asks what the operation takes
                raise TypeError(f"Cannot convert {other!r} to EagerTensor of dtype {as_dtype(own).name}")
            raise mismatch(op_type, position, own, np.float32)
    elif isinstance(other, (list, tuple)):
        array = np.asarray(other)
        if array.dtype.kind == "f" and own.kind in "iub":
            raise mismatch(op_type, position, own, np.float32)
        return array.astype(own)
    elif not isinstance(other, _NUMBERS) and (made := converted(other, None, None)) is not None:
        return operand(op_type, own, made, position)
    return other


def _checked(name: str) -> Callable[[Any, Any], Any]:
    method = getattr(ArrayOperators, name)

    def compute(self: Any, other: Any) -> Any:
        value = operand(name, self._value.dtype, other)
        if isinstance(value, Symbolic):  # it takes this one in, where it may
            return NotImplemented
        try:
            with np.errstate(all="ignore"):
                return wrap_result(method(self, value))
        except (ValueError, ArithmeticError) as error:
            raise of_eager_call(error) from error

    compute.__name__ = name
    return compute


_OPERATORS = [f"__{name}__" for name in (*_BINARY, *_COMPARISONS)] + [f"__r{name}__" for name in _BINARY]
_PLAIN = {name: getattr(ArrayOperators, name) for name in _OPERATORS if hasattr(ArrayOperators, name)}
_CHECKED: dict[str, Callable[..., Any]] = {name: _checked(name) for name in _PLAIN}


def _array_ufunc(self: Any, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """Convert an array on the left side of an operator, for which NumPy asks here."""
    if method == "__call__" and len(inputs) == 2 and self is inputs[1] and isinstance(inputs[0], _ARRAYS):
        inputs = (operand(ufunc.__name__, self._value.dtype, inputs[0]), self)
    return _ufunc(self, ufunc, method, *inputs, **kwargs)


_ufunc: Any = ArrayOperators.__array_ufunc__
_CHECKED["__array_ufunc__"] = _array_ufunc


def _bits(function: Any) -> Callable[[Any, Any], Any]:
    """Return an operator of truth values or integers, which no tape records."""
    return lambda self, other: wrap_result(function(self._value, unwrap(operand("&", self._value.dtype, other))))


_CHECKED["__and__"] = _CHECKED["__rand__"] = _bits(np.bitwise_and)
_CHECKED["__or__"] = _CHECKED["__ror__"] = _bits(np.bitwise_or)
_CHECKED["__xor__"] = _CHECKED["__rxor__"] = _bits(np.bitwise_xor)
_CHECKED["__invert__"] = lambda self: wrap_result(np.invert(self._value))


OPERATORS = tuple(name for name in _CHECKED if name != "__array_ufunc__")
"""The names of these methods."""


class CheckedOperands:
    """The operators of eager values, which refuse a value of another type."""

    __slots__ = ()

    locals().update(_CHECKED)


_OF_NODES = ("op", "graph", "name", "value_index", "consumers")
_OWN = (
    *("shape", "dtype", "get_shape", "set_shape", "_id", "_numpy", "ref", "experimental_ref"),
    *("device", "backing_device", "_shape_tuple", "cpu"),
    *("__getitem__", "__iter__", "__len__", "__setattr__", "__getattr__"),
)
_CORE_ITEM, _CORE_ITER = Tensor.__getitem__, Tensor.__iter__
_CORE = {name: getattr(Tensor, name) for name in ("__eq__", "__ne__", "__repr__", "__str__", "numpy")}


def _of_nodes(name: str) -> property:
    """Return the property that raises TensorFlow's error for what only nodes have."""

    def fail(self: Any) -> Any:
        raise AttributeError(_meaningless(name))

    return property(fail)


def _meaningless(name: str) -> str:
    return f"Tensor.{name} is meaningless when eager execution is enabled."


def _tensor_str(self: Any) -> str:
    shown = str(self.value)
    line = "\n" if "\n" in shown else ""
    return f"tf.Tensor({line}{shown}, shape={self.shape}, dtype={self.dtype.name})"


def _tensor_repr(self: Any) -> str:
    array = self.value
    shown = str(array) if np.ndim(array) == 0 and np.asarray(array).dtype.kind != "O" else repr(array)
    if np.ndim(array) == 0 and np.asarray(array).dtype.kind == "O":
        shown = repr(np.asarray(array).item())
    line = "\n" if "\n" in shown else ""
    return f"<tf.Tensor: id={id(self)}, shape={self.shape}, dtype={self.dtype.name}, numpy={line}{shown}>"


# While `tf.py_function` runs, other threads have the core's own answers.


def _tensor_dtype(self: Any) -> Any:
    return of_array(self.value.dtype) if gives_tensors() else self.value.dtype


def _is(self: Any, other: Any) -> Any:
    return self is other if gives_tensors() else _CORE["__eq__"](self, other)


def _is_not(self: Any, other: Any) -> Any:
    return self is not other if gives_tensors() else _CORE["__ne__"](self, other)


def _tensor_item(self: Any, index: Any) -> Any:
    try:
        return _of_strings(_CORE_ITEM(self, index))
    except IndexError as error:
        raise (TypeError(str(error)) if "valid indices" in str(error) else of_eager_call(error)) from error


def _tensor_iter(self: Any) -> Any:
    if not np.ndim(self.value):
        raise TypeError("Cannot iterate over a scalar tensor.")
    return map(_of_strings, _CORE_ITER(self)) if self.value.dtype.kind == "O" else _CORE_ITER(self)


def _of_strings(item: Any) -> Any:
    """Return a tensor for a string, which NumPy gives as the element itself; anything else as it is."""
    return Tensor(np.array(item, object)) if isinstance(item, (bytes, str)) else item


def _tensor_len(self: Any) -> int:
    if not np.ndim(self.value):
        raise TypeError("Scalar tensor has no `len()`")
    return len(self.value)


# What a program notes on its tensors, as masks of layers: kept as long as the tensor is.
_noted: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()


def note(self: Any, name: str, value: Any) -> None:
    """Keep a value under a name as an attribute of a tensor."""
    if hasattr(Tensor, name):
        object.__setattr__(self, name, value)
    else:
        _noted.setdefault(self, {})[name] = value


def _noted_before(self: Any, name: str) -> Any:
    """Return what was noted under a name that no tensor has by itself."""
    if name in _OF_NODES:  # the property has failed
        raise AttributeError(_meaningless(name))
    try:
        return _noted[self][name]
    except KeyError:
        raise AttributeError(f"'Tensor' object has no attribute {name!r}") from None


class _Reference:
    """Stands for a tensor in sets and as a key of dicts. Source: ``tf.Tensor.ref``."""

    __slots__ = ("__weakref__", "_tensor")

    def __init__(self, tensor: Any) -> None:
        self._tensor = tensor

    def deref(self) -> Any:
        """Return the tensor."""
        return self._tensor

    def __hash__(self) -> int:
        return id(self._tensor)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Reference) and self._tensor is other._tensor


def _tensor_numpy(self: Any) -> Any:
    """Return the value as an array; of a scalar the NumPy scalar, of one string the bytes."""
    return _CORE["numpy"](self) if self.value.ndim else self.value[()]


def _tensor_view(self: Any) -> Any:
    """Return the value's own memory: libraries ask."""
    return self.value


def give_tensors_their_methods(on: bool) -> None:
    """Let the core's tensors have TensorFlow 1's shapes and checks, as eager execution is enabled, or no longer."""
    tensor: Any = Tensor
    if on:
        tensor.shape = property(lambda self: EagerShape(self.value.shape))
        tensor.dtype = property(_tensor_dtype)
        tensor.get_shape = lambda self: self.shape
        tensor.__repr__, tensor.__str__, tensor.__iter__ = _tensor_repr, _tensor_str, _tensor_iter
        tensor.numpy, tensor._numpy = _tensor_numpy, _tensor_view
        # As nodes: tensors are found in lists and are keys of dicts. ``tf.equal`` compares their elements.
        tensor.__eq__, tensor.__ne__ = _is, _is_not
        tensor.__getitem__, tensor.__len__, tensor._id = _tensor_item, _tensor_len, property(id)
        tensor.__setattr__, tensor.__getattr__ = note, _noted_before
        tensor.device = tensor.backing_device = property(lambda self: LOCAL_CPU)
        tensor._shape_tuple, tensor.cpu = lambda self: self.value.shape, lambda self: self
        tensor.ref = tensor.experimental_ref = lambda self: _Reference(self)
        for name in _OF_NODES:
            setattr(tensor, name, _of_nodes(name))
        tensor.set_shape = lambda self, shape: self.shape.assert_is_compatible_with(shape)
        for name, method in _CHECKED.items():
            setattr(tensor, name, method)
    else:
        for name, method in _CORE.items():
            setattr(tensor, name, method)
        for name in (*_OWN, *_OF_NODES, *_CHECKED):
            if name in vars(tensor):
                delattr(tensor, name)
