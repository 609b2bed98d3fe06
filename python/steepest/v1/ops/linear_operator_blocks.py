"""What operators made of a list of others share, and Kronecker's product."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from ..graph.errors import InvalidArgumentError
from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from .array_ops import expand_dims, reshape, shape, size, transpose
from .cast_ops import cast
from .concat_ops import concat
from .control_flow_ops import group
from .creation_ops import range as _range
from .creation_ops import zeros
from .decomposition_ops import adjoint as transposed
from .linear_operator import LinearOperator
from .linear_operator_derived import broadcast_batch, checked_operators, combined_hint
from .rearranging_ops import broadcast_dynamic_shape, broadcast_static_shape

__all__ = ["LinearOperatorKronecker", "OfOperators", "broadcast_batch_tensor"]

_HINTS = ("is_non_singular", "is_self_adjoint", "is_positive_definite")


def broadcast_batch_tensor(operators: Sequence[LinearOperator]) -> Any:
    """Return the batch shape of several operators as a tensor."""
    batch = operators[0].batch_shape_tensor()
    for each in operators[1:]:
        batch = broadcast_dynamic_shape(batch, each.batch_shape_tensor())
    return batch


class OfOperators(LinearOperator):
    """What operators made of several share."""

    _join, _what, _wanted = "", "", "Expected a list of >=1 operators"

    def __init__(
        self,
        operators: Sequence[LinearOperator],
        is_non_singular: bool | None,
        is_self_adjoint: bool | None,
        is_positive_definite: bool | None,
        is_square: bool | None,
        name: str | None,
    ) -> None:
        self._operators, parents = checked_operators(operators, self._wanted)
        known = []
        for each, value in zip(_HINTS, (is_non_singular, is_self_adjoint, is_positive_definite), strict=True):
            word = each.removeprefix("is_").replace("_", "-")
            words = f"The {self._what} of {word} operators is always {word}."
            known.append(combined_hint(self._operators, each, value, words))
        name = self._join.join(one.name for one in self._operators) if name is None else name
        with name_scope(name):
            super().__init__(self._operators[0].dtype, parents, known[0], known[1], known[2], is_square, name)

    @property
    def operators(self) -> list[LinearOperator]:
        """The blocks, or the factors."""
        return self._operators

    def _batch_tensor(self) -> Any:
        return broadcast_batch_tensor(self._operators)

    def _assert_non_singular(self) -> Any:
        return group(*[each.assert_non_singular() for each in self._operators])

    def _assert_positive_definite(self) -> Any:
        return group(*[each.assert_positive_definite() for each in self._operators])

    def _assert_self_adjoint(self) -> Any:
        return group(*[each.assert_self_adjoint() for each in self._operators])


class LinearOperatorKronecker(OfOperators):
    """Kronecker's product of operators: each element of the first times the whole second, and so on.

    Raises ValueError for no operators or a hint that is not so, TypeError for several types.

    Source: ``tf.linalg.LinearOperatorKronecker``.
    """

    _parts: ClassVar[dict[str, Any]] = {"operators": 0}

    _join, _what = "_x_", "Kronecker product"

    def __init__(
        self,
        operators: Sequence[LinearOperator],
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(operators, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name)

    def _shape(self) -> TensorShape:
        sizes = []
        for ends in ("range_dimension", "domain_dimension"):
            known = [getattr(each, ends).value for each in self._operators]
            sizes.append(None if None in known else math.prod(known))
        return broadcast_batch(self._operators).concatenate(sizes)

    def _shape_tensor(self) -> Any:
        sizes = []
        for ends in ("range_dimension_tensor", "domain_dimension_tensor"):
            total = getattr(self._operators[0], ends)()
            for each in self._operators[1:]:
                total = total * getattr(each, ends)()
            sizes.append(total)
        return concat([self._batch_tensor(), sizes], 0)

    def _each(self, x: Any, adjoint: bool, apply: Any) -> Any:
        """Return what the factors make of the axes that the rows of ``x`` are cut into, one after another.

        With rows as ``[..., size of the first factor, all others, columns]``, the first factor meets its own axis; then
        that axis goes behind the others, and the next factor's is first.
        """
        static, columns = x.shape, shape(x)[-1]
        batch = broadcast_dynamic_shape(shape(x)[:-2], self._batch_tensor())
        x = x + zeros(concat([batch, [1, 1]], 0), x.dtype)
        axes = size(batch)
        behind = concat([_range(axes), [axes + 1, axes, axes + 2]], 0)
        for each in self._operators:
            rows = each.range_dimension_tensor() if adjoint else each.domain_dimension_tensor()
            made = apply(each, reshape(x, concat([batch, [rows, -1]], 0)))
            parts = reshape(made, concat([batch, [shape(made)[-2], -1, columns]], 0))
            x = reshape(transpose(parts, behind), concat([batch, [-1, columns]], 0))
        if static.ndims is not None and self.batch_shape.ndims is not None:
            ends = self.domain_dimension if adjoint else self.range_dimension
            known = broadcast_static_shape(static[:-2], self.batch_shape)
            x.set_shape(known.concatenate([ends.value, static[-1].value]))
        return x

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = transposed(x) if adjoint_arg else x
        return self._each(x, adjoint, lambda each, part: each.matmul(part, adjoint=adjoint))

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs = transposed(rhs) if adjoint_arg else rhs
        return self._each(rhs, adjoint, lambda each, part: each.solve(part, adjoint=adjoint))

    def _others(self, each: LinearOperator) -> Any:
        """Return how often a factor stands on the diagonal."""
        return cast(self.domain_dimension_tensor() // each.domain_dimension_tensor(), each.dtype)

    def _determinant(self) -> Any:
        result = 1.0
        for each in self._operators:
            result = result * each.determinant() ** self._others(each)
        return result

    def _log_abs_determinant(self) -> Any:
        result = 0.0
        for each in self._operators:
            result = result + each.log_abs_determinant() * self._others(each)
        return result

    def _trace(self) -> Any:
        result = 1.0
        for each in self._operators:
            result = result * each.trace()
        return result

    def _diag_part(self) -> Any:
        result = self._operators[0].diag_part()
        for each in self._operators[1:]:
            result = expand_dims(result, -1) * expand_dims(each.diag_part(), -2)
            result = reshape(result, concat([shape(result)[:-2], [-1]], 0))
        rows, columns = self.range_dimension.value, self.domain_dimension.value
        result.set_shape(self.batch_shape.concatenate([None if None in (rows, columns) else min(rows, columns)]))
        return result

    def _to_dense(self) -> Any:
        result = self._operators[0].to_dense()
        for each in self._operators[1:]:
            right = each.to_dense()
            sizes = [shape(result)[-2] * shape(right)[-2], shape(result)[-1] * shape(right)[-1]]
            wide = expand_dims(expand_dims(result, -2), -1) * expand_dims(expand_dims(right, -3), -2)
            result = reshape(wide, concat([shape(wide)[:-4], sizes], 0))
        result.set_shape(self.shape)
        return result

    def _must_have_square_factors(self, what: str) -> None:
        if not all(each.is_square for each in self._operators):
            words = f"All Kronecker factors must be square for the product to be {what}."
            raise InvalidArgumentError(None, None, words)

    def _assert_non_singular(self) -> Any:
        self._must_have_square_factors("invertible")
        return super()._assert_non_singular()

    def _assert_self_adjoint(self) -> Any:
        self._must_have_square_factors("self adjoint")
        return super()._assert_self_adjoint()
