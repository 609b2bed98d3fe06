"""TensorFlow's ``_apply_*`` methods as `Optimizer` has them: which leads to which, down to the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import must
from ..ops.dispatch import unwrap, wrap_result
from ..ops.indexed_slices import IndexedSlices
from ..ops.scatter import add_rows
from ..ops.symbolic import Symbolic
from ..variables.variable import Variable
from .commit import advance
from .duplicates import sum_duplicates
from .fallback import apply_rows
from .overrides import APPLY_METHODS, foreign_methods

if TYPE_CHECKING:
    from .optimizer import Optimizer

__all__ = [
    "apply_by_kind",
    "apply_dense",
    "apply_sparse",
    "apply_sparse_duplicate_indices",
    "apply_sparse_shared",
    "finish",
    "resource_apply_dense",
    "resource_apply_sparse",
    "resource_apply_sparse_duplicate_indices",
    "resource_scatter_add",
]

_SPARSE = APPLY_METHODS - {"_apply_dense", "_resource_apply_dense"}


def apply_by_kind(optimizer: Optimizer, grad: Any, var: Any) -> Any:
    """Update ``var`` by the method that TensorFlow calls for its kind of variable."""
    resource = getattr(var, "_is_resource", False)
    if isinstance(grad, IndexedSlices):
        values, indices = wrap_result(grad.values), wrap_result(grad.indices)
        if resource:
            return optimizer._resource_apply_sparse_duplicate_indices(values, var, indices)
        return optimizer._apply_sparse_duplicate_indices(IndexedSlices(values, indices, var.shape), var)
    method = optimizer._resource_apply_dense if resource else optimizer._apply_dense
    return method(wrap_result(grad), var)


def apply_dense(self: Optimizer, grad: Any, var: Any) -> Any:
    """Update ``var`` by a gradient of its shape."""
    return _by_variant(self, "_apply_dense", "_resource_apply_dense", grad, var)


def resource_apply_dense(self: Optimizer, grad: Any, handle: Any) -> Any:
    """Update ``handle``, a variable, by a gradient of its shape."""
    return _by_variant(self, "_resource_apply_dense", "_apply_dense", grad, handle)


def apply_sparse_duplicate_indices(self: Optimizer, grad: IndexedSlices, var: Any) -> Any:
    """Update ``var`` by slices whose indices may repeat; by default duplicates are summed first."""
    foreign = foreign_methods(type(self))
    if _leads_to(foreign, "_apply_sparse_duplicate_indices", "_resource_apply_sparse_duplicate_indices"):
        return self._resource_apply_sparse_duplicate_indices(grad.values, var, grad.indices)
    if self._native is not None and foreign.isdisjoint(_SPARSE):
        return _by_rule(self, grad, var)  # which sums them as it goes
    return self._apply_sparse(_summed(grad, var), var)


def resource_apply_sparse_duplicate_indices(self: Optimizer, grad: Any, handle: Any, indices: Any) -> Any:
    """Update rows ``indices``, which may repeat, of ``handle``; by default duplicates are summed first."""
    slices, foreign = IndexedSlices(grad, indices, handle.shape), foreign_methods(type(self))
    if _leads_to(foreign, "_resource_apply_sparse_duplicate_indices", "_apply_sparse_duplicate_indices"):
        return self._apply_sparse_duplicate_indices(slices, handle)
    if self._native is not None and foreign.isdisjoint(_SPARSE):
        return _by_rule(self, slices, handle)
    summed = _summed(slices, handle)
    return self._resource_apply_sparse(summed.values, handle, summed.indices)


def apply_sparse(self: Optimizer, grad: IndexedSlices, var: Any) -> Any:
    """Update ``var`` by slices with unique indices; by default through ``_apply_dense`` on the touched rows."""
    if "_apply_sparse_shared" in foreign_methods(type(self)):
        return _by_shared(self, grad, var)
    return _by_variant(self, "_apply_sparse", "_resource_apply_sparse", grad, var)


def resource_apply_sparse(self: Optimizer, grad: Any, handle: Any, indices: Any) -> Any:
    """Update rows ``indices``, unique, of ``handle``."""
    slices = IndexedSlices(grad, indices, handle.shape)
    if "_apply_sparse_shared" in foreign_methods(type(self)):
        return _by_shared(self, slices, handle)
    if _leads_to(foreign_methods(type(self)), "_resource_apply_sparse", "_apply_sparse"):
        return self._apply_sparse(slices, handle)
    return _by_rule(self, slices, handle)


def apply_sparse_shared(self: Optimizer, grad: Any, var: Any, indices: Any, scatter_add: Any) -> Any:
    """Update rows ``indices``, unique, of ``var``; ``scatter_add(variable, indices, rows)`` adds to rows."""
    return _by_rule(self, IndexedSlices(grad, indices, var.shape), var)


def resource_scatter_add(self: Optimizer, x: Any, i: Any, v: Any) -> Any:
    """Add ``v`` to rows ``i`` of the variable ``x``, repeats included; return ``x`` after that."""
    if hasattr(x, "scatter_add"):  # a variable of graphs, or of TensorFlow's eager mode
        return x.scatter_add(IndexedSlices(v, i))
    add_rows(x._kept, np.asarray(i), np.asarray(v))
    if isinstance(x, Variable):
        x._changed()
    return x


def finish(self: Optimizer, update_ops: list[Any], name_scope: str) -> Any:
    """Called once after all updates; a native rule counts by itself, unless a subclass replaces this.

    Returns None; in graph mode the operation that is done when all updates are, and what the rule counts is counted.
    """
    symbolic = next((op for op in [*update_ops, *self._slot_table.variables()] if hasattr(op, "_finish_native")), None)
    if symbolic is not None:
        return symbolic._finish_native(self, update_ops, name_scope)
    if self._native is not None:
        advance(self._counters.advances(self._slot_table.non_slots, self._native.hyper.values))
    return None


def _by_shared(optimizer: Any, grad: IndexedSlices, var: Any) -> Any:
    return optimizer._apply_sparse_shared(grad.values, var, grad.indices, optimizer._resource_scatter_add)


def _leads_to(foreign: frozenset[str], method: str, variant: str) -> bool:
    """Tell whether the library's method calls its variant: a user's class has it, and has not called from the method.

    Where it has both, the library's method was called by ``super()``, and means the library's rule.
    """
    return variant in foreign and method not in foreign


def _by_variant(optimizer: Optimizer, own: str, variant: str, grad: Any, var: Any) -> Any:
    """Call the variant of the method that a user's class defines, else follow the rule."""
    if not _leads_to(foreign_methods(type(optimizer)), own, variant):
        return _by_rule(optimizer, grad, var)
    method = getattr(optimizer, variant)
    return method(grad.values, var, grad.indices) if isinstance(grad, IndexedSlices) else method(grad, var)


def _summed(grad: IndexedSlices, var: Any) -> IndexedSlices:
    """Return slices with the rows of equal indices summed."""
    if isinstance(var, Symbolic):
        summed: IndexedSlices = var._summed(grad)
        return summed
    summed = sum_duplicates("apply_gradients", IndexedSlices(unwrap(grad.values), unwrap(grad.indices)))
    return IndexedSlices(wrap_result(summed.values), wrap_result(summed.indices), var.shape)


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
