"""What is trained: a named array that optimizers change in place."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NoReturn

import numpy as np

from .. import _core
from ..base.arrays import to_flag
from ..base.errors import describe, must
from ..base.typing import Array, ArrayLike, DTypeLike, Value
from ..ops.conversion import as_array
from ..ops.dispatch import apply, record, unwrap, wrap_result
from ..ops.methods import ArrayMethods
from ..ops.operators import GETITEM, rows_named
from ..ops.registry import Primitive
from ..ops.state import recording
from ..ops.tensor import Tensor
from ..ops.vjps.indexing import checked_ids
from .assigned import fitting
from .scopes import variable_created

__all__ = ["Variable"]

_created = itertools.count()


class Variable(ArrayMethods):
    """A C-contiguous array with a name, changed by ``assign``, ``assign_add``, ``assign_sub`` and by optimizers.

    It works with NumPy's functions, operators and indexing as an array does; the results are plain arrays, or recorded
    tensors under a `GradientTape`. ``==`` and ``hash`` go by identity, as in TensorFlow 1, so that variables are keys
    of dicts and members of lists; compare values with ``np.equal``. ``<`` and the like compare element by element.

    Args:
        initial_value: an array, number, nested list, or a function without arguments that returns one; copied.
            Python floats become float32 and ints int32, arrays keep their type.
        trainable: whether tapes watch it by themselves, and whether it enters ``GraphKeys.TRAINABLE_VARIABLES``.
        name: made unique; ``"Variable"`` by default.
        dtype: the type to convert to.
        collections: names of collections to enter, by default ``[GraphKeys.GLOBAL_VARIABLES]``.

    Raises:
        TypeError: for complex numbers, strings and objects.
        ValueError: for a name that is not one.

    Source: ``tf.Variable`` of TensorFlow 1.

    Example:
        >>> w = st.Variable([1.0, 2.0], name="weights")
        >>> w += [1.0, 1.0]
        >>> (w * 2).tolist()
        [4.0, 6.0]
    """

    # _pending: None, or the rows that an optimizer has left for later (`optim.pending_rows`), which whoever reads the
    # variable must see as they stand now.
    __slots__ = ("__weakref__", "_array", "_name", "_order", "_pending", "_seen", "_trainable", "_version")
    _made = staticmethod(as_array)  # the array of a first value; in TensorFlow's eager mode of other types, too
    _constrain: ClassVar[Any] = None  # what is done after an update: in TensorFlow's eager mode a constraint
    _names_repeat: ClassVar[bool] = False  # whether several may have one name, and collections do not know them

    def __init__(
        self,
        initial_value: ArrayLike | Callable[[], ArrayLike],
        trainable: bool = True,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        collections: Sequence[str] | None = None,
    ) -> None:
        if callable(initial_value) and not isinstance(initial_value, (ArrayMethods, np.ndarray, np.generic)):
            initial_value = initial_value()
        if initial_value is None:
            raise ValueError(must("Variable", "initial_value", "be a value", None, "None values are not supported"))
        self._array: Array = self._made("Variable", initial_value, dtype)
        self._pending: Any = None
        self._trainable = to_flag("Variable", "trainable", trainable)
        self._version = 0
        self._order = next(_created)
        self._seen: tuple[object, Any] = (None, None)
        self._name = variable_created(self, name, collections)

    @classmethod
    def _unlisted(cls, array: Array, trainable: bool, name: str) -> Variable:
        """Return a variable around ``array`` itself that no scope or collection knows (a session's, a checkpoint's)."""
        variable = cls.__new__(cls)
        variable._array, variable._trainable, variable._name = array, trainable, name
        variable._version, variable._order, variable._seen, variable._pending = 0, next(_created), (None, None), None
        return variable

    # Properties

    @property
    def value(self) -> Array:
        """The live array itself. Whoever writes to it under a tape makes that tape's gradients wrong: use assign."""
        pending = self._pending  # one read: another thread may have it made
        if pending is not None:
            pending.flush()
        return self._array

    _value = _kept = value  # what is computed with, and written to: eager programs of `steepest.v1` see narrower types

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return self._array.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of an element."""
        return self._array.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._array.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._array.size

    def __len__(self) -> int:
        return len(self._array)

    @property
    def name(self) -> str:
        """The unique name."""
        return self._name

    @property
    def trainable(self) -> bool:
        """Whether tapes watch it by themselves; False freezes it for ``minimize``, but where ``var_list`` names it."""
        return self._trainable

    @trainable.setter
    def trainable(self, trainable: bool) -> None:
        self._trainable = to_flag("Variable", "trainable", trainable)
        self._seen = (None, None)

    def numpy(self) -> Array:
        """Return a copy of the value."""
        copy: Array = self._value.copy()
        return copy

    def rows(self, ids: ArrayLike) -> Array:
        """Return a copy of the rows ``ids``, [N] -> [N, ...]; its cost follows N.

        Rows that ``AdamOptimizer(sparse_update="deferred")`` has left for later are computed as they stand now, and the
        others stay for later; every other way of reading brings the whole table up to date first.

        Raises:
            IndexError: for an index that is negative or too large.
            TypeError: for indices that are not integers.
            ValueError: for a scalar, which has no rows.

        Example:
            >>> st.Variable([[1.0, 2.0], [3.0, 4.0]]).rows([1]).tolist()
            [[3.0, 4.0]]
        """
        positions = checked_ids(f"{self._name}.rows", self, ids)
        pending = self._pending
        copy: Array = self._array.take(positions, axis=0) if pending is None else pending.read(self._array, positions)
        return copy

    def _settled(self) -> Array:
        """Return the value for reading; rows that wait go on waiting, and the value is then a copy.

        What saves or copies a Variable asks for this: it changes no bit of later results.
        """
        pending = self._pending
        return self._array if pending is None else pending.settled(self._array)

    def _array_for(self, owner: object) -> Array:
        """Return the array to write to: up to date, but for rows that are left for later to this very owner."""
        pending = self._pending
        return self._array if pending is not None and pending.owner is owner else self._kept

    def _subscript(self, index: Any) -> Any:
        if self._pending is not None:
            index = unwrap(index)
            ids = rows_named(index, self.shape)
            if ids is not None:
                return self._take_rows(GETITEM, index, ids)
        return super()._subscript(index)

    def read_value(self) -> Value:
        """Return the value now: recorded under a tape, else a copy."""
        read = self._operand()
        return read if isinstance(read, Tensor) and read.mark >= recording().floor else wrap_result(self._value.copy())

    def initialized_value(self) -> Value:
        """Return the value; here a variable is initialised when it is made."""
        return self.read_value()

    # Assignment

    def assign(self, value: ArrayLike) -> Variable:
        """Overwrite the value and return self.

        Raises:
            TypeError: for a type that does not convert under NumPy's ``same_kind`` rule.
            ValueError: for another shape; there is no broadcasting.

        When it raises, nothing has changed.
        """
        np.copyto(self._kept, fitting(self, "assign", value), casting="same_kind")
        self._changed()
        return self

    def assign_add(self, value: ArrayLike) -> Variable:
        """Add ``value`` in place and return self. Raises as `assign`."""
        np.add(self._kept, fitting(self, "assign_add", value), out=self._array, casting="same_kind")
        self._changed()
        return self

    def assign_sub(self, value: ArrayLike) -> Variable:
        """Subtract ``value`` in place and return self. Raises as `assign`."""
        np.subtract(self._kept, fitting(self, "assign_sub", value), out=self._array, casting="same_kind")
        self._changed()
        return self

    def _changed(self) -> None:
        """Note that the array has been written to, so that tapes know their values are out of date."""
        self._version += 1
        self._seen = (None, None)

    # Under a tape

    def _operand(self) -> Any:
        pending = self._pending
        if pending is not None:
            pending.flush()
        return self._array if recording().floor == math.inf else self._current_leaf()

    def _current_leaf(self) -> Tensor:
        leaf: Tensor = _core.current_leaf(self, recording())
        return leaf

    def _take_rows(self, primitive: Primitive, index: Any, ids: Array) -> Any:
        """Evaluate and record ``primitive(self, index)``, which reads rows ``ids`` and leaves the others waiting."""
        leaf = None if recording().floor == math.inf else self._current_leaf()
        pending = self._pending
        if pending is None:  # a persistent tape has copied the whole variable
            return apply(primitive, (self, index))
        rows = pending.read(self._array, ids)
        if leaf is None or leaf.mark < recording().floor:
            return rows
        return record(rows, primitive, (leaf, index))

    # Operators that differ from an array's

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __iadd__(self, value: Any) -> Variable:
        return self.assign_add(value)

    def __isub__(self, value: Any) -> Variable:
        return self.assign_sub(value)

    def _no_in_place(self, value: Any) -> NoReturn:
        raise TypeError(must(self._name, "in-place operator", "be += or -=", "another one", "write v.assign(v * x)"))

    __imul__ = __itruediv__ = __ifloordiv__ = __imod__ = __ipow__ = __imatmul__ = _no_in_place

    def __setitem__(self, index: Any, value: Any) -> None:
        remedy = "use assign, or write to .value outside tapes"
        raise TypeError(must(self._name, "element", "not be assigned to", f"index {describe(index)}", remedy))

    def __reduce__(self) -> Any:
        return _unpickled, (self._settled(), self._trainable, self._name)

    def __copy__(self) -> NoReturn:
        raise TypeError(must(self._name, "variable", "not be copied", "copy.copy", "make a Variable of v.numpy()"))

    def __deepcopy__(self, memo: Any) -> Variable:
        return Variable(self._settled(), self._trainable, self._name)

    def __repr__(self) -> str:
        value = np.array2string(self._value, threshold=20, edgeitems=2, separator=", ")
        return f"<Variable {self._name!r} shape={self.shape} dtype={self.dtype}> {value}"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(self._value[()], spec) if spec else repr(self)


def _unpickled(array: Any, trainable: bool, name: str) -> Variable:
    return Variable(array, trainable, name.rsplit("/", 1)[-1])
