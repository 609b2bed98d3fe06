"""Which operators are made of two: products and solutions of TensorFlow's classes."""

from __future__ import annotations

from typing import Any

from .linear_operator import LinearOperator
from .linear_operator_algebra import RegisterMatmul, RegisterSolve
from .linear_operator_block_diag import LinearOperatorBlockDiag
from .linear_operator_circulant import CirculantOperator
from .linear_operator_derived import LinearOperatorComposition, LinearOperatorInversion
from .linear_operator_identity import LinearOperatorIdentity, LinearOperatorScaledIdentity, LinearOperatorZeros
from .linear_operator_ops import LinearOperatorDiag, LinearOperatorLowerTriangular

__all__ = ["product_hints"]


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


# Products


def _composed(a: LinearOperator, b: LinearOperator) -> LinearOperator:
    square = True if a.is_square and b.is_square else None
    non_singular = product_hints(a, b)["is_non_singular"] if square else None
    return LinearOperatorComposition([a, b], is_non_singular=non_singular, is_square=square)


RegisterMatmul(LinearOperator, LinearOperator)(_composed)


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


@RegisterMatmul(LinearOperatorScaledIdentity, LinearOperatorScaledIdentity)
def _(a: LinearOperatorScaledIdentity, b: LinearOperatorScaledIdentity) -> LinearOperator:
    return LinearOperatorScaledIdentity(a._num_rows, a.multiplier * b.multiplier, **product_hints(a, b))


@RegisterMatmul(LinearOperatorDiag, LinearOperatorLowerTriangular)
def _(a: LinearOperatorDiag, b: LinearOperatorLowerTriangular) -> LinearOperator:
    return LinearOperatorLowerTriangular(a.diag[..., None] * b.to_dense(), **_triangular_hints(a, b))


@RegisterMatmul(LinearOperatorLowerTriangular, LinearOperatorDiag)
def _(a: LinearOperatorLowerTriangular, b: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorLowerTriangular(a.to_dense() * b.diag, **_triangular_hints(a, b))


@RegisterMatmul(CirculantOperator, CirculantOperator)
def _(a: CirculantOperator, b: CirculantOperator) -> LinearOperator:
    if type(a) is not type(b):
        return _composed(a, b)
    return type(a)(a.spectrum * b.spectrum, a.dtype, **product_hints(a, b))


def _blocks_fit(a: LinearOperatorBlockDiag, b: LinearOperatorBlockDiag) -> bool:
    pairs = list(zip(a.operators, b.operators, strict=False))
    sizes = [(one.domain_dimension.value, other.range_dimension.value) for one, other in pairs]
    return len(a.operators) == len(b.operators) and all(None in pair or pair[0] == pair[1] for pair in sizes)


@RegisterMatmul(LinearOperatorBlockDiag, LinearOperatorBlockDiag)
def _(a: LinearOperatorBlockDiag, b: LinearOperatorBlockDiag) -> LinearOperator:
    if not _blocks_fit(a, b):
        return _composed(a, b)
    blocks = [one.matmul(other) for one, other in zip(a.operators, b.operators, strict=True)]
    return LinearOperatorBlockDiag(blocks, is_non_singular=product_hints(a, b)["is_non_singular"])


# Solutions


def _solved(a: LinearOperator, b: LinearOperator) -> LinearOperator:
    square = True if a.is_square and b.is_square else None
    non_singular = product_hints(a, b)["is_non_singular"] if square else None
    return LinearOperatorComposition([LinearOperatorInversion(a), b], is_non_singular=non_singular, is_square=square)


RegisterSolve(LinearOperator, LinearOperator)(_solved)


@RegisterSolve(LinearOperatorDiag, LinearOperatorDiag)
def _(a: LinearOperatorDiag, b: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorDiag(b.diag / a.diag, **product_hints(a, b))


@RegisterSolve(LinearOperatorDiag, LinearOperatorScaledIdentity)
def _(a: LinearOperatorDiag, b: LinearOperatorScaledIdentity) -> LinearOperator:
    return LinearOperatorDiag(b.multiplier / a.diag, **product_hints(a, b))


@RegisterSolve(LinearOperatorScaledIdentity, LinearOperatorDiag)
def _(a: LinearOperatorScaledIdentity, b: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorDiag(b.diag / a.multiplier, **product_hints(a, b))


@RegisterSolve(LinearOperatorScaledIdentity, LinearOperatorScaledIdentity)
def _(a: LinearOperatorScaledIdentity, b: LinearOperatorScaledIdentity) -> LinearOperator:
    return LinearOperatorScaledIdentity(a._num_rows, b.multiplier / a.multiplier, **product_hints(a, b))


@RegisterSolve(LinearOperatorDiag, LinearOperatorLowerTriangular)
def _(a: LinearOperatorDiag, b: LinearOperatorLowerTriangular) -> LinearOperator:
    return LinearOperatorLowerTriangular(b.to_dense() / a.diag[..., None], **_triangular_hints(a, b))


@RegisterSolve(CirculantOperator, CirculantOperator)
def _(a: CirculantOperator, b: CirculantOperator) -> LinearOperator:
    if type(a) is not type(b):
        return _solved(a, b)
    return type(a)(b.spectrum / a.spectrum, a.dtype, **product_hints(a, b))


@RegisterSolve(LinearOperator, LinearOperatorIdentity)
def _(operator: LinearOperator, identity: LinearOperatorIdentity) -> LinearOperator:
    return operator.inverse()


@RegisterSolve(LinearOperatorInversion, LinearOperator)
@RegisterSolve(LinearOperatorInversion, LinearOperatorIdentity)
def _(inversion: LinearOperatorInversion, operator: LinearOperator) -> LinearOperator:
    made: LinearOperator = inversion.operator.matmul(operator)
    return made


@RegisterSolve(LinearOperatorBlockDiag, LinearOperatorBlockDiag)
def _(a: LinearOperatorBlockDiag, b: LinearOperatorBlockDiag) -> LinearOperator:
    if not _blocks_fit(a, b):
        return _solved(a, b)
    blocks = [one.solve(other) for one, other in zip(a.operators, b.operators, strict=True)]
    return LinearOperatorBlockDiag(blocks, is_non_singular=product_hints(a, b)["is_non_singular"])
