"""`IndexedSlices` and sparse tensors of nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.conversion import convert_to_tensor as _eagerly
from ...ops.dispatch import Operand, is_recorded
from ...ops.indexed_slices import IndexedSlices
from ...ops.tensor import Tensor as EagerTensor
from ...variables.variable import Variable as EagerVariable
from ..graph.build import convert, shape_of
from ..graph.constants import constant_array
from ..graph.default_session import session_for
from ..graph.dtypes import as_dtype
from ..graph.eager_call import eager_value
from ..graph.fetches import SparseTensorValue
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.node import Tensor
from ..graph.run_values import array_of
from ..graph.shape_inference import known_value, shape_value
from ..graph.shapes import TensorShape, as_shape
from .creation_ops import placeholder

__all__ = [
    "SparseTensor",
    "SparseTensorValue",
    "convert_to_tensor",
    "convert_to_tensor_or_indexed_slices",
    "convert_to_tensor_or_sparse_tensor",
    "sparse_placeholder",
]


def convert_to_tensor_or_indexed_slices(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Return `IndexedSlices` as they are, anything else as a tensor. Raises ValueError for slices of another type."""
    if not isinstance(value, IndexedSlices):
        return convert_to_tensor(value, dtype, name)
    if dtype is not None and as_dtype(dtype) != as_dtype(value.dtype).base_dtype:
        asked, own = as_dtype(dtype).name, as_dtype(value.dtype).name
        raise ValueError(f"Tensor conversion requested dtype {asked} for IndexedSlices of {own}")
    return value


def convert_to_tensor_or_sparse_tensor(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Return a `SparseTensor` as it is, a ``SparseTensorValue`` as one, anything else as a tensor.

    Raises RuntimeError for a sparse tensor of another type than ``dtype``.

    Source: ``tf.convert_to_tensor_or_sparse_tensor``.
    """
    sparse = SparseTensor.from_value(value) if isinstance(value, SparseTensorValue) else value
    if not isinstance(sparse, SparseTensor):
        return convert_to_tensor(value, dtype, name)
    if dtype is not None and as_dtype(dtype) != as_dtype(sparse.dtype).base_dtype:
        told = f"Requested: {as_dtype(dtype).name},  Actual: {sparse.dtype.name}"
        raise RuntimeError(f"Sparse dtype mismatch. {told}: {sparse.dtype.name} instead of {as_dtype(dtype).name}")
    return sparse


class SparseTensor:
    """A sparse matrix or array: ``values[k]`` at ``indices[k]`` of an array of ``dense_shape``.

    Args:
        indices: int64, ``(n, ndim)``. values: ``(n,)``. dense_shape: int64, ``(ndim,)``; ``shape`` in TensorFlow 0.x.

    Source: ``tf.SparseTensor``.
    """

    __array_ufunc__ = None  # arrays and tensors leave operators to this class

    def __init__(self, indices: Any, values: Any, dense_shape: Any = None, shape: Any = None) -> None:
        dense_shape = shape if dense_shape is None else dense_shape
        if dense_shape is None:
            raise TypeError("SparseTensor() missing 1 required positional argument: 'dense_shape'")
        if executing_eagerly():
            self.indices: Any = EagerTensor(np.asarray(array_of(indices), np.int64))
            self.values: Any = convert_to_tensor(values)
            self.dense_shape: Any = EagerTensor(np.asarray(array_of(dense_shape), np.int64))
        else:
            with get_default_graph().name_scope("SparseTensor"):
                self.indices = convert(indices, "int64", "indices")
                self.values = convert(values, name="values")
                self.dense_shape = convert(dense_shape, "int64", "dense_shape")
        for part, ndim in ((self.indices, 2), (self.values, 1)):
            known = shape_of(part)
            if known is not None and len(known) != ndim:
                raise ValueError(f"SparseTensor: Shape {known} must have rank {ndim}")
        places, values, sizes = (shape_of(part) for part in (self.indices, self.values, self.dense_shape))
        for one, other in ((places and places[0], values and values[0]), (places and places[1], sizes and sizes[0])):
            if None not in (one, other) and one != other:
                raise ValueError(f"SparseTensor: Dimensions {one} and {other} are not compatible")
        self._sizes: Any = None  # of a placeholder: what is known of its shape
        self._sparse_parts = (self.indices, self.values, self.dense_shape)

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """Return the tensor of a ``SparseTensorValue``, or the tensor that is given. Raises TypeError for others."""
        if isinstance(sparse_tensor_value, cls):
            return sparse_tensor_value
        if not isinstance(sparse_tensor_value, SparseTensorValue):
            raise TypeError(
                f"Argument sparse_tensor_value={sparse_tensor_value!r:.80} is neither a SparseTensor nor "
                f"SparseTensorValue. Neither a SparseTensor nor SparseTensorValue: {sparse_tensor_value!r:.80}."
            )
        return cls(*sparse_tensor_value)

    def consumers(self) -> list[Any]:
        """Return the operations that take one of the parts, each once."""
        return list(dict.fromkeys(op for part in self._sparse_parts for op in part.consumers()))

    def with_values(self, new_values: Any) -> SparseTensor:
        """Return a sparse tensor of the same places with other values."""
        return SparseTensor(self.indices, new_values, self.dense_shape)

    @property
    def dtype(self) -> Any:
        """The type of the values."""
        return self.values.dtype

    @property
    def graph(self) -> Any:
        """The graph that the parts are in."""
        return self.values.graph

    @property
    def shape(self) -> TensorShape:
        """The static shape of the array, as far as it is known."""
        if executing_eagerly():
            return TensorShape([None if size < 0 else size for size in self.dense_shape.tolist()])
        if self._sizes is not None:
            return TensorShape(self._sizes)
        return TensorShape(shape_value(self.dense_shape))

    def get_shape(self) -> TensorShape:
        """Return the static shape of the array."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Add what the program knows of the array's shape; ValueError where it contradicts what is known."""
        known = self.shape
        if not known.is_compatible_with(shape):
            raise ValueError(f"Tensor's shape {known} is not compatible with supplied shape {shape}")
        merged = known.merge_with(shape)
        self._sizes = self._sizes if merged.ndims is None else tuple(merged.as_list())

    @property
    def op(self) -> Any:
        """The operation that makes the values."""
        return self.values.op

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """Return the ``SparseTensorValue``, in ``session`` or in the default session."""
        return session_for("eval", session, self.values).run(self, feed_dict)

    def _is_eager(self) -> bool:
        return all(isinstance(part, EagerTensor) for part in self._sparse_parts)

    def _numpy(self) -> Any:
        """Return the whole array in eager mode. Raises ValueError for what a graph has."""
        if not self._is_eager():
            raise ValueError("SparseTensor.numpy() is only supported in eager mode.")
        out = np.zeros(self.dense_shape.tolist(), self.dtype.as_numpy_dtype)
        for place, value in zip(self.indices.tolist(), array_of(self.values), strict=True):
            out[tuple(place)] = value
        return out

    def __repr__(self) -> str:
        return f"SparseTensor(indices={self.indices}, values={self.values}, dense_shape={self.dense_shape})"


def sparse_placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> SparseTensor:
    """Return a sparse tensor that must be fed a ``SparseTensorValue`` (or the tuple of its parts)."""
    sizes = as_shape(known_value(shape) if isinstance(shape, Tensor) else shape)
    ndim = None if sizes is None else len(sizes)
    base = name or "SparsePlaceholder"
    known = sizes is not None and None not in sizes
    made = SparseTensor(
        placeholder("int64", [None, ndim], f"{base}/indices"),
        placeholder(dtype, [None], f"{base}/values"),
        convert(np.array(sizes, np.int64), None, f"{base}/shape")
        if known
        else placeholder("int64", [ndim], f"{base}/shape"),
    )
    made._sizes = sizes
    return made


def convert_to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None, dtype_hint: Any = None
) -> Any:
    """Return a node for a value; in eager mode a tensor. Raises TypeError or ValueError where it does not convert.

    Source: ``tf.convert_to_tensor``.
    """
    preferred_dtype = dtype_hint if preferred_dtype is None else preferred_dtype
    if executing_eagerly():
        return _eagerly_converted(value, dtype, preferred_dtype)
    if dtype is None and preferred_dtype is not None and not hasattr(value, "_tensor"):
        try:
            return convert(value, preferred_dtype, name)
        except (TypeError, ValueError):
            return convert(value, None, name)
    tensor = convert(value, dtype, name)
    # Of a resource, what it holds when this is read; a variable that is a reference stands for itself.
    return value.value() if getattr(value, "_is_resource", False) else tensor


def _eagerly_converted(value: Any, dtype: Any, preferred: Any) -> Any:
    """Return a tensor with the value; ValueError for a tensor of another type than ``dtype``."""
    wanted = None if dtype is None else as_dtype(dtype)
    given: Any = eager_value(value, wanted)
    if isinstance(given, Operand):
        own = given.dtype  # type: ignore[attr-defined]  # every operand has it
        if wanted is not None and wanted != own:
            raise ValueError(f"Tensor conversion requested dtype {wanted.name} for a tensor of {own.name}: {given!r}")
        if isinstance(given, EagerVariable) and not is_recorded(given):
            return given.read_value()
        return _eagerly(given)  # type: ignore[arg-type]  # an operand is array-like
    if wanted is None and preferred is not None:
        try:
            return EagerTensor(constant_array(given, as_dtype(preferred)))
        except (TypeError, ValueError):
            pass  # the value's own type, then
    return EagerTensor(np.array(constant_array(given, wanted)))
