"""Gives tensors and variables the methods by which the core's optimizers reach graph mode; see `Symbolic`.

The functions behind these methods work on tensors and variables, so the modules of the two classes cannot import them.
"""

from __future__ import annotations

import operator
from typing import Any

from ...ops.indexed_slices import IndexedSlices
from ...optim.optimizer import Optimizer
from ..graph.node import Node, Operation, Tensor
from ..ops.control_flow_ops import group
from ..variables.slice_assign import assign_method
from ..variables.variables import Variable
from .apply import Pairs, apply_gradients, compute_gradients
from .update_op import native_operation

__all__: list[str] = []


def _compute_gradients(loss: Tensor | Variable, optimizer: Optimizer, **arguments: Any) -> Pairs:
    return compute_gradients(optimizer, loss._tensor(), **arguments)


def _apply_gradients(
    variable: Variable, optimizer: Optimizer, pairs: Pairs, global_step: Any, name: str | None
) -> Operation:
    return apply_gradients(optimizer, pairs, global_step, name)


def _apply_native(variable: Variable, optimizer: Optimizer, gradient: Any) -> Operation:
    return native_operation(optimizer, [(gradient, variable)], type(optimizer).__name__, finish=False)


def _finish_native(first: Node | Operation, optimizer: Optimizer, updates: list[Any], name: str | None) -> Operation:
    counted = []
    if optimizer._native is not None:
        with first.graph.control_dependencies(updates):
            counted = [native_operation(optimizer, [], "update", finish=True)]
    operation: Operation = group(*updates, *counted, name=name)
    return operation


def _register() -> None:
    tensor_class: Any = Tensor
    for each in (Node, Operation):
        setattr(each, "_finish_native", _finish_native)  # noqa: B010  # which mypy has as a method
    variable_class: Any = Variable
    tensor_class._compute_gradients = variable_class._compute_gradients = _compute_gradients
    tensor_class._slot_key, tensor_class._new_variable = Variable._slot_key, Variable._new_variable  # slots of tensors
    variable_class._apply_gradients = _apply_gradients
    variable_class._apply_native = _apply_native
    tensor_class.assign = property(assign_method)
    slices_class: Any = IndexedSlices
    for name in ("op", "graph", "name", "device"):
        setattr(slices_class, name, property(operator.attrgetter(f"values.{name}"), doc="That of the values, a node."))


_register()
