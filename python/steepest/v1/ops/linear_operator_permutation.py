"""Permutations of rows as operators."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..graph.dtypes import as_dtype
from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from ..graph.static_values import constant_value
from .array_ops import expand_dims, reshape, shape
from .cast_ops import cast
from .concat_ops import concat
from .control_flow_ops import no_op
from .creation_ops import ones, zeros
from .creation_ops import range as sequence
from .decomposition_ops import adjoint as transposed
from .gather_ops import gather
from .linear_operator import LinearOperator
from .linear_operator_util import Followed
from .math_ops import equal
from .pad_ops import broadcast_to
from .rearranging_ops import broadcast_dynamic_shape
from .sort_ops import argsort

__all__ = ["LinearOperatorPermutation"]


class LinearOperatorPermutation(LinearOperator):
    """The matrix P for which row i of ``P @ x`` is row ``perm[i]`` of x.

    Args:
        perm: ``[..., n]``, integers, each from 0 to n - 1 once.
        dtype: The type of the elements. The other arguments are those of `LinearOperator`.

    Raises ValueError for what is known to be no permutation, TypeError for numbers that are no integers.

    Source: ``tf.linalg.LinearOperatorPermutation``.
    """

    _perm = Followed("perm")
    _parts: ClassVar[dict[str, Any]] = {"perm": 1}

    def __init__(
        self,
        perm: Any,
        dtype: Any = "float32",
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorPermutation",
    ) -> None:
        with name_scope(name):
            self._perm = perm
        perm = self._perm
        if perm.shape.ndims == 0:
            raise ValueError(f"Argument `perm` must have at least 1 dimension. Received: {perm}.")
        if not perm.dtype.is_integer:
            raise TypeError(f"Argument `perm` must be integer dtype. Received: {perm}.")
        known = constant_value(perm)
        if known is not None and (np.sort(known, axis=-1) != np.arange(known.shape[-1])).any():
            raise ValueError(f"Argument `perm` must be a vector of unique integers from 0 to {known.shape[-1] - 1}.")
        for hint, value in (("non-singular", is_non_singular), ("square", is_square)):
            if value is False:
                argument = f"is_{hint.replace('-', '_')}"
                raise ValueError(
                    f"A Permutation operator is always {hint}. Expected argument `{argument}` to be True. "
                    f"Received: {value}."
                )
        hints = is_non_singular, is_self_adjoint, is_positive_definite, True
        super().__init__(as_dtype(dtype), [perm], *hints, name)

    @property
    def perm(self) -> Any:
        """The permutation."""
        return self._perm

    def _shape(self) -> TensorShape:
        known: TensorShape = self._perm.shape
        return known.concatenate(known[-1:])

    def _shape_tensor(self) -> Any:
        sizes = shape(self._perm)
        return concat([sizes, sizes[-1:]], 0)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        perm = argsort(self._perm, axis=-1) if adjoint and not self.is_self_adjoint else self._perm
        x = transposed(x) if adjoint_arg else x
        batch, ends = broadcast_dynamic_shape(shape(x)[:-1], shape(perm)), shape(x)[-2:]
        whole = concat([batch, ends[1:]], 0)
        rows = reshape(broadcast_to(x, whole), concat([[-1], ends], 0))
        picked = gather(rows, reshape(broadcast_to(perm, batch), concat([[-1], ends[:1]], 0)), batch_dims=1, axis=1)
        return reshape(picked, whole)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._matmul(rhs, not adjoint, adjoint_arg)

    def _to_dense(self) -> Any:
        return cast(equal(sequence(self._size()), expand_dims(cast(self._perm, "int32"), -1)), self.dtype)

    def _diag_part(self) -> Any:
        return cast(equal(sequence(self._size()), cast(self._perm, "int32")), self.dtype)

    def _size(self) -> Any:
        return shape(self._perm)[-1]

    def _log_abs_determinant(self) -> Any:
        return zeros(self.batch_shape_tensor(), self.dtype)

    def _cond(self) -> Any:
        return ones(self.batch_shape_tensor(), self.dtype)

    def _assert_non_singular(self) -> Any:
        return no_op("assert_non_singular")
