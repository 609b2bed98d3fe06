"""Roots of symmetric matrices by repeated products of matrices, as ``tf.contrib.opt`` computes them."""

from __future__ import annotations

from typing import Any

from ..graph.build import convert
from ..ops.cast_ops import cast
from ..ops.loop_ops import while_loop
from ..ops.math_ops import abs as absolute
from ..ops.math_ops import logical_and, sqrt
from ..ops.math_ops import pow as power
from ..ops.matmul_ops import eye, matmul
from ..ops.norm_ops import norm
from ..ops.reduce_ops import reduce_max

__all__ = ["matrix_inverse_pth_root", "matrix_square_root"]


def matrix_square_root(mat_a: Any, mat_a_size: Any, iter_count: int = 100, ridge_epsilon: float = 1e-4) -> Any:
    """Return the square root of a symmetric matrix without negative eigenvalues, by Newton's and Schulz's iteration.

    It ends when it comes no nearer, or after ``iter_count`` rounds; ``ridge_epsilon`` is added to the diagonal.

    Source: ``matrix_functions.matrix_square_root``.
    """
    mat_a = convert(mat_a)
    one = eye(cast(mat_a_size, "int32"), dtype=mat_a.dtype)
    mat_a = mat_a + ridge_epsilon * one
    size = norm(mat_a)

    def closer(number: Any, _root: Any, _last: Any, _inverse: Any, error: Any, last_error: Any) -> Any:
        return logical_and(number < iter_count, error < last_error)

    def step(number: Any, root: Any, _last: Any, inverse: Any, error: Any, _last_error: Any) -> Any:
        factor = 0.5 * (3.0 * one - matmul(inverse, root))
        new = matmul(root, factor)
        scaled = new * sqrt(size)
        return number + 1, new, root, matmul(factor, inverse), norm(mat_a - matmul(scaled, scaled)) / size, error

    first = mat_a / size
    found = while_loop(closer, step, [0, first, first, one, size, size + 1.0])
    return found[2] * sqrt(size)  # the one before the error grew


def matrix_inverse_pth_root(
    mat_g: Any,
    mat_g_size: Any,
    alpha: float,
    iter_count: int = 100,
    epsilon: float = 1e-6,
    ridge_epsilon: float = 1e-6,
) -> Any:
    """Return ``mat_g ** alpha`` of a symmetric matrix, alpha being ``-1 / p``, by Schur's and Newton's iteration.

    It ends where the change is less than ``epsilon``, or after ``iter_count`` rounds; ``ridge_epsilon`` is added to the
    diagonal.

    Source: ``matrix_functions.matrix_inverse_pth_root``.
    """
    mat_g = convert(mat_g)
    if not isinstance(mat_g_size, int) or mat_g_size != 1:
        one = eye(cast(mat_g_size, "int32"), dtype=mat_g.dtype)
        damped = mat_g + ridge_epsilon * one
        scale = (1 - 1 / alpha) / (2 * norm(damped))

        def going_on(number: Any, rest: Any, _root: Any) -> Any:
            return logical_and(number < iter_count, reduce_max(absolute(rest - one)) > epsilon)

        def step(number: Any, rest: Any, root: Any) -> Any:
            factor = (1 - alpha) * one + alpha * rest
            return number + 1, matmul(_whole_power(factor, round(-1.0 / alpha)), rest), matmul(root, factor)

        return while_loop(going_on, step, [0, damped * scale, one * power(scale, -alpha)])[2]
    return power(mat_g + ridge_epsilon, alpha)


def _whole_power(matrix: Any, exponent: int) -> Any:
    found = None
    while exponent > 0:
        if exponent % 2:
            found = matrix if found is None else matmul(matrix, found)
        exponent //= 2
        matrix = matmul(matrix, matrix) if exponent else matrix
    return found
