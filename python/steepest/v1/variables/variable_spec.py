"""``VariableSpec``: what is known of a variable among the arguments of a function."""

from __future__ import annotations

from typing import Any

from ...variables.variable import Variable as CoreVariable
from ..graph.dtypes import TYPES, DType, as_dtype
from ..graph.nests import flatten, pack_sequence_as
from ..graph.shapes import TensorShape
from ..ops.type_spec import TypeSpec
from .resource_variable import ResourceVariable

__all__ = ["VariableSpec", "with_variable_specs"]


class VariableSpec(TypeSpec):
    """The shape and the type of a variable; variables of one ``alias_id`` are the same one.

    Source: ``resource_variable_ops.VariableSpec``.
    """

    value_type = ResourceVariable

    def __init__(
        self, shape: Any, dtype: Any = TYPES["float32"], trainable: bool = True, alias_id: int | None = None
    ) -> None:
        self.shape = TensorShape(shape)
        self.dtype: DType = as_dtype(dtype)
        self.trainable, self.alias_id = trainable, alias_id

    @classmethod
    def from_value(cls, value: Any) -> VariableSpec:
        """Return what is known of a variable."""
        return cls(value.shape, value.dtype, bool(value.trainable))

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Tell whether a variable, or all of another spec, could be this."""
        other = spec_or_value if isinstance(spec_or_value, VariableSpec) else None
        if isinstance(spec_or_value, CoreVariable):
            other = self.from_value(spec_or_value)
        if other is None or (self.dtype, self.trainable) != (other.dtype, other.trainable):
            return False
        return bool(self.shape.is_compatible_with(other.shape))

    def _serialize(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.trainable, self.alias_id

    def __repr__(self) -> str:
        return (
            f"VariableSpec(shape={self.shape}, dtype={self.dtype!r}, trainable={self.trainable!r}, "
            f"alias_id={self.alias_id!r})"
        )


def with_variable_specs(nest: Any) -> Any:
    """Return a nest of arguments with specs for its variables: equal ones for one variable."""
    numbers: dict[int, int] = {}

    def spec(leaf: Any) -> Any:
        if not isinstance(leaf, CoreVariable):
            return leaf
        number = numbers.setdefault(id(leaf), len(numbers))
        return VariableSpec(leaf.shape, leaf.dtype, bool(leaf.trainable), number)

    return pack_sequence_as(nest, [spec(leaf) for leaf in flatten(nest)])
