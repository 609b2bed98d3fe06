"""Operators made of others: the adjoint, the inverse, and products of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ..graph.scopes import name_scope
from ..graph.shapes import TensorShape
from .complex_ops import conj
from .concat_ops import concat
from .decomposition_ops import adjoint as transposed
from .linear_operator import LinearOperator
from .linear_operator_util import use_operator_or_provided_hint_unless_contradicting as hint
from .rearranging_ops import broadcast_dynamic_shape, broadcast_static_shape

__all__ = [
    "LinearOperatorAdjoint",
    "LinearOperatorComposition",
    "LinearOperatorInversion",
    "broadcast_batch",
    "checked_operators",
    "combined_hint",
]


class LinearOperatorAdjoint(LinearOperator):
    """The adjoint of an operator: its elements are ``conj(A[j, i])``.

    What is known of it is what is known of the operator. Raises ValueError for a hint that says the opposite.

    Source: ``tf.linalg.LinearOperatorAdjoint``.
    """

    _parts: ClassVar[dict[str, Any]] = {"operator": 0}

    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        self._operator = operator
        known = (
            _same(operator, "is_non_singular", is_non_singular, "adjoint"),
            _same(operator, "is_self_adjoint", is_self_adjoint, "adjoint"),
            _same(operator, "is_positive_definite", is_positive_definite, "adjoint"),
            _same(operator, "is_square", is_square, "adjoint"),
        )
        name = f"{operator.name}_adjoint" if name is None else name
        with name_scope(name):
            super().__init__(operator.dtype, operator.graph_parents, *known, name)

    @property
    def operator(self) -> LinearOperator:
        """The operator whose adjoint this is."""
        return self._operator

    def _shape(self) -> TensorShape:
        whole = self._operator.shape
        return TensorShape(whole[:-2]).concatenate([whole[-1].value, whole[-2].value])

    def _shape_tensor(self) -> Any:
        whole = self._operator.shape_tensor()
        return concat([whole[:-2], [whole[-1], whole[-2]]], 0)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x: Any, adjoint: bool = False) -> Any:
        return self._operator.matvec(x, adjoint=not adjoint)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _to_dense(self) -> Any:
        return transposed(self._operator.to_dense())

    def _determinant(self) -> Any:
        return conj(self._operator.determinant())

    def _log_abs_determinant(self) -> Any:
        return self._operator.log_abs_determinant()

    def _trace(self) -> Any:
        return conj(self._operator.trace())

    def _diag_part(self) -> Any:
        return conj(self._operator.diag_part())

    def _assert_non_singular(self) -> Any:
        return self._operator.assert_non_singular()

    def _assert_positive_definite(self) -> Any:
        return self._operator.assert_positive_definite()

    def _assert_self_adjoint(self) -> Any:
        return self._operator.assert_self_adjoint()


class LinearOperatorInversion(LinearOperator):
    """The inverse of an operator: its products are the operator's solutions.

    Raises ValueError for an operator, or a hint, that is known to be singular or not square.

    Source: ``tf.linalg.LinearOperatorInversion``.
    """

    _parts: ClassVar[dict[str, Any]] = {"operator": 0}

    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        for each, given in (("is_non_singular", is_non_singular), ("is_square", is_square)):
            own = getattr(operator, each)
            if own is False or given is False:
                raise ValueError(
                    f"operator and supplied hints must have `{each}` equal to `True` or `None`.  Found {own}, {given}"
                )
        self._operator = operator
        known = (
            _same(operator, "is_non_singular", is_non_singular, "inverse"),
            _same(operator, "is_self_adjoint", is_self_adjoint, "inverse"),
            _same(operator, "is_positive_definite", is_positive_definite, "inverse"),
            True,
        )
        name = f"{operator.name}_inv" if name is None else name
        with name_scope(name):
            super().__init__(operator.dtype, operator.graph_parents, *known, name)

    @property
    def operator(self) -> LinearOperator:
        """The operator whose inverse this is."""
        return self._operator

    def _shape(self) -> TensorShape:
        return self._operator.shape

    def _shape_tensor(self) -> Any:
        return self._operator.shape_tensor()

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _determinant(self) -> Any:
        return 1.0 / self._operator.determinant()

    def _log_abs_determinant(self) -> Any:
        return -1.0 * self._operator.log_abs_determinant()

    def _assert_non_singular(self) -> Any:
        return self._operator.assert_non_singular()

    def _assert_positive_definite(self) -> Any:
        return self._operator.assert_positive_definite()

    def _assert_self_adjoint(self) -> Any:
        return self._operator.assert_self_adjoint()


class LinearOperatorComposition(LinearOperator):
    """The product of operators, the first one on the left.

    Raises ValueError for no operators or a hint that is not so, TypeError for several types.

    Source: ``tf.linalg.LinearOperatorComposition``.
    """

    _parts: ClassVar[dict[str, Any]] = {"operators": 0}

    def __init__(
        self,
        operators: Sequence[LinearOperator],
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        self._operators, parents = checked_operators(operators, "Expected a non-empty list of operators")
        words = "The composition of non-singular operators is always non-singular."
        is_non_singular = combined_hint(self._operators, "is_non_singular", is_non_singular, words)
        if _are_adjoint_pairs(self._operators):
            is_self_adjoint, is_square = True, True
            is_positive_definite = True if is_non_singular else is_positive_definite
        name = "_o_".join(each.name for each in self._operators) if name is None else name
        with name_scope(name):
            known = is_non_singular, is_self_adjoint, is_positive_definite, is_square
            super().__init__(self._operators[0].dtype, parents, *known, name)

    @property
    def operators(self) -> list[LinearOperator]:
        """The factors, from left to right."""
        return self._operators

    def _shape(self) -> TensorShape:
        for left, right in zip(self._operators, self._operators[1:], strict=False):
            left.domain_dimension.assert_is_compatible_with(right.range_dimension)
        ends = [self._operators[0].range_dimension.value, self._operators[-1].domain_dimension.value]
        return broadcast_batch(self._operators).concatenate(ends)

    def _shape_tensor(self) -> Any:
        batch = self._operators[0].batch_shape_tensor()
        for each in self._operators[1:]:
            batch = broadcast_dynamic_shape(batch, each.batch_shape_tensor())
        ends = [self._operators[0].range_dimension_tensor(), self._operators[-1].domain_dimension_tensor()]
        return concat([batch, ends], 0)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        order = self._operators if adjoint else self._operators[::-1]
        product = order[0].matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for each in order[1:]:
            product = each.matmul(product, adjoint=adjoint)
        return product

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        if not self._all_square():
            return super()._solve(rhs, adjoint, adjoint_arg)
        order = self._operators[::-1] if adjoint else self._operators
        solution = order[0].solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for each in order[1:]:
            solution = each.solve(solution, adjoint=adjoint)
        return solution

    def _all_square(self) -> bool:
        """Tell whether each factor has a determinant and solutions of its own."""
        return all(each.is_square for each in self._operators)

    def _determinant(self) -> Any:
        if not self._all_square():
            return super()._determinant()
        result = self._operators[0].determinant()
        for each in self._operators[1:]:
            result = result * each.determinant()
        return result

    def _log_abs_determinant(self) -> Any:
        if not self._all_square():
            return super()._log_abs_determinant()
        result = self._operators[0].log_abs_determinant()
        for each in self._operators[1:]:
            result = result + each.log_abs_determinant()
        return result


def _are_adjoint_pairs(factors: Sequence[LinearOperator]) -> bool:
    """Tell whether factors are those of ``A @ B @ B^H @ A^H``, and so on."""
    half, odd = divmod(len(factors), 2)
    return not odd and all(_are_adjoint(*pair) for pair in zip(factors[:half], factors[::-1], strict=False))


def _are_adjoint(a: LinearOperator, b: LinearOperator) -> bool:
    of_other = [isinstance(x, LinearOperatorAdjoint) and x.operator is y for x, y in ((a, b), (b, a))]
    return bool(a.is_self_adjoint) if a is b else any(of_other)


def _same(operator: LinearOperator, name: str, value: bool | None, what: str) -> bool | None:
    word = name.removeprefix("is_").replace("_", "-")
    return hint(operator, name, value, f"An operator is {word} if and only if its {what} is {word}.")


def checked_operators(operators: Sequence[LinearOperator], words: str) -> tuple[list[LinearOperator], list[Any]]:
    """Return operators of one type as a list, and what they are made of. Raises ValueError for none, else TypeError."""
    each = list(operators)
    if not each:
        raise ValueError(f"{words}. Found: {each}")
    if any(one.dtype != each[0].dtype for one in each):
        types = "   ".join(str((one.name, one.dtype)) for one in each)
        raise TypeError(f"Expected all operators to have the same dtype.  Found {types}")
    return each, [parent for one in each for parent in one.graph_parents]


def combined_hint(operators: Sequence[LinearOperator], name: str, value: bool | None, words: str) -> bool | None:
    """Return True where it is so of all operators; ValueError where the caller says that it is not, else its word."""
    if not all(getattr(each, name) for each in operators):
        return value
    if value is False:
        raise ValueError(words)
    return True


def broadcast_batch(operators: Sequence[LinearOperator]) -> TensorShape:
    """Return the batch shape of several operators, as far as it is known."""
    batch = operators[0].batch_shape
    for each in operators[1:]:
        batch = broadcast_static_shape(batch, each.batch_shape)
    return batch
