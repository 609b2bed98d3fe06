"""What is known of a value before it is there: ``tf.TensorSpec`` and its kin."""

from __future__ import annotations

from abc import ABCMeta
from typing import Any

import numpy as np

from ...ops.indexed_slices import IndexedSlices
from ..graph.dtypes import TYPES, DType, as_dtype
from ..graph.fetches import IndexedSlicesValue, SparseTensorValue
from ..graph.node import Node
from ..graph.shape_broadcasts import broadcast_shape
from ..graph.shapes import TensorShape
from ..graph.tensor_kind import Tensor as TensorKind
from .sparse_ops import SparseTensor, convert_to_tensor
from .type_spec import TypeSpec, tensors_tell

__all__ = ["BoundedTensorSpec", "CompositeTensor", "IndexedSlicesSpec", "SparseTensorSpec", "TensorSpec", "TypeSpec"]

FLOAT32, INT64 = TYPES["float32"], TYPES["int64"]


class Composites(ABCMeta):
    """The type of `CompositeTensor`."""

    def __instancecheck__(cls, instance: Any) -> bool:
        if super().__instancecheck__(instance):
            return True
        return cls is CompositeTensor and getattr(instance, "_is_resource", None) is True


class CompositeTensor(metaclass=Composites):
    """Base class of values that are made of several tensors; `SparseTensor` and `IndexedSlices` are of it.

    So are variables that are resources, which nests hold as they are all the same.
    """

    def _convert_variables_to_tensors(self) -> Any:
        """Return the value with tensors in place of its variables: a class that has such says how."""
        return self


CompositeTensor.register(IndexedSlices)
CompositeTensor.register(SparseTensor)


def _batched(shape: TensorShape, batch_size: int | None) -> TensorShape:
    return TensorShape([batch_size]).concatenate(shape)


def _unbatched(shape: TensorShape) -> TensorShape:
    if shape.ndims == 0:
        raise ValueError("Unbatching a tensor is only supported for rank >= 1")
    return shape[1:]  # type: ignore[no-any-return]  # of a slice: a shape


class TensorSpec(TypeSpec):
    """The shape, the type and the name of a tensor. Source: ``tf.TensorSpec``."""

    value_type = TensorKind

    def __init__(self, shape: Any, dtype: Any = FLOAT32, name: str | None = None) -> None:
        self._shape = TensorShape(shape)
        self._dtype = as_dtype(dtype)
        self._name = name

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> Any:
        """Return what a spec says, under another name where one is given."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """Return what is known of a tensor. Raises ValueError for what is none."""
        if not hasattr(tensor, "dtype") or not hasattr(tensor, "get_shape"):
            raise ValueError(f"`tensor` should be a tf.Tensor, got {tensor!r:.80}")
        own = tensor.op.name if isinstance(tensor, Node) else None
        return TensorSpec(tensor.get_shape(), tensor.dtype, name or own)

    @property
    def shape(self) -> TensorShape:
        """The shape, of which not all need be known."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self._dtype

    @property
    def name(self) -> str | None:
        """The name, None for none."""
        return self._name

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Tell whether a tensor, or all of another spec, could be this."""
        return self._dtype.is_compatible_with(spec_or_tensor.dtype) and self._shape.is_compatible_with(
            spec_or_tensor.shape
        )

    def is_subtype_of(self, other: Any) -> bool:
        """Tell whether all tensors of this are of the other; of one with a name the other has the same."""
        if not isinstance(other, TensorSpec) or self._name not in (None, other._name):
            return False
        return self._dtype.is_subtype_of(other._dtype) and self._shape.is_subtype_of(other._shape)

    def cast(self, value: Any, casting_context: Any) -> Any:
        """Return the tensor of a value. Raises TypeError for one that is not of this."""
        del casting_context
        made = convert_to_tensor(value, self._dtype)
        if not self.is_compatible_with(made):
            raise TypeError(f"Can not cast {value!r} to {self!r}")
        return made

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._name

    @property
    def _component_specs(self) -> Any:
        return self

    @property
    def _flat_tensor_specs(self) -> list[Any]:
        return [self]

    def _to_components(self, value: Any) -> Any:
        return value

    def _from_components(self, components: Any) -> Any:
        return components

    def _to_tensor_list(self, value: Any) -> list[Any]:
        return [value]

    def _batch(self, batch_size: int | None) -> TensorSpec:
        return TensorSpec(_batched(self._shape, batch_size), self._dtype)

    def _unbatch(self) -> TensorSpec:
        return TensorSpec(_unbatched(self._shape), self._dtype)

    def most_specific_compatible_type(self, other: TypeSpec) -> Any:
        """Return what is known of all values of both. Raises ValueError for another type of elements."""
        if not isinstance(other, TensorSpec) or self._dtype != other._dtype:
            raise ValueError(f"Types are not compatible: {self!r} vs {other!r}")
        shape = self._shape.most_specific_compatible_shape(other._shape)
        return TensorSpec(shape, self._dtype, self._name if self._name == other._name else None)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"


class BoundedTensorSpec(TensorSpec):
    """A `TensorSpec` with the least and the largest value of each element."""

    def __init__(self, shape: Any, dtype: Any, minimum: Any, maximum: Any, name: str | None = None) -> None:
        super().__init__(shape, dtype, name)
        if minimum is None or maximum is None:
            raise ValueError(f"minimum and maximum must be provided; but saw '{minimum}' and '{maximum}'")
        self._minimum, self._maximum = self._bound("minimum", minimum), self._bound("maximum", maximum)

    def _bound(self, which: str, value: Any) -> Any:
        try:
            broadcast_shape(np.shape(value), self.shape)
        except ValueError as error:
            raise ValueError(f"{which} is not compatible with shape. Message: {error}.") from None
        bound = np.array(value, dtype=self.dtype.as_numpy_dtype)
        bound.setflags(write=False)
        return bound

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> Any:
        """Return what a spec says; where it has no bounds, those of its type."""
        least, largest = getattr(spec, "minimum", spec.dtype.min), getattr(spec, "maximum", spec.dtype.max)
        return cls(spec.shape, spec.dtype, least, largest, name or spec.name)

    @property
    def minimum(self) -> Any:
        """The least values, an array that is read-only."""
        return self._minimum

    @property
    def maximum(self) -> Any:
        """The largest values, an array that is read-only."""
        return self._maximum

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._minimum, self._maximum, self._name

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoundedTensorSpec):
            return False
        same = TensorSpec(self._shape, self._dtype, self._name) == TensorSpec(other._shape, other._dtype, other._name)
        bounds = (self._minimum, other._minimum), (self._maximum, other._maximum)
        return same and all(np.allclose(one, another) for one, another in bounds)

    def __hash__(self) -> int:
        return hash((repr(self._shape), self._dtype))

    def __repr__(self) -> str:
        bounds = f"minimum={self._minimum!r}, maximum={self._maximum!r}"
        return f"BoundedTensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r}, {bounds})"


class SparseTensorSpec(TypeSpec):
    """The shape and the type of a `SparseTensor`. Source: ``tf.SparseTensorSpec``."""

    value_type = SparseTensor

    def __init__(self, shape: Any = None, dtype: Any = FLOAT32) -> None:
        self._shape = TensorShape(shape)
        self._dtype = as_dtype(dtype)

    @property
    def shape(self) -> TensorShape:
        """The shape, of which not all need be known."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The type of the values."""
        return self._dtype

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype

    @property
    def _component_specs(self) -> list[TensorSpec]:
        rank = self._shape.ndims
        parts = ([None, rank], INT64), ([None], self._dtype), ([rank], INT64)
        return [TensorSpec(shape, dtype) for shape, dtype in parts]

    def _to_components(self, value: Any) -> list[Any]:
        return [value.indices, value.values, value.dense_shape]

    def _from_components(self, tensors: Any) -> Any:
        plain = all(isinstance(part, np.ndarray) for part in tensors)
        return SparseTensorValue(*tensors) if plain else SparseTensor(*tensors)

    def _batch(self, batch_size: int | None) -> SparseTensorSpec:
        return SparseTensorSpec(_batched(self._shape, batch_size), self._dtype)

    def _unbatch(self) -> SparseTensorSpec:
        return SparseTensorSpec(_unbatched(self._shape), self._dtype)


class IndexedSlicesSpec(TypeSpec):
    """The shape and the types of `IndexedSlices`. Source: ``tf.IndexedSlicesSpec``."""

    value_type = IndexedSlices

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = FLOAT32,
        indices_dtype: Any = INT64,
        dense_shape_dtype: Any = None,
        indices_shape: Any = None,
    ) -> None:
        self._shape = TensorShape(shape)
        self._values_dtype, self._indices_dtype = as_dtype(dtype), as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else as_dtype(dense_shape_dtype)
        self._indices_shape = TensorShape(indices_shape).with_rank(1)

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._values_dtype, self._indices_dtype, self._dense_shape_dtype, self._indices_shape

    @property
    def _component_specs(self) -> tuple[TensorSpec, ...]:
        values = self._indices_shape.concatenate(self._shape[1:])
        specs = [TensorSpec(values, self._values_dtype), TensorSpec(self._indices_shape, self._indices_dtype)]
        if self._dense_shape_dtype is not None:
            specs.append(TensorSpec([self._shape.ndims], self._dense_shape_dtype))
        return tuple(specs)

    def _to_components(self, value: Any) -> tuple[Any, ...]:
        whole = () if value.dense_shape is None else (value.dense_shape,)
        return value.values, value.indices, *whole

    def _from_components(self, tensors: Any) -> Any:
        if not all(isinstance(part, np.ndarray) for part in tensors):
            return IndexedSlices(*tensors)
        values, indices, *whole = tensors
        return IndexedSlicesValue(values, indices, whole[0] if whole else None)


@tensors_tell
def _spec_of_tensor(value: Any) -> Any:
    """Return the spec of a tensor, of slices or of what becomes a tensor, None for anything else."""
    if isinstance(value, SparseTensor):
        return SparseTensorSpec(value.shape, value.dtype)
    if isinstance(value, IndexedSlices):
        dense: Any = getattr(value.dense_shape, "dtype", None)
        return IndexedSlicesSpec(None, value.values.dtype, value.indices.dtype, dense, value.indices.shape)
    try:
        tensor = convert_to_tensor(value)
    except (TypeError, ValueError):
        return None
    return TensorSpec(TensorShape(tensor.get_shape()), tensor.dtype)
