"""``tf.contrib.solvers.linear_equations``: conjugate gradients.

Source: Golub and Van Loan, Matrix Computations, algorithm 11.5.1 (preconditioned conjugate gradients).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...graph.constants import constant
from ...graph.missing import namespace
from ...graph.scopes import name_scope
from ...ops.array_ops import expand_dims, squeeze
from ...ops.creation_ops import zeros
from ...ops.loop_ops import while_loop
from ...ops.math_ops import logical_and
from ...ops.norm_ops import norm
from .util import LinearOperator, dot

__all__ = ["conjugate_gradient"]

__getattr__, __dir__ = namespace(__name__)


class CGState(NamedTuple):
    """Where conjugate gradients are: the steps done, x, the residual r, the direction p, and gamma = r' M r."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


def conjugate_gradient(
    operator: LinearOperator,
    rhs: Any,
    preconditioner: LinearOperator | None = None,
    x: Any = None,
    tol: float = 1e-4,
    max_iter: int = 20,
    name: str = "conjugate_gradient",
) -> CGState:
    """Solve A x = rhs for a self-adjoint, positive definite A by conjugate gradients.

    Args:
        operator: A, [n, n]: what has ``shape``, ``dtype`` and ``apply`` (as of `create_operator`).
        rhs: The right side, [n].
        preconditioner: An operator near A's inverse. None for none.
        x: Where to start, [n]. None for zeros.
        tol: The residual's length, relative to that at the start, at which to stop.
        max_iter: The most steps.

    Returns:
        The last `CGState` (i, x, r, p, gamma), where x, r and p are [n].

    See: ``tf.contrib.solvers.linear_equations.conjugate_gradient``.
    """
    precondition: Callable[[Any], Any] = (lambda r: r) if preconditioner is None else preconditioner.apply

    def step(i: Any, state: CGState) -> tuple[Any, CGState]:
        z = operator.apply(state.p)
        alpha = state.gamma / dot(state.p, z)
        r = state.r - alpha * z
        q = precondition(r)
        gamma = dot(r, q)
        return i + 1, CGState(i + 1, state.x + alpha * state.p, r, q + gamma / state.gamma * state.p, gamma)

    with name_scope(name):
        rhs = expand_dims(rhs, -1)
        if x is None:
            x, r0 = expand_dims(zeros(operator.shape[1:], dtype=rhs.dtype.base_dtype), -1), rhs
        else:
            x = expand_dims(x, -1)
            r0 = rhs - operator.apply(x)
        p0 = precondition(r0)
        least = tol * norm(r0)
        i = constant(0)
        state = CGState(i, x, r0, p0, dot(r0, p0))
        _, state = while_loop(lambda i, state: logical_and(i < max_iter, norm(state.r) > least), step, [i, state])
        return CGState(state.i, squeeze(state.x), squeeze(state.r), squeeze(state.p), state.gamma)
