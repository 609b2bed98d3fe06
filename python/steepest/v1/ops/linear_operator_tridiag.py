"""Operators whose matrices have numbers on three diagonals alone."""

from __future__ import annotations

from typing import Any, ClassVar

from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from .array_ops import shape
from .compare_checks import assert_equal
from .complex_ops import conj
from .concat_ops import concat, stack, unstack
from .control_flow_ops import group
from .decomposition_ops import adjoint as transposed
from .diagonal_ops import matrix_diag, matrix_diag_part
from .linear_operator import LinearOperator
from .linear_operator_util import Followed, assert_zero_imag_part, is_variable
from .pad_ops import broadcast_to, roll
from .rearranging_ops import broadcast_dynamic_shape, broadcast_static_shape
from .sparse_ops import convert_to_tensor
from .tridiagonal_ops import tridiagonal_matmul, tridiagonal_solve

__all__ = ["LinearOperatorTridiag"]

_FORMATS = ("compact", "matrix", "sequence")


class LinearOperatorTridiag(LinearOperator):
    """The matrix with three diagonals.

    Args:
        diagonals: as `tf.linalg.tridiagonal_matmul` takes them: "compact" ``[..., 3, n]``, "matrix" ``[..., n, n]``, or
            "sequence", three tensors ``[..., n]``.
        diagonals_format: which of these it is. The other arguments are those of `LinearOperator`.

    Raises ValueError for another format. Source: ``tf.linalg.LinearOperatorTridiag``.
    """

    _whole = Followed("diagonals")
    _parts: ClassVar[dict[str, Any]] = {"diagonals": 2}

    def __init__(
        self,
        diagonals: Any,
        diagonals_format: str = "compact",
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorTridiag",
    ) -> None:
        with name_scope(name):
            if diagonals_format not in _FORMATS:
                raise ValueError(
                    "Argument `diagonals_format` must be one of compact, matrix, or sequence. "
                    f"Received : {diagonals_format}."
                )
            self.diagonals_format = diagonals_format
            if diagonals_format == "sequence":
                self._whole = None
                named = enumerate(diagonals)
                self._given = [v if is_variable(v) else convert_to_tensor(v, name=f"diag_{k}") for k, v in named]
                self._parts = {"diagonals": 1}  # type: ignore[misc]  # of this operator, not of its class
            else:
                self._whole = diagonals
        hints = is_non_singular, is_self_adjoint, is_positive_definite, is_square
        first = self._three[0] if diagonals_format == "sequence" else self._whole
        super().__init__(first.dtype.base_dtype, None, *hints, name)

    @property
    def _three(self) -> list[Any]:
        return [convert_to_tensor(each) for each in self._given]

    def _are_many(self, name: str) -> bool:
        return self.diagonals_format == "sequence"

    @property
    def diagonals(self) -> Any:
        """The diagonals in the format that was given."""
        return self._given if self.diagonals_format == "sequence" else self._whole

    def _in_three(self) -> list[Any]:
        """Return the diagonals above, in the middle and below, each of n numbers."""
        if self.diagonals_format == "matrix":
            return list(unstack(matrix_diag_part(self._whole, k=(-1, 1), align="LEFT_RIGHT"), 3, axis=-2))
        if self.diagonals_format == "compact":
            return list(unstack(self._whole, 3, axis=-2))
        return self._three

    def _shape(self) -> TensorShape:
        if self.diagonals_format == "matrix":
            known: TensorShape = self._whole.shape
            return known
        if self.diagonals_format == "compact":
            sizes = self._whole.shape[:-2].concatenate(self._whole.shape[-1:])
        else:
            above, middle, below = (each.shape[:-1] for each in self._three)
            batch = broadcast_static_shape(broadcast_static_shape(above, middle), below)
            sizes = batch.concatenate(self._three[1].shape[-1:])
        found: TensorShape = sizes.concatenate(sizes[-1:])
        return found

    def _shape_tensor(self) -> Any:
        if self.diagonals_format == "matrix":
            return shape(self._whole)
        sizes = [shape(each) for each in self._in_three()]
        batch = broadcast_dynamic_shape(broadcast_dynamic_shape(sizes[0][:-1], sizes[1][:-1]), sizes[2][:-1])
        return concat([batch, sizes[1][-1:], sizes[1][-1:]], 0)

    def _turned(self) -> list[Any]:
        """Return the diagonals of the adjoint."""
        above, middle, below = (conj(each) for each in self._in_three())
        return [roll(below, -1, -1), middle, roll(above, 1, -1)]

    def _compact(self, adjoint: bool) -> Any:
        three = self._turned() if adjoint else self._in_three()
        wide = self.shape_tensor()[:-1]
        return stack([broadcast_to(each, wide) for each in three], -2)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return tridiagonal_matmul(self._compact(adjoint), transposed(x) if adjoint_arg else x)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs, three = transposed(rhs) if adjoint_arg else rhs, self._compact(adjoint)
        batch = broadcast_dynamic_shape(shape(three)[:-2], shape(rhs)[:-2])
        wide = [broadcast_to(each, concat([batch, shape(each)[-2:]], 0)) for each in (three, rhs)]
        return tridiagonal_solve(*wide)

    def _diag_part(self) -> Any:
        return broadcast_to(self._in_three()[1], self.shape_tensor()[:-1])

    def _to_dense(self) -> Any:
        if self.diagonals_format == "matrix":
            return self._whole
        return matrix_diag(self._compact(False), k=(-1, 1), align="LEFT_RIGHT")

    def _assert_self_adjoint(self) -> Any:
        above, middle, below = self._in_three()
        message = "This tridiagonal operator contained non-zero imaginary values on the diagonal."
        pair = "This tridiagonal operator has non-conjugate subdiagonal and superdiagonal."
        return group(
            assert_zero_imag_part(middle, message=message),
            assert_equal(conj(below[..., 1:]), above[..., :-1], message=pair),
        )
