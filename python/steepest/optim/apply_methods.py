"""TensorFlow's ``_apply_*`` methods where no class replaces them: which leads to which, down to the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base.errors import must
from ..ops.indexed_slices import IndexedSlices
from ..ops.symbolic import Symbolic
from .duplicates import sum_duplicates
from .fallback import apply_rows
from .overrides import foreign_methods

if TYPE_CHECKING:
    from .optimizer import Optimizer

__all__ = ["apply_by_rule", "apply_summed", "apply_with_duplicates", "apply_with_variant"]

_SPARSE = frozenset({"_apply_sparse", "_resource_apply_sparse", "_resource_apply_sparse_duplicate_indices"})


def apply_with_variant(optimizer: Optimizer, variant: str, grad: Any, var: Any) -> Any:
    """Call the variant of the method that a user's class defines, else follow the rule."""
    if variant not in foreign_methods(type(optimizer)):
        return apply_by_rule(optimizer, grad, var)
    method = getattr(optimizer, variant)
    return method(grad.values, var, grad.indices) if isinstance(grad, IndexedSlices) else method(grad, var)


def apply_with_duplicates(optimizer: Optimizer, grad: IndexedSlices, var: Any) -> Any:
    """Update by slices whose indices may repeat: native rules sum them as they go, others are given sums."""
    foreign = foreign_methods(type(optimizer))
    if "_resource_apply_sparse_duplicate_indices" in foreign:
        return optimizer._resource_apply_sparse_duplicate_indices(grad.values, var, grad.indices)
    if optimizer._native is not None and foreign.isdisjoint(_SPARSE):
        return apply_by_rule(optimizer, grad, var)
    return apply_summed(optimizer, grad, var)


def apply_summed(optimizer: Optimizer, grad: IndexedSlices, var: Any) -> Any:
    """Sum the duplicates, then call ``_apply_sparse``."""
    summed = var._summed(grad) if isinstance(var, Symbolic) else sum_duplicates("apply_gradients", grad)
    return optimizer._apply_sparse(summed, var)


def apply_by_rule(optimizer: Optimizer, grad: Any, var: Any) -> Any:
    """Update by the native rule; without one, rows by ``_apply_dense``."""
    if optimizer._native is not None:
        if isinstance(var, Symbolic):
            return var._apply_native(optimizer, grad)
        return optimizer._native.apply_one(optimizer, grad, var)
    if isinstance(grad, IndexedSlices):
        return var._apply_rows(optimizer, grad) if isinstance(var, Symbolic) else apply_rows(optimizer, grad, var)
    name = type(optimizer).__name__
    raise NotImplementedError(must(name, "class", "define _apply_dense(grad, var)", "neither it nor a variant"))
