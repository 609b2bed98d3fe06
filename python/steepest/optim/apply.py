"""What ``Optimizer.apply_gradients`` does for a step that is not like the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from ..base.typing import Pair
from ..ops.indexed_slices import IndexedSlices
from ..ops.symbolic import Symbolic
from ..variables.variable import Variable
from .commit import StepCommit, advance
from .counters import checked_step
from .fallback import counted_by_schedules
from .hooks import HooksPutBack, process_gradients
from .native import finishes
from .overrides import TYPE_METHODS, foreign_methods
from .step_cache import LockedStepCache
from .updates import arrays_at_hand, to_pairs

if TYPE_CHECKING:
    from .optimizer import Optimizer

__all__ = ["EitherPair", "Step", "apply_gradients"]

EitherPair: TypeAlias = "Pair | tuple[Any, Symbolic]"
"""A gradient and its parameter, or nodes of a graph."""

Step: TypeAlias = Variable | Symbolic
"""What counts steps: a Variable, or a graph's."""

_WHO = "apply_gradients"


def apply_gradients(optimizer: Optimizer, grads_and_vars: Any, global_step: Any, name: str | None) -> Any:
    """Check everything, run the hooks, make slots, update, count; symbolic pairs go to graph mode.

    Subclasses' methods are called in TensorFlow's order. A step that the native core can repeat is remembered.
    """
    cache = optimizer._cache
    if not isinstance(cache, LockedStepCache):
        return _apply(optimizer, grads_and_vars, global_step, name)
    with cache.lock:
        if cache.step_inside(optimizer, grads_and_vars, global_step):
            return None
        return _apply(optimizer, grads_and_vars, global_step, name)


def _apply(optimizer: Optimizer, grads_and_vars: Any, global_step: Any, name: str | None) -> Any:
    optimizer._cache.forget()
    pairs = to_pairs(_WHO, grads_and_vars)
    constrained = []
    for gradient, variable in pairs:
        if isinstance(variable, Symbolic):
            return variable._apply_gradients(optimizer, pairs, global_step, name)
        if isinstance(gradient, IndexedSlices) and getattr(variable, "constraint", None) is not None:
            raise RuntimeError("Cannot use a constraint function on a sparse variable.")
        if gradient is not None and isinstance(variable, Variable) and variable._constrain is not None:
            constrained.append(variable)
    commit = StepCommit(checked_step(_WHO, global_step))
    try:
        _take(optimizer, grads_and_vars, pairs, commit)
    except MemoryError:
        if not commit:
            raise  # else the step has been taken, and what was left to do the next one does
    if commit and constrained:
        for variable in constrained:
            variable._constrain()
    return None


def _take(optimizer: Optimizer, grads_and_vars: Any, pairs: Any, commit: StepCommit) -> None:
    with HooksPutBack(optimizer._hooks, commit):
        updates, fused = process_gradients(_WHO, optimizer, pairs, optimizer._updater)
        if not updates:
            return  # a hook holds the step back (Accumulate)
        parameters = list({id(update.parameter): update.parameter for update in updates}.values())
        if not TYPE_METHODS.isdisjoint(foreign_methods(type(optimizer))):  # else the types of all were checked already
            optimizer._assert_valid_dtypes(parameters)
        with arrays_at_hand(updates), optimizer._slot_table.transaction(parameters, commit):
            optimizer._create_slots(parameters)
            optimizer._prepare()
            if not optimizer._updater.apply(optimizer, _WHO, updates, fused, commit):
                return  # a hook has refused a gradient (CheckFinite)
    if optimizer._updater is optimizer._native and not finishes(optimizer):
        optimizer._finish([], "update")
        advance(commit.with_step(*counted_by_schedules(optimizer)))
    optimizer._cache.remember(optimizer, grads_and_vars, updates, fused)
