"""The best of several candidates, each with an objective and constraints: one of them, or a mixture."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...optim.external_optimizer import scipy_optimize

__all__ = ["find_best_candidate_distribution", "find_best_candidate_index"]


def _checked(objective_vector: Any, constraints_matrix: Any) -> tuple[Any, Any]:
    objectives, constraints = np.asarray(objective_vector), np.asarray(constraints_matrix)
    if constraints.ndim != 2 or objectives.shape != constraints.shape[1:]:
        raise ValueError(
            "objective_vector must have shape (n,), and constraints_matrix (m, n), where n is the number of "
            "candidates, and m is the number of constraints"
        )
    return objectives, constraints


def _mixture(objectives: Any, constraints: Any, violation: float) -> Any:
    """Return the shares of the least objective whose constraints are at most ``violation``; None if there are none."""
    count, candidates = constraints.shape
    limits = {"A_ub": constraints, "b_ub": np.full(count, violation)}
    linprog = scipy_optimize("find_best_candidate_distribution").linprog
    found = linprog(objectives, **limits, A_eq=np.ones((1, candidates)), b_eq=np.ones(1), bounds=(0, None))
    return found.x if found.success else None


def find_best_candidate_distribution(objective_vector: Any, constraints_matrix: Any, epsilon: float = 0.0) -> Any:
    """Return the shares of candidates, n, of the least mean objective whose mean constraints are at most 0.

    Where there are none, those of the least greatest mean constraint, by halving to ``epsilon`` (0: to the last bit).

    Args:
        objective_vector: the objectives of n candidates.
        constraints_matrix: their m constraints, [m, n].
        epsilon: how near the greatest constraint is to be to the least possible one, at least 0.

    Raises:
        ValueError: for other shapes, or an ``epsilon`` below 0.
        ImportError: without SciPy.

    Source: ``tf.contrib.constrained_optimization.find_best_candidate_distribution``.
    """
    if epsilon < 0.0:
        raise ValueError("epsilon must be nonnegative")
    objectives, constraints = _checked(objective_vector, constraints_matrix)
    best = _mixture(objectives, constraints, 0.0)
    if best is not None:
        return best
    lower, upper = 0.0, float(constraints.max(axis=0).min())
    best = _mixture(objectives, constraints, upper)
    while True:
        middle = 0.5 * (lower + upper)
        if middle - lower <= epsilon or upper - middle <= epsilon:
            return best
        shares = _mixture(objectives, constraints, middle)
        if shares is None:
            lower = middle
        else:
            best, upper = shares, middle


def find_best_candidate_index(objective_vector: Any, constraints_matrix: Any, rank_objectives: bool = False) -> int:
    """Return which candidate has the least greatest rank among what its constraints are above 0.

    Of those of one rank, the one of the least objective; of those the last.

    Args:
        objective_vector: the objectives of n candidates.
        constraints_matrix: their m constraints, [m, n].
        rank_objectives: whether the rank among the objectives counts too.

    Raises:
        ValueError: for other shapes.

    Source: ``tf.contrib.constrained_optimization.find_best_candidate_index``.
    """
    objectives, constraints = _checked(objective_vector, constraints_matrix)
    rows = [objectives if rank_objectives else np.zeros(len(objectives)), *np.maximum(0.0, constraints)]
    # A rank is the number of smaller ones.
    ranks = np.max([np.searchsorted(np.sort(row), row) for row in rows], axis=0)
    least = min(zip(ranks.tolist(), objectives.tolist(), strict=True))
    return max(k for k in range(len(ranks)) if (ranks[k], objectives[k]) == least)
