"""Gradients of values made of several tensors, whose classes say which of their parts have any."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Protocol, runtime_checkable

from ..graph.composites import with_values
from ..ops.sparse_ops import SparseTensor

__all__ = [
    "CompositeTensorGradient",
    "CompositeTensorGradientProtocol",
    "WithValuesCompositeTensorGradient",
    "get_flat_tensors_for_gradients",
    "has_parts",
    "replace_flat_tensors_for_gradients",
]


class CompositeTensorGradient(ABC):
    """Says which parts of a value have gradients: what a class has as ``__composite_gradient__``."""

    @abstractmethod
    def get_gradient_components(self, value: Any) -> Any:
        """Return the parts of a value that are differentiated: a tensor, a value of several, or a nest of these."""

    @abstractmethod
    def replace_gradient_components(self, value: Any, component_grads: Any) -> Any:
        """Return the gradient of a value, for those of its parts."""


@runtime_checkable
class CompositeTensorGradientProtocol(Protocol):
    """What has ``__composite_gradient__``."""

    __composite_gradient__: CompositeTensorGradient


class WithValuesCompositeTensorGradient(CompositeTensorGradient):
    """That of values which have ``values`` and ``with_values``."""

    def get_gradient_components(self, value: Any) -> Any:
        """Return ``value.values``."""
        return value.values

    def replace_gradient_components(self, value: Any, component_grads: Any) -> Any:
        """Return the value with the gradients in place of its values."""
        make = getattr(value, "with_values", None)
        return with_values(value, component_grads) if make is None else make(component_grads)


_OF_VALUES = WithValuesCompositeTensorGradient()


def _rule(value: Any) -> CompositeTensorGradient | None:
    if isinstance(value, SparseTensor):
        return _OF_VALUES
    found = getattr(value, "__composite_gradient__", None)
    return found if hasattr(found, "replace_gradient_components") else None


def has_parts(xs: Any) -> bool:
    """Tell whether a value, or one in a list, is differentiated by its parts."""
    return any(map(has_parts, xs)) if isinstance(xs, (list, tuple)) else _rule(xs) is not None


def get_flat_tensors_for_gradients(xs: Any) -> list[Any]:
    """Return what is differentiated of each value in a list: tensors as they are, of others their parts."""
    return [part for x in xs for part in _flat(x)]


def _flat(x: Any) -> list[Any]:
    if isinstance(x, (list, tuple)):
        return get_flat_tensors_for_gradients(x)
    rule = _rule(x)
    return [x] if rule is None else _flat(rule.get_gradient_components(x))


def replace_flat_tensors_for_gradients(xs: Any, flat_grads: Any) -> list[Any]:
    """Return the gradients in the form of the values, for those in the order of `get_flat_tensors_for_gradients`.

    A value none of whose parts has a gradient has None.
    """
    given = iter(flat_grads)
    return [_replaced(x, [next(given) for _ in _flat(x)]) for x in xs]


def _replaced(x: Any, grads: list[Any]) -> Any:
    if isinstance(x, (list, tuple)):
        return type(x)(replace_flat_tensors_for_gradients(x, grads))
    rule = _rule(x)
    if rule is None:
        return grads[0]
    parts = rule.get_gradient_components(x)
    return None if all(grad is None for grad in grads) else rule.replace_gradient_components(x, _replaced(parts, grads))
