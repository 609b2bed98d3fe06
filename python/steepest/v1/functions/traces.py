"""Bodies of functions in eager mode: made once for arguments of one form, in a graph of their own; calls run it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..graph.eager_call import eager_result
from ..graph.errors import OpError
from ..graph.graph import get_default_graph
from ..graph.mode import eagerly
from ..graph.node import Node, Operation
from ..graph.session import Session
from ..graph.tensors_within import holds_nodes
from ..ops.creation_ops import placeholder
from ..ops.loop_ops import leaves, rebuilt
from ..ops.sparse_ops import convert_to_tensor
from ..ops.type_specs import TensorSpec
from ..variables.handles import as_handle, handle_of, variable_of
from ..variables.variable_spec import with_variable_specs
from .captures import VariableHolder, evaluated
from .collected_graphs import note_body
from .forms import Form
from .function_graphs import FunctionGraph

__all__ = ["Trace"]


class _LiftedVariables(VariableHolder):
    """Variables of eager mode that a body makes; a first value that it computes is computed at once."""

    def create(self, make: Callable[..., Any], **arguments: Any) -> Any:
        """Return a new variable. Raises ValueError for a first value that depends on the arguments of the function."""
        first = arguments.get("initial_value")
        if isinstance(first, Node) or holds_nodes(first):
            arguments["initial_value"] = _value_of(convert_to_tensor(first))
        return super().create(make, **arguments)


def _value_of(node: Any) -> Any:
    graph = get_default_graph()
    try:
        with eagerly():  # variables have their values in it
            return evaluated(graph, Session(graph=graph), [node], [], [], {})[0]
    except OpError as error:
        raise ValueError(
            "Tensor-typed variable initializers must either be wrapped in an init_scope or callable (e.g., "
            "`tf.Variable(lambda : tf.truncated_normal([10, 40]))`) when building functions: "
            f"{node.op.name} depends on the function's arguments and could not be lifted out of it."
        ) from error


class Trace:
    """The graph that a function makes of nodes in place of its arguments' tensors, and its runs.

    Args:
        form: the arguments.
        make: returns the results and the operation that has them once all effects are done.
        name: the name of the graph.
        shares: whether ``get_variable`` shares variables with other functions, as far as scopes say that it may.
    """

    def __init__(
        self, form: Form, make: Callable[..., tuple[Any, Operation]], name: str = "", shares: bool = False
    ) -> None:
        self.form = form
        self.graph = graph = FunctionGraph(name)
        held, graph.seed = _LiftedVariables(), get_default_graph().seed
        if shares:
            graph._store.named = get_default_graph()._store.named
        context, outside = graph._context, get_default_graph()._context
        context.creators = [held.create, *outside.creators]
        context.resource_creators = [held.create, *outside.resource_creators]
        with graph.as_default():
            self.inputs = [placeholder(spec.dtype, spec.shape, name=spec.name) for spec in form.specs()]
            for node, spec in zip(self.inputs, form.specs(), strict=True):
                node.op._attributes["_user_specified_name"] = str(spec.name).encode()
            self.results, operation = make(*form.filled(self.inputs))
        graph._arguments = {id(leaf) for leaf in form.leaves()}
        graph.inputs = [*self.inputs, *graph.internal_captures, *graph.deferred_internal_captures]
        graph.structured_outputs = self.results
        graph.structured_input_signature = with_variable_specs((form.positional, form.named))
        graph.control_outputs = list(operation.control_inputs)
        graph.outputs = [leaf for leaf in leaves(self.results) if leaf is not None]
        self._operation: Operation | None = operation
        self.makes_variables = bool(held.variables)
        self._session = Session(graph=graph)
        self._plans: dict[Any, Any] = {}
        note_body(graph)

    @classmethod
    def of(cls, graph: FunctionGraph) -> Trace:
        """Return the one of a graph whose nodes are made, and of which ``inputs`` and ``outputs`` are known."""
        made = cls.__new__(cls)
        captured = {*graph.internal_captures, *graph.deferred_internal_captures}
        made.graph, made.inputs = graph, [node for node in graph.inputs if node not in captured]
        specs = [TensorSpec(node.get_shape(), node.dtype.base_dtype, node.op.name) for node in made.inputs]
        made.form = Form(tuple(specs), {})
        made.results = graph.outputs if graph.structured_outputs is None else graph.structured_outputs
        made._operation = next(iter(graph.control_outputs), None)
        made.makes_variables, made._session, made._plans = False, Session(graph=graph), {}
        return made

    def run(self, tensors: Sequence[Any]) -> Any:
        """Return the results for tensors: eager ones, recorded where a tape records."""
        fetched = self.graph.outputs or [self._operation]
        given = [convert_to_tensor(value) for value in tensors]
        values = iter(evaluated(self.graph, self._session, fetched, self.inputs, given, self._plans))
        flat = [
            None
            if leaf is None
            else _as_eager(next(values), leaf.dtype)
            if leaf.dtype.name != "resource"
            else self._handle(leaf, next(values))
            for leaf in leaves(self.results)
        ]
        return rebuilt(self.results, flat)

    def _handle(self, node: Any, value: Any) -> Any:
        own = variable_of(node)
        outside = [captured for captured, inside in self.graph._captures.values() if inside is own]
        return handle_of(outside[0]) if outside else as_handle(value)


def _as_eager(value: Any, dtype: Any) -> Any:
    """Return a result as a tensor."""
    if dtype.name == "variant":
        return eager_result(value)
    return convert_to_tensor(value, dtype.base_dtype)
