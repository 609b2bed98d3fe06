"""Operators of blocks along a diagonal, with zeros elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ..graph.shapes import TensorShape
from .array_ops import shape
from .concat_ops import concat
from .creation_ops import zeros
from .linear_operator import LinearOperator
from .linear_operator_blocks import OfOperators
from .linear_operator_blockwise import BlockwiseOperator
from .linear_operator_util import broadcast_matrix_batch_dims

__all__ = ["LinearOperatorBlockDiag"]


class LinearOperatorBlockDiag(OfOperators, BlockwiseOperator):
    """Operators along a diagonal, zeros elsewhere; products and solutions take lists of blocks too.

    Raises ValueError for no operators, or a hint that is not so, TypeError for several types.

    Source: ``tf.linalg.LinearOperatorBlockDiag``.
    """

    _parts: ClassVar[dict[str, Any]] = {"operators": 0}

    _join, _what, _wanted = "_ds_", "direct sum", "Expected a non-empty list of operators"

    def __init__(
        self,
        operators: Sequence[LinearOperator],
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        name: str | None = None,
    ) -> None:
        super().__init__(operators, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name)

    @property
    def _diagonal_operators(self) -> list[LinearOperator]:
        return self._operators

    def _shape(self) -> TensorShape:
        return self._whole(self._operators)

    def _shape_tensor(self) -> Any:
        return self._whole_tensor(self._batch_tensor())

    def _matmul_blocks(self, parts: Sequence[Any], adjoint: bool, adjoint_arg: bool) -> list[Any]:
        pairs = zip(self._operators, parts, strict=True)
        return [each.matmul(part, adjoint=adjoint, adjoint_arg=adjoint_arg) for each, part in pairs]

    def _solve_blocks(self, parts: Sequence[Any], adjoint: bool) -> list[Any]:
        return [each.solve(part, adjoint=adjoint) for each, part in zip(self._operators, parts, strict=True)]

    def _to_dense(self) -> Any:
        blocks = broadcast_matrix_batch_dims([each.to_dense() for each in self._operators])
        columns = self._block_domain_dimension_tensors()
        rows = []
        for k, block in enumerate(blocks):
            row = [
                block if i == k else zeros(concat([shape(block)[:-1], [size]], 0), self.dtype)
                for i, size in enumerate(columns)
            ]
            rows.append(concat(row, -1))
        made = concat(rows, -2)
        made.set_shape(self.shape)
        return made
