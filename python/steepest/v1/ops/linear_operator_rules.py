"""Which operators are made of one: adjoints, factors and inverses of TensorFlow's classes."""

from __future__ import annotations

from typing import Any

from .complex_ops import conj
from .decomposition_ops import cholesky
from .linear_operator import LinearOperator
from .linear_operator_algebra import (
    RegisterAdjoint,
    RegisterCholesky,
    RegisterInverse,
)
from .linear_operator_block_diag import LinearOperatorBlockDiag
from .linear_operator_block_lower_triangular import LinearOperatorBlockLowerTriangular
from .linear_operator_blocks import LinearOperatorKronecker
from .linear_operator_circulant import CirculantOperator
from .linear_operator_derived import LinearOperatorAdjoint, LinearOperatorInversion
from .linear_operator_identity import LinearOperatorIdentity, LinearOperatorScaledIdentity
from .linear_operator_ops import LinearOperatorDiag, LinearOperatorFullMatrix, LinearOperatorLowerTriangular
from .linear_operator_updates import LinearOperatorHouseholder
from .math_ops import sqrt

__all__: list[str] = []  # importing the file registers the rules

_DEFINITE: dict[str, Any] = {"is_non_singular": True, "is_self_adjoint": True, "is_positive_definite": True}
_FACTOR: dict[str, Any] = {"is_non_singular": True, "is_self_adjoint": False}


def _hints(operator: LinearOperator) -> dict[str, Any]:
    names = ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")
    return {name: getattr(operator, name) for name in names}


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
    hints = {"is_non_singular": True, "is_square": True}
    made: LinearOperator = type(operator)([each.cholesky() for each in operator.operators], **hints)
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


@RegisterInverse(LinearOperatorBlockLowerTriangular)
def _(operator: LinearOperatorBlockLowerTriangular) -> LinearOperator:
    """Return ``[[A', 0], [-C' B A', C']]`` for ``[[A, 0], [B, C]]``, row by row."""
    rows: list[list[LinearOperator]] = []
    for *below, corner in operator.operators:
        turned = corner.inverse()
        row: list[LinearOperator] = []
        for at in range(len(below)):
            block = sum(each.matmul(above[at].to_dense()) for each, above in zip(below[at:], rows[at:], strict=True))
            row.append(LinearOperatorFullMatrix(-turned.matmul(block)))
        rows.append([*row, turned])
    return LinearOperatorBlockLowerTriangular(rows, **_hints(operator))
