"""Optimizers in graph mode: gradients are nodes, an update is an operation whose evaluation is the eager call."""

from __future__ import annotations

from collections.abc import KeysView, Sequence, ValuesView
from typing import Any

import numpy as np

from ...base.errors import must
from ...ops.indexed_slices import IndexedSlices
from ...ops.symbolic import Symbolic
from ...optim.native import NativeUpdater
from ...optim.optimizer import Optimizer
from ...optim.overrides import foreign_methods
from ...variables.collections import GraphKeys
from ..autodiff.gradients import gradients
from ..autodiff.graph_tape import read_variables
from ..graph.build import convert
from ..graph.dtypes import as_dtype
from ..graph.node import Node, Operation, Tensor
from ..graph.session_values import lifted
from ..graph.shapes import compatible, text
from ..ops.control_flow_ops import group
from ..variables.state_ops import assign, assign_add
from ..variables.variables import Variable
from .update_op import native_operation

__all__ = ["apply_gradients", "compute_gradients"]

Pairs = list[tuple[Any, Any]]


def compute_gradients(
    optimizer: Optimizer,
    loss: Tensor,
    var_list: Any = None,
    gate_gradients: Any = Optimizer.GATE_OP,
    aggregation_method: Any = None,
    grad_loss: Any = None,
    called: bool = False,
) -> Pairs:
    """Do what ``Optimizer.compute_gradients`` does for a loss that is a node, with TensorFlow's checks in its order."""
    if gate_gradients not in (Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH):
        raise ValueError(
            "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH.  Not "
            f"{gate_gradients}"
        )
    _check_types(optimizer, [loss])
    if grad_loss is not None:
        _check_types(optimizer, [convert(grad_loss)])
    graph = loss.graph
    if var_list is not None:
        variables = _flat(var_list)
    else:  # of a loss that was called, what it read
        variables = read_variables(loss) if called else graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
    if not variables:
        raise ValueError("No variables to optimize.")
    for variable in variables:
        if not isinstance(variable, Node):
            if not hasattr(variable, "op"):
                raise AttributeError(f"compute_gradients: var_list must hold variables, got {variable!r:.60}")
            raise NotImplementedError(f"Trying to optimize unsupported type {variable!r:.80}")
    with graph.as_default():
        found = gradients(loss, variables, grad_loss, aggregation_method=aggregation_method)
    pairs = list(zip(found, variables, strict=True))
    _check_types(optimizer, [v._tensor() for g, v in pairs if g is not None])
    return pairs


def _flat(var_list: Any) -> list[Any]:
    if isinstance(var_list, (list, tuple, ValuesView, KeysView)):
        return [variable for entry in var_list for variable in _flat(entry)]
    if isinstance(var_list, dict):
        return _flat(list(var_list.values()))
    return [var_list]


def _check_types(optimizer: Optimizer, tensors: Sequence[Tensor]) -> None:
    allowed = {as_dtype(t).base_dtype.name for t in optimizer._valid_dtypes() if t != "bfloat16"} | (
        {"bfloat16"} if "bfloat16" in optimizer._valid_dtypes() else set()
    )
    for tensor in tensors:
        if tensor.dtype.base_dtype.name not in allowed:
            raise ValueError(
                f"Invalid type {tensor.dtype.base_dtype!r} for {tensor.name}, expected: {sorted(allowed)}."
            )


def apply_gradients(optimizer: Optimizer, pairs: Pairs, global_step: Any, name: str | None) -> Operation:
    """Return the operation that updates the variables, in ``GraphKeys.TRAIN_OP``; it increments the step last."""
    checked = [(_gradient(g, v), v) for g, v in pairs]
    chosen = [(g, v) for g, v in checked if g is not None]
    if not chosen:
        raise ValueError(f"No gradients provided for any variable: {[str(v.name) for _, v in pairs]}.")
    graph = chosen[0][1].graph
    if global_step is not None and not hasattr(global_step, "assign_add"):
        raise AttributeError(f"apply_gradients: global_step must be a variable, got {global_step!r:.80}")
    variables = list(dict.fromkeys(v for _, v in chosen))
    with graph.as_default(), graph._store.as_default():
        with lifted(graph):
            optimizer._create_slots(variables)
        with graph.name_scope(name or optimizer._name) as scope:
            last = _updates(optimizer, chosen, None if global_step is not None else scope)
            if global_step is not None:
                with graph.control_dependencies([last]):
                    last = assign_add(global_step, np.ones((), global_step.dtype.dtype), name=scope).op
        train_ops = graph.get_collection_ref(GraphKeys.TRAIN_OP)
        if last not in train_ops:
            train_ops.append(last)
    return last


def _gradient(gradient: Any, variable: Any) -> Any:
    """Return the gradient as a tensor or slices of tensors that fit the variable."""
    if not isinstance(variable, Variable) or not isinstance(variable, Symbolic):
        if isinstance(variable, Symbolic):
            raise NotImplementedError(f"Trying to update a Tensor {variable!r}")
        raise AttributeError(f"apply_gradients: every variable must be of the graph, got {variable!r:.80}")
    if gradient is None:
        return None
    own, kind = variable._tensor(), variable.dtype.base_dtype
    try:
        if isinstance(gradient, IndexedSlices):
            values = convert(gradient.values, None if isinstance(gradient.values, Node) else kind)
            result: Any = IndexedSlices(values, convert(gradient.indices), gradient.dense_shape)
        elif hasattr(gradient, "_sparse_parts"):
            raise TypeError(f"Gradient must be a Tensor, IndexedSlices, or None: {gradient!r}")
        else:
            result = values = convert(gradient, None if isinstance(gradient, Node) else kind)
    except (ValueError, TypeError) as error:
        raise TypeError(
            f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {gradient!r:.80}"
        ) from error
    if values.dtype != kind:
        raise TypeError(
            f"apply_gradients: the gradient of {variable.op.name!r} has type {values.dtype.base_dtype.name} that does "
            f"not match type {kind.name} of the variable; use tf.cast"
        )
    if isinstance(result, IndexedSlices):
        expected = None if own._shape is None else (None, *own._shape[1:])
        if (
            own._shape == ()
            or not compatible(values._shape, expected)
            or not compatible(result.indices._shape, (None,))
        ):
            raise ValueError(
                f"apply_gradients: the gradient of {variable.op.name!r} must have values of shape {text(expected)} and "
                f"1-D indices, got {text(values._shape)} and {text(result.indices._shape)}"
            )
    elif not compatible(values._shape, own._shape):
        raise ValueError(
            f"apply_gradients: the gradient of {variable.op.name!r} must have shape {text(own._shape)}, got "
            f"{text(values._shape)}: Shapes must be equal"
        )
    return result


def _updates(optimizer: Optimizer, pairs: Pairs, name: str | None) -> Operation:
    """Return the operation that is done when all updates are."""
    replaced = foreign_methods(type(optimizer))
    if isinstance(optimizer._updater, NativeUpdater) and replaced.isdisjoint({"_prepare", "_finish"}):
        updates = [native_operation(optimizer, pairs, "update", finish=True)]
        return _finished(None, [*updates, *_constrained(pairs, updates)], name)
    if optimizer._hooks:
        rule = "be none where a rule in Python updates a graph's variables"
        remedy = "process the gradients between compute_gradients and apply_gradients"
        raise NotImplementedError(must("apply_gradients", "hooks", rule, optimizer._hooks, remedy))
    optimizer._prepare()
    graph = pairs[0][1].graph
    updates = []
    for gradient, variable in pairs:
        with graph.name_scope(f"update_{variable.op.name}"):
            sparse = isinstance(gradient, IndexedSlices)
            method = optimizer._apply_sparse_duplicate_indices if sparse else optimizer._apply_dense
            applied = [method(gradient, variable)]
            applied += _constrained([(gradient, variable)], applied)
            updates += [item.op if isinstance(item, Node) else item for item in applied if item is not None]
    finish: Any = optimizer._finish
    return _finished(finish(updates, name or "update"), updates, name)


def _finished(finish: Any, updates: list[Any], name: str | None) -> Operation:
    if isinstance(finish, Operation):
        return finish
    if isinstance(finish, Node):
        return finish.op
    operation: Operation = group(*updates, name=name or "update")
    return operation


def _constrained(pairs: Pairs, updates: list[Any]) -> list[Any]:
    """Return the operations that put the variables' constraints into force after an update."""
    found: list[Any] = []
    for gradient, variable in pairs:
        if variable.constraint is not None:
            if isinstance(gradient, IndexedSlices):
                raise RuntimeError("Cannot use a constraint function on a sparse variable.")
            with variable.graph.control_dependencies(updates):
                found.append(assign(variable, variable.constraint(variable)).op)
    return found
