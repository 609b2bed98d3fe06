"""``tf.Tensor``: the class of a graph's tensors, of which ``isinstance`` tells eager values to be too."""

from __future__ import annotations

from ...ops.tensor import Tensor as _EagerTensor
from .node import Operation
from .node import Tensor as _GraphTensor

__all__ = ["Tensor"]


class _Kind(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, (_GraphTensor, _EagerTensor))

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, (_GraphTensor, _EagerTensor))


class Tensor(_GraphTensor, metaclass=_Kind):
    """One result of an operation, or in eager mode a value: ``isinstance(x, tf.Tensor)`` holds for both.

    Graphs make their tensors themselves. Source: ``tf.Tensor``.
    """

    __slots__ = ()
    _USE_EQUALITY = False  # ``==`` is whether both are the same one


Operation.makes = Tensor
