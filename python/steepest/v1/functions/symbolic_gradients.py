"""Functions called as operations: ``symbolic_gradient``, ``partitioned_call``, ``remote_call`` and a choice of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from ..autodiff.gradients import gradients
from ..graph.build import call, convert
from ..graph.errors import NotFoundError
from ..graph.graph import get_default_graph
from ..graph.node import Operation
from ..graph.scopes import device, name_scope
from ..ops.array_ops import identity
from ..ops.control_flow_case import switch_case
from ..ops.creation_ops import zeros_like
from ..ops.function_flow_ops import as_one_operation
from ..ops.sparse_ops import convert_to_tensor
from .defined_functions import _DefinedFunction

__all__ = ["Gradient", "case", "partitioned_call", "remote_call", "symbolic_gradient"]


def Gradient(inputs: Sequence[Any], f: _DefinedFunction, name: str | None = None) -> list[Any]:
    """Return the gradients of a function's arguments: ``inputs`` are these, and after them those of its results.

    Raises ValueError for a function without declared types. Source: ``functional_ops.Gradient``.
    """
    types = f.declared_input_types
    if types is None:
        raise ValueError("Gradient: the function must have declared types")
    return symbolic_gradient(inputs, types, f, name)


def remote_call(target: Any, args: Sequence[Any], Tout: Sequence[Any], f: Any, name: str | None = None) -> list[Any]:
    """Return the results of ``f(*args)`` in a list; ``target`` is recorded as their device. All runs here.

    Source: ``functional_ops.remote_call``.
    """
    del Tout
    with device(target if isinstance(target, str) else None):
        return partitioned_call(args, f, name=name)


def partitioned_call(
    args: Sequence[Any],
    f: Any,
    tout: Sequence[Any] | None = None,
    executing_eagerly: bool | None = None,
    config: Any = None,
    executor_type: Any = None,
    name: str | None = None,
) -> list[Any]:
    """Return the results of ``f(*args)`` in a list; the other arguments are accepted for TensorFlow's sake.

    Source: ``functional_ops.partitioned_call``.
    """
    del tout, executing_eagerly, config, executor_type
    with name_scope(name or "PartitionedCall"):
        results = f(*[convert_to_tensor(value) for value in args])
    if results is None or isinstance(results, Operation):
        return []
    return list(results) if isinstance(results, (list, tuple)) else [results]


def case(
    branch_index: Any,
    input: Sequence[Any],
    Tout: Sequence[Any],
    branches: Sequence[Any],
    output_shapes: Any = (),
    name: str | None = None,
) -> list[Any]:
    """Return the results of the function at a position, or of the last one, in a list.

    Source: ``gen_functional_ops.case``.
    """
    del Tout, output_shapes
    given = [convert_to_tensor(value) for value in input]

    def called(function: Any) -> Any:
        return lambda: partitioned_call(given, function)

    def made() -> Any:
        results = switch_case(convert_to_tensor(branch_index), [called(each) for each in branches])
        return results if isinstance(results, (list, tuple)) else [results]

    return as_one_operation("Case", name, made)


def symbolic_gradient(input: Sequence[Any], Tout: Sequence[Any], f: Any, name: str | None = None) -> list[Any]:
    """Return the gradients of a function's arguments, zeros of those that it does not depend on.

    Args:
        input: the arguments, and after them the gradients of the results.
        Tout: the types of the arguments.
        f: the function, or the name under which it is called in this graph.

    The run raises NotFoundError where the graph has no function of the name.
    """
    tensors = [convert(value) for value in input]
    arguments, arriving = tensors[: len(Tout)], tensors[len(Tout) :]
    called = get_default_graph()._functions
    function = (
        f if isinstance(f, _DefinedFunction) else next((each for key, each in called.items() if key[0] == f), None)
    )
    if function is None:
        return list(_unknown(f, tensors, Tout, name))
    with get_default_graph().name_scope(name or "SymbolicGradient"):
        results = function(*arguments)
        found = gradients(list(results) if isinstance(results, tuple) else [results], arguments, arriving)
        return [
            zeros_like(tensor) if gradient is None else identity(gradient)
            for gradient, tensor in zip(found, arguments, strict=True)
        ]


def _unknown(name: Any, tensors: Sequence[Any], types: Sequence[Any], op_name: str | None) -> Any:
    def fail(*values: Any) -> NoReturn:
        raise NotFoundError(None, None, f"Function {name} is not defined.")

    def shapes(*sizes: Any) -> Any:
        return list(sizes[: len(types)])

    return call(
        "SymbolicGradient", fail, tensors, name=op_name, shape=shapes, dtype=types, outputs=len(types), same=False
    )
