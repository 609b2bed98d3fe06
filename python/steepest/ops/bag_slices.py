"""The gradient of rows that were summed by bags: one row for each bag, and the bag of each index."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.typing import Array
from .indexed_slices import IndexedSlices

__all__ = ["BagSlices"]


class BagSlices(IndexedSlices):
    """`IndexedSlices` whose row k is row ``bags[k]`` of a smaller array, times ``weights[k]``.

    It is what ``nn.embedding_bag`` gives a table: an update reads the bags' gradients and multiplies them as it adds
    them up, so no row is made for each id. Whoever asks for ``values`` makes the rows, and they are kept.

    Args:
        bag_values: an array of shape ``(B, ...)``: the gradient of each bag.
        bags: N integers in ``[0, B)``, int32 and C-contiguous; None where index k has row k.
        indices: N integers, int32 or int64.
        dense_shape: the shape of the whole array.
        weights: None, or N numbers of the type of ``bag_values``.
    """

    # _parts: (bag_values, bags, weights). One attribute, so that another thread sees all three change together.
    # _own: True where the backward pass has found that nobody else has these elements of bag_values.
    __slots__ = ("_own", "_parts")

    def __init__(
        self,
        bag_values: Array,
        bags: Array | None,
        indices: Array,
        dense_shape: tuple[int, ...],
        weights: Array | None = None,
    ) -> None:
        self._parts = (bag_values, bags, weights)
        self._own = False
        self.indices = indices
        self.dense_shape = dense_shape

    @property
    def values(self) -> Array:
        """The row of each index."""
        values, bags, weights = self._parts
        if bags is not None or weights is not None:
            if bags is not None:
                values = values[bags]
            if weights is not None:
                values = values * weights[:, None]
            self._parts = (values, None, None)
        return values

    @values.setter
    def values(self, values: Array) -> None:
        self._parts = (values, None, None)

    @property
    def by_bags(self) -> tuple[Array, Array | None, Array | None]:
        """The bags' gradients, the bag of each index, None where index k has row k, and weights, None for ones."""
        return self._parts

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values."""
        return self._parts[0].dtype

    def owned(self) -> BagSlices:
        """Return the same with bags' gradients that nobody else holds."""
        values, bags, weights = self._parts
        return BagSlices(values.copy(), bags, self.indices, self.dense_shape, weights)  # type: ignore[arg-type]

    def __reduce__(self) -> Any:
        return IndexedSlices, (self.values, self.indices, self.dense_shape)
