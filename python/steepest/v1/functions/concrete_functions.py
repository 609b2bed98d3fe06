"""What `tf.function`'s ``get_concrete_function`` returns: a function with arguments of given types, and their names."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..autodiff.tapes import read_variables
from ..graph.errors import InvalidArgumentError
from ..graph.graph import Graph, get_default_graph
from ..graph.mode import executing_eagerly
from ..ops.creation_ops import placeholder
from ..ops.loop_ops import leaves, rebuilt
from ..ops.sparse_ops import convert_to_tensor
from ..ops.type_specs import TensorSpec
from .captures import CapturingGraph
from .forms import Form, is_tensor
from .signatures import IncompatibleInputError
from .traces import Trace

__all__ = ["ConcreteFunction"]


def _is_plain(value: Any) -> bool:
    """Tell whether a value is no tensor and no array, which are compared element by element."""
    return not is_tensor(value) and not isinstance(value, np.ndarray)


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
    """

    def __init__(self, name: str, form: Form, call: Callable[..., Any], trace: Callable[[Form], Trace | None]) -> None:
        self._name, self._form, self._call, self._trace = name, form, call, trace
        self._specs = form.specs()
        self._made: tuple[Graph, list[Any], Any] | None = None

    @property
    def name(self) -> bytes:
        """The name of the function."""
        return f"__inference_{self._name}".encode()

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, with specs for tensors, and those that are given by keyword alone."""
        return self._form.positional, self._form.named

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the function gives for these tensors.

        Raises:
            TypeError: for too few or too many arguments. InvalidArgumentError: for a tensor of another type.
        """
        given = leaves(list(args))
        if len(given) + len(kwargs) > len(self._specs):  # constants that the function is made for may be given again
            places = list(zip(self._form.leaves(), given, strict=False))
            for leaf, value in places:
                if not isinstance(leaf, TensorSpec) and not (_is_plain(value) and value == leaf):
                    raise TypeError(f"{self._name}: was made for {leaf!r:.80}, got {value!r:.80}")
            given = [value for leaf, value in places if isinstance(leaf, TensorSpec)] + given[len(places) :]
        names = [str(spec.name) for spec in self._specs]
        by_name = {**dict(zip(names, given, strict=False))}
        twice = sorted(set(by_name) & set(kwargs))
        by_name.update(kwargs)
        if twice or len(given) > len(names) or set(by_name) != set(names):
            raise TypeError(
                f"{self._name}: must be called with the tensors {', '.join(names) or 'none'}, got {len(given)} by "
                f"position and {sorted(kwargs)} by name"
            )
        tensors = [
            self._fitting(k, by_name[name], spec) for k, (name, spec) in enumerate(zip(names, self._specs, strict=True))
        ]
        if executing_eagerly() and (trace := self._own_trace) is not None:
            return trace.run(tensors)
        positional, named = self._form.filled(tensors)
        return self._call(*positional, **named)

    def _fitting(self, position: int, value: Any, spec: TensorSpec) -> Any:
        try:
            tensor = convert_to_tensor(value) if is_tensor(value) else convert_to_tensor(value, spec.dtype)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"All inputs to `ConcreteFunction`s must be Tensors; on invocation of {self._name}, the "
                f"{position}-th input ({value!s:.80}) was not a Tensor."
            ) from error
        if tensor.dtype.base_dtype != spec.dtype:
            raise InvalidArgumentError(
                None,
                None,
                f"cannot compute {self.name.decode()} as input #{position} was expected to be a {spec.dtype.name} "
                f"tensor but is a {tensor.dtype.base_dtype.name} tensor",
            )
        if not executing_eagerly() and not spec.shape.is_compatible_with(tensor.get_shape()):
            raise IncompatibleInputError(
                f"{self.name.decode()}: argument '{spec.name}' has the shape {spec.shape}, with which the shape "
                f"{tensor.get_shape()} is not compatible"
            )
        return tensor

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
        self._made = trace.graph, trace.inputs, trace.results
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
        """The nodes that stand for the tensors that are given."""
        return list(self._traced()[1])

    @property
    def structured_outputs(self) -> Any:
        """The nodes of the results, in their structure."""
        return self._traced()[2]

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
        return f"<ConcreteFunction {self._name}({', '.join(str(spec) for spec in self._specs)})>"
