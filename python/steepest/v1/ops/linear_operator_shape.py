"""The shape of an operator: as far as it is known, and as tensors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from .array_ops import shape, size
from .sparse_ops import convert_to_tensor

__all__ = ["OperatorShape"]


class OperatorShape:
    """What an operator has beside its elements: a name, and the shape that ``_shape`` and ``_shape_tensor`` tell."""

    name: str

    @contextmanager
    def _name_scope(self, name: str | None = None) -> Iterator[str]:
        with name_scope(self.name if name is None else f"{self.name}/{name}") as scope:
            yield scope

    def _shape(self) -> TensorShape:
        raise NotImplementedError("_shape is not implemented.")

    def _to_dense(self) -> Any:
        raise NotImplementedError("_to_dense is not implemented.")

    def _shape_tensor(self) -> Any:
        return shape(self._to_dense())

    @property
    def shape(self) -> TensorShape:
        """The shape of the matrix, as far as it is known."""
        return self._shape()

    @property
    def batch_shape(self) -> TensorShape:
        """The shape of the batch of matrices."""
        return TensorShape(self.shape[:-2])

    @property
    def tensor_rank(self) -> int | None:
        """The number of axes."""
        return self.shape.ndims

    @property
    def domain_dimension(self) -> Any:
        """The number of columns."""
        return self.shape[-1]

    @property
    def range_dimension(self) -> Any:
        """The number of rows."""
        return self.shape[-2]

    def shape_tensor(self, name: str = "shape_tensor") -> Any:
        """Return the shape of the matrix as a tensor."""
        with self._name_scope(name):
            if self.shape.is_fully_defined():
                return convert_to_tensor(self.shape.as_list(), dtype="int32")
            return self._shape_tensor()

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        """Return the shape of the batch of matrices as a tensor."""
        with self._name_scope(name):
            known = self.shape[:-2]
            return convert_to_tensor(known.as_list(), "int32") if known.is_fully_defined() else self.shape_tensor()[:-2]

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Any:
        """Return the number of axes as a tensor."""
        with self._name_scope(name):
            return size(self.shape_tensor()) if self.tensor_rank is None else convert_to_tensor(self.tensor_rank)

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Any:
        """Return the number of columns as a tensor."""
        with self._name_scope(name):
            known = self.domain_dimension.value
            return self.shape_tensor()[-1] if known is None else convert_to_tensor(known)

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Any:
        """Return the number of rows as a tensor."""
        with self._name_scope(name):
            known = self.range_dimension.value
            return self.shape_tensor()[-2] if known is None else convert_to_tensor(known)
