"""What is known of a variable before it is there, and what its handle tells of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.errors import must
from ...variables.variable import Variable as CoreVariable
from ..graph.dtypes import TYPES, DType, as_dtype
from ..graph.handle_data import CppShapeInferenceResult
from ..graph.nests import flatten, pack_sequence_as
from ..graph.shapes import TensorShape
from ..ops.type_spec import TypeSpec, register_type_spec_from_value_converter
from ..ops.type_specs import TensorSpec
from .handles import variable_of
from .resource_variable import ResourceVariable
from .variable_defs import another_of
from .variables import Variable

__all__ = [
    "VariableSpec",
    "copy_handle_data",
    "get_eager_safe_handle_data",
    "get_resource_handle_data",
    "with_variable_specs",
]

_FLOAT32, _RESOURCE = TYPES["float32"], as_dtype("resource")


class VariableSpec(TypeSpec):
    """The shape and the type of a variable, and whether it is trained; one part of it is its handle.

    Specs with the same ``alias_id`` stand for the same variable. Source:
    ``tensorflow.python.ops.resource_variable_ops.VariableSpec``.
    """

    value_type = ResourceVariable
    name = None
    of_composites = False

    def __init__(self, shape: Any, dtype: Any = _FLOAT32, trainable: bool = True, alias_id: int | None = None) -> None:
        self.shape = TensorShape(shape)
        self.dtype: DType = as_dtype(dtype)
        self.trainable = trainable
        self.alias_id = alias_id

    @classmethod
    def from_value(cls, value: Any) -> VariableSpec:
        """Return what is known of a variable."""
        return cls(value.shape, value.dtype.base_dtype, value.trainable)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Tell whether a variable, or all of another spec, could be this; no tensor can."""
        other = spec_or_value
        if not isinstance(other, VariableSpec):
            if not isinstance(other, Variable):
                return False
            other = self.from_value(other)
        alike = self.dtype == other.dtype and self.trainable == other.trainable
        return bool(alike and self.shape.is_compatible_with(other.shape))

    def is_subtype_of(self, other: Any) -> bool:
        """Tell whether all variables of this spec are of another; NotImplementedError where one has an alias_id."""
        if type(self) is not type(other):
            return False
        self._check_alias("is_subtype_of", [other])
        own, its = ((each.dtype, each.trainable, each.alias_id) for each in (self, other))
        return own == its and self._within(other.shape)

    def _within(self, shape: TensorShape) -> bool:
        if shape.ndims is None or self.shape.ndims is None:
            return shape.ndims is None
        sizes = zip(self.shape.as_list(), shape.as_list(), strict=False)
        return self.shape.ndims == shape.ndims and all(asked is None or own == asked for own, asked in sizes)

    def _check_alias(self, who: str, others: Sequence[Any]) -> None:
        if any((self.alias_id is None) != (other.alias_id is None) for other in others):
            raise NotImplementedError(
                f"VariableSpec.{who} doesn't support cases where only one of them has an alias_id"
            )

    def most_specific_common_supertype(self, others: Sequence[Any]) -> VariableSpec | None:
        """Return the spec of all variables of these, None where there is none; NotImplementedError as above."""
        if any((self.dtype, self.trainable) != (other.dtype, other.trainable) for other in others):
            return None
        self._check_alias("most_specific_common_supertype", others)
        if any(self.alias_id != other.alias_id for other in others):
            return None
        shape = self.shape
        for other in others:
            shape = shape.most_specific_compatible_shape(other.shape)
        return VariableSpec(shape, self.dtype, self.trainable, self.alias_id)

    def _serialize(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.trainable, self.alias_id

    @property
    def _component_specs(self) -> list[TensorSpec]:
        return [TensorSpec([], _RESOURCE)]

    def _to_components(self, value: Any) -> list[Any]:
        return [value.handle]

    def _from_components(self, components: Any) -> Any:
        if not isinstance(components, (list, tuple)):
            raise TypeError(
                f"Components of a ResourceVariable must be a list or tuple, got {components!r:.80} instead."
            )
        if len(components) != 1:
            raise ValueError(
                "Components of a ResourceVariable must only contain its resource handle, got "
                f"{len(components)} components instead."
            )
        (handle,) = components
        if getattr(handle, "dtype", None) != _RESOURCE:
            raise ValueError(f"The handle of a ResourceVariable must be a resource tensor, got {handle} instead.")
        return another_of(variable_of(handle), self.trainable)

    def __hash__(self) -> int:
        shape = None if self.shape.ndims is None else tuple(self.shape.as_list())
        return hash((shape, self.dtype, self.trainable, self.alias_id))

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)

    def __repr__(self) -> str:
        told = f"shape={self.shape}, dtype={self.dtype!r}, trainable={self.trainable!r}, alias_id={self.alias_id!r}"
        return f"VariableSpec({told})"


def get_eager_safe_handle_data(handle: Any) -> Any:
    """Return what a tensor of the type resource tells of the variable behind it, a message; not set for another."""
    variable = variable_of(handle)
    if not isinstance(variable, Variable):
        return CppShapeInferenceResult.HandleData()
    shape, dtype = TensorShape(variable.shape).as_proto(), variable.dtype.base_dtype.as_datatype_enum
    held = CppShapeInferenceResult.HandleShapeAndType(shape=shape, dtype=dtype)
    return CppShapeInferenceResult.HandleData(is_set=True, shape_and_type=[held])


get_resource_handle_data = get_eager_safe_handle_data


def copy_handle_data(source_t: Any, target_t: Any) -> None:
    """Check that a handle tells of the same variable as another, which it has been made from.

    ValueError where it does not: a tensor knows the variable behind it from what it was computed from, and cannot be
    told another one.
    """
    one, other = variable_of(source_t), variable_of(target_t)
    if isinstance(one, Variable) and one is not other:
        raise ValueError(must("copy_handle_data", "target_t", f"be a handle of {one.name}", target_t))


def with_variable_specs(nest: Any) -> Any:
    """Return a nest of arguments with specs for its variables: equal ones for one variable."""
    numbers: dict[int, int] = {}

    def spec(leaf: Any) -> Any:
        if not isinstance(leaf, CoreVariable):
            return leaf
        number = numbers.setdefault(id(leaf), len(numbers))
        return VariableSpec(leaf.shape, leaf.dtype, bool(leaf.trainable), number)

    return pack_sequence_as(nest, [spec(leaf) for leaf in flatten(nest)])


register_type_spec_from_value_converter(ResourceVariable, VariableSpec.from_value, allow_subclass=True)
