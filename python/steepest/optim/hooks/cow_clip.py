"""Clipping of the rows of embedding tables, each by its own norm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import Array
from ...base.errors import must
from ...base.typing import Pair, Pairs
from ...ops.indexed_slices import IndexedSlices
from ..duplicates import sum_duplicates
from ..updates import array_of, rows_of
from .hook import check_limit

__all__ = ["CountedSlices", "CowClip"]


class CountedSlices(IndexedSlices):
    """Rows whose duplicates are summed already, in ascending order, and how often each had come."""

    __slots__ = ("counts",)

    def __init__(self, slices: IndexedSlices, counts: Array) -> None:
        super().__init__(slices.values, slices.indices, slices.dense_shape)
        self.counts = counts


class CowClip:
    """Clip each row of a sparse gradient to ``count * max(r * norm(w[row]), zeta)``, w the parameter (CowClip).

    Duplicates are summed first; ``count`` says how often the row came in the batch. Rows that are often drawn may so
    move farther, and rows whose weights are small not far at once: batches may then be many times larger at the same
    learning rate. A row's norm is that of all its elements. Dense gradients, of which no row is drawn, pass.

    Args:
        r: the largest ratio of a row's gradient to the row, for each time that it comes; at least 0.
        zeta: the least limit, for rows near 0; in the gradient's units; at least 0.

    Raises:
        ValueError: for an r or zeta that is negative or not finite.
        TypeError: for an r or zeta that is not one real number.

    Example:
        >>> table = np.array([[3.0, 4.0], [0.0, 0.0]])
        >>> opt = st.GradientDescentOptimizer(1.0, hooks=[st.CowClip(r=0.5, zeta=0.25)])
        >>> gradient = st.IndexedSlices(np.array([[6.0, 0.0], [0.0, 8.0], [0.0, 1.0]]), [0, 0, 1])
        >>> opt.apply_gradients([(gradient, table)])  # the first row's limit is 2 * 0.5 * 5, the second's 0.25
        >>> table.round(6).tolist() == [[0.0, 0.0], [0.0, -0.25]]
        True

    Source: Zheng et al., "CowClip: Reducing CTR Prediction Model Training Time from 12 hours to 10 minutes on 1 GPU",
    2022, algorithm 1.
    """

    def __init__(self, r: float = 1.0, zeta: float = 1e-5) -> None:
        self.r, self.zeta = check_limit("CowClip", "r", r), check_limit("CowClip", "zeta", zeta)

    def __call__(self, pairs: Sequence[Pair]) -> Pairs:
        """Return the pairs with clipped rows.

        Raises:
            ValueError: for rows of another width than the variable's.
        """
        return [(self._clipped(g, v) if isinstance(g, IndexedSlices) else g, v) for g, v in pairs]

    def _clipped(self, gradient: Any, variable: Any) -> Any:
        summed = sum_duplicates("CowClip", gradient)
        values, ids = array_of(summed.values), array_of(summed.indices)
        weights = rows_of(variable, ids)
        if weights.shape != values.shape:
            rule = f"have rows of its variable's shape {weights.shape[1:]}"
            raise ValueError(must("CowClip", "gradient", rule, f"shape {values.shape[1:]}"))
        counted = isinstance(gradient, CountedSlices)
        counts = gradient.counts if counted else np.unique(array_of(gradient.indices), return_counts=True)[1]
        return IndexedSlices(self._limited(values, weights, counts), summed.indices, gradient.dense_shape)

    def _limited(self, values: Array, weights: Array, counts: Array) -> Array:
        """Return rows of gradients within their limits, by the rows of the parameter and how often each came."""
        norms = _norms(values)
        limits = counts * np.maximum(self.r * _norms(weights), self.zeta)
        over = norms > limits  # a row with NaN stays as it is
        factors = np.divide(limits, norms, out=np.ones_like(norms), where=over)
        scaled = values * factors.astype(_real(values)).reshape((-1, *[1] * (values.ndim - 1)))
        result: Array = scaled.astype(values.dtype, copy=False)
        return result

    def __repr__(self) -> str:
        return f"CowClip(r={self.r!r}, zeta={self.zeta!r})"


def _norms(rows: Array) -> Array:
    """Return the Euclidean norm of each row, in float64."""
    wide = rows.reshape((len(rows), math.prod(rows.shape[1:]))).astype(np.float64)
    norms: Array = np.sqrt(np.einsum("ij,ij->i", wide, wide))
    return norms


def _real(values: Array) -> Any:
    return np.float64 if values.dtype == np.float64 else np.float32
