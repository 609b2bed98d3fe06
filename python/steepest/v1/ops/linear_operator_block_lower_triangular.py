"""Operators of blocks on a diagonal and below it."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any, ClassVar

from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from .array_ops import shape
from .check_ops import assert_proper_iterable
from .concat_ops import concat
from .control_flow_ops import group
from .creation_ops import zeros
from .linear_operator import LinearOperator
from .linear_operator_blocks import broadcast_batch_tensor
from .linear_operator_blockwise import BlockwiseOperator
from .linear_operator_util import broadcast_matrix_batch_dims
from .math_ops import exp

__all__ = ["LinearOperatorBlockLowerTriangular"]


class LinearOperatorBlockLowerTriangular(BlockwiseOperator):
    """Blocks on a diagonal, which are square, and below it; zeros above it.

    Args:
        operators: rows of operators, one in the first, two in the second, and so on. The other arguments are those of
            `LinearOperator`.

    Raises ValueError for rows of other lengths, blocks that do not fit, or a hint that is not so, TypeError for several
    types.

    Source: ``tf.linalg.LinearOperatorBlockLowerTriangular``.
    """

    _parts: ClassVar[dict[str, Any]] = {"operators": 0}

    def __init__(
        self,
        operators: Sequence[Sequence[LinearOperator]],
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorBlockLowerTriangular",
    ) -> None:
        for each in (operators, *operators):
            assert_proper_iterable(each)
        self._operators = [list(row) for row in operators]
        if not self._operators:
            raise ValueError(f"Argument `operators` must be a list of >=1 operators. Received: {self._operators}.")
        self._each = [block for row in self._operators for block in row]
        dtype = self._each[0].dtype
        for at, row in enumerate(self._operators):
            if any(block.dtype != dtype for block in row):
                found = [(block.name, block.dtype) for block in row]
                raise TypeError(
                    f"Expected all operators to have the same dtype.  Found {found} in row {at} and {dtype} in row 0."
                )
        is_non_singular = self._known_non_singular(is_non_singular)
        _check_blocks(self._operators)
        if is_square is False:
            raise ValueError(
                "`LinearOperatorBlockLowerTriangular` must be square. Expected argument `is_square` to be True. "
                f"Received: {is_square}."
            )
        for at, block in enumerate(self._diagonal_operators):
            if block.is_square is False:
                raise ValueError(
                    "Matrices on the diagonal (the final elements of each row-partition in the `operators` list) must "
                    f"be square. Expected argument `operators[{at}][-1].is_square` to be True. "
                    f"Received: {block.is_square}."
                )
        with name_scope(name):
            super().__init__(dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    def _known_non_singular(self, told: bool | None) -> bool | None:
        known = [block.is_non_singular for block in self._diagonal_operators]
        found = True if all(known) else False if False in known else None
        if found is not None and told == (not found):
            kind, which = ("non-singular", "non-singular operators") if found else ("singular", "a singular operator")
            raise ValueError(
                f"A blockwise lower-triangular operator with {which} on the main diagonal is always {kind}. Expected "
                f"argument `is_non_singular` to be {found}. Received: {told}."
            )
        return found

    @property
    def operators(self) -> list[list[LinearOperator]]:
        """The rows of blocks."""
        return self._operators

    @property
    def _diagonal_operators(self) -> list[LinearOperator]:
        return [row[-1] for row in self._operators]

    def _shape(self) -> TensorShape:
        return self._whole(self._each)

    def _shape_tensor(self) -> Any:
        return self._whole_tensor(broadcast_batch_tensor(self._each))

    def _matmul_blocks(self, parts: Sequence[Any], adjoint: bool, adjoint_arg: bool) -> list[Any]:
        found = []
        for at in range(len(parts)):
            met = range(at, len(parts)) if adjoint else range(at + 1)
            blocks = [self._operators[k][at] if adjoint else self._operators[at][k] for k in met]
            terms = [
                block.matmul(parts[k], adjoint=adjoint, adjoint_arg=adjoint_arg)
                for k, block in zip(met, blocks, strict=True)
            ]
            found.append(functools.reduce(operator.add, terms))
        return found

    def _solve_blocks(self, parts: Sequence[Any], adjoint: bool) -> list[Any]:
        count = len(parts)
        found: dict[int, Any] = {}
        for at in reversed(range(count)) if adjoint else range(count):
            rest = parts[at]
            for k, solved in found.items():
                block = self._operators[k][at] if adjoint else self._operators[at][k]
                rest = rest - block.matmul(solved, adjoint=adjoint)
            found[at] = self._operators[at][at].solve(rest, adjoint=adjoint)
        return [found[at] for at in range(count)]

    def _determinant(self) -> Any:
        if all(block.is_positive_definite for block in self._diagonal_operators):
            return exp(self._log_abs_determinant())
        return super()._determinant()

    def _to_dense(self) -> Any:
        blocks = iter(broadcast_matrix_batch_dims([each.to_dense() for each in self._each]))
        columns = self._block_domain_dimension_tensors()
        rows = []
        for at, row in enumerate(self._operators):
            found = [next(blocks) for _ in row]
            beside = [zeros(concat([shape(found[0])[:-1], [size]], 0), self.dtype) for size in columns[at + 1 :]]
            rows.append(concat([*found, *beside], -1))
        made = concat(rows, -2)
        made.set_shape(self.shape)
        return made

    def _assert_non_singular(self) -> Any:
        return group(*[block.assert_non_singular() for block in self._diagonal_operators])


def _check_blocks(rows: Sequence[Sequence[LinearOperator]]) -> None:
    """Raise ValueError for rows of the wrong lengths, or blocks of other sizes than their neighbours."""
    for at, row in enumerate(rows):
        if len(row) != at + 1:
            raise ValueError(f"Argument `operators[{at}]` must contain `{at + 1}` blocks. Received: {len(row)} blocks.")
    for at, row in enumerate(rows):
        for k, block in enumerate(row[:-1]):
            for ends, i, j in (("domain_dimension", at - 1, k), ("range_dimension", at, k + 1)):
                own, other = getattr(block, ends), getattr(rows[i][j], ends)
                if None not in (own.value, other.value) and own.value != other.value:
                    raise ValueError(
                        f"Argument `operators[{at}][{k}].{ends}` ({own}) must be the same as "
                        f"`operators[{i}][{j}].{ends}` ({other})."
                    )
