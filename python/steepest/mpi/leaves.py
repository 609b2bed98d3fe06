"""What one call of ``apply_gradients`` gives, checked: of each parameter nothing, a dense gradient, or rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.errors import describe, must
from ..base.typing import Array
from ..ops.symbolic import Symbolic
from ..optim.parameters import ParameterTable
from ..optim.updates import Update, to_pairs, to_update
from .gradients import Rows, Values, rounded, summed
from .layout import Spec
from .roster import Roster
from .sharded import Page, ShardedVariable

__all__ = ["leaf_of"]

_WHO = "apply_gradients"


def leaf_of(
    grads_and_vars: Any, roster: Roster, checks: ParameterTable, compression: str | None, counted: bool
) -> Values | None:
    """Return the gradients of one micro-batch, by position; None where there are none.

    Parameters that are new join the roster. Gradients are in the type in which they are summed, and the duplicates of
    rows are summed already.

    Args:
        grads_and_vars: (gradient, variable) pairs.
        roster: the parameters.
        checks: knows what gradients must look like.
        compression: a half type to which gradients are rounded, or None.
        counted: whether rows remember how often they came.

    Raises:
        TypeError: for nodes of a graph, and as `Optimizer.apply_gradients`.
        ValueError: for a variable that comes twice, and as there.
        IndexError: for a row outside the variable.
    """
    pairs = to_pairs(_WHO, grads_and_vars)
    targets = [_target(variable) for _, variable in pairs]
    if any(isinstance(target, Symbolic) for target in targets):
        remedy = "steepest.v1.contrib.mpi is for graphs"
        raise TypeError(must("DistributedOptimizer", "grads_and_vars", "be arrays and Variables", "a graph's", remedy))
    for position, (gradient, variable) in enumerate(pairs):
        if not isinstance(variable, ShardedVariable):
            checks.meet(_WHO, variable)
        elif gradient is not None:
            what, remedy = f"gradient {position} of {variable.name!r}", "give those of lookups with what was looked up"
            raise TypeError(must(_WHO, what, "be None for the table itself", describe(gradient), remedy))
    roster.meet(targets)
    updates: dict[int, list[Any]] = {}
    for position, (gradient, variable) in enumerate(pairs):
        p = roster.position(targets[position])
        assert p is not None
        if p in updates and not roster.specs[p].sharded:
            rule = "come once in the list when ranks share it"
            raise ValueError(must("DistributedOptimizer", "variable", rule, roster.specs[p].name))
        updates.setdefault(p, [])
        if gradient is not None:
            updates[p].append((to_update(_WHO, position, gradient, variable, checks), variable))
    leaf: Values = [None] * len(roster.specs)
    for p, found in updates.items():
        spec = roster.specs[p]
        if spec.sharded and found:
            leaf[p] = _of_pages(found, spec, compression, counted)
        elif found:
            leaf[p] = _of_update(found[0][0], spec, compression, counted)
    return None if all(gradient is None for gradient in leaf) else leaf


def _target(variable: Any) -> Any:
    return variable.table if isinstance(variable, Page) else variable


def _of_update(update: Update, spec: Spec, compression: str | None, counted: bool) -> Any:
    if update.indices is None:
        values = update.values.astype(spec.real, order="C", copy=False)
        return np.asarray(rounded(values, compression))
    return _rows([update.expanded().values], [update.indices], spec, compression, counted)


def _of_pages(found: Sequence[tuple[Update, Page]], spec: Spec, compression: str | None, counted: bool) -> Rows:
    """Return the rows of a table's gradient: those of all lookups in it."""
    ids = [page.ids if update.indices is None else page.ids[update.indices] for update, page in found]
    return _rows([update.expanded().values for update, _ in found], ids, spec, compression, counted)


def _rows(values: Sequence[Array], ids: Sequence[Array], spec: Spec, compression: str | None, counted: bool) -> Rows:
    """Return rows whose duplicates are summed, those of several lots one after the other."""
    matrix = np.concatenate([lot.astype(spec.real, order="C", copy=False) for lot in values])
    every = np.concatenate(ids)
    unique, sums = summed(matrix, every, spec.rows)
    counts = np.unique(every, return_counts=True)[1].astype(np.int32) if counted else None
    return Rows(unique, rounded(sums, compression), counts)
