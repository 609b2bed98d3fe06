"""Graphs that take in values of eager mode: functions that are made once use variables and tensors from outside."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from ...ops.state import recording
from ...variables.scopes import collection_keys
from ...variables.variable import Variable as CoreVariable
from ..graph.constants import constant
from ..graph.graph import Graph, default_graphs_set_aside, get_default_graph
from ..graph.node import Node, Operation
from ..graph.plan import ExecutionPlan
from ..graph.plan_flow import plan_of
from ..graph.scopes import name_scope
from ..graph.session import Session
from ..graph.session_values import lifted
from ..graph.tensors_within import holds_nodes
from ..ops.creation_ops import placeholder
from ..ops.variant_values import held_by
from ..variables.handles import EagerHandle, handle_of, variable_of
from ..variables.variables import Variable

__all__ = ["CapturingGraph", "VariableHolder", "evaluated"]


_EAGER_CONST_THRESHOLD = 128
"""The number of elements up to which a captured tensor is a constant, in whose place it is fed."""


class CapturingGraph(Graph):
    """A graph in which a variable of eager mode is a variable, and a tensor of eager mode is fed at each run."""

    _takes_in = True

    def __init__(self) -> None:
        super().__init__()
        self._captures: dict[int, tuple[Any, Node]] = {}

    def _captured(self, value: Any) -> Node:
        """Return the node that stands for a variable or a tensor of eager mode, always the same one.

        Of a variable's handle it is the handle of what stands for the variable.
        """
        if isinstance(value, EagerHandle) and isinstance(variable := variable_of(value), CoreVariable):
            handle: Node = handle_of(self._captured(variable))
            return handle
        if id(value) not in self._captures:
            context = self._context
            creators, context.creators = context.creators, []
            try:
                with lifted(self), name_scope(None):
                    self._captures[id(value)] = value, _stand_in(value)
            finally:
                context.creators = creators
        return self._captures[id(value)][1]

    @property
    def variables(self) -> list[Any]:
        """The variables of eager mode that its nodes use."""
        return [value for value, _ in self._captures.values() if isinstance(value, CoreVariable)]

    @property
    def trainable_variables(self) -> list[Any]:
        """Those of them that are trainable."""
        return [variable for variable in self.variables if variable.trainable]

    def hold_captures(self, session: Session) -> dict[Node, Any]:
        """Let a session hold the captured variables themselves; return what is to be fed for captured tensors."""
        fed: dict[Node, Any] = {}
        for value, node in self._captures.values():
            if isinstance(value, CoreVariable):
                session._variables[node.op] = value
            else:
                fed[node] = value
        return fed


class VariableHolder:
    """The variables that functions made of graphs make, by name: they are variables of eager mode.

    With ``share_variables`` functions of several graphs have one variable of each name.
    """

    def __init__(self, fn: Any = None, share_variables: bool = False) -> None:
        del fn
        self.variables: dict[str, Any] = {}
        self._shares = share_variables

    def create(self, make: Callable[..., Any], **arguments: Any) -> Any:
        """Return a new variable of eager mode, or the shared one of its name; of a node's value one of the graph."""
        graph, first = get_default_graph(), arguments.get("initial_value")
        name = graph.unique_name(arguments.get("name") or "Variable", mark_as_used=False)
        if isinstance(first, Node) or holds_nodes(first):
            return make(**arguments)
        variable = self.variables.get(name) if self._shares else None
        keys = arguments.get("collections")
        if variable is None:
            with default_graphs_set_aside(), name_scope(None):
                variable = make(**{**arguments, "name": name, "collections": []})
            self.variables[name] = variable
        graph.unique_name(arguments.get("name") or "Variable")
        for key in collection_keys(keys, variable.trainable):
            if not any(each is variable for each in graph._store.collection(key)):
                graph._store.enter(key, variable)
        return variable


def _stand_in(value: Any) -> Node:
    numbers = not isinstance(value, (CoreVariable, EagerHandle)) and value.dtype.name != "variant"
    if numbers and np.size(value.numpy()) <= _EAGER_CONST_THRESHOLD:
        known: Node = constant(value.numpy(), value.dtype, name="captured")  # shapes may depend on its numbers
        return known
    node: Node = placeholder(value.dtype, value.shape, name="captured")
    if not isinstance(value, CoreVariable):
        return node
    made = Variable(node, False, [], name=f"captured/{value._name}", use_resource=True)
    made._trainable = value.trainable
    return made


def fed_value(value: Any) -> Any:
    """Return what a run is given for a value of eager mode: also of handles and of lists, which are no arrays."""
    if isinstance(value, EagerHandle):
        return value.value
    return value.value[()] if value.dtype.name == "variant" else value.numpy()


def _recorded(value: Any) -> Any:
    return np.copy(value) if isinstance(value, (CoreVariable, np.ndarray)) else value


def evaluated(
    graph: Any,
    session: Session,
    fetches: Sequence[Any],
    inputs: Sequence[Any],
    values: Sequence[Any],
    plans: dict[Any, Any],
) -> Any:
    """Return the values of fetches for the values of inputs, recorded where a tape records; ``plans`` keeps plans."""
    fed = {**graph.hold_captures(session), **dict(zip(inputs, values, strict=True))}
    taped = bool(recording().tapes)
    key = taped, tuple(fetches), tuple(fed)
    if (plan := plans.get(key)) is None:
        tensors = [each if isinstance(each, Operation) else each._tensor() for each in fetches]
        given = [node._tensor() for node in fed]
        plan = plans[key] = RecordedPlan(tensors, given) if taped else plan_of(graph, tensors, given)
    if taped:
        return plan.run(session, [held_by(value) for value in fed.values()])
    with session._updating if plan.alone else nullcontext():
        return plan.run(session, [fed_value(value) for value in fed.values()])


class RecordedPlan(ExecutionPlan):
    """A plan that is fed tensors which a tape of eager mode records, and gives such; so are gradients."""

    _handed_out = staticmethod(_recorded)

    def _append(self, op: Operation, steps: Any) -> None:
        if hasattr(op.function, "differentiated"):
            run: Any = copy.copy(op.function)
            run.differentiated = True
            self._bound[op] = run
        super()._append(op, steps)
