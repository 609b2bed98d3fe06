"""What `tf.function`'s ``get_concrete_function`` returns: a function with arguments of given types, and their names."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakValueDictionary

from ..autodiff.graph_tape import read_variables
from ..graph.attr_values import AttrValue
from ..graph.graph import Graph, get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..ops.creation_ops import placeholder
from ..ops.loop_ops import leaves, rebuilt
from ..ops.type_specs import TensorSpec
from ..variables.variable_spec import with_variable_specs
from .captures import CapturingGraph
from .flat_arguments import fitting, flat_arguments
from .forms import Form
from .function_defs import FunctionDef, attribute_of, definition_of
from .function_graphs import FunctionGraph
from .function_types import FunctionType, Parameter, kind_of
from .signatures import IncompatibleInputError
from .structured_specs import inputs_by_path, specs_by_path
from .traces import Trace

__all__ = ["ConcreteFunction", "known_functions"]

known_functions: WeakValueDictionary[str, ConcreteFunction] = WeakValueDictionary()
"""Those that were made, by their names; of several with one name the last one."""


class ConcreteFunction:
    """A function with arguments of given types and shapes.

    It takes the tensors alone, one after another or by their names, and gives what the function gives. In eager mode
    it runs what was made for its types; in graph mode it makes the body's nodes at each call, as `tf.function` does.
    What it is made of is asked of nodes that stand for the arguments: in graph mode these are in the graph of the
    program, in eager mode in a graph of their own.

    Args:
        name: the name of the function.
        form: its arguments.
        call: the function.
        trace: returns the `Trace` of the arguments, None where the function has to be called with values.
        signature: the parameters of the function.
    """

    def __init__(
        self,
        name: str,
        form: Form,
        call: Callable[..., Any],
        trace: Callable[[Form], Trace | None],
        signature: inspect.Signature,
    ) -> None:
        self._name, self._form, self._call, self._trace, self._signature = name, form, call, trace, signature
        self._specs = form.specs()
        self._alone = not form.named and all(isinstance(each, TensorSpec) for each in form.positional)
        self._made: tuple[Graph, list[Any], Any] | None = None
        self._attributes: dict[str, AttrValue] = {}
        self._restored = False  # what a saved model tells has the names of specs
        known_functions[self.name.decode()] = self

    @classmethod
    def from_func_graph(
        cls, graph: FunctionGraph, function_type: Any = None, attrs: Any = None, **accepted: Any
    ) -> ConcreteFunction:
        """Return the function of a graph that is made: of its inputs, to its outputs. It is called in eager mode.

        Raises ValueError for attributes that are no numbers, truth values or texts, nor lists of these.
        """
        del accepted
        trace, name = Trace.of(graph), graph.name or "function"
        names = [Parameter(str(spec.name), Parameter.POSITIONAL_OR_KEYWORD, False, None) for spec in trace.form.specs()]

        def call(*given: Any) -> Any:
            raise RuntimeError(f"{name}: a function of a graph must be called in eager mode, got {len(given)} nodes")

        made = cls(name, trace.form, call, lambda _: trace, function_type or inspect.Signature(names))
        made._attributes = {key: attribute_of(key, value) for key, value in (attrs or {}).items()}
        return made

    @property
    def name(self) -> bytes:
        """The name of the function."""
        return f"__inference_{self._name}".encode()

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, with specs for tensors, and those that are given by keyword alone."""
        positional, named = with_variable_specs(inputs_by_path(self._signature, self._form))
        return positional, named

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the function gives for arguments like those that it was made for, or for their tensors alone.

        Raises:
            TypeError: for arguments that are neither. InvalidArgumentError: for a tensor of another type.
        """
        if kwargs or not self._alone or len(args) != len(self._specs):
            try:
                tensors, variables = self._parameters.given(self._form, args, kwargs)
                return self._given(tensors, variables)
            except TypeError as error:
                if len(self._form.taken()) > len(self._specs):
                    raise IncompatibleInputError(str(error)) from None
                try:
                    args = tuple(flat_arguments(self._name, self._specs, args, kwargs, self._form))
                except TypeError as other:
                    raise IncompatibleInputError(
                        f"{error}\nFallback to flat signature also failed due to: {other}"
                    ) from None
        return self._given(args)

    def _call_with_flat_signature(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Return what the function gives for tensors, one after another or by their names.

        Raises TypeError for another number of them, for other names, and for what is no tensor.
        """
        return self._given(flat_arguments(self._name, self._specs, args, kwargs))

    def _given(self, values: Sequence[Any], variables: Sequence[Any] | None = None) -> Any:
        """Return what the function gives for its tensors, and for variables in place of those that it was made for."""
        tensors = [
            fitting(self._name, k, value, spec) for k, (value, spec) in enumerate(zip(values, self._specs, strict=True))
        ]
        form = self._form.with_variables(variables) if variables else self._form
        if form is self._form and executing_eagerly() and (trace := self._own_trace) is not None:
            return trace.run(tensors)
        positional, named = form.filled(tensors)
        return self._call(*positional, **named)

    @functools.cached_property
    def _parameters(self) -> FunctionType:
        form = Form(*with_variable_specs((self._form.positional, self._form.named)))
        return FunctionType.of(self._signature, form, {}, inspect.Signature.empty)

    @property
    def function_type(self) -> FunctionType:
        """The type: what it takes, what it has from outside, and what it gives."""
        graph = self.graph
        held = graph.external_captures if isinstance(graph, FunctionGraph) else ()
        captures = {id(value): TensorSpec(value.shape, value.dtype) for value in held}
        form, named = Form(*self.structured_input_signature), self._restored
        return FunctionType.of(self._signature, form, captures, kind_of(specs_by_path(self._traced()[2]), named), named)

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """Return the type as a text: on lines of their own with ``verbose``, else as Python writes signatures."""
        return repr(self.function_type) if verbose else str(self.function_type)

    @functools.cached_property
    def _own_trace(self) -> Trace | None:
        return self._trace(self._form)

    # What it is made of --------------------------------------------------------------------------

    def _traced(self) -> tuple[Graph, list[Any], Any]:
        """Return the graph, the nodes that stand for the arguments, and the results for them."""
        if self._made is not None:
            return self._made
        if not executing_eagerly():
            self._made = self._in(get_default_graph())
            return self._made
        trace = self._own_trace
        if trace is None:
            raise TypeError(f"{self._name}: the function needs values, of which no graph can be made")
        self._made = trace.graph, trace.graph.inputs, trace.results
        return self._made

    def _in(self, graph: Graph) -> tuple[Graph, list[Any], Any]:
        inputs = [placeholder(spec.dtype, spec.shape, name=spec.name) for spec in self._specs]
        for node, spec in zip(inputs, self._specs, strict=True):
            node.op._attributes["_user_specified_name"] = str(spec.name).encode()
        positional, named = self._form.filled(inputs)
        return graph, inputs, self._call(*positional, **named)

    def prepare(self) -> None:
        """Have the nodes made that stand for the arguments, and those of the body with its variables."""
        if not executing_eagerly() or self._own_trace is not None:
            self._traced()

    @property
    def graph(self) -> Graph:
        """The graph of its nodes: that of the program, in eager mode one of its own."""
        return self._traced()[0]

    @property
    def inputs(self) -> list[Any]:
        """The nodes that stand for the tensors that are given; in eager mode those for captured ones come last."""
        return list(self._traced()[1])

    @functools.cached_property
    def _captured_nodes(self) -> list[Node]:
        graph = self.graph
        if not isinstance(graph, FunctionGraph):
            return []
        return [*graph.internal_captures, *graph.deferred_internal_captures]

    @property
    def _captured_inputs(self) -> list[Any]:
        graph: Any = self.graph
        return [graph.captured_for(node) for node in self._captured_nodes]

    @property
    def captured_inputs(self) -> list[Any]:
        """What it takes from outside: tensors, handles of variables, and what functions give that are asked for it."""
        return [value() if callable(value) else value for value in self._captured_inputs]

    def set_external_captures(self, captures: Sequence[Any]) -> None:
        """Have it take others from outside, in the order of `captured_inputs`: tensors, or functions that give them."""
        graph: Any = self.graph
        graph.take_instead(dict(zip(self._captured_nodes, captures, strict=True)), {})

    def replace_capture_with_deferred_capture(
        self, tensor: Any, closure: Callable[[], Any], spec: Any, placeholder: Any = None, default_value: Any = None
    ) -> None:
        """Have it take what a function gives at each call in place of a tensor from outside.

        Raises ValueError for a tensor that it does not take, or one that is not of the spec.
        """
        del default_value
        found = [node for node, each in zip(self._captured_nodes, self._captured_inputs, strict=True) if each is tensor]
        node = placeholder if placeholder is not None else next(iter(found), None)
        if node is None:
            raise ValueError(
                f"Did not find `tensor` argument {tensor} in the ConcreteFunction's captured inputs list, and did not "
                "receive a placeholder argument. Thus we're unable to infer the internal placeholder. "
            )
        if not spec.is_compatible_with(node):
            raise ValueError(
                f"Attempting to substitute closure with spec {spec} that's incompatible with the original capture "
                f"{tensor} or the internal placeholder {node}."
            )
        graph: Any = self.graph
        graph.take_instead({node: closure}, {node: spec})

    @property
    def function_def(self) -> FunctionDef:
        """The message of the function, of which the nodes that stand for its tensors are the arguments."""
        given = [node._tensor() for node in self.inputs]
        within = {node.op for node in given}
        made = [op for op in self.graph.get_operations() if op not in within]
        results = [node._tensor() for node in self.outputs]
        definition = definition_of(self.name.decode(), "", given, made, results, (), {})
        for name, value in self._attributes.items():
            definition.attr[name].CopyFrom(value)
        return definition

    @property
    def structured_outputs(self) -> Any:
        """The nodes of the results, in their structure; of a function from a saved model specs of them."""
        results = self._traced()[2]
        return specs_by_path(results) if self._restored else results

    @property
    def outputs(self) -> list[Any]:
        """The nodes of the results, one after another."""
        return [leaf for leaf in leaves(self._traced()[2]) if leaf is not None]

    @property
    def output_shapes(self) -> Any:
        """The shapes of the results, in their structure."""
        results = self._traced()[2]
        return rebuilt(results, [None if leaf is None else leaf.get_shape() for leaf in leaves(results)])

    @property
    def output_dtypes(self) -> Any:
        """The types of the results, in their structure."""
        results = self._traced()[2]
        return rebuilt(results, [None if leaf is None else leaf.dtype for leaf in leaves(results)])

    @property
    def variables(self) -> list[Any]:
        """The variables that it uses, in the order in which they are first used; in graph mode the trainable ones."""
        graph = self.graph
        return graph.variables if isinstance(graph, CapturingGraph) else self.trainable_variables

    @property
    def trainable_variables(self) -> list[Any]:
        """The trainable variables that the results are computed from."""
        graph = self.graph
        return graph.trainable_variables if isinstance(graph, CapturingGraph) else read_variables(self.outputs)

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.pretty_printed_signature(verbose=False)} at 0x{id(self):X}>"

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"
