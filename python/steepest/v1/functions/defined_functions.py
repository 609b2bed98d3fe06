"""``Defun``: functions with declared types whose gradient the program may say."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..autodiff.given_gradients import with_gradient
from ..graph.build import convert
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.graph import Graph, get_default_graph
from ..graph.graph_def import FunctionDef
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor
from ..graph.op_defs import OpDef
from ..ops.creation_ops import placeholder
from ..ops.sparse_ops import convert_to_tensor
from .body_inputs import watched
from .function_bodies import VARIABLES, OwnVariables, awaiting, call_operation, inlined, taken_in, word
from .function_calls import Call, argument, check_awaited, check_values, failing, without_use
from .function_defs import definition_of, stateful_among

__all__ = ["Defun"]


class Defun:
    """Decorates a function of tensors: its body is made in the caller's graph at each call.

    Args:
        input_types: the types of the arguments; none where they are to be those of each call.
        func_name: the name of the operations that calls give, by default the function's.
        grad_func: another such function ``f(*inputs, *dy)``, which returns the gradients of the inputs.
        python_grad_func: ``f(op, *dy)``, which returns them too; ``op`` has ``inputs`` and ``outputs``. Both are called
            once for each call of the function, when its nodes are made.
        out_names: names of the results, which must be as many.
        shape_func: ``f(op)`` returns what is known of the results' shapes.
        noinline: and other options are accepted.

    What a body takes besides its arguments, variables for example, stands behind them in ``op.inputs``. Variables are
    made at the first call, and are the same at the later ones.

    Raises:
        ValueError: for functions with defaults or keyword arguments, another number of arguments than of types, or two
            gradients; for calls with other types.

    Source: ``tensorflow.python.framework.function.Defun``.
    """

    def __init__(self, *input_types: Any, **kwargs: Any) -> None:
        self._types = tuple(as_dtype(each) for each in input_types)
        self._options = kwargs

    def __call__(self, func: Callable[..., Any]) -> _DefinedFunction:
        """Return the function that makes its body's nodes."""
        if not callable(func):
            raise ValueError(f"Function {func} must be a callable.")
        parameters = list(inspect.signature(func).parameters.values())
        if any(each.default is not each.empty or each.kind is each.VAR_KEYWORD for each in parameters):
            raise ValueError(
                f"Functions with argument defaults or keywords arguments are not supported. {func} has such ones."
            )
        least = sum(each.kind is not each.VAR_POSITIONAL for each in parameters)
        most = least if least == len(parameters) else None
        count = len(self._types)
        if count and (count < least or (most is not None and count > most)):
            raise ValueError(
                f"The number of specified input types is not compatible with the arguments of {func}: there are "
                f"{count} tf.function input types, while it allows minimum {least} and maximum {most} arguments."
            )
        declared = self._types if count or not parameters else None
        return _DefinedFunction(func, declared, **self._options)


class _DefinedFunction:
    """A function that `Defun` has decorated."""

    def __init__(
        self,
        func: Callable[..., Any],
        types: tuple[Any, ...] | None,
        func_name: str | None = None,
        grad_func: _DefinedFunction | None = None,
        python_grad_func: Callable[..., Any] | None = None,
        out_names: Sequence[str] | None = None,
        shape_func: Callable[..., Any] | None = None,
        capture_by_value: bool = False,
        whitelisted_stateful_ops: Any = (),
        allowlisted_stateful_ops: Any = (),
        **attributes: Any,
    ) -> None:
        self._func, self._types = func, types
        self._name = func_name or word(func)
        self._by_value, self._attributes = capture_by_value, attributes
        self._allowed = {*(whitelisted_stateful_ops or ()), *(allowlisted_stateful_ops or ())}
        self._named, self._devices = func_name is not None, get_default_graph()._places.devices
        self._definition: FunctionDef | None = None
        if grad_func is not None and python_grad_func is not None:
            raise ValueError(f"Gradient defined twice for function {self._name}")
        self._grad_func, self._python_grad_func = grad_func, python_grad_func
        self._out_names, self._shape_func = out_names, shape_func
        self._variables = OwnVariables(returned=True)
        self._captured: list[Tensor] = []
        self.__name__, self.__doc__ = self._name, func.__doc__

    @property
    def name(self) -> str:
        """The function's name."""
        return self._name

    @property
    def declared_input_types(self) -> tuple[Any, ...] | None:
        """The types that were declared."""
        return self._types

    @property
    def captured_inputs(self) -> list[Tensor]:
        """What the body took besides its arguments when it was called last."""
        return self._captured

    @property
    def python_grad_func(self) -> Callable[..., Any] | None:
        """The function that gives the gradient, None where there is none."""
        return self._python_grad_func

    @property
    def grad_func_name(self) -> str | None:
        """The name of the function that the gradient is declared to be, None where none is."""
        return None if self._grad_func is None else self._grad_func.name

    def instantiate(self, types: Sequence[Any]) -> _DefinedFunction:
        """Return the function for arguments of these types."""
        made = copy.copy(self)
        made._types, made._definition = tuple(as_dtype(each) for each in types), None
        return made

    @property
    def definition(self) -> FunctionDef:
        """The body, made of arguments of the declared types in a graph of its own. Raises ValueError where it takes
        tensors of another graph.
        """
        if self._definition is None:
            with Graph().as_default() as graph:
                graph._places.devices = list(self._devices)
                given = [placeholder(dtype, None, name)._tensor() for name, dtype in self._arguments()]
                before = graph.version
                results = self._listed(self._func(*given))
                made = graph.get_operations()[before:]
            parts = self._name, self.__doc__ or "", given, made, results
            self._definition = definition_of(*parts, self._out_names or (), self._attributes)
        return self._definition

    @property
    def stateful_ops(self) -> list[tuple[str, str]]:
        """The names and types of the body's operations that have a state or an effect."""
        return stateful_among([node.operation for node in self.definition.node_def])

    @property
    def _signature(self) -> OpDef:
        signature: OpDef = self.definition.signature
        return signature

    def add_to_graph(self, g: Graph) -> None:
        """Have the function be in a graph's message. ValueError where no types are declared."""
        self._register(g, tuple(dtype.base_dtype.name for _, dtype in self._arguments()))

    def _register(self, graph: Graph, kinds: tuple[str, ...]) -> None:
        """Keep the function for the message of the graph, where it is called for the first time.

        Raises InvalidArgumentError where another one has the name that the program gave to both.
        """
        made = self if self._types is not None else self.instantiate(kinds)
        key = (self._name, *kinds) if self._named else (self._name, *kinds, self)
        known = graph._functions.setdefault(key, made)
        if self._named and known is not made and known._func is not made._func and known.definition != made.definition:
            raise InvalidArgumentError(
                None,
                None,
                f"Cannot add function '{self._name}' because a different function with the same name already exists.",
            )

    def _arguments(self) -> list[tuple[str, Any]]:
        """Return the names and types of the arguments; ValueError where no types are declared."""
        if self._types is None:
            raise ValueError(f"{self._name}: the types of the arguments are those of each call")
        return list(zip(self._argument_names(len(self._types)), self._types, strict=True))

    def _argument_names(self, count: int) -> list[str]:
        parameters = inspect.signature(self._func).parameters.values()
        names = [each.name for each in parameters if each.kind is not each.VAR_POSITIONAL]
        return [*names, *(f"arg_{k}" for k in range(len(names), count))][:count]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the results: a tensor, a tuple of several, or an operation where there is none."""
        if executing_eagerly():
            return self._at_once(args, kwargs)
        name = kwargs.pop("name", None)
        kwargs.pop("noinline", None)
        if kwargs:
            raise ValueError(f"Unknown keyword arguments: {kwargs.keys()}.")
        given = [convert(arg) for arg in args]
        self._check(given)
        graph = get_default_graph()
        full_name = graph._operation_name(name or self._name, self._name)
        kinds = tuple(tensor.dtype.base_dtype.name for tensor in given)
        names = self._argument_names(len(given))

        def body() -> Any:
            with watched(given):
                return self._func(*(argument(tensor, each) for tensor, each in zip(given, names, strict=True)))

        with awaiting() as awaited:
            results, made = inlined(f"{full_name}/", body, self._variables, kinds, VARIABLES)
        check_awaited(awaited, made)
        values = self._listed(results)
        taken = taken_in(made, given)
        self._captured = [] if self._by_value else taken
        if self._by_value:
            check_values(taken, self._allowed)
        self._register(graph, kinds)
        described = Call(full_name, self._name, graph, [*given, *self._captured], values)
        if values and (self._grad_func is not None or self._python_grad_func is not None):
            with graph.name_scope(f"{full_name}/"):
                values = self._with_gradient(described)
        operation = call_operation(values, made, self._name, f"{full_name}/", unused=without_use(given, values, made))
        if self._shape_func is not None:
            for value, shape in zip(operation.outputs, self._shape_func(described), strict=True):
                value.set_shape(shape)
        else:
            for value in operation.outputs:
                value._shape = None
        if not values:
            return operation
        return operation.outputs[0] if len(values) == 1 else tuple(operation.outputs)

    def _at_once(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Return the results in eager mode. RuntimeError for a function whose gradient the program gives."""
        if self._grad_func is not None or self._python_grad_func is not None:
            raise RuntimeError("Defun: functions with a gradient must be called in graph mode; use tf.custom_gradient")
        if unknown := set(kwargs) - {"name", "noinline"}:
            raise ValueError(f"Unknown keyword arguments: {sorted(unknown)}.")
        given = [convert_to_tensor(arg) for arg in args]
        self._check(given)
        results = self._func(*given)
        if isinstance(results, (list, tuple)):
            return tuple(convert_to_tensor(each) for each in results)
        return None if results is None else convert_to_tensor(results)

    def _check(self, given: Sequence[Tensor]) -> None:
        if self._types is None:
            return
        if len(given) != len(self._types):
            raise ValueError(
                f"Expected number of arguments: {len(self._types)}, received: {len(given)}. Expected "
                f"{len(self._types)} arguments, got {len(given)}."
            )
        for position, (tensor, dtype) in enumerate(zip(given, self._types, strict=True)):
            if tensor.dtype.base_dtype != dtype.base_dtype:
                raise ValueError(
                    f"Input {position} of {self._name} passed {tensor.dtype.base_dtype.name} expected {dtype.name}"
                )

    def _listed(self, results: Any) -> list[Tensor]:
        """Return what the body gave as a list of tensors; ValueError for None among them."""
        items = list(results) if isinstance(results, (list, tuple)) else [] if results is None else [results]
        if any(item is None for item in items):
            raise ValueError(f"Function {self._name} can not return None.")
        if any(isinstance(item, dict) for item in items):
            raise TypeError(f"Function {self._name} must return tensors, got {items!r:.80}")
        if self._out_names and len(self._out_names) != len(items):
            raise InvalidArgumentError(
                None,
                None,
                "output names must be either empty or equal in size to outputs. output names size = "
                f"{len(self._out_names)} outputs size = {len(items)}",
            )
        return [convert(item) for item in items]

    def _with_gradient(self, call: Call) -> list[Tensor]:
        """Return the results with the gradient that the program says."""
        sources = [tensor for tensor in call.inputs if tensor.dtype.has_gradients]

        def gradients(*dy: Tensor) -> list[Any]:
            if self._python_grad_func is not None:
                found = self._python_grad_func(call, *dy)
            else:
                assert self._grad_func is not None
                found = self._grad_func(*call.inputs, *dy)
            each = list(found) if isinstance(found, (list, tuple)) else [found]
            if len(each) != len(call.inputs) and self._python_grad_func is None:
                return [failing(tensor, len(call.inputs), len(each)) for tensor in sources]
            if len(each) != len(call.inputs):
                raise ValueError(
                    f"Num gradients {len(each)} generated for op {call.name} do not match num inputs {len(call.inputs)}"
                )
            return [gradient for gradient, tensor in zip(each, call.inputs, strict=True) if tensor.dtype.has_gradients]

        return with_gradient(sources, call.outputs, gradients, self._name)
