"""A variable of eager mode that has no value: one that only a handle knows, or whose value was destroyed."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ...ops.tensor import Tensor
from ..graph.errors import FailedPreconditionError, NotFoundError
from ..graph.session_values import no_resource, unread_resource
from .eager_variable import EagerVariable

__all__ = ["EmptyVariable"]


class EmptyVariable(EagerVariable):
    """What an `EagerVariable` is while it has no value: reading it is an error, and the first value ends it."""

    __slots__ = ()

    _has_value = False

    @staticmethod
    def empty(variable: Any) -> None:
        """Take the value of an eager variable away."""
        variable.__class__ = EmptyVariable

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise FailedPreconditionError(None, None, unread_resource(self._name))

    def is_initialized(self, name: str | None = None) -> Any:
        """Return that it has no value, as a tensor."""
        return Tensor(np.array(False))

    def _fitting(self, who: str, delta: Any) -> NoReturn:
        raise NotFoundError(None, None, no_resource(self._name))

    _value = property(_refuse)
    value = read_value = numpy = initialized_value = _operand = _current_leaf = _refuse

    def _replace(self, value: Any) -> None:
        whole: Any = self
        whole.__class__ = EagerVariable
        whole._replace(value)

    def __repr__(self) -> str:
        return f"<tf.Variable {self.name!r} shape={self.shape} dtype={self.dtype.name}, numpy=<unprintable>>"

    __str__ = __repr__
