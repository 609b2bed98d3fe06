"""The tensors of a function for arguments of given types: one after another, or by their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...ops.dispatch import Operand
from ..graph.errors import InvalidArgumentError
from ..graph.mode import executing_eagerly
from ..graph.node import Node
from ..ops.sparse_ops import convert_to_tensor
from ..ops.type_specs import TensorSpec
from .forms import Form, is_tensor
from .function_types import kind_of
from .signatures import IncompatibleInputError

__all__ = ["fitting", "flat_arguments"]


def flat_arguments(
    name: str,
    specs: Sequence[TensorSpec],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    form: Form | None = None,
) -> list[Any]:
    """Return the tensors that a function of this name is given one after another, or by the names of their specs.

    With ``form`` numbers are taken, too, by name and in the places that tensors have among the function's arguments.
    Raises TypeError for another number of them, for other names, and for what is no tensor.
    """
    names = [str(spec.name) for spec in specs]
    summary = f"{name}({', '.join(names)})"
    if len(args) > len(names):
        raise IncompatibleInputError(
            f"{summary} takes {len(names)} positional arguments, got {len(args)}. Expected at most "
            f"{len(names)} positional arguments (and the rest keywords, of {names})"
        )
    twice = sorted(set(names[: len(args)]) & set(kwargs))
    if twice:
        raise IncompatibleInputError(f"{summary} got two values for '{twice[0]}'.")
    if missing := sorted(set(names[len(args) :]) - set(kwargs)):
        raise IncompatibleInputError(
            f"{summary} missing required arguments: {', '.join(missing)}. Expected argument names {names} "
            f"but got values for {[*names[: len(args)], *kwargs]}. Missing: {missing}."
        )
    if unknown := sorted(set(kwargs) - set(names)):
        raise IncompatibleInputError(
            f"{summary} got unexpected keyword arguments: {', '.join(unknown)}. Keyword arguments {unknown} "
            f"unknown. Expected {names}."
        )
    given = [*args, *(kwargs[each] for each in names[len(args) :])]
    own = [] if form is None else [isinstance(each, TensorSpec) for each in form.positional[: len(args)]]
    alike = own + [form is not None] * (len(given) - len(own)) if len(own) == len(args) else [False] * len(given)
    for place, value in enumerate(given):
        if not alike[place] and not isinstance(value, (Node, Operand)):
            raise IncompatibleInputError(
                f"{summary}: expected argument #{place}(zero-based) to be a Tensor; got "
                f"{type(value).__name__} ({value})."
            )
    return given


def fitting(name: str, position: int, value: Any, spec: TensorSpec) -> Any:
    """Return the tensor of a value that a function of this name is given.

    Raises ValueError for what is none, InvalidArgumentError for one of another type, and in graph mode
    IncompatibleInputError for one of another shape.
    """
    try:
        tensor = convert_to_tensor(value) if is_tensor(value) else convert_to_tensor(value, spec.dtype)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"All inputs to `ConcreteFunction`s must be Tensors; on invocation of {name}, the "
            f"{position}-th input ({value!s:.80}) was not a Tensor."
        ) from error
    if tensor.dtype.base_dtype != spec.dtype:
        raise InvalidArgumentError(
            None,
            None,
            f"cannot compute __inference_{name} as input #{position} was expected to be a {spec.dtype.name} "
            f"tensor but is a {tensor.dtype.base_dtype.name} tensor",
        )
    if not executing_eagerly() and not spec.shape.is_compatible_with(tensor.get_shape()):
        raise IncompatibleInputError(
            f"__inference_{name}: argument '{spec.name}' has the shape {spec.shape}, with which the shape "
            f"{tensor.get_shape()} is not compatible: Can not cast "
            f"{TensorSpec(tensor.get_shape(), tensor.dtype)!r} to {kind_of(spec)!r}"
        )
    return tensor
