"""Factors of a matrix of which few elements are known: weighted alternating least squares.

Source: Hu, Koren and Volinsky, Collaborative filtering for implicit feedback datasets, 2008.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....base.errors import must
from ...graph.build import call
from ...graph.run_values import array_of
from ...graph.scopes import control_dependencies, name_scope
from ...ops.array_ops import shape, squeeze
from ...ops.cast_ops import cast
from ...ops.check_ops import assert_rank_in
from ...ops.concat_ops import split
from ...ops.control_flow_ops import group
from ...ops.counting_ops import unique
from ...ops.creation_ops import ones, zeros
from ...ops.embedding_ops import embedding_lookup
from ...ops.gather_ops import gather
from ...ops.linalg_ops import matrix_solve
from ...ops.math_ops import square
from ...ops.matmul_ops import eye, matmul, trace
from ...ops.reduce_ops import reduce_sum
from ...ops.sparse_ops import SparseTensor, convert_to_tensor
from ...variables.variables import Variable
from .wals_sides import Side

__all__ = ["WALSModel"]


def _equations(unobserved: float) -> Any:
    """Return the function of the parts of the normal equations that the known elements give, for each row.

    With weight ``r[i] * c[j]`` of element (i, j): the matrices ``sum_j r[i] c[j] v[j] v[j]^T``, and the right sides
    ``sum_j (unobserved + r[i] c[j]) a[i, j] v[j]``.
    """

    def compute(*inputs: Any) -> Any:
        right, col_weights, row_weights, rows, cols, values = map(array_of, inputs)
        count, components = len(row_weights), right.shape[1]
        lhs = np.zeros((count, components, components), np.float32)
        rhs = np.zeros((count, components), np.float32)
        order = np.argsort(rows, kind="stable")
        ends = np.searchsorted(rows[order], np.arange(count + 1))
        for i in range(count):
            part = order[ends[i] : ends[i + 1]]
            vectors, weights = right[cols[part]], row_weights[i] * col_weights[cols[part]]
            lhs[i] = (vectors.T * weights) @ vectors
            rhs[i] = ((weights + np.float32(unobserved)) * values[part]) @ vectors
        return lhs, rhs

    return compute


class WALSModel:
    """Factors U of the rows and V of the columns of a sparse matrix A, one side updated while the other is fixed.

    They make ``sum W (A - U V^T)^2 + regularization (|U|^2 + |V|^2)`` small, where the weight of an element is
    ``unobserved_weight + row_weights[i] * col_weights[j]`` if A has it, and else ``unobserved_weight``. A sweep runs
    ``row_update_prep_gramian_op``, ``initialize_row_update_op`` and the operation of `update_row_factors` for all rows,
    in parts or at once; then the same of the columns.

    Args:
        input_rows, input_cols: the shape of A. n_components: how many numbers a factor has.
        unobserved_weight: of the elements that A has not. regularization: None for none.
        row_init, col_init: first factors, in shards where there are several: arrays, a function that gives them, or
            ``"random"``.
        num_row_shards, num_col_shards: in how many variables the factors are.
        row_weights, col_weights: a number, lists of numbers for each shard, or both None: then all weights are
            ``unobserved_weight``.
        use_factors_weights_cache, use_gramian_cache: read copies, which ``worker_init`` (weights) and
            ``initialize_row_update_op`` (factors, Gramian matrix) make.
        use_scoped_vars: name scopes around the variables.

    Raises ValueError for weights and shards that do not fit. Source: ``tf.contrib.factorization.WALSModel``.
    """

    def __init__(
        self,
        input_rows: int,
        input_cols: int,
        n_components: int,
        unobserved_weight: float = 0.1,
        regularization: float | None = None,
        row_init: Any = "random",
        col_init: Any = "random",
        num_row_shards: int = 1,
        num_col_shards: int = 1,
        row_weights: Any = 1,
        col_weights: Any = 1,
        use_factors_weights_cache: bool = True,
        use_gramian_cache: bool = True,
        use_scoped_vars: bool = False,
    ) -> None:
        if (row_weights is None) != (col_weights is None):
            raise ValueError(
                must("WALSModel", "row_weights", "be None where col_weights is, and only there", row_weights)
            )
        self._unobserved, self._regularization = float(unobserved_weight), regularization
        self._components = n_components
        self._rows, self._cols = Side("row", input_rows, num_row_shards), Side("col", input_cols, num_col_shards)
        self._rows.make_weights(row_weights, use_scoped_vars)
        self._cols.make_weights(col_weights, use_scoped_vars)
        self._rows.make_factors(row_init, n_components, use_scoped_vars)
        self._cols.make_factors(col_init, n_components, use_scoped_vars)
        for side in (self._rows, self._cols):
            side.gramian = Variable(zeros([n_components, n_components]), name=f"{side.name}_gramian")
        self.row_update_prep_gramian_op = self._cols.prepare()
        self.col_update_prep_gramian_op = self._rows.prepare()
        with name_scope("transient_vars"):
            for side in (self._rows, self._cols):
                side.make_copies(use_factors_weights_cache, use_gramian_cache)
        self.initialize_row_update_op = group(self._cols.fill, self._rows.clear)
        self.initialize_col_update_op = group(self._rows.fill, self._cols.clear)
        self.worker_init = group(self._rows.fill_weights, self._cols.fill_weights, name="worker_init")

    @property
    def row_factors(self) -> list[Any]:
        """The variables of the rows' factors."""
        return list(self._rows.factors)

    @property
    def col_factors(self) -> list[Any]:
        """The variables of the columns' factors."""
        return list(self._cols.factors)

    @property
    def row_weights(self) -> list[Any] | None:
        """The variables of the rows' weights, None without."""
        return self._rows.weights and list(self._rows.weights)

    @property
    def col_weights(self) -> list[Any] | None:
        """The variables of the columns' weights, None without."""
        return self._cols.weights and list(self._cols.weights)

    @property
    def initialize_op(self) -> Any:
        """The operation that gives factors, weights and Gramian matrices their first values."""
        sides = (self._rows, self._cols)
        return group(*[v.initializer for s in sides for v in (*s.factors, *(s.weights or ()), s.gramian)])

    def update_row_factors(self, sp_input: Any = None, transpose_input: bool = False) -> tuple[Any, Any, Any, Any, Any]:
        """Return the new factors of the rows in ``sp_input``, a SparseTensor with A's indices, and what writes them.

        With ``transpose_input`` it is of A's transpose. Returns the factors, in the order in which their rows come
        first; the operation that writes them; the loss without and the loss of the regularization, and the sum of the
        weights, all three as if these rows stood for all.
        """
        return self._processed(self._rows, self._cols, sp_input, transpose_input, None)

    def update_col_factors(self, sp_input: Any = None, transpose_input: bool = False) -> tuple[Any, Any, Any, Any, Any]:
        """Return the same as `update_row_factors` for the columns."""
        return self._processed(self._cols, self._rows, sp_input, not transpose_input, None)

    def project_row_factors(
        self, sp_input: Any = None, transpose_input: bool = False, projection_weights: Any = None
    ) -> Any:
        """Return factors for rows that need not be A's; their weights are a number or one for each, 1 by default."""
        weights = 1.0 if projection_weights is None else projection_weights
        return self._processed(self._rows, self._cols, sp_input, transpose_input, weights)[0]

    def project_col_factors(
        self, sp_input: Any = None, transpose_input: bool = False, projection_weights: Any = None
    ) -> Any:
        """Return factors for columns that need not be A's."""
        weights = 1.0 if projection_weights is None else projection_weights
        return self._processed(self._cols, self._rows, sp_input, not transpose_input, weights)[0]

    def _processed(
        self, left: Side, right: Side, sp_input: Any, turned: bool, weights: Any
    ) -> tuple[Any, Any, Any, Any, Any]:
        if not isinstance(sp_input, SparseTensor):
            raise TypeError(must("WALSModel", "sp_input", "be a SparseTensor", sp_input))
        found = [unique(squeeze(column, [1])) for column in split(sp_input.indices, 2, 1)]
        (left_ids, i), (right_ids, j) = found[::-1] if turned else found
        values, count = sp_input.values, shape(left_ids)[0]
        fixed = embedding_lookup(right.factors_read, right_ids, partition_strategy="div")
        row_weights, col_weights = zeros([count]), zeros([shape(right_ids)[0]])
        if left.weights is not None:
            col_weights = embedding_lookup(right.weights_read, right_ids, partition_strategy="div")
            if weights is None:
                row_weights = embedding_lookup(left.weights_read, left_ids, partition_strategy="div")
            else:
                weights = cast(convert_to_tensor(weights), "float32")
                with control_dependencies([assert_rank_in(weights, [0, 1])]):
                    row_weights = ones([count]) * weights
        k = self._components
        inputs = (fixed, col_weights, row_weights, i, j, values)
        options: Any = {"shape": [(None, k, k), (None, k)], "dtype": ["float32"] * 2, "outputs": 2, "same": False}
        equations = _equations(self._unobserved)
        lhs, rhs = call("WALSComputePartialLhsAndRhs", equations, inputs, differentiable=False, **options)
        lhs = lhs + self._unobserved * right.gramian_read
        if self._regularization is not None:
            lhs = lhs + self._regularization * eye(k)
        factors = squeeze(matrix_solve(lhs, rhs[..., None]), [2])
        update = left.updated(left_ids, factors)
        share = left.count / cast(count, "float32")
        approximated = reduce_sum(gather(factors, i) * gather(fixed, j), 1)
        error, of_known = square(values - approximated), gather(row_weights, i) * gather(col_weights, j)
        gramian = matmul(factors, factors, transpose_a=True)
        unknown = reduce_sum(error) - reduce_sum(square(approximated)) + trace(matmul(gramian, right.gramian_read))
        loss = (self._unobserved * unknown + reduce_sum(of_known * error)) * share
        penalty = convert_to_tensor(0.0)
        if self._regularization is not None:
            penalty = self._regularization * (trace(gramian) * share + trace(right.gramian_read))
        total = self._unobserved * float(left.count * right.count) + reduce_sum(of_known) * share
        return factors, update, loss, penalty, total
