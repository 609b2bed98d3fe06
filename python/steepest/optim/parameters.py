"""Plain arrays as parameters: an array is known by its memory, not by the Python object that shows it."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from .. import _core
from ..base.arrays import is_masked
from ..base.dtypes import Array, code_of
from ..base.errors import must
from ..ops.tensor import Tensor
from ..variables.variable import Variable
from .lost_state import LostState
from .waiting import Waiting

__all__ = ["ArrayParameter", "Parameter", "ParameterTable", "identity_of", "memory_of", "owner_of", "while_alive"]

_numbers = itertools.count()


class ArrayParameter(np.lib.mixins.NDArrayOperatorsMixin):
    """A NumPy array that an optimizer updates in place, with the part of `Variable` that update rules use.

    The array itself is held only while the optimizer works on it.
    """

    trainable = True

    def __init__(self, array: Array) -> None:
        self._array: Array | None = array
        self.shape = array.shape
        self.dtype = array.dtype
        self.name = self._name = f"ndarray_{next(_numbers)}"

    @property
    def value(self) -> Array:
        """The array itself."""
        if self._array is None:
            raise RuntimeError(must(self.name, "value", "be used while the optimizer applies gradients", "a later use"))
        return self._array

    _value = _kept = value  # as a Variable's

    def numpy(self) -> Array:
        """Return a copy of the array."""
        copied: Array = self._value.copy()
        return copied

    def assign(self, value: Any) -> ArrayParameter:
        """Overwrite the array."""
        self._value[...] = value
        return self

    def assign_add(self, value: Any) -> ArrayParameter:
        """Add in place."""
        return self.assign(self._value + value)

    def assign_sub(self, value: Any) -> ArrayParameter:
        """Subtract in place."""
        return self.assign(self._value - value)

    __iadd__, __isub__ = assign_add, assign_sub  # the mixin's would call themselves

    def _no_in_place(self, value: Any) -> NoReturn:  # as a Variable's
        remedy = "write v.assign(v * x)"
        raise TypeError(must(self.name, "in-place operator", "be += or -=", "another one", remedy))

    __imul__ = __itruediv__ = __ifloordiv__ = __imod__ = __ipow__ = __imatmul__ = _no_in_place
    __iand__ = __ior__ = __ixor__ = __ilshift__ = __irshift__ = _no_in_place

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        copied: Array = np.array(self._value, dtype=dtype)
        return copied

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        values = [x._value if isinstance(x, ArrayParameter) else x for x in inputs]
        if kwargs.get("out"):
            kwargs["out"] = tuple([x._value if isinstance(x, ArrayParameter) else x for x in kwargs["out"]])
        return getattr(ufunc, method)(*values, **kwargs)

    def __getitem__(self, index: Any) -> Any:
        return self._value[index]

    def __repr__(self) -> str:
        return f"<ArrayParameter {self.name!r} shape={self.shape} dtype={self.dtype}>"


Parameter = Variable | ArrayParameter


class ParameterTable:
    """The parameters that one optimizer has met, each with a key under which its slots are kept.

    ``on_death(key)`` is called when a parameter's memory or Variable is gone; it tells whether slots went with it.
    """

    def __init__(self, on_death: Callable[[int], bool]) -> None:
        self._lost = LostState()
        self.waiting: Waiting | None = None  # state that was loaded before its parameters were met
        self.met = 0  # arrays so far: while it stands, no memory has become another parameter
        self._arrays: dict[tuple[Any, ...], tuple[Callable[[], Any], ArrayParameter]] = {}
        self._keys: dict[int, int] = {}  # id of a living parameter object -> its key
        self._next = itertools.count()
        self._on_death = on_death
        self._references: dict[int, Any] = {}  # a weak reference must itself be kept for its callback to run

    def find(self, target: Any) -> Parameter | None:
        """Return the parameter that ``target`` is, or None when it has not been met."""
        if isinstance(target, (Variable, ArrayParameter)):
            return target if id(target) in self._keys else None
        if not isinstance(target, np.ndarray):
            return None
        entry = self._arrays.get(memory_of(target))
        if entry is None or entry[0]() is not _core.owner_of(target):
            return None
        return entry[1]

    def key(self, parameter: Parameter) -> int | None:
        """Return the key of a parameter that has been met, else None."""
        return self._keys.get(id(parameter))

    def meet(self, who: str, target: Any) -> Parameter:
        """Return the parameter that ``target`` is; TypeError or ValueError when it cannot be one."""
        known = self.find(target)
        if known is not None:
            if isinstance(known, ArrayParameter) and isinstance(target, np.ndarray):
                _check_writable(who, target)
            return known
        if isinstance(target, Variable):
            if code_of(target.dtype) is None:
                raise TypeError(
                    must(who, f"variable {target.name!r}", "be of a floating type", f"dtype {target.dtype}")
                )
            entry = None if self.waiting is None else self.waiting.claim(target)
            self._remember(target, target)
            if entry is not None:
                self._settle(target, entry)
            return target
        if isinstance(target, ArrayParameter):
            return target
        if isinstance(target, Tensor):
            got = f"{target!r:.60}; Trying to update a Tensor"
            raise NotImplementedError(must(who, "variable", "be a Variable or a NumPy array", got))
        if not isinstance(target, np.ndarray):
            raise TypeError(
                must(who, "variable", "be a Variable or a NumPy array", target, "wrap it in steepest.Variable")
            )
        if is_masked(target):
            raise TypeError(must(who, "variable", "be without a mask", target, "pass its .data"))
        if code_of(target.dtype) is None:
            rule = "be an array of float16, float32, float64 or bfloat16 in native byte order"
            raise TypeError(must(who, "variable", rule, f"dtype {target.dtype}"))
        _check_writable(who, target)
        entry = None if self.waiting is None else self.waiting.claim(target)
        parameter = self._meet_array(who, target)
        if entry is not None:
            self._settle(target, entry)
        return parameter

    def known(self) -> list[tuple[int, Any, Parameter]]:
        """Return what is alive, in the order in which it was met: key, identity (`identity_of`), parameter."""
        arrays: list[tuple[Any, Parameter]] = [
            (identity, parameter) for identity, (alive, parameter) in self._arrays.items() if alive() is not None
        ]
        targets = (reference() for reference in list(self._references.values()))
        variables: list[tuple[Any, Parameter]] = [
            (id(target), target) for target in targets if isinstance(target, Variable)
        ]
        found: list[tuple[int, Any, Parameter]] = [
            (self._keys[id(parameter)], identity, parameter) for identity, parameter in [*arrays, *variables]
        ]
        return sorted(found, key=lambda entry: entry[0])

    def targets(self) -> list[tuple[Any, Any]]:
        """Return for each entry of `known` its identity, and what it shows: the Variable, or the memory's owner."""
        return [(identity, self.owner(identity, parameter)) for _, identity, parameter in self.known()]

    def owner(self, identity: Any, parameter: Parameter) -> Any:
        """Return the Variable, or the object that has an array's memory; None where that has ended meanwhile."""
        if isinstance(parameter, Variable):
            return parameter
        entry = self._arrays.get(identity)
        return None if entry is None else entry[0]()

    def _settle(self, target: Any, entry: Any) -> None:
        assert self.waiting is not None
        self.waiting.settle(target, entry)
        if not self.waiting.entries:
            self.waiting = None

    def _meet_array(self, who: str, array: Array) -> ArrayParameter:
        identity, owner = memory_of(array), _core.owner_of(array)
        self._lost.array_comes(who, (array.shape, array.dtype), not self._keys)
        parameter = ArrayParameter(array)
        parameter._array = None  # held only during an update
        self.met += 1
        if type(owner).__weakrefoffset__:
            self._arrays[identity] = (self._remember(parameter, owner, identity), parameter)
        else:
            # A buffer that cannot be referred to weakly (bytearray): it lives as long as this optimizer.
            self._keys[id(parameter)] = next(self._next)
            self._arrays[identity] = (lambda: owner, parameter)
        return parameter

    def _remember(self, parameter: Parameter, owner: Any, identity: Any = None) -> Callable[[], Any]:
        key, handle = next(self._next), id(parameter)
        table = weakref.ref(self)

        def gone(_: Any) -> None:
            self = table()
            if self is None:
                return
            if self._keys.get(handle) == key:
                del self._keys[handle]
            entry = self._arrays.get(identity)
            if entry is not None and entry[0] is alive:
                del self._arrays[identity]
            self._references.pop(key, None)
            if self._on_death(key) and identity is not None:
                self._lost.array_gone((identity[1], identity[3]))

        alive = weakref.ref(owner, gone)
        self._references[key] = alive
        self._keys[handle] = key
        return alive


def identity_of(target: Any) -> Any:
    """Return what a parameter is known by while it lives: an array its memory, a Variable itself."""
    return memory_of(target) if isinstance(target, np.ndarray) else id(target)


def owner_of(target: Any) -> Any:
    """Return the object with whose end a parameter ends: of an array the one that has its memory, a Variable itself."""
    return _core.owner_of(target) if isinstance(target, np.ndarray) else target


def while_alive(owner: Any) -> Callable[[], Any]:
    """Return a function that gives the object while it lives, else None; a bytearray is kept alive by it."""
    return weakref.ref(owner) if type(owner).__weakrefoffset__ else lambda: owner


def memory_of(array: Array) -> tuple[Any, ...]:
    """Return what an array is known by: two arrays with equal memory are one parameter."""
    return (_core.address(array), array.shape, array.strides, array.dtype)


def _check_writable(who: str, array: Array) -> None:
    if not array.flags.writeable:
        raise ValueError(must(who, "variable", "be writable", f"read-only {array.dtype} array of shape {array.shape}"))
