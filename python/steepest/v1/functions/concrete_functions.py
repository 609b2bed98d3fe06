"""What `tf.function`'s ``get_concrete_function`` returns: a function with arguments of given types, and their names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...ops.dispatch import Operand
from ..autodiff.tapes import read_variables
from ..graph.errors import InvalidArgumentError
from ..graph.graph import Graph, get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..graph.shapes import TensorShape
from ..ops.creation_ops import placeholder
from ..ops.loop_ops import leaves, rebuilt
from ..ops.sparse_ops import convert_to_tensor
from ..ops.type_specs import TensorSpec
from ..variables.variable_creators import variable_creator_scope
from .captures import CapturingGraph, VariableHolder

__all__ = ["ConcreteFunction", "Form", "form_of"]


class Form(NamedTuple):
    """Arguments of a function, with a spec where a tensor is to be given."""

    positional: tuple[Any, ...]
    named: dict[str, Any]

    def specs(self) -> list[TensorSpec]:
        """Return the specs, in the order of the arguments."""
        return [leaf for leaf in self.leaves() if isinstance(leaf, TensorSpec)]

    def filled(self, tensors: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments with tensors in place of the specs."""
        remaining = iter(tensors)
        values = [next(remaining) if isinstance(leaf, TensorSpec) else leaf for leaf in self.leaves()]
        positional, named = rebuilt([list(self.positional), self.named], values)
        return positional, named

    def leaves(self) -> list[Any]:
        """Return all arguments, one after another."""
        return leaves([list(self.positional), self.named])


def form_of(func: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Form:
    """Return the form of arguments: the spec of each tensor and array among them, under the name of its parameter.

    Raises:
        TypeError: where the function does not take them.
        ValueError: where of one argument some specs have names, and others none.
    """
    parameters = inspect.signature(func).bind(*args, **kwargs)
    parameters.apply_defaults()
    made: dict[str, Any] = {}
    taken: set[str] = set()
    kinds = parameters.signature.parameters
    for name, value in parameters.arguments.items():
        if kinds[name].kind is inspect.Parameter.VAR_KEYWORD:
            made[name] = {key: _with_specs(key, value[key], taken) for key in sorted(value)}
        elif kinds[name].kind is inspect.Parameter.VAR_POSITIONAL:
            made[name] = tuple(_with_specs(f"{name}_{k}", each, taken) for k, each in enumerate(value))
        else:
            made[name] = _with_specs(name, value, taken)
    parameters.arguments.update(made)
    return Form(tuple(parameters.args), dict(parameters.kwargs))


def _with_specs(name: str, value: Any, taken: set[str]) -> Any:
    """Return an argument with named specs for its tensors."""
    flat = leaves(value)
    specs = [leaf for leaf in flat if isinstance(leaf, TensorSpec)]
    if len({spec.name is None for spec in specs}) > 1:
        raise ValueError(f"If specifying names for arguments, either zero or all names have to be specified: {value!r}")
    return rebuilt(value, [_spec(name, leaf, taken) for leaf in flat])


def _spec(name: str, leaf: Any, taken: set[str]) -> Any:
    if isinstance(leaf, TensorSpec):
        shape, dtype, name = leaf.shape, leaf.dtype, leaf.name or name
    elif isinstance(leaf, (np.ndarray, np.generic)) or _is_tensor(leaf):
        tensor = convert_to_tensor(leaf)
        shape, dtype = TensorShape(tensor.get_shape()), tensor.dtype
    else:
        return leaf
    unique, number = name, 1
    while unique in taken:
        unique, number = f"{name}_{number}", number + 1
    taken.add(unique)
    return TensorSpec(shape, dtype.base_dtype, unique)


def _is_tensor(value: Any) -> bool:
    """Tell whether a value is a tensor; a variable is an argument of its own, as functions may change it."""
    return isinstance(value, (Node, Operand)) and not hasattr(value, "assign")


def _is_plain(value: Any) -> bool:
    """Tell whether a value is no tensor and no array, which are compared element by element."""
    return not _is_tensor(value) and not isinstance(value, np.ndarray)


class _FunctionGraph(CapturingGraph):
    """The graph of a function's nodes."""

    inputs: Sequence[Any] = ()
    outputs: Sequence[Any] = ()
    structured_outputs: Any = None


class ConcreteFunction:
    """A function with arguments of given types and shapes.

    It takes the tensors alone, one after another or by their names, and gives what the function gives. Like
    `tf.function` itself it runs the Python function at each call. What it is made of is asked of nodes that stand for
    the arguments: in graph mode these are in the graph of the program, in eager mode in a graph of their own.
    """

    def __init__(self, name: str, form: Form, call: Callable[..., Any]) -> None:
        self._name, self._form, self._call = name, form, call
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
        positional, named = self._form.filled(tensors)
        return self._call(*positional, **named)

    def _fitting(self, position: int, value: Any, spec: TensorSpec) -> Any:
        try:
            tensor = convert_to_tensor(value) if _is_tensor(value) else convert_to_tensor(value, spec.dtype)
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
        return tensor

    # What it is made of --------------------------------------------------------------------------

    def _traced(self) -> tuple[Graph, list[Any], Any]:
        """Return the graph, the nodes that stand for the arguments, and the results for them."""
        if self._made is not None:
            return self._made
        if not executing_eagerly():
            self._made = self._in(get_default_graph())
            return self._made
        graph = _FunctionGraph()
        with graph.as_default(), variable_creator_scope(VariableHolder().create):
            self._made = self._in(graph)
        _, graph.inputs, graph.structured_outputs = self._made
        graph.outputs = [leaf for leaf in leaves(graph.structured_outputs) if leaf is not None]
        return self._made

    def _in(self, graph: Graph) -> tuple[Graph, list[Any], Any]:
        inputs = [placeholder(spec.dtype, spec.shape, name=spec.name) for spec in self._specs]
        for node, spec in zip(inputs, self._specs, strict=True):
            node.op._attributes["_user_specified_name"] = str(spec.name).encode()
        positional, named = self._form.filled(inputs)
        return graph, inputs, self._call(*positional, **named)

    def prepare(self) -> None:
        """Have the nodes made that stand for the arguments, and those of the body with its variables."""
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
