"""Bodies of functions that are made of graphs: their operations are made in the caller's graph, at each call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from ...variables.scopes import AUTO_REUSE
from ..graph.collections import GraphKeys
from ..graph.effects import effects_among, in_order
from ..graph.graph import Graph, get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node, Operation, Tensor
from ..graph.scopes import get_variable_scope, variable_scope
from ..ops.array_ops import each_identical, first_identical, identical
from ..variables.variable_creators import resource_creator_scope, variable_creator_scope

__all__ = [
    "SHARED",
    "VARIABLES",
    "NotLiftedError",
    "OwnVariables",
    "awaiting",
    "call_operation",
    "inlined",
    "reads",
    "taken_in",
    "word",
]


SHARED = frozenset({GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES})
"""The collections that the body of a function has in common with its caller."""

VARIABLES = SHARED | {GraphKeys.METRIC_VARIABLES, GraphKeys.MODEL_VARIABLES, GraphKeys.MOVING_AVERAGE_VARIABLES}
"""Those that the body of a `Defun` has in common with it."""


class NotLiftedError(ValueError):
    """What a function's body makes outside of itself, as a resource, depends on what the body computes."""


def inlined(
    scope: str | None,
    function: Callable[[], Any],
    variables: OwnVariables,
    kinds: Any,
    shared: frozenset[str] = SHARED,
) -> tuple[Any, list[Operation]]:
    """Return what a function's body gives, its nodes below the name scope, and the operations that were made.

    Of what it puts into collections that in the ``shared`` ones stays there.
    """
    graph = get_default_graph()
    before, context = graph.version, graph._context
    context.bodies += 1
    try:
        with graph.name_scope(scope) as prefix, variables.in_force(kinds, prefix), graph._body_collections(shared):
            results = function()
    finally:
        context.bodies -= 1
    return results, graph.get_operations()[before:]


@contextmanager
def awaiting() -> Iterator[list[Operation]]:
    """Give the list of what control dependencies name inside ``with``: where a body is made, its call waits for them.

    So it does where nothing is made inside those dependencies, as where an argument or a number is returned.
    """
    context = get_default_graph()._context
    outside, context.awaited = context.awaited, []
    named = context.awaited
    try:
        yield named
    finally:
        context.awaited = [*outside, *named]


def call_operation(
    tensors: Sequence[Tensor],
    made: Sequence[Operation],
    kind: str,
    name: str | None,
    awaited: Sequence[Operation] = (),
    unused: Sequence[Tensor] = (),
    prunes: bool = False,
) -> Operation:
    """Return the operation that has the values of a body's results once the effects of the body are done.

    It waits for ``awaited`` besides, where that is no part of the body. Variables become the values that they have
    then. Where ``kind``, its type, is ``PartitionedCall``, there is ``Stateful`` before it for a body that changes or
    reads variables or has other effects, as TensorFlow has it. ``unused``
    are tensors of which no value depends, and whose gradients are zeros. With ``prunes``, effects are neither ordered
    nor waited for: those run of which a result depends, as in a program for graphs.
    """
    graph = get_default_graph()
    branch = graph._context.branch
    last = None if prunes else in_order(made, branch)
    if kind == "PartitionedCall" and (last is not None or (prunes and effects_among(made, branch)) or reads(made)):
        kind = f"Stateful{kind}"
    operation = Operation(
        graph,
        kind,
        graph._operation_name(name, kind),
        first_identical(len(tensors)) if unused else identical if len(tensors) == 1 else each_identical,
        [*tensors, *unused],
        [(tensor.dtype.base_dtype, tensor._shape) for tensor in tensors],
    )
    if (rules := graph._context.shape_rules) is not None:
        rules.append((operation, lambda: [(tensor.dtype, tensor._shape) for tensor in tensors]))
    within = set(made)
    outside = [op for op in dict.fromkeys(awaited) if op not in within and op not in operation.control_inputs]
    operation._add_control_inputs([*outside, *([] if last is None else [last])])
    return operation


def reads(made: Sequence[Operation]) -> bool:
    """Tell whether operations read variables."""
    return any(tensor.op.type == "VariableV2" for op in made for tensor in op.operands)


def taken_in(made: Sequence[Operation], given: Sequence[Tensor]) -> list[Tensor]:
    """Return what a body takes from outside besides the tensors that it is given, in its order; variables are it."""
    here = {op for op in made if op.type != "VariableV2"}
    beginnings = {op.get_attr("owner").initializer for op in made if op.type == "VariableV2"}
    tensors = dict.fromkeys(tensor for op in made if op not in beginnings for tensor in op.operands)
    known = set(given)
    return [tensor for tensor in tensors if tensor.op not in here and tensor not in known]


class OwnVariables:
    """The variables that a function makes: at its first call alone.

    Args:
        returned: the same ones are given at later calls, in the order in which they were made, as by a body that runs
            once for arguments of the same kinds; else making one is an error.
    """

    def __init__(self, returned: bool) -> None:
        self._returned = returned
        self._made: WeakKeyDictionary[Any, dict[Any, list[Any]]] = WeakKeyDictionary()
        self._scopes: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()

    def another(self) -> OwnVariables:
        """Return one for another object's method."""
        return OwnVariables(self._returned)

    def made_here(self) -> bool:
        """Tell whether the function was called in this graph, or in eager mode, before."""
        return _world() in self._made

    @contextmanager
    def in_force(self, kinds: Any, prefix: str = "") -> Iterator[None]:
        """Watch the variables that are made inside ``with``, in a name scope that their names do not tell.

        ``kinds`` stands for the arguments: calls with others make variables of their own.
        """
        graph = get_default_graph()
        world = _world()
        calls = self._made.setdefault(world, {})
        first, made = not calls, []
        kinds = kinds if self._returned else ()
        remaining = iter(list(calls.get(kinds, ())))

        def creator(make: Callable[..., Any], **arguments: Any) -> Any:
            if not first and not self._returned:
                raise ValueError(
                    "tf.function-decorated function tried to create variables on non-first call. tf.function only "
                    "supports singleton tf.Variables created on the first call: make them once, or outside."
                )
            variable = next(remaining, None)
            if variable is None:
                variable = outside(make, **arguments)
            made.append(variable)
            return variable

        def outside(make: Callable[..., Any], **arguments: Any) -> Any:
            with _without(graph, prefix):
                return make(**arguments)

        def resource(make: Callable[..., Any], **arguments: Any) -> Any:
            first = arguments.get("initial_value")
            if isinstance(first, Node) and first.op.name.startswith(prefix):
                raise NotLiftedError(
                    "Tensor-typed variable initializers must either be wrapped in an init_scope or callable (e.g., "
                    "`tf.Variable(lambda : tf.truncated_normal([10, 40]))`) when building functions: "
                    f"{first.op.name} could not be lifted out of it."
                )
            return (creator if self._returned else outside)(make, **arguments)

        with ExitStack() as stack:
            if self._returned and world is graph:
                if world not in self._scopes:
                    self._scopes[world] = get_variable_scope()
                elif not first:
                    scope = variable_scope(self._scopes[world], reuse=AUTO_REUSE, auxiliary_name_scope=False)
                    stack.enter_context(scope)
            if world is graph:
                stack.enter_context(_resources())
            stack.enter_context(variable_creator_scope(creator))
            stack.enter_context(resource_creator_scope(resource))
            yield
        made += remaining
        if made or first:
            calls[kinds] = made


def _world() -> Any:
    """Return what variables belong to: the graph, or eager mode, to which those of its functions' graphs do, too."""
    graph = get_default_graph()
    return OwnVariables if executing_eagerly() or graph.building_function else graph


@contextmanager
def _resources() -> Iterator[None]:
    """Have variables be resources: functions have no others."""
    scope = get_variable_scope()
    before = scope.use_resource
    scope.set_use_resource(True)
    try:
        yield
    finally:
        scope.set_use_resource(before)


@contextmanager
def _without(graph: Graph, prefix: str) -> Iterator[None]:
    """Leave a name scope, but not those opened inside it."""
    scope = f"{graph.get_name_scope()}/"
    if not prefix or not scope.startswith(prefix):
        yield
        return
    with graph.name_scope(scope.removeprefix(prefix) or None):
        yield


def word(function: Callable[..., Any]) -> str:
    """Return a function's name as part of the name of a node."""
    name = getattr(function, "__name__", None) or type(function).__name__
    return re.sub(r"[^A-Za-z0-9_.]", "", name).lstrip("_") or "function"
