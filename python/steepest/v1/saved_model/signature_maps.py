"""Signatures of a saved model of objects: which functions they are, how they are called, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...ops.dispatch import Operand
from ..functions.concrete_functions import ConcreteFunction
from ..functions.forms import Form
from ..functions.function_internals import Options
from ..functions.traced_functions import Function
from ..graph.composites import is_composite
from ..graph.node import Node
from ..ops.loop_ops import leaves
from ..ops.sparse_ops import convert_to_tensor
from ..ops.type_specs import TensorSpec
from ..saving.trackable import Trackable
from .signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY

__all__ = ["SignatureMap", "canonical_signatures", "signature_function"]


class SignatureMap(Mapping[str, Any], Trackable):
    """Functions by the names of signatures; it does not change."""

    def __init__(self, functions: Mapping[str, Any]) -> None:
        self._functions = dict(functions)

    def __getitem__(self, key: str) -> Any:
        return self._functions[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __repr__(self) -> str:
        return f"_SignatureMap({self._functions})"

    __hash__ = object.__hash__


def canonical_signatures(signatures: Any) -> dict[str, ConcreteFunction]:
    """Return functions of tensors by name that give tensors by name, for a function or functions by name.

    Raises ValueError for what is no function of arguments of known types, and for results that are no tensors.
    """
    if signatures is None:
        return {}
    if not isinstance(signatures, Mapping):
        signatures = {DEFAULT_SERVING_SIGNATURE_DEF_KEY: signatures}
    return {key: _canonical(given) for key, given in signatures.items()}


def _canonical(given: Any) -> ConcreteFunction:
    concrete = given
    if isinstance(given, Function) and given.input_signature is not None:
        concrete = given.get_concrete_function()
    if not isinstance(concrete, ConcreteFunction):
        raise ValueError(
            f"Expected a TensorFlow function for which to generate a signature, but got {given}. Only `tf.functions` "
            "with an input signature or concrete functions can be used as a signature."
        )
    _by_name(concrete.structured_outputs, concrete)
    return signature_function(concrete)


def _by_name(results: Any, concrete: ConcreteFunction) -> dict[str, Any]:
    """Return results by name. Raises ValueError for names that are no texts, and for what is no tensor."""
    if results is None:
        return {}
    if not isinstance(results, Mapping):
        items = results if isinstance(results, (list, tuple)) else [results]
        results = {f"output_{place}": item for place, item in enumerate(items)}
    name = concrete.name.decode()
    for key, value in results.items():
        if not isinstance(key, str):
            raise ValueError(
                f"Got a dictionary with a non-string key {key!r} in the output of the function {name} used to generate "
                "a SavedModel signature."
            )
        if not (isinstance(value, (Node, TensorSpec)) or hasattr(value, "numpy") or is_composite(value)):
            raise ValueError(
                f"Got a dictionary that contains a non-Tensor value {value!r} for key {key} in the output of the "
                f"function {name} used to generate a SavedModel signature. Outputs for functions used as signatures "
                "should be a single Tensor, a sequence of Tensors, or a dictionary from string to Tensor."
            )
    return dict(results)


def signature_function(concrete: ConcreteFunction) -> ConcreteFunction:
    """Return the function that takes the tensors of another one by their names, and gives tensors by name."""
    if getattr(concrete, "_is_signature", False):
        return concrete
    specs = concrete._specs
    names = [str(spec.name) for spec in specs]

    def signature(**given: Any) -> dict[str, Any]:
        positional, named = concrete._form.filled([given[name] for name in names])
        return _by_name(concrete._call(*positional, **named), concrete)

    signature.__name__ = signature.__qualname__ = f"signature_wrapper_{concrete._name}"
    inner = Function(signature, None, Options(False))
    form = Form((), dict(zip(names, specs, strict=True)))
    made = SignatureFunction(signature.__name__, form, inner, inner._trace, inner._takes)
    made._of, made._names, made._attributes = concrete, names, concrete._attributes
    made._defaults = _defaults_of(concrete)
    return made


def _defaults_of(concrete: ConcreteFunction) -> dict[str, Any]:
    """Return the tensors that are defaults of a function's arguments, by the names of their specs."""
    found: dict[str, Any] = {}
    for parameter, nest in zip(concrete._signature.parameters.values(), concrete._form.positional, strict=False):
        specs, values = leaves(nest), leaves(parameter.default)
        if len(specs) == len(values) and all(isinstance(each, TensorSpec) for each in specs):
            found |= {
                str(spec.name): convert_to_tensor(value, None if hasattr(value, "numpy") else spec.dtype)
                for spec, value in zip(specs, values, strict=True)
                if isinstance(value, (Operand, np.ndarray))
            }
    return found


class SignatureFunction(ConcreteFunction):
    """A signature: it takes tensors by name, one alone also without, and gives tensors by name."""

    _is_signature = True
    _of: ConcreteFunction
    _names: list[str]
    _defaults: dict[str, Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the results by name. Raises TypeError for several tensors without names."""
        if len(args) > 1 or (args and len(self._names) != 1):
            raise TypeError(
                f"{self._name} takes {min(len(self._names), 1) if len(self._names) == 1 else 0} positional arguments "
                f"but {len(args)} were given"
            )
        if args:
            kwargs = {self._names[0]: args[0], **kwargs}
        return self._call_with_flat_signature((), kwargs)
