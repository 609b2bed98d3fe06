"""``wrap_function``: in eager mode, a function of a program for graphs, with a graph and variables of its own."""

from __future__ import annotations

import copy
import inspect
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from ..graph.effects import effects_among
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation
from ..graph.session import Session
from ..ops.creation_ops import placeholder
from ..ops.loop_ops import leaves, rebuilt
from ..ops.sparse_ops import convert_to_tensor
from ..ops.type_specs import TensorSpec
from ..variables.eager_variable import EagerVariable, eager_variable
from ..variables.variable_creators import resource_creator_scope, variable_creator_scope
from ..variables.variables_initializer import all_variables, local_variables, variables_initializer
from .captures import CapturingGraph, VariableHolder, evaluated, fed_value
from .forms import Form, form_of
from .function_bodies import word
from .function_internals import Options
from .signatures import IncompatibleInputError
from .traced_functions import Function

__all__ = ["VariableHolder", "WrappedFunction", "WrappedGraph", "wrap_function"]


def wrap_function(fn: Callable[..., Any], signature: Sequence[Any], name: str | None = None) -> Any:
    """Return the function that ``fn`` makes a graph for, once, in graph mode: names, scopes and reuse are as there.

    Its variables have their first values at once, and keep them from call to call; variables and tensors of eager mode
    are used as they are at each call. What the results do not depend on does not run, unless there are none. In graph
    mode it is what `defun` gives for arguments of these types, without the order of its effects.

    Args:
        fn: makes nodes of the nodes that stand for its arguments, and returns a nest of them. Operations among them
            run, and None is returned for them.
        signature: a ``tf.TensorSpec`` for each tensor among the arguments; anything else is given as it is.
        name: accepted.

    Source: ``tf.compat.v1.wrap_function``.
    """
    if not executing_eagerly():
        return Function(fn, None, Options(True, prunes=True)).get_concrete_function(*signature)
    return WrappedGraph(VariableHolder()).wrap_function(fn, signature, name)


class WrappedGraph:
    """Functions of a program for graphs that share one graph, its collections and its variables, in eager mode.

    Source: ``WrappedGraph`` of ``tensorflow/python/eager/wrap_function.py``.
    """

    def __init__(self, variable_holder: VariableHolder | None = None, **accepted: Any) -> None:
        del accepted
        self._variable_holder = variable_holder or VariableHolder(share_variables=True)
        self.graph = CapturingGraph()
        self._session = Session(graph=self.graph)
        self._own: dict[Operation, EagerVariable] = {}
        self.functions: dict[str, WrappedFunction] = {}

    @property
    def variables(self) -> dict[str, Any]:
        """The variables by name."""
        return self._variable_holder.variables

    def wrap_function(self, fn: Callable[..., Any], signature: Sequence[Any], name: str | None = None) -> Any:
        """Return what `wrap_function` does, made in this graph."""
        form = form_of(inspect.signature(fn), list(signature), {})[0]
        names = [leaf.name for leaf in leaves(list(signature)) if isinstance(leaf, TensorSpec)]
        create = self._variable_holder.create
        with self.graph.as_default(), variable_creator_scope(create), resource_creator_scope(create):
            function = WrappedFunction(fn, form, self, names)
            self._begin()
        self.functions[name or word(fn)] = function
        return function

    def _begin(self) -> None:
        """Give variables whose first values are nodes these values, and have variables of eager mode hold them."""
        made: list[Any] = [
            variable for variable in [*all_variables(), *local_variables()] if isinstance(variable, Node)
        ]
        new = [variable for variable in made if variable.op not in self._own]
        fed = self.graph.hold_captures(self._session)
        begins = variables_initializer(new)
        self._session.run(begins, {node: fed_value(value) for node, value in fed.items()})
        for variable in new:
            op, held = variable.op, self._session._variables[variable.op]
            twin = eager_variable(held._array, variable.trainable, [], name=None)
            twin._name = op.name
            self._session._variables[op] = self._own[op] = self.variables[op.name] = twin

    def run(self, fetches: Sequence[Any], inputs: Sequence[Any], values: Sequence[Any], plans: dict[Any, Any]) -> Any:
        """Return the values of fetches for tensors, recorded where a tape records."""
        return evaluated(self.graph, self._session, fetches, inputs, values, plans)


class WrappedFunction:
    """What `wrap_function` returns in eager mode: takes tensors, one after another, and gives eager ones."""

    def __init__(self, fn: Callable[..., Any], form: Form, owner: WrappedGraph, names: Sequence[str | None]) -> None:
        places = itertools.zip_longest(form.specs(), names)
        self.inputs = [placeholder(spec.dtype, spec.shape, name=name) for spec, name in places]
        positional, named = form.filled(self.inputs)
        before = len(owner.graph.get_operations())
        results = fn(*positional, **named)
        self.structured_outputs = rebuilt(results, [_node(leaf) for leaf in leaves(results)])
        asked = any(leaf is not None for leaf in leaves(self.structured_outputs))
        self._effects = [] if asked else effects_among(owner.graph.get_operations()[before:], None)  # else all run
        self._owner = owner
        self._plans: dict[Any, Any] = {}

    @property
    def graph(self) -> CapturingGraph:
        """The graph of its nodes."""
        return self._owner.graph

    @property
    def _variable_holder(self) -> VariableHolder:
        return self._owner._variable_holder

    @property
    def variables(self) -> list[Any]:
        """The variables that the graph's functions use: its own, and those from outside."""
        return list(dict.fromkeys([*self._owner.variables.values(), *self.graph.variables]))

    @property
    def trainable_variables(self) -> list[Any]:
        """Those of them that are trainable."""
        return [variable for variable in self.variables if variable.trainable]

    @property
    def outputs(self) -> list[Any]:
        """The nodes of the results, one after another."""
        return [leaf for leaf in leaves(self.structured_outputs) if isinstance(leaf, Node)]

    def prune(self, feeds: Any, fetches: Any, name: str | None = None, input_signature: Any = None) -> WrappedFunction:
        """Return the function from some nodes of the graph to others, or names of them: it has the same variables.

        Raises ValueError for a feed that is no tensor.
        """
        del name, input_signature
        pruned = copy.copy(self)
        pruned._effects = []
        pruned.inputs = [self._element(feed) for feed in leaves(feeds)]
        if not all(isinstance(node, Node) for node in pruned.inputs):
            raise ValueError("Feeds must be tensors.")
        pruned.structured_outputs = rebuilt(fetches, [self._element(fetch) for fetch in leaves(fetches)])
        pruned._plans = {}
        return pruned

    def _element(self, item: Any) -> Any:
        return item if isinstance(item, (Operation, Node)) else self.graph.as_graph_element(item)

    def __call__(self, *args: Any) -> Any:
        """Return the results for tensors. TypeError for another number of them than it takes."""
        given = list(args) if len(args) == len(self.inputs) else leaves(list(args))
        if len(given) != len(self.inputs):
            raise IncompatibleInputError(
                f"wrap_function: must be called with {len(self.inputs)} tensors, got {len(given)}. Signature specifies "
                f"{len(self.inputs)} arguments, got: {len(given)}."
            )
        fed = [convert_to_tensor(value, node.dtype) for value, node in zip(given, self.inputs, strict=True)]
        nodes = leaves(self.structured_outputs)
        wanted = [leaf for leaf in [*nodes, *self._effects] if leaf is not None]
        values = iter(self._owner.run(wanted, self.inputs, fed, self._plans))
        flat = [_eager(leaf, None if leaf is None else next(values)) for leaf in nodes]
        return rebuilt(self.structured_outputs, flat)


def _node(leaf: Any) -> Any:
    return leaf if leaf is None or isinstance(leaf, (Operation, Node)) else convert_to_tensor(leaf)


def _eager(node: Any, value: Any) -> Any:
    return None if isinstance(node, Operation) or value is None else convert_to_tensor(value, node.dtype.base_dtype)
