"""A variable as TensorFlow's message ``VariableDef``: the names of its nodes."""

from __future__ import annotations

import copy
from dataclasses import dataclass, fields
from typing import Any

from ...base.errors import must
from ..graph.graph import get_default_graph
from ..graph.node import Node
from ..graph.options import VariableAggregation, VariableSynchronization
from ..ops.internal_names import prepend_name_scope, strip_name_scope

__all__ = ["VariableDef", "another_of", "variable_def", "variable_of"]


@dataclass
class VariableDef:
    """The names of a variable's nodes. Source: ``variable_pb2.VariableDef``."""

    variable_name: str = ""
    initial_value_name: str = ""
    initializer_name: str = ""
    snapshot_name: str = ""
    trainable: bool = True
    is_resource: bool = False
    synchronization: Any = VariableSynchronization.AUTO
    aggregation: Any = VariableAggregation.NONE

    def ClearField(self, field_name: str) -> None:
        """Give a field its default; ValueError for a name that is no field."""
        for field in fields(self):
            if field.name == field_name:
                setattr(self, field_name, field.default)
                return
        raise ValueError(f'Protocol message VariableDef has no "{field_name}" field.')


def variable_def(variable: Any, export_scope: str | None = None) -> VariableDef | None:
    """Return the message of a variable; None for one outside of a scope, whose name is cut off."""
    if export_scope is not None and not variable.name.startswith(export_scope):
        return None
    nodes = (variable._ref(), variable.initial_value, variable.initializer, variable._tensor())
    names = ["" if node is None else strip_name_scope(node.name, export_scope or "") for node in nodes]
    name, first, initializer, snapshot = names
    options = variable.synchronization, variable.aggregation
    return VariableDef(name, first, initializer, snapshot, variable.trainable, variable._is_resource, *options)


def variable_of(variable_def: VariableDef, import_scope: str | None = None) -> Any:
    """Return the variable of the default graph that a message names; KeyError or ValueError where there is none.

    Source: ``tf.Variable.from_proto``.
    """
    name = prepend_name_scope(variable_def.variable_name, import_scope or "")
    variable = get_default_graph().as_graph_element(name).op.get_attr("owner")
    return another_of(variable, variable_def.trainable, bool(variable_def.initial_value_name))


def another_of(variable: Any, trainable: bool | None = None, initial_value: bool = True) -> Any:
    """Return another object that stands for a graph's variable: trained or not, or without its initial value.

    The variable itself, where nothing differs. Raises ValueError for one of eager mode that is to be trained otherwise.
    """
    trained = variable.trainable if trainable is None else trainable
    if trained == variable.trainable and initial_value:
        return variable
    if not isinstance(variable, Node):
        raise ValueError(must("ResourceVariable", "trainable", "be that of the variable in eager mode", trainable))
    other: Any = copy.copy(variable)
    other._trainable = trained
    if not initial_value:
        other._initial_value = None
    return other
