"""The operations of control flow on variables themselves: what they give can be assigned to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..graph.build import call, convert
from ..graph.dead_values import DEAD
from ..graph.dtypes import DType
from ..graph.errors import InvalidArgumentError
from ..graph.node import Node, Operation, Tensor
from ..graph.run_values import array_of
from ..graph.shapes import Shape
from .array_ops import identity
from .switch_ops import Merge, Switch, frame_attributes, merged, refuse_eagerly

__all__ = [
    "RefSwitch",
    "is_reference",
    "ref_enter",
    "ref_exit",
    "ref_identity",
    "ref_merge",
    "ref_next_iteration",
    "ref_select",
    "ref_switch",
    "variable_behind",
]

RefSwitch = Switch


def variable_behind(ref: Any) -> Operation | None:
    """Return the operation of the variable that a tensor stands for, so that it can be assigned to; None of others."""
    op: Operation | None = getattr(ref, "op", None)
    while op is not None and op.type in _STANDING and "target" in op._attributes:
        op = op.get_attr("target")
    return op if op is not None and op.type == "VariableV2" else None


_STANDING = frozenset(
    {
        *("Assign", "AssignAdd", "AssignSub", "AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp"),
        *("RefEnter", "RefExit", "RefIdentity", "RefNextIteration", "RefSwitch"),
    }
)


def is_reference(data: Any) -> bool:
    """Tell whether a tensor stands for a variable itself, and not for its value."""
    return isinstance(data, Node) and data._tensor().dtype._is_ref_dtype and variable_behind(data) is not None


def ref_switch(data: Any, pred: Any, name: str | None = None) -> Any:
    """Do what `switch` does with a variable itself: each result can be assigned to.

    Raises TypeError for what is no variable. Source: ``gen_control_flow_ops.ref_switch``.
    """

    def divided(session: Any, truth: Any, *there: Any) -> Any:
        variable = session._read(op)
        return (DEAD, variable) if array_of(truth) else (variable, DEAD)

    op = _variable("RefSwitch", data)
    return Switch(*_of_variable("RefSwitch", data, divided, [convert(pred, name="pred")], name, outputs=2))


def ref_identity(input: Any, name: str | None = None) -> Tensor:
    """Return the variable itself; of what is no variable the value. Source: ``gen_array_ops.ref_identity``."""
    return _itself("RefIdentity", input, name) if is_reference(input) else identity(input, name)


def ref_enter(
    data: Any, frame_name: str, is_constant: bool = False, parallel_iterations: int = 10, name: str | None = None
) -> Tensor:
    """Do what `enter` does with a variable itself. Source: ``gen_control_flow_ops.ref_enter``."""
    return _itself("RefEnter", data, name, frame_attributes(frame_name, is_constant, parallel_iterations))


def ref_exit(data: Any, name: str | None = None) -> Tensor:
    """Do what `exit` does with a variable itself. Source: ``gen_control_flow_ops.ref_exit``."""
    return _itself("RefExit", data, name)


def ref_next_iteration(data: Any, name: str | None = None) -> Tensor:
    """Do what `next_iteration` does with a variable itself. Source: ``gen_control_flow_ops.ref_next_iteration``."""
    return _itself("RefNextIteration", data, name)


def ref_merge(inputs: Sequence[Any], name: str | None = None) -> Merge:
    """Do what `merge` does with variables. Source: ``gen_control_flow_ops.ref_merge``."""
    return merged("RefMerge", inputs, name)


def ref_select(index: Any, inputs: Sequence[Any], name: str | None = None) -> Tensor:
    """Return the one of several variables that has the position ``index``.

    Raises in a run InvalidArgumentError for a position that is none. Source: ``gen_control_flow_ops.ref_select``.
    """

    def chosen(at: Any, *variables: Any) -> Any:
        position = int(array_of(at))
        if not 0 <= position < len(variables):
            raise InvalidArgumentError(None, None, f"{position} must be in [0, {len(variables)})")
        return variables[position]

    def shape_fn(at: Shape, *shapes: Shape) -> Shape:
        del at
        known = shapes[0] is not None and None not in shapes[0] and len(set(shapes)) == 1
        return shapes[0] if known else None

    tensors = [convert(each) for each in inputs]
    dtype = tensors[0].dtype.base_dtype
    selected: Tensor = call(
        "RefSelect", chosen, [convert(index, "int32"), *tensors], name=name, shape=shape_fn, dtype=dtype, same=False
    )
    return selected


def _itself(op_type: str, data: Any, name: str | None, attributes: dict[str, Any] | None = None) -> Tensor:
    op = _variable(op_type, data)

    def read(session: Any, *there: Any) -> Any:
        return session._read(op)

    return _of_variable(op_type, data, read, [], name, attributes=attributes)[0]


def _variable(op_type: str, data: Any) -> Operation:
    op = variable_behind(data)
    if op is None and isinstance(data, Tensor) and data.dtype._is_ref_dtype:
        op = data.op  # of a program's own type: it can be built with, as long as nothing runs
    if op is None:
        raise TypeError(f"'{op_type}' Op requires that input 'data' be a mutable tensor (e.g.: a tf.Variable)")
    return op


def _of_variable(
    op_type: str,
    data: Any,
    function: Callable[..., Any],
    inputs: list[Tensor],
    name: str | None,
    outputs: int = 1,
    attributes: dict[str, Any] | None = None,
) -> list[Tensor]:
    """Return tensors that stand for a variable, read when something takes them. They are dead where ``data`` is."""
    refuse_eagerly(op_type)
    tensor, op = data._tensor(), _variable(op_type, data)
    results: list[tuple[DType, Shape]] = [(op.outputs[0].dtype, tensor._shape)] * outputs
    given = inputs if tensor.op is op else [*inputs, tensor]
    graph = op.graph
    with graph.as_default():
        told = {**(attributes or {}), "target": op}
        full = graph._operation_name(name, op_type)
        return Operation(graph, op_type, full, function, given, results, True, attributes=told).outputs
