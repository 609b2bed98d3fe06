"""``ops.Operation``: the class of all operations, which internal tests call with a message to make one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..graph.graph import Graph
from ..graph.graph_def import NodeDef
from ..graph.node import Operation as _Operation

__all__ = ["Operation", "_create_c_op"]


class _AllOperations(type):
    """Has every operation be an instance."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _Operation)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, _Operation)


class Operation(_Operation, metaclass=_AllOperations):
    """Make an operation of any type that a message names, in a graph, without a function.

    Raises TypeError for what is no message or graph, ValueError for a name that no operation may have.
    Source: ``ops.Operation``.
    """

    def __new__(  # type: ignore[misc]
        cls,
        node_def: NodeDef,
        g: Graph,
        inputs: Sequence[Any] | None = None,
        output_types: Sequence[Any] | None = None,
        control_inputs: Sequence[Any] | None = None,
        input_types: Sequence[Any] | None = None,
        original_op: Any = None,
        op_def: Any = None,
    ) -> _Operation:
        """Return the operation, which is of the class of all others."""
        if not isinstance(node_def, NodeDef):
            raise TypeError(f"node_def needs to be a NodeDef: {node_def}")
        if not isinstance(g, Graph):
            raise TypeError(f"g needs to be a Graph: {g}")
        if not node_def.name:
            raise ValueError(f"{node_def.name!r} is not a valid node name")
        g._operation_name(node_def.name, node_def.op)  # is it one that an operation may have?
        made = g.create_op(
            node_def.op,
            inputs or (),
            output_types,
            input_types,
            f"{node_def.name}/",
            dict(node_def.attr),
            op_def=op_def,
        )
        for item in control_inputs or ():
            made._add_control_input(g._controller(item))
        if node_def.device:
            made._set_device(node_def.device)
        if original_op is not None:
            made._original_op = original_op
        return made

    @classmethod
    def from_node_def(cls, node_def: NodeDef, g: Graph, *args: Any, **kwargs: Any) -> _Operation:
        """Return the operation, as the constructor does: TensorFlow 2's name for it."""
        return cls(node_def, g, *args, **kwargs)


def _create_c_op(
    graph: Graph,
    node_def: NodeDef,
    inputs: Sequence[Any],
    control_inputs: Sequence[Any] | None = None,
    op_def: Any = None,
) -> Callable[[], _Operation]:
    """Return an operation that is still to be made: by the graph's ``_create_op_from_tf_operation``.

    ``_add_new_tf_operations`` of the graph makes all of these. Source: ``ops._create_c_op``.
    """

    def make() -> _Operation:
        made: Any = Operation(node_def, graph, inputs, control_inputs=control_inputs, op_def=op_def)
        operation: _Operation = made
        return operation

    graph._planned.append(make)
    return make
