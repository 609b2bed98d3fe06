"""What is known of an operator before it is there: operators are values made of several tensors."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..graph.composites import parts_of, with_parts
from ..graph.nests import flatten, map_structure
from ..graph.shapes import TensorShape
from ..graph.static_values import constant_value
from ..graph.tensor_kind import Tensor
from .creation_ops import zeros_like
from .linear_operator_slicing import SlicedOperator
from .linear_operator_util import is_variable, kept_by
from .type_spec import BatchableTypeSpec, TypeSpec, type_spec_from_value
from .type_specs import CompositeTensor

__all__ = ["LinearOperatorSpec", "OperatorOfTensors", "make_composite_tensor"]

_HINTS = ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")


class LinearOperatorSpec(BatchableTypeSpec):
    """The specs of the tensors and operators that an operator is made of, and its other arguments.

    Args:
        param_specs: for the name of an argument the spec of its tensor, or of its list of tensors or operators.
        non_tensor_params: the other arguments by name.
        prefer_static_fields: names of arguments that are kept as numbers where their tensors are known.
    """

    def __init__(self, param_specs: Any, non_tensor_params: Any, prefer_static_fields: Any) -> None:
        self._param_specs, self._non_tensor_params = param_specs, non_tensor_params
        self._prefer_static_fields = prefer_static_fields

    @classmethod
    def from_operator(cls, operator: Any) -> LinearOperatorSpec:
        """Return what is known of an operator. Raises NotImplementedError for an argument of tensors and numbers."""
        specs: dict[str, Any] = {}
        others: dict[str, Any] = {}
        for name in (*operator._composite_tensor_fields, *_HINTS):
            value = _told(operator, name)
            spec = _spec_of(value)
            tensors = [isinstance(each, TypeSpec) for each in flatten(spec)]
            if any(tensors) != all(tensors):
                raise NotImplementedError(f"Field {name} contains a mix of `Tensor` and  non-`Tensor` values.")
            if tensors and all(tensors):
                specs[name] = spec
            else:
                others[name] = value
        return cls(specs, others, operator._composite_tensor_prefer_static_fields)

    def _to_components(self, value: Any) -> Any:
        return {name: _told(value, name) for name in self._param_specs}

    def _from_components(self, components: Any) -> Any:
        return self.value_type(**self._non_tensor_params, **components)

    @property
    def _component_specs(self) -> Any:
        return self._param_specs

    def _serialize(self) -> tuple[Any, ...]:
        return self._param_specs, self._non_tensor_params, self._prefer_static_fields

    def _changed(self, change: Any) -> LinearOperatorSpec:
        specs = map_structure(change, self._param_specs)
        return type(self)(specs, self._non_tensor_params, self._prefer_static_fields)

    def _batch(self, batch_size: int | None) -> LinearOperatorSpec:
        return self._changed(lambda spec: spec._batch(batch_size))

    def _unbatch(self) -> LinearOperatorSpec:
        return self._changed(lambda spec: spec._unbatch())


def _told(operator: Any, name: str) -> Any:
    """Return an argument of an operator as it would be given again: a variable as it is, numbers where known."""
    value = kept_by(operator).get(name)
    if value is None:
        value = next(
            (getattr(operator, each) for each in (name, f"_{name}") if hasattr(operator, each)),
            operator.parameters.get(name),
        )
    if isinstance(value, TensorShape) and not value.is_fully_defined():
        value = operator.parameters.get(name)
    if name in operator._composite_tensor_prefer_static_fields and isinstance(value, Tensor):
        known = constant_value(value)
        value = value if known is None else known
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def _spec_of(value: Any) -> Any:
    if isinstance(value, (Tensor, CompositeTensor)) or is_variable(value):
        return type_spec_from_value(value)
    if isinstance(value, (list, tuple)):
        return [_spec_of(each) for each in value]
    return {key: _spec_of(each) for key, each in value.items()} if isinstance(value, Mapping) else value


class _OperatorGradient:
    """The gradient of an operator is one of the gradients of its tensors, zeros for those that have none."""

    def get_gradient_components(self, value: Any) -> Any:
        """Return the tensors and variables."""
        return parts_of(value)

    def replace_gradient_components(self, value: Any, component_grads: Any) -> Any:
        """Return an operator of gradients."""
        pairs = zip(parts_of(value), component_grads, strict=True)
        return with_parts(value, [zeros_like(part) if grad is None else grad for part, grad in pairs])


_SPECS: dict[type, Any] = {}


class OperatorOfTensors(SlicedOperator, CompositeTensor):
    """An operator as a value of several tensors: functions take it, loops carry it, nests give its parts."""

    __composite_gradient__ = _OperatorGradient()

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        """The names of the arguments that make another operator like this one."""
        names = inspect.signature(type(self)).parameters
        return tuple(name for name in names if name not in (*_HINTS, "name"))

    @property
    def _composite_tensor_prefer_static_fields(self) -> tuple[str, ...]:
        """The names of the arguments that are kept as numbers where they are known: sizes."""
        sizes = ("num_rows", "num_columns", "batch_shape")
        return tuple(name for name in self._composite_tensor_fields if name in sizes)

    @property
    def _type_spec(self) -> Any:
        kind = type(self)
        if kind not in _SPECS:
            _SPECS[kind] = type(f"{kind.__name__}Spec", (LinearOperatorSpec,), {"value_type": kind})
        return _SPECS[kind].from_operator(self)

    def _convert_variables_to_tensors(self) -> Any:
        """Return the operator made of the values that its variables have now."""
        spec = self._type_spec
        return spec._from_components(map_structure(_read, spec._to_components(self)))


def _read(part: Any) -> Any:
    if isinstance(part, OperatorOfTensors):
        return part._convert_variables_to_tensors()
    return part.read_value() if is_variable(part) else part


def make_composite_tensor(cls: Any, module_name: str = "tf.linalg") -> Any:
    """Return a program's own class of operators, which is one of values of several tensors already."""
    del module_name
    return cls
