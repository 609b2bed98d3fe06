"""Eigenvalues and condition numbers of operators, and whether they have an inverse."""

from __future__ import annotations

from typing import Any

import numpy as np

from .compare_checks import assert_less
from .decomposition_ops import svd
from .eigen_ops import self_adjoint_eigvals
from .linear_operator_shape import OperatorShape
from .math_ops import abs as _abs
from .reduce_ops import reduce_max, reduce_min
from .sparse_ops import convert_to_tensor

__all__ = ["OperatorSpectrum"]


class OperatorSpectrum(OperatorShape):
    """What an operator's eigenvalues and singular values tell."""

    dtype: Any
    is_self_adjoint: bool | None

    def to_dense(self, name: str = "to_dense") -> Any:
        """Return the matrix."""
        raise NotImplementedError

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> Any:
        """Return an operation that raises InvalidArgumentError unless ``x^H A x`` is positive for all x but 0."""
        raise NotImplementedError

    def _can_use_cholesky(self) -> bool:
        raise NotImplementedError

    def _eigvals(self) -> Any:
        return self_adjoint_eigvals(self.to_dense())

    def _cond(self) -> Any:
        values = _abs(self._eigvals()) if self.is_self_adjoint else svd(self.to_dense(), compute_uv=False)
        return reduce_max(values, -1) / reduce_min(values, -1)

    def _assert_non_singular(self) -> Any:
        if self._can_use_cholesky():
            return self.assert_positive_definite()
        values = svd(self.to_dense(), compute_uv=False)
        condition = reduce_max(values, -1) / reduce_min(values, -1)
        sizes = (self.range_dimension.value or 0, self.domain_dimension.value or 0)
        limit = 1.0 / (max(100, *sizes) * np.finfo(self.dtype.as_numpy_dtype).eps)
        return assert_less(
            condition, convert_to_tensor(limit, condition.dtype), message="Singular matrix up to precision epsilon."
        )

    def eigvals(self, name: str = "eigvals") -> Any:
        """Return the eigenvalues, smallest first. Raises NotImplementedError unless the operator is self-adjoint."""
        if not self.is_self_adjoint:
            raise NotImplementedError("Only self-adjoint matrices are supported.")
        with self._name_scope(name):
            return self._eigvals()

    def cond(self, name: str = "cond") -> Any:
        """Return the condition number: the largest by the smallest singular value."""
        with self._name_scope(name):
            return self._cond()

    def assert_non_singular(self, name: str = "assert_non_singular") -> Any:
        """Return an operation that raises InvalidArgumentError where the operator has no inverse."""
        with self._name_scope(name):
            return self._assert_non_singular()
