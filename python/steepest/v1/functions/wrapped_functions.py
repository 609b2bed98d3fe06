"""``wrap_function``: in eager mode, a function of a program for graphs, with a graph and variables of its own."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from ..graph.effects import in_order
from ..graph.graph import Graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation
from ..graph.session import Session
from ..ops.creation_ops import placeholder
from ..ops.loop_ops import leaves, rebuilt
from ..ops.sparse_ops import convert_to_tensor
from ..variables.variables_initializer import all_variables, local_variables, variables_initializer
from .concrete_functions import Form, form_of
from .traced_functions import defun

__all__ = ["WrappedFunction", "wrap_function"]


def wrap_function(fn: Callable[..., Any], signature: Sequence[Any], name: str | None = None) -> Any:
    """Return the function that ``fn`` makes a graph for, once, in graph mode: names, scopes and reuse are as there.

    Its variables have their first values at once, and keep them from call to call. In graph mode it is what `defun`
    gives for arguments of these types.

    Args:
        fn: makes nodes of the nodes that stand for its arguments, and returns a nest of them.
        signature: a ``tf.TensorSpec`` for each tensor among the arguments; anything else is given as it is.
        name: accepted.

    Source: ``tf.compat.v1.wrap_function``.
    """
    if not executing_eagerly():
        return defun(fn).get_concrete_function(*signature)
    return WrappedFunction(fn, form_of(fn, list(signature), {}))


class WrappedFunction:
    """What `wrap_function` returns in eager mode: takes tensors, one after another, and gives eager ones."""

    def __init__(self, fn: Callable[..., Any], form: Form) -> None:
        graph = Graph()
        with graph.as_default():
            self.inputs = [placeholder(spec.dtype, spec.shape, name=spec.name) for spec in form.specs()]
            positional, named = form.filled(self.inputs)
            results = fn(*positional, **named)
            self.structured_outputs = rebuilt(results, [_node(leaf) for leaf in leaves(results)])
            self.variables = [*all_variables(), *local_variables()]
            begins = variables_initializer(self.variables)
        self.graph = graph
        self._session = Session(graph=graph)
        self._session.run(begins)
        self._results = self.structured_outputs
        last = in_order([op for op in graph.get_operations() if op is not begins], None)
        self._effects = [] if last is None else [last]

    @property
    def outputs(self) -> list[Any]:
        """The nodes of the results, one after another."""
        return [leaf for leaf in leaves(self._results) if leaf is not None]

    def prune(self, feeds: Any, fetches: Any, name: str | None = None, input_signature: Any = None) -> WrappedFunction:
        """Return the function from some nodes of the graph to others: it has the same variables."""
        del name, input_signature
        pruned = copy.copy(self)
        pruned.inputs, pruned._effects = leaves(feeds), []
        pruned._results = pruned.structured_outputs = fetches
        return pruned

    def __call__(self, *args: Any) -> Any:
        """Return the results for tensors. TypeError for another number of them than it takes."""
        given = leaves(list(args))
        if len(given) != len(self.inputs):
            raise TypeError(f"wrap_function: must be called with {len(self.inputs)} tensors, got {len(given)}")
        fed = [convert_to_tensor(value, node.dtype) for value, node in zip(given, self.inputs, strict=True)]
        nodes = leaves(self._results)
        fetched = [leaf for leaf in nodes if leaf is not None]
        feed = {node: value.numpy() for node, value in zip(self.inputs, fed, strict=True)}
        values = iter(self._session.run([*fetched, *self._effects], feed))
        return rebuilt(self._results, [_eager(leaf, None if leaf is None else next(values)) for leaf in nodes])


def _node(leaf: Any) -> Any:
    return leaf if leaf is None or isinstance(leaf, (Operation, Node)) else convert_to_tensor(leaf)


def _eager(node: Any, value: Any) -> Any:
    return None if value is None else convert_to_tensor(value, node.dtype.base_dtype)
