"""Optimizers whose update rule is native: slots, hyper-parameters and the one call come from the rule's declaration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from .. import _core
from ..base.dtypes import Array, code_of, compute_dtype
from ..ops.indexed_slices import IndexedSlices
from ..ops.symbolic import Symbolic
from .hooks import Hook
from .hyperparameters import SCHEMA, check_hyper, is_constant
from .optimizer import Pairs
from .parameters import Parameter
from .slots import SlotKeeper
from .step_cache import RepeatedSteps, refuse_step
from .updates import Update, check_bounds, to_update

__all__ = ["NativeOptimizer"]

_METHODS = (
    "_apply_dense",
    "_resource_apply_dense",
    "_apply_sparse",
    "_resource_apply_sparse",
    "_apply_sparse_duplicate_indices",
    "_resource_apply_sparse_duplicate_indices",
)


class NativeOptimizer(RepeatedSteps):
    """Base of the library's own optimizers.

    A class names its rule in ``_rule`` and says in ``_hyper()`` where each hyper-parameter of the rule comes from;
    the ranges, the slots and the arithmetic are the rule's. Overriding one of TensorFlow's ``_apply_*`` methods turns
    the native call off for everything but ``super()``.
    """

    def __init__(self, use_locking: bool, name: str, hooks: Iterable[Callable[[Pairs], Pairs]]) -> None:
        super().__init__(use_locking, name, hooks=hooks)
        self._in_python = any(self._replaces(method) for method in _METHODS)
        for key, value in self._hyper().items():
            if is_constant(value):
                check_hyper(name, self._rule, key, value)

    def _rate(self) -> float:
        return check_hyper(self._name, self._rule, "learning_rate", self._hyper()["learning_rate"])

    def _create_slots(self, var_list: Sequence[Parameter]) -> None:
        declared = SCHEMA[self._rule]["slots"]
        have = [self._slot_dict(slot["name"]) for slot in declared]
        keys = [self._find_key(parameter) for parameter in var_list]
        if all(key in slots for slots in have for key in keys):
            return
        for parameter in var_list:
            for slot in declared:
                self._declared_slot(parameter, slot)

    def _declared_slot(self, parameter: Parameter, slot: dict[str, Any]) -> None:
        """Make the slot that the rule declares, where the parameter has none yet."""
        initial = slot["initial"]
        if slot["initial_hyper"] is not None:
            name = slot["initial_hyper"]
            initial = check_hyper(self._name, self._rule, name, self._hyper()[name])
        shape = parameter.shape[:1] if slot["extent"] == "row" else parameter.shape
        dtype = compute_dtype(np.dtype(parameter.dtype)) if slot["kind"] == "real" else np.dtype(np.int64)
        self._get_or_make_slot_with_initializer(parameter, initial, shape, dtype, slot["name"], self._name)

    def _prepare(self) -> None:
        hyper = self._hyper()
        self._read(hyper, self._given_again(hyper))

    def _fuses(self, updates: list[Update]) -> bool:
        return not self._in_python and not _strided_and_shared(updates)

    def _apply_updates(self, who: str, updates: list[Update], fused: list[Hook]) -> bool:
        if self._in_python:
            return super()._apply_updates(who, updates, fused)
        hooks = [hook.native(self) for hook in fused]
        if not _strided_and_shared(updates):
            applied = self._call(who, updates, hooks, fused)
            if applied and len(fused) == len(self._hooks):
                self._note(updates)
            return applied
        # Views that are not contiguous go through buffers, which would not see each other's updates in one call.
        for position, update in enumerate(updates):
            check_bounds(who, position, update)
        done = [self._call(who, [update], hooks, fused) for update in updates]
        return all(done)

    def _call(self, who: str, updates: list[Update], hooks: list[Any], fused: list[Hook]) -> bool:
        items, buffers = [], []
        for update in updates:
            array = update.target
            if not (array.flags.c_contiguous and array.flags.aligned):
                array = array.copy(order="C")
                buffers.append((update.target, array))
            items.append(self._item(update, array))
        bad = _core.apply(who, self._rule, self._checked + self._scalars(), items, hooks)
        if bad >= 0:
            refuse_step(fused, items[bad][0])
            return False
        for target, array in buffers:
            target[...] = array
        return True

    def _item(self, update: Update, array: Array) -> tuple[Any, ...]:
        parameter = update.parameter
        key = self._parameters.key(parameter)
        slots = tuple(self._slots[slot["name"]][key].value for slot in SCHEMA[self._rule]["slots"])
        return parameter.name, code_of(array.dtype), array, slots, update.values, update.indices, update.wide

    # What TensorFlow's methods do where a subclass does not override them, or calls super() -----------

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        if self._replaces("_resource_apply_dense"):
            return self._resource_apply_dense(grad, var)
        return self._apply_one(grad, var)

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any) -> Any:
        sparse = ("_apply_sparse", "_resource_apply_sparse", "_resource_apply_sparse_duplicate_indices")
        if any(self._replaces(method) for method in sparse):
            return super()._apply_sparse_duplicate_indices(grad, var)
        return self._apply_one(grad, var)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        if self._replaces("_resource_apply_sparse"):
            return self._resource_apply_sparse(grad.values, var, grad.indices)
        return self._apply_one(grad, var)

    def _replaces(self, method: str) -> bool:
        return getattr(type(self), method) is not getattr(NativeOptimizer, method)

    def _apply_one(self, grad: Any, var: Any) -> Any:
        if isinstance(var, Symbolic):
            return var._apply_native(self, grad)
        who = "apply_gradients"
        self._call(who, [to_update(who, 0, grad, var, self._parameters)], [], [])
        return None

    def _twin(self) -> NativeOptimizer:
        """Return an optimizer with the same hyper-parameters and hooks, and no slots yet."""
        twin: NativeOptimizer = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        SlotKeeper.__init__(twin)
        twin._forget_step()
        return twin


def _strided_and_shared(updates: list[Update]) -> bool:
    strided = [u.target for u in updates if not (u.target.flags.c_contiguous and u.target.flags.aligned)]
    if not strided or len(updates) == 1:
        return False
    return any(
        np.may_share_memory(view, update.target) for view in strided for update in updates if update.target is not view
    ) or len({id(view) for view in strided}) < len(strided)
