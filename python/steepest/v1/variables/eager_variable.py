"""What ``tf.Variable`` makes in eager mode: a variable of the core with TensorFlow 1's methods."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...ops.dispatch import Operand, unwrap
from ...ops.tensor import Tensor
from ...variables.scopes import name_scope
from ...variables.variable import Variable
from ..graph.constants import constant_array
from ..graph.dtypes import as_dtype, of_array
from ..graph.eager_call import apart, eager_value
from ..graph.eager_indices import as_index
from ..graph.eager_operands import OPERATORS, CheckedOperands
from ..graph.eager_shapes import EagerShape
from ..graph.eager_tensors import note
from ..graph.errors import InvalidArgumentError, OutOfRangeError
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.options import VariableAggregation, VariableSynchronization, check_collections, trained_by_default
from ..graph.shapes import Shape, TensorShape, bracketed, compatible, text
from .eager_state import EagerState
from .first_values import declared_shape
from .variable_rows import RowMethods
from .variable_slices import SaveSliceInfo, set_slice, slice_of

__all__ = ["EagerVariable", "eager_variable"]


def _either(name: str) -> Callable[..., Any]:
    """Return an operator: of eager mode, or of the graph that is being made."""
    eager = getattr(CheckedOperands, name, None) or getattr(Variable, name)

    def compute(self: Any, *other: Any) -> Any:
        form = self._form()
        return eager(self, *other) if form is self else getattr(form, name)(*other)

    compute.__name__ = name
    return compute


class EagerVariable(CheckedOperands, RowMethods, EagerState, Variable):
    """A variable that has its value from the beginning. ``value()`` is a method here, as in TensorFlow."""

    __slots__ = ("_constraint", "_declared", "_kinds", "_slice")

    _constraint: Callable[[Any], Any] | None
    _declared: Shape
    _kinds: tuple[Any, Any]
    _slice: SaveSliceInfo | None
    _names_repeat = True
    _has_value = True
    _is_resource = True  # optimizers of a program's own are asked by their methods for resource variables

    @staticmethod
    def _made(who: str, value: Any, dtype: Any = None) -> Any:
        """Return the array of a first value; beside the core's types it may be of complex numbers or strings."""
        given = eager_value(value, dtype)
        array = constant_array(given) if dtype is None else unwrap(_converted(who, given, np.dtype(dtype)))
        return np.array(array, order="C")

    @property
    def name(self) -> str:
        """The name, with ``:0``; several variables may have one."""
        return f"{self._name}:0"

    @property
    def _shared_name(self) -> str:
        return str(self._name)

    @property
    def shape(self) -> Any:
        """The shape; what the program declared of it, where values of other shapes may follow."""
        return TensorShape(self._declared) if self._is_open() else EagerShape(self._array.shape)

    def _is_open(self) -> bool:
        return hasattr(self, "_declared") and (self._declared is None or None in self._declared)

    def get_shape(self) -> Any:
        """Return the shape."""
        return self.shape

    @property
    def dtype(self) -> Any:
        """The type of an element."""
        return of_array(self._array.dtype)

    @property
    def initializer(self) -> None:
        """None: an eager variable has its initial value from the beginning."""
        return None

    @property
    def constraint(self) -> Any:
        """The function that is applied after each dense update, or None."""
        return getattr(self, "_constraint", None)

    def _constrain(self) -> None:
        if self.constraint is not None:
            self.assign(self.constraint(self))

    @property
    def op(self) -> Any:
        """The operation that stands for it in the graph of a function that is made; none in eager mode."""
        form = self._form()
        if form is self:
            raise AttributeError("Tensor.op is meaningless when eager execution is enabled.")
        return form.op

    def is_initialized(self, name: str | None = None) -> Any:
        """Return whether it has a value, as a tensor."""
        return Tensor(np.array(True))

    def _form(self) -> Any:
        """Return what the variable is here: itself, or a graph's variable in the graph of a function that is made."""
        return self if executing_eagerly() else get_default_graph()._captured(self)

    locals().update({name: _either(name) for name in (*OPERATORS, "__neg__", "__abs__")})

    def numpy(self) -> Any:
        """Return a copy of the value; of a scalar the NumPy scalar."""
        self._only_eagerly()
        return super().numpy()[()]

    def value(self) -> Any:  # type: ignore[override]  # TensorFlow's method
        """Return the value as it is now, as a tensor."""
        return self.read_value()

    _save_slice_info = property(slice_of)
    _get_save_slice_info, _set_save_slice_info = slice_of, set_slice

    def read_value(self) -> Any:
        """Return the value as it is now, as a tensor; recorded where a tape records."""
        form = self._form()
        return np.copy(self) if form is self else form.read_value()

    def load(self, value: Any, session: Any = None) -> None:
        """Overwrite the value."""
        self.assign(value)

    # Changes: with TensorFlow's arguments, and with its checks -----------------------------------

    def assign(self, value: Any, use_locking: bool = False, name: Any = None, read_value: bool = True) -> Any:
        """Overwrite the value; return the variable, or None without ``read_value``. ValueError for another shape."""
        if (form := self._form()) is not self:
            return form.assign(value, use_locking, name, read_value)
        array = _converted("assign", value, self.dtype)
        known = self._declared if self._is_open() else self._array.shape
        if not compatible(np.shape(array), known):
            raise ValueError(
                f"Shapes {text(known)} and {np.shape(array)} are incompatible. Cannot assign to {self.name!r}: the "
                f"variable's shape {text(known)} and the value's {np.shape(array)} are incompatible"
            )
        self._replace(array)
        return self if read_value else None

    def _replace(self, value: Any) -> None:
        """Overwrite the value by one of any shape."""
        self._unshare()
        if np.shape(value) == self._array.shape:
            super().assign(value)
        else:
            self._array = np.array(unwrap(value), self._array.dtype, order="C")
            self._changed()

    def assign_add(self, delta: Any, use_locking: bool = False, name: Any = None, read_value: bool = True) -> Any:
        """Add to the value; return the variable, or None without ``read_value``."""
        if (form := self._form()) is not self:
            return form.assign_add(delta, use_locking, name, read_value)
        array = self._fitting("assign_add", delta)
        self._unshare()
        super().assign_add(array)
        return self if read_value else None

    def assign_sub(self, delta: Any, use_locking: bool = False, name: Any = None, read_value: bool = True) -> Any:
        """Subtract from the value; return the variable, or None without ``read_value``."""
        if (form := self._form()) is not self:
            return form.assign_sub(delta, use_locking, name, read_value)
        array = self._fitting("assign_sub", delta)
        self._unshare()
        super().assign_sub(array)
        return self if read_value else None

    def _fitting(self, who: str, delta: Any) -> Any:
        array = _converted(who, delta, self.dtype)
        if np.shape(array) != self._array.shape:
            raise InvalidArgumentError(
                None,
                None,
                f"Cannot update variable with shape {bracketed(self._array.shape)} using a Tensor with shape "
                f"{bracketed(np.shape(array))}, shapes must be equal.",
            )
        return array

    def __getitem__(self, key: Any) -> Any:
        """Return a part as a tensor, whose ``assign(value)`` overwrites the part."""
        if (form := self._form()) is not self:
            return form[key]
        part = apart(super().__getitem__(as_index(key)), [self])
        if isinstance(part, Tensor):
            note(part, "assign", functools.partial(self._assign_part, key))
        return part

    def _assign_part(self, key: Any, value: Any, name: str | None = None) -> EagerVariable:
        array = self._value.copy()  # an error of broadcasting leaves the variable alone
        try:
            array[unwrap(key)] = unwrap(_converted("assign", value, self.dtype))
        except ValueError as error:
            raise InvalidArgumentError(None, None, f"Cannot assign to a part of {self.name}: {error}") from error
        self.assign(array)
        return self

    def __reduce__(self) -> Any:
        kinds = self.synchronization, self.aggregation
        return _restored, (np.array(self._kept), self.trainable, self._name, kinds)

    def __copy__(self) -> EagerVariable:  # type: ignore[override]  # the core's are not copied
        return self  # both would have one value

    def __deepcopy__(self, memo: Any) -> EagerVariable:
        make, arguments = self.__reduce__()
        twin: EagerVariable = make(*arguments)
        return twin

    def count_up_to(self, limit: int) -> Any:
        """Return the value, and then add 1. OutOfRangeError once it is ``limit``, InvalidArgumentError for a float."""
        if self.dtype.name not in ("int32", "int64"):
            told = "is not in the list of allowed values: int32, int64"
            raise InvalidArgumentError(None, None, f"Value for attr 'T' of {self.dtype.name} {told}")
        value = self.read_value()
        if value >= limit:
            raise OutOfRangeError(None, None, f"Reached limit of {limit}")
        self.assign_add(np.ones((), self._array.dtype))
        return value

    def __repr__(self) -> str:
        array = self._array.astype(self.dtype.dtype, copy=False)
        shown = repr(array) if array.ndim else str(array)
        line = "\n" if "\n" in shown else ""
        return f"<tf.Variable {self.name!r} shape={self.shape} dtype={self.dtype.name}, numpy={line}{shown}>"

    __str__ = __repr__


def _restored(array: Any, trainable: bool, name: str, kinds: Any) -> EagerVariable:
    with name_scope(None):
        made = EagerVariable(array, trainable, name)
    made._kinds = kinds
    return made


def eager_variable(
    initial_value: Any = None,
    trainable: bool | None = None,
    collections: Sequence[str] | None = None,
    validate_shape: bool = True,
    caching_device: Any = None,
    name: str | None = None,
    variable_def: Any = None,
    dtype: Any = None,
    expected_shape: Any = None,
    import_scope: Any = None,
    constraint: Callable[[Any], Any] | None = None,
    use_resource: Any = None,
    synchronization: Any = None,
    aggregation: Any = None,
    shape: Any = None,
) -> EagerVariable:
    """Return an eager variable, for the arguments of TensorFlow's in their order.

    Raises ValueError for an initial value that does not have the shape that is declared.
    """
    check_collections(collections)
    del validate_shape, caching_device, variable_def, expected_shape, import_scope, use_resource
    if constraint is not None and not callable(constraint):
        raise ValueError("The `constraint` argument must be a callable.")
    dtype = None if dtype is None else as_dtype(dtype).dtype
    trained = trained_by_default(trainable, synchronization)
    variable = EagerVariable(initial_value, trained, name, dtype, collections)
    variable._constraint = constraint
    variable._kinds = synchronization or VariableSynchronization.AUTO, aggregation or VariableAggregation.NONE
    if shape is not None:
        variable._declared = declared_shape(variable._array.shape, shape)
    return variable


def _converted(who: str, value: Any, dtype: np.dtype[Any]) -> Any:
    """Return the array of a value that becomes a variable's; ValueError for a tensor of another type."""
    if isinstance(value, Operand):
        if value.dtype != dtype:  # type: ignore[attr-defined]
            raise ValueError(f"{who}: value must be of type {dtype}, got {value.dtype}")  # type: ignore[attr-defined]
        return value
    return constant_array(value, as_dtype(dtype))
