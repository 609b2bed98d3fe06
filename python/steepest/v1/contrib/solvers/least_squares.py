"""``tf.contrib.solvers.least_squares``: conjugate gradients for least squares.

Source: Björck, Numerical Methods for Least Squares Problems, algorithm 7.4.1 (CGLS).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...graph.constants import constant
from ...graph.missing import namespace
from ...graph.scopes import name_scope
from ...ops.array_ops import expand_dims, squeeze
from ...ops.creation_ops import zeros
from ...ops.loop_ops import while_loop
from ...ops.math_ops import logical_and
from .util import LinearOperator, l2norm_squared

__all__ = ["cgls"]

__getattr__, __dir__ = namespace(__name__)


class CGLSState(NamedTuple):
    """Where the steps are: how many are done, x, the residual r, the direction p, and gamma = |A' r|^2."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


def cgls(operator: LinearOperator, rhs: Any, tol: float = 1e-6, max_iter: int = 20, name: str = "cgls") -> CGLSState:
    """Find the x for which |rhs - A x| is least by conjugate gradients on the normal equations.

    Args:
        operator: A, [m, n]: what has ``shape``, ``dtype``, ``apply`` and ``apply_adjoint`` (as of `create_operator`).
        rhs: The right side, [m].
        tol: The length of A' r, relative to that at the start, at which to stop.
        max_iter: The most steps.

    Returns:
        The last `CGLSState` (i, x, r, p, gamma), where x and p are [n], and r is [m].

    See: ``tf.contrib.solvers.least_squares.cgls``.
    """

    def step(i: Any, state: CGLSState) -> tuple[Any, CGLSState]:
        q = operator.apply(state.p)
        alpha = state.gamma / l2norm_squared(q)
        r = state.r - alpha * q
        s = operator.apply_adjoint(r)
        gamma = l2norm_squared(s)
        return i + 1, CGLSState(i + 1, state.x + alpha * state.p, r, s + gamma / state.gamma * state.p, gamma)

    with name_scope(name):
        rhs = expand_dims(rhs, -1)
        s0 = operator.apply_adjoint(rhs)
        gamma0 = l2norm_squared(s0)
        least = tol * tol * gamma0
        x = expand_dims(zeros(operator.shape[1:], dtype=rhs.dtype.base_dtype), -1)
        i = constant(0)
        state = CGLSState(i, x, rhs, s0, gamma0)
        _, state = while_loop(lambda i, state: logical_and(i < max_iter, state.gamma > least), step, [i, state])
        return CGLSState(state.i, squeeze(state.x), squeeze(state.r), squeeze(state.p), state.gamma)
