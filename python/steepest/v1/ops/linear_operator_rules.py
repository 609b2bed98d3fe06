"""Which operators are made of which: adjoints, factors, inverses, products and solutions of TensorFlow's classes."""

from __future__ import annotations

from typing import Any

from .complex_ops import conj
from .decomposition_ops import cholesky
from .linear_operator import LinearOperator
from .linear_operator_algebra import (
    RegisterAdjoint,
    RegisterCholesky,
    RegisterInverse,
    RegisterMatmul,
    RegisterSolve,
)
from .linear_operator_blocks import LinearOperatorBlockDiag, LinearOperatorKronecker
from .linear_operator_circulant import CirculantOperator, LinearOperatorCirculant
from .linear_operator_derived import LinearOperatorAdjoint, LinearOperatorComposition, LinearOperatorInversion
from .linear_operator_identity import LinearOperatorIdentity, LinearOperatorScaledIdentity, LinearOperatorZeros
from .linear_operator_ops import LinearOperatorDiag, LinearOperatorLowerTriangular
from .linear_operator_updates import LinearOperatorHouseholder
from .math_ops import sqrt

__all__ = ["product_hints"]

_DEFINITE: dict[str, Any] = {"is_non_singular": True, "is_self_adjoint": True, "is_positive_definite": True}
_FACTOR: dict[str, Any] = {"is_non_singular": True, "is_self_adjoint": False}


def _hints(operator: LinearOperator) -> dict[str, Any]:
    names = ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")
    return {name: getattr(operator, name) for name in names}


def _all(name: str, *operators: LinearOperator) -> bool | None:
    return True if all(getattr(each, name) for each in operators) else None


def product_hints(a: LinearOperator, b: LinearOperator) -> dict[str, Any]:
    """Return what is known of the product of two square operators that commute."""
    singular = False in (a.is_non_singular, b.is_non_singular)
    return {
        "is_non_singular": False if singular else _all("is_non_singular", a, b),
        "is_self_adjoint": _all("is_self_adjoint", a, b),
        "is_positive_definite": _all("is_positive_definite", a, b) and _all("is_self_adjoint", a, b),
        "is_square": True,
    }


def _triangular_hints(a: LinearOperator, b: LinearOperator) -> dict[str, Any]:
    return product_hints(a, b) | {"is_positive_definite": None}


# Adjoints


@RegisterAdjoint(LinearOperator)
def _(operator: LinearOperator) -> LinearOperator:
    return LinearOperatorAdjoint(operator, **_hints(operator))


@RegisterAdjoint(LinearOperatorAdjoint)
def _(operator: LinearOperatorAdjoint) -> LinearOperator:
    return operator.operator


@RegisterAdjoint(LinearOperatorIdentity)
@RegisterAdjoint(LinearOperatorHouseholder)
@RegisterInverse(LinearOperatorIdentity)
@RegisterInverse(LinearOperatorHouseholder)
def _(operator: LinearOperator) -> LinearOperator:
    return operator


@RegisterAdjoint(LinearOperatorScaledIdentity)
def _(operator: LinearOperatorScaledIdentity) -> LinearOperator:
    return LinearOperatorScaledIdentity(operator._num_rows, conj(operator.multiplier), **_hints(operator))


@RegisterAdjoint(LinearOperatorDiag)
def _(operator: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorDiag(conj(operator.diag), **_hints(operator))


@RegisterAdjoint(CirculantOperator)
def _(operator: CirculantOperator) -> LinearOperator:
    return type(operator)(conj(operator.spectrum), operator.dtype, **_hints(operator))


@RegisterAdjoint(LinearOperatorBlockDiag)
@RegisterAdjoint(LinearOperatorKronecker)
def _(operator: Any) -> LinearOperator:
    made: LinearOperator = type(operator)([each.adjoint() for each in operator.operators], **_hints(operator))
    return made


# Lower triangular factors


@RegisterCholesky(LinearOperator)
def _(operator: LinearOperator) -> LinearOperator:
    return LinearOperatorLowerTriangular(cholesky(operator.to_dense()), **_FACTOR, is_square=True)


@RegisterCholesky(LinearOperatorDiag)
def _(operator: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorDiag(sqrt(operator.diag), **_DEFINITE, is_square=True)


@RegisterCholesky(LinearOperatorIdentity)
def _(operator: LinearOperatorIdentity) -> LinearOperator:
    return operator


@RegisterCholesky(LinearOperatorScaledIdentity)
def _(operator: LinearOperatorScaledIdentity) -> LinearOperator:
    return LinearOperatorScaledIdentity(operator._num_rows, sqrt(operator.multiplier), **_DEFINITE, is_square=True)


@RegisterCholesky(LinearOperatorBlockDiag)
@RegisterCholesky(LinearOperatorKronecker)
def _(operator: Any) -> LinearOperator:
    made: LinearOperator = type(operator)([each.cholesky() for each in operator.operators], **_FACTOR, is_square=True)
    return made


# Inverses


@RegisterInverse(LinearOperator)
def _(operator: LinearOperator) -> LinearOperator:
    return LinearOperatorInversion(operator, **_hints(operator))


@RegisterInverse(LinearOperatorInversion)
def _(operator: LinearOperatorInversion) -> LinearOperator:
    return operator.operator


@RegisterInverse(LinearOperatorDiag)
def _(operator: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorDiag(1.0 / operator.diag, **_hints(operator))


@RegisterInverse(LinearOperatorScaledIdentity)
def _(operator: LinearOperatorScaledIdentity) -> LinearOperator:
    hints = _hints(operator) | {"is_self_adjoint": True}
    return LinearOperatorScaledIdentity(operator._num_rows, 1.0 / operator.multiplier, **hints)


@RegisterInverse(CirculantOperator)
def _(operator: CirculantOperator) -> LinearOperator:
    return type(operator)(1.0 / operator.spectrum, operator.dtype, **_hints(operator))


@RegisterInverse(LinearOperatorBlockDiag)
@RegisterInverse(LinearOperatorKronecker)
def _(operator: Any) -> LinearOperator:
    made: LinearOperator = type(operator)([each.inverse() for each in operator.operators], **_hints(operator))
    return made


# Products


@RegisterMatmul(LinearOperator, LinearOperator)
def _(a: LinearOperator, b: LinearOperator) -> LinearOperator:
    square = True if a.is_square and b.is_square else None
    non_singular = product_hints(a, b)["is_non_singular"] if square else None
    return LinearOperatorComposition([a, b], is_non_singular=non_singular, is_square=square)


@RegisterMatmul(LinearOperatorIdentity, LinearOperatorIdentity)
@RegisterMatmul(LinearOperatorIdentity, LinearOperator)
@RegisterSolve(LinearOperatorIdentity, LinearOperatorIdentity)
@RegisterSolve(LinearOperatorIdentity, LinearOperator)
def _(identity: LinearOperatorIdentity, operator: LinearOperator) -> LinearOperator:
    return operator


@RegisterMatmul(LinearOperator, LinearOperatorIdentity)
def _(operator: LinearOperator, identity: LinearOperatorIdentity) -> LinearOperator:
    return operator


def _square_zeros(zeros: LinearOperator, other: LinearOperator) -> LinearOperator:
    if not zeros.is_square or not other.is_square:
        raise ValueError(
            "Matmul with non-square `LinearOperator`s or non-square `LinearOperatorZeros` not supported at this time."
        )
    return zeros


@RegisterMatmul(LinearOperatorZeros, LinearOperatorZeros)
@RegisterMatmul(LinearOperatorZeros, LinearOperator)
def _(zeros: LinearOperatorZeros, operator: LinearOperator) -> LinearOperator:
    return _square_zeros(zeros, operator)


@RegisterMatmul(LinearOperator, LinearOperatorZeros)
def _(operator: LinearOperator, zeros: LinearOperatorZeros) -> LinearOperator:
    return _square_zeros(zeros, operator)


@RegisterMatmul(LinearOperatorDiag, LinearOperatorDiag)
def _(a: LinearOperatorDiag, b: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorDiag(a.diag * b.diag, **product_hints(a, b))


@RegisterMatmul(LinearOperatorDiag, LinearOperatorScaledIdentity)
def _(a: LinearOperatorDiag, b: LinearOperatorScaledIdentity) -> LinearOperator:
    return LinearOperatorDiag(a.diag * b.multiplier, **product_hints(a, b))


@RegisterMatmul(LinearOperatorScaledIdentity, LinearOperatorDiag)
def _(a: LinearOperatorScaledIdentity, b: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorDiag(b.diag * a.multiplier, **product_hints(a, b))


@RegisterMatmul(LinearOperatorDiag, LinearOperatorLowerTriangular)
def _(a: LinearOperatorDiag, b: LinearOperatorLowerTriangular) -> LinearOperator:
    return LinearOperatorLowerTriangular(a.diag[..., None] * b.to_dense(), **_triangular_hints(a, b))


@RegisterMatmul(LinearOperatorLowerTriangular, LinearOperatorDiag)
def _(a: LinearOperatorLowerTriangular, b: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorLowerTriangular(a.to_dense() * b.diag, **_triangular_hints(a, b))


@RegisterMatmul(LinearOperatorCirculant, LinearOperatorCirculant)
def _(a: LinearOperatorCirculant, b: LinearOperatorCirculant) -> LinearOperator:
    return LinearOperatorCirculant(a.spectrum * b.spectrum, a.dtype, **product_hints(a, b))


# Solutions


@RegisterSolve(LinearOperator, LinearOperator)
def _(a: LinearOperator, b: LinearOperator) -> LinearOperator:
    square = True if a.is_square and b.is_square else None
    non_singular = product_hints(a, b)["is_non_singular"] if square else None
    return LinearOperatorComposition([LinearOperatorInversion(a), b], is_non_singular=non_singular, is_square=square)


@RegisterSolve(LinearOperatorDiag, LinearOperatorDiag)
def _(a: LinearOperatorDiag, b: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorDiag(b.diag / a.diag, **product_hints(a, b))


@RegisterSolve(LinearOperatorDiag, LinearOperatorScaledIdentity)
def _(a: LinearOperatorDiag, b: LinearOperatorScaledIdentity) -> LinearOperator:
    return LinearOperatorDiag(b.multiplier / a.diag, **product_hints(a, b))


@RegisterSolve(LinearOperatorScaledIdentity, LinearOperatorDiag)
def _(a: LinearOperatorScaledIdentity, b: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorDiag(b.diag / a.multiplier, **product_hints(a, b))


@RegisterSolve(LinearOperatorDiag, LinearOperatorLowerTriangular)
def _(a: LinearOperatorDiag, b: LinearOperatorLowerTriangular) -> LinearOperator:
    return LinearOperatorLowerTriangular(b.to_dense() / a.diag[..., None], **_triangular_hints(a, b))


@RegisterSolve(LinearOperatorCirculant, LinearOperatorCirculant)
def _(a: LinearOperatorCirculant, b: LinearOperatorCirculant) -> LinearOperator:
    return LinearOperatorCirculant(b.spectrum / a.spectrum, a.dtype, **product_hints(a, b))
