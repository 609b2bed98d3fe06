"""What the tests of operators ask of an operator and of its matrix, which must give the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops.complex_ops import real
from ..ops.concat_ops import concat
from ..ops.decomposition_ops import adjoint as transposed
from ..ops.decomposition_ops import cholesky, slogdet, svd
from ..ops.diagonal_ops import matrix_diag_part
from ..ops.eigen_ops import self_adjoint_eigvals
from ..ops.linalg_ops import matrix_determinant, matrix_inverse
from ..ops.linear_operator_blockwise import split_arg_into_blocks
from ..ops.linear_operator_util import broadcast_matrix_batch_dims, matrix_solve_with_broadcast
from ..ops.matmul_ops import matmul, trace
from ..ops.reduce_ops import reduce_max, reduce_min
from ..ops.sort_ops import sort

__all__ = ["NEARLY", "OF_ARGUMENT", "OF_DEFINITE", "OF_OPERATOR", "parts_of"]

NEARLY = ("cond", "eigvalsh")
"""What is not as exact as the type."""
OF_DEFINITE = ("cholesky", "cond", "eigvalsh")
"""What is asked of operators that are self-adjoint and positive definite."""

Pair = Callable[..., tuple[Any, Any]]  # of (test, operator, matrix, options): what is asked of both


def _multiplied(test: Any, operator: Any, matrix: Any, adjoint: bool, adjoint_arg: bool, with_batch: bool) -> Any:
    x = test.make_x(operator, adjoint=adjoint, with_batch=with_batch)
    right = matmul(matrix, x, adjoint_a=adjoint)
    found: tuple[Any, Any] = _asked(test, operator, operator.matmul, x, adjoint, adjoint_arg, right)
    return found


def _asked(test: Any, operator: Any, method: Any, x: Any, adjoint: bool, adjoint_arg: bool, right: Any) -> Any:
    """Return what a method makes of a matrix; where the test wants it, below it what it makes of its blocks."""
    options = {"adjoint": adjoint, "adjoint_arg": adjoint_arg}

    def turned(value: Any) -> Any:
        return transposed(value) if adjoint_arg else value

    found = method(turned(x), **options)
    if not test.use_blockwise_arg() or len(operator.operators) < 2:
        return found, right
    ends = "range" if adjoint else "domain"
    sizes, tensors = (getattr(operator, f"_block_{ends}_dimension{end}") for end in ("s", "_tensors"))
    blocks = method([turned(each) for each in split_arg_into_blocks(sizes(), tensors, x, axis=-2)], **options)
    whole = concat(broadcast_matrix_batch_dims(blocks), -2)
    return concat(broadcast_matrix_batch_dims([found, whole]), -2), concat([right, right], -2)


def _solved(test: Any, operator: Any, matrix: Any, adjoint: bool, adjoint_arg: bool, with_batch: bool) -> Any:
    x = test.make_rhs(operator, adjoint=adjoint, with_batch=with_batch)
    right = matrix_solve_with_broadcast(matrix, x, adjoint=adjoint)
    found: tuple[Any, Any] = _asked(test, operator, operator.solve, x, adjoint, adjoint_arg, right)
    return found


def _condition(matrix: Any) -> Any:
    values = svd(matrix, compute_uv=False)
    return reduce_max(values, -1) / reduce_min(values, -1)


def _sorted(values: Any) -> Any:
    return sort(real(values), axis=-1)


def parts_of(axes: int, operator: Any, matrix: Any) -> tuple[Any, Any]:
    """Return parts of both, of the first axis of a batch and of the last one, where it has several."""
    slices = [slice(1, -1)] + [..., slice(0, 1)] * (axes > 1)
    of_matrix = (*slices, slice(None), slice(None))
    return operator[slices].to_dense(), matrix[of_matrix]


OF_OPERATOR: dict[str, Callable[[Any, Any], tuple[Any, Any]]] = {
    "add_to_tensor": lambda operator, matrix: (operator.add_to_tensor(2 * matrix), 3 * matrix),
    "adjoint": lambda operator, matrix: (operator.adjoint().to_dense(), transposed(matrix)),
    "cholesky": lambda operator, matrix: (operator.cholesky().to_dense(), cholesky(matrix)),
    "cond": lambda operator, matrix: (operator.cond(), _condition(matrix)),
    "det": lambda operator, matrix: (operator.determinant(), matrix_determinant(matrix)),
    "diag_part": lambda operator, matrix: (operator.diag_part(), matrix_diag_part(matrix)),
    "eigvalsh": lambda operator, matrix: (_sorted(operator.eigvals()), _sorted(self_adjoint_eigvals(matrix))),
    "inverse": lambda operator, matrix: (operator.inverse().to_dense(), matrix_inverse(matrix)),
    "log_abs_det": lambda operator, matrix: (operator.log_abs_determinant(), slogdet(matrix)[1]),
    "to_dense": lambda operator, matrix: (operator.to_dense(), matrix),
    "trace": lambda operator, matrix: (operator.trace(), trace(matrix)),
}
OF_ARGUMENT: dict[str, tuple[Pair, bool]] = {
    "matmul": (_multiplied, True),
    "matmul_with_broadcast": (_multiplied, False),
    "solve": (_solved, True),
    "solve_with_broadcast": (_solved, False),
}
