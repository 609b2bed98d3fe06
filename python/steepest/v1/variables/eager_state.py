"""What tells an eager variable from a graph's: tapes keep what they have read, and what needs a graph is refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from ...ops.state import recording
from ..graph.devices import LOCAL_CPU
from ..graph.eager_call import apart
from ..graph.mode import executing_eagerly
from ..graph.options import VariableAggregation, VariableSynchronization
from ..graph.reference import Reference
from ..ops.type_spec import type_spec_from_value, with_shape
from .shown_type import shown_class

__all__ = ["EagerState"]

_PLAIN = VariableSynchronization.AUTO, VariableAggregation.NONE


def _in_graph(value: Any) -> Any:
    """Return what an argument is in the graph of a function that is made."""
    if type(value) in (list, tuple):
        return type(value)(map(_in_graph, value))
    return value._form() if isinstance(value, EagerState) else value


class EagerState:
    """A base of eager variables, before the core's."""

    __slots__ = ()

    _seen: tuple[object, Any]
    _value: Any
    _name: str
    read_value: Callable[[], Any]
    _form: Callable[[], Any]

    def _unshare(self) -> None:
        """Leave the value that recording tapes have read to them, before this one changes, which is sure by now.

        Persistent tapes have copies, which they know by the version.
        """
        state = recording()
        if state.floor == math.inf:
            return
        whole: Any = self  # the slots are the core's
        for tape in state.tapes:  # which know the variables that are assigned to as well as those that are read
            if tape._watches_accessed and whole.trainable:
                tape._watched.add(whole)
        if any(tape._persistent for tape in state.tapes):
            return
        if self._seen[1] is not None:
            whole._array = whole._kept.copy()
        whole._version -= 1  # which the change raises: to the tapes nothing has changed

    def _only_eagerly(self) -> None:
        """Raise NotImplementedError in the graph of a function that is made, where the value is not known yet."""
        if not executing_eagerly():
            raise NotImplementedError("numpy() is only available when eager execution is enabled.")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        self._only_eagerly()
        return super().__array__(dtype, copy)  # type: ignore[misc]  # the core's

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Return what a function of NumPy's gives; no view of the variable, whose value will change."""
        if not executing_eagerly():
            return function(*map(_in_graph, args), **{key: _in_graph(value) for key, value in kwargs.items()})
        result = super().__array_function__(function, types, args, kwargs)  # type: ignore[misc]  # the core's
        if args and type(args[0]) in (list, tuple):
            return apart(result, args[0])
        return apart(result, args or list(kwargs.values()))

    def _show_as(self, dtype: Any) -> None:
        """Be of another type for programs; kernels have the array as it is."""
        whole: Any = self
        whole.__class__ = shown_class(type(whole), np.dtype(dtype))

    _type_spec = property(type_spec_from_value)
    _shape_invariant_to_type_spec = with_shape

    @property
    def _handle_name(self) -> str:
        return f"{self._name}:0"

    @property
    def _unique_id(self) -> str:
        return f"{self._name}_{id(self)}"

    @property
    def device(self) -> str:
        """Where it lives: on the CPU."""
        return LOCAL_CPU

    @property
    def synchronization(self) -> Any:
        """How copies of it would be kept alike: there is one."""
        return getattr(self, "_kinds", _PLAIN)[0]

    @property
    def aggregation(self) -> Any:
        """How changes of several copies would be put together."""
        return getattr(self, "_kinds", _PLAIN)[1]

    @property
    def graph(self) -> NoReturn:
        """None: raises AttributeError."""
        raise AttributeError("Tensor.graph is meaningless when eager execution is enabled.")

    @property
    def initial_value(self) -> NoReturn:
        """Known in graph mode alone: raises RuntimeError."""
        raise RuntimeError("initial_value not supported in EAGER mode.")

    def eval(self, session: Any = None) -> NoReturn:
        """Raise RuntimeError: in eager mode there are no sessions, and no nodes."""
        raise RuntimeError("Trying to eval in EAGER mode")

    def to_proto(self, export_scope: str | None = None) -> NoReturn:
        """Raise RuntimeError, as `eval`."""
        raise RuntimeError("to_proto not supported in EAGER mode.")

    def set_shape(self, shape: Any) -> NoReturn:
        """Raise NotImplementedError: the shape is that of the value."""
        raise NotImplementedError("ResourceVariable does not implement set_shape()")

    def ref(self) -> Reference:
        """Return an object that is equal to another where both stand for the same variable: a key for dicts."""
        return Reference(self)

    experimental_ref = ref

    def __iter__(self) -> Iterator[Any]:
        return iter(self.read_value())

    def __iadd__(self, value: Any) -> NoReturn:
        raise RuntimeError(
            "Variable += value not supported, and the like: use `variable.assign_add(value)` to modify the variable "
            "value and `variable = variable + value` to get a new Tensor object."
        )

    __isub__ = __imul__ = __itruediv__ = __ifloordiv__ = __imod__ = __ipow__ = __imatmul__ = __iadd__
