"""Signatures that functions are declared with: the tensors that they take, and arguments that do not fit."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...ops.dispatch import Operand
from ...variables.variable import Variable
from ..graph.build import dtype_of
from ..graph.node import Node
from ..graph.shapes import as_shape, compatible
from ..ops.array_ops import identity
from ..ops.loop_ops import leaves
from ..ops.sparse_ops import SparseTensor, convert_to_tensor
from ..ops.type_specs import SparseTensorSpec, TensorSpec
from ..variables.variable_spec import VariableSpec

__all__ = ["IncompatibleInputError", "arguments_of", "checked", "with_defaults"]

_PLACED = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD


class IncompatibleInputError(TypeError, ValueError):
    """Arguments are not of the signature of a function: TensorFlow 1 raises ValueError, TensorFlow 2 TypeError."""


def checked(signature: Any) -> Any:
    """Return a signature; TypeError for one that is not made of specs."""
    if signature is None:
        return None
    if not isinstance(signature, (list, tuple)):
        raise TypeError(f"input_signature must be either a tuple or a list, got {type(signature).__name__}.")
    for spec in leaves(list(signature)):
        if isinstance(spec, VariableSpec):
            raise TypeError(f"input_signature doesn't support VariableSpec, got {spec!r}")
        if not isinstance(spec, (TensorSpec, SparseTensorSpec)):
            raise TypeError(
                f"Invalid input_signature {signature!r}; input_signature must be a possibly nested sequence of "
                f"TensorSpec objects, got {spec!r}"
            )
    return tuple(signature)


def with_defaults(signature: tuple[Any, ...] | None, func: Callable[..., Any]) -> tuple[Any, ...] | None:
    """Return a signature with specs for the tensors that are defaults of the parameters right behind it."""
    if signature is None:
        return None
    try:
        parameters = list(inspect.signature(func).parameters.values())[len(signature) :]
    except ValueError:  # nothing is known of it
        return signature
    behind = itertools.takewhile(lambda each: _is_tensor(each.default) and each.kind in _PLACED, parameters)
    return (*signature, *(TensorSpec(each.default.shape, dtype_of(each.default)) for each in behind))


def _is_tensor(value: Any) -> bool:
    return isinstance(value, (Node, Operand, np.ndarray)) and not isinstance(value, Variable)


def arguments_of(
    func: Callable[..., Any], signature: Sequence[Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> list[Any]:
    """Return the tensors that a call gives a function with a signature, defaults among them.

    Raises:
        TypeError: for arguments that the signature does not cover.
        IncompatibleInputError: for too few of them, and for those that are not of its structure, types and shapes.
    """
    parameters = [each for each in inspect.signature(func).parameters.values() if each.kind in _PLACED]
    names = [each.name for each in parameters]
    while len(args) > len(signature) and len(args) <= len(parameters) and args[-1] is parameters[len(args) - 1].default:
        args = args[:-1]  # as forms of arguments have them
    only = "When input_signature is provided, only pass arguments covered by it."
    if len(args) > len(signature):
        bare = [each.name for each in parameters[len(signature) :] if each.default is each.empty]
        told = f" input_signature missing type constraint for {bare[0]}" if bare else ""
        raise TypeError(f"{only} Received {len(args)} argument(s).{told}")
    defaults = {
        each.name: each.default for each in inspect.signature(func).parameters.values() if each.name not in names
    }
    for name, value in kwargs.items():
        if value is defaults.get(name, parameters):  # it is what the function has for an argument that has no place
            continue
        if name not in names:
            raise TypeError(f"Function got an unexpected keyword argument {name}")
        if names.index(name) >= len(signature):
            raise TypeError(f"{only} Received argument {name}.")
        if names.index(name) < len(args):
            raise TypeError(f"Got two values for keyword '{name}'.")
    given = list(args)
    for parameter in parameters[len(args) : len(signature)]:
        value = kwargs.get(parameter.name, parameter.default)
        if value is not parameter.empty:
            given.append(value)

    def refused(why: str) -> IncompatibleInputError:
        lines = (
            f"  {what}: ({', '.join(map(str, each))})"
            for what, each in (("inputs", given), ("input_signature", signature))
        )
        return IncompatibleInputError("\n".join([f"{why}:", *lines, "Binding inputs to tf.function failed."]))

    if len(given) != len(signature):
        raise refused("Structure of Python function inputs does not match input_signature")
    return [_fitting(value, spec, refused) for value, spec in zip(given, signature, strict=True)]


def _fitting(value: Any, spec: Any, refused: Callable[[str], Exception]) -> Any:
    """Return the nest of tensors for a nest of specs."""
    if isinstance(spec, TensorSpec):
        return _tensor(value, spec, refused)
    if isinstance(spec, SparseTensorSpec):
        if not isinstance(value, SparseTensor) or value.dtype.base_dtype != spec.dtype.base_dtype:
            raise refused("Structure of Python function inputs does not match input_signature")
        ranks = value.shape.ndims, spec.shape.ndims
        if None not in ranks and ranks[0] != ranks[1]:  # sizes are not compared: they are values in a run
            raise refused("Python inputs incompatible with input_signature")
        return value
    if isinstance(spec, dict) and isinstance(value, dict) and set(spec) == set(value):
        return {key: _fitting(value[key], part, refused) for key, part in spec.items()}
    if isinstance(spec, (list, tuple)) and isinstance(value, (list, tuple)) and len(spec) == len(value):
        parts = [_fitting(item, part, refused) for item, part in zip(value, spec, strict=True)]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    raise refused("Structure of Python function inputs does not match input_signature")


def _tensor(value: Any, spec: TensorSpec, refused: Callable[[str], Exception]) -> Any:
    dtype = spec.dtype.base_dtype
    try:
        tensor = convert_to_tensor(value, preferred_dtype=dtype)
    except (TypeError, ValueError) as error:
        told = "When input_signature is provided, all inputs to the Python function must be convertible to tensors"
        raise refused(told) from error
    if tensor.dtype.base_dtype != dtype or not compatible(as_shape(tensor.get_shape()), as_shape(spec.shape)):
        raise refused("Python inputs incompatible with input_signature")
    if isinstance(tensor, Node) and spec.shape.ndims is not None and tensor.get_shape().ndims is None:
        tensor = identity(tensor)  # the body may take the shape of the signature for granted
        tensor.set_shape(spec.shape)
    return tensor
