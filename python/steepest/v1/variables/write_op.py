"""Operations that write to variables: which variable is meant, and the operation that changes it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ...base.errors import must
from ..graph.eager_operands import CheckedOperands
from ..graph.graph import get_default_graph
from ..graph.node import Operation, Tensor
from ..graph.shapes import Shape
from ..ops.array_ops import identity
from ..ops.reference_ops import variable_behind

__all__ = ["in_graph", "target_of", "write_operation"]

# The methods of a written resource; ``assign`` is one of all tensors, which asks for the other name.
_ROWS = "scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_sub scatter_update batch_scatter_update"
_MORE = "assign_add assign_sub scatter_nd_add scatter_nd_max scatter_nd_min scatter_nd_sub scatter_nd_update"
_CHANGES = {name: name for name in (*_ROWS.split(), *_MORE.split())}
_CHANGES["_assign_next"] = "assign"

# What the changes are called of variables that are resources.
_OF_RESOURCES = {name: f"{name}VariableOp" for name in ("Assign", "AssignAdd", "AssignSub")}


def in_graph(ref: Any) -> Any:
    """Return what stands in the default graph for a variable of eager mode; anything else as it is."""
    return get_default_graph()._captured(ref) if isinstance(ref, CheckedOperands) else ref


def target_of(who: str, ref: Any) -> Operation:
    """Return the operation of the variable that is to change; TypeError for what is not one."""
    op = variable_behind(in_graph(ref))
    if op is None:
        raise TypeError(must(who, "ref", "be a variable", ref))
    return op


def write_operation(
    op_type: str,
    function: Callable[..., Any],
    inputs: Sequence[Tensor],
    target: Operation,
    name: str | None,
    shape: Shape,
    after: Sequence[Operation] = (),
) -> Tensor:
    """Return the tensor of an operation that runs ``function`` and then has the value of the variable ``target``.

    It runs after the operations in ``after``, and is made in the variable's graph, whatever the default graph is.
    """
    graph = target.graph
    owner = target._attributes.get("owner")
    is_resource = bool(getattr(owner, "_is_resource", False))
    op_type = _OF_RESOURCES.get(op_type, op_type) if is_resource else op_type
    with graph.as_default(), graph.control_dependencies(after), graph.colocate_with(target):
        operation = Operation(
            graph,
            op_type,
            graph._operation_name(name, op_type),
            function,
            inputs,
            [(target.outputs[0].dtype, shape)],
            contextual=True,
            writes=True,
            differentiable=False,
            attributes={"target": target},
        )
    written = operation.outputs[0]
    if is_resource:  # what TensorFlow returns then is a variable
        written.__dict__["read_value"] = functools.partial(identity, written, "read")
        for method, change in _CHANGES.items():
            written.__dict__[method] = functools.partial(_changed_next, written, owner, change)
    return written


def _changed_next(written: Tensor, owner: Any, change: str, *args: Any, **kwargs: Any) -> Any:
    """Return what a change of a variable returns that comes after another one."""
    with written.graph.control_dependencies([written.op]):
        return getattr(owner, change)(*args, **kwargs)
