"""Gradients that programs register by name, for `Graph.gradient_override_map`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .node import Operation, Tensor

__all__ = ["NoGradient", "NotDifferentiable", "RegisterGradient", "no_gradient"]

Rule = Callable[..., Any]

REGISTRY: dict[str, Rule | None] = {"Identity": lambda op, grad: grad}
"""By name ``rule(op, *gradients)``, which returns the gradients of the operation's inputs; None: there is none."""


class RegisterGradient:
    """Decorates ``f(op, grad)``, which returns the gradients of the inputs of ``op``: it is known by a name.

    The name is one that `Graph.gradient_override_map` takes; operations of that type keep their own gradient.

    Raises:
        TypeError: for a name that is no string. KeyError: for one that is taken.

    Source: ``tf.RegisterGradient``.
    """

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f: Rule) -> Rule:
        """Register the function and return it."""
        if self._op_type in REGISTRY:
            raise KeyError(f"Registering two gradient with name '{self._op_type}'!")
        REGISTRY[self._op_type] = f
        return f


def NotDifferentiable(op_type: str) -> None:
    """Register that a type of operation has no gradient. Raises TypeError for what is no string."""
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    REGISTRY[op_type] = None


NoGradient = no_gradient = NotDifferentiable

_override: list[Callable[[Operation, str], list[Tensor]]] = []


def set_override(function: Callable[[Operation, str], list[Tensor]]) -> None:
    """Take the function that gives an operation's outputs another gradient; it works on tensors."""
    _override[:] = [function]


def override(operation: Operation, rule_name: str) -> list[Tensor]:
    """Return the outputs of an operation with the gradient that is registered under a name."""
    return _override[0](operation, rule_name)
