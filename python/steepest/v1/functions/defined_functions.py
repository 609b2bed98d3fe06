"""``Defun``: functions with declared types whose gradient the program may say."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..autodiff.given_gradients import with_gradient
from ..graph.build import convert
from ..graph.dtypes import as_dtype
from ..graph.errors import InvalidArgumentError
from ..graph.graph import Graph, get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Operation, Tensor
from .function_bodies import OwnVariables, call_operation, inlined, taken_in, word

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

    def __call__(self, func: Callable[..., Any]) -> _Defined:
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
                "The number of tf.function input types is not compatible with the allowed arguments of "
                f"{func}. The tf.function has {count} input types, while the python function allows minimum {least} "
                f"and maximum {most} arguments."
            )
        declared = self._types if count or not parameters else None
        return _Defined(func, declared, **self._options)


class Call(NamedTuple):
    """What a gradient function is told of a call, in place of the operation that TensorFlow has there."""

    name: str
    type: str
    graph: Graph
    inputs: list[Tensor]
    outputs: list[Tensor]
    control_inputs: Sequence[Operation] = ()

    def get_attr(self, name: str) -> Any:
        """Return the type of the inputs or of the results; ValueError for another name."""
        if name not in ("Tin", "Tout"):
            raise ValueError(f"Operation {self.name!r} has no attr named {name!r}.")
        return [tensor.dtype.base_dtype for tensor in (self.inputs if name == "Tin" else self.outputs)]

    def values(self) -> tuple[Tensor, ...]:
        """Return the outputs."""
        return tuple(self.outputs)


class _Defined:
    """A function that `Defun` has decorated."""

    def __init__(
        self,
        func: Callable[..., Any],
        types: tuple[Any, ...] | None,
        func_name: str | None = None,
        grad_func: _Defined | None = None,
        python_grad_func: Callable[..., Any] | None = None,
        out_names: Sequence[str] | None = None,
        shape_func: Callable[..., Any] | None = None,
        **accepted: Any,
    ) -> None:
        del accepted
        self._func, self._types = func, types
        self._name = func_name or word(func)
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

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the results: a tensor, a tuple of several, or an operation where there is none."""
        if executing_eagerly():
            raise RuntimeError("Defun: functions of graphs must be called in graph mode; in eager mode use tf.function")
        name = kwargs.pop("name", None)
        kwargs.pop("noinline", None)
        if kwargs:
            raise ValueError(f"Unknown keyword arguments: {kwargs.keys()}.")
        given = [convert(arg) for arg in args]
        self._check(given)
        graph = get_default_graph()
        full_name = graph._operation_name(name or self._name, self._name)
        kinds = tuple(tensor.dtype.base_dtype.name for tensor in given)
        results, made = inlined(f"{full_name}/", lambda: self._func(*given), self._variables, kinds)
        values = self._listed(results)
        taken = taken_in(made, given)
        self._captured = [tensor for tensor in taken if tensor not in given]
        call = Call(full_name, self._name, graph, [*given, *self._captured], values)
        if values and (self._grad_func is not None or self._python_grad_func is not None):
            with graph.name_scope(f"{full_name}/"):
                values = self._with_gradient(call)
        operation = call_operation(values, made, self._name, f"{full_name}/")
        if self._shape_func is not None:
            for value, shape in zip(operation.outputs, self._shape_func(call), strict=True):
                value.set_shape(shape)
        if not values:
            return operation
        return operation.outputs[0] if len(values) == 1 else tuple(operation.outputs)

    def _check(self, given: Sequence[Tensor]) -> None:
        if self._types is None:
            return
        if len(given) != len(self._types):
            raise ValueError(f"Expected {len(self._types)} arguments, got {len(given)}.")
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
            if len(each) != len(call.inputs):
                raise ValueError(
                    f"Num gradients {len(each)} generated for op {call.name} do not match num inputs {len(call.inputs)}"
                )
            return [gradient for gradient, tensor in zip(each, call.inputs, strict=True) if tensor.dtype.has_gradients]

        return with_gradient(sources, call.outputs, gradients, self._name)
