"""TensorFlow's ``_apply_*`` methods as `Optimizer` has them: which leads to which, down to the rule."""

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

__all__ = [
    "apply_dense",
    "apply_sparse",
    "apply_sparse_duplicate_indices",
    "resource_apply_dense",
    "resource_apply_sparse",
    "resource_apply_sparse_duplicate_indices",
]

_SPARSE = frozenset({"_apply_sparse", "_resource_apply_sparse", "_resource_apply_sparse_duplicate_indices"})


def apply_dense(self: Optimizer, grad: Any, var: Any) -> Any:
    """Update ``var`` by a gradient of its shape."""
    return _by_variant(self, "_resource_apply_dense", grad, var)


def resource_apply_dense(self: Optimizer, grad: Any, handle: Any) -> Any:
    """Update ``handle``, a variable, by a gradient of its shape."""
    return _by_variant(self, "_apply_dense", grad, handle)


def apply_sparse_duplicate_indices(self: Optimizer, grad: IndexedSlices, var: Any) -> Any:
    """Update ``var`` by slices whose indices may repeat; by default duplicates are summed first."""
    foreign = foreign_methods(type(self))
    if "_resource_apply_sparse_duplicate_indices" in foreign:
        return self._resource_apply_sparse_duplicate_indices(grad.values, var, grad.indices)
    if self._native is not None and foreign.isdisjoint(_SPARSE):
        return _by_rule(self, grad, var)  # which sums them as it goes
    return _by_sums(self, grad, var)


def resource_apply_sparse_duplicate_indices(self: Optimizer, grad: Any, handle: Any, indices: Any) -> Any:
    """Update rows ``indices``, which may repeat, of ``handle``."""
    return _by_sums(self, IndexedSlices(grad, indices, handle.shape), handle)


def apply_sparse(self: Optimizer, grad: IndexedSlices, var: Any) -> Any:
    """Update ``var`` by slices with unique indices; by default through ``_apply_dense`` on the touched rows."""
    return _by_variant(self, "_resource_apply_sparse", grad, var)


def resource_apply_sparse(self: Optimizer, grad: Any, handle: Any, indices: Any) -> Any:
    """Update rows ``indices``, unique, of ``handle``."""
    return _by_rule(self, IndexedSlices(grad, indices, handle.shape), handle)


def _by_variant(optimizer: Optimizer, variant: str, grad: Any, var: Any) -> Any:
    """Call the variant of the method that a user's class defines, else follow the rule."""
    if variant not in foreign_methods(type(optimizer)):
        return _by_rule(optimizer, grad, var)
    method = getattr(optimizer, variant)
    return method(grad.values, var, grad.indices) if isinstance(grad, IndexedSlices) else method(grad, var)


def _by_sums(optimizer: Optimizer, grad: IndexedSlices, var: Any) -> Any:
    """Sum the duplicates, then call ``_apply_sparse``."""
    summed = var._summed(grad) if isinstance(var, Symbolic) else sum_duplicates("apply_gradients", grad)
    return optimizer._apply_sparse(summed, var)


def _by_rule(optimizer: Optimizer, grad: Any, var: Any) -> Any:
    """Update by the native rule; without one, rows by ``_apply_dense``."""
    if optimizer._native is not None:
        if isinstance(var, Symbolic):
            return var._apply_native(optimizer, grad)
        return optimizer._native.apply_one(optimizer, grad, var)
    if isinstance(grad, IndexedSlices):
        return var._apply_rows(optimizer, grad) if isinstance(var, Symbolic) else apply_rows(optimizer, grad, var)
    name = type(optimizer).__name__
    raise NotImplementedError(must(name, "class", "define _apply_dense(grad, var)", "neither it nor a variant"))
