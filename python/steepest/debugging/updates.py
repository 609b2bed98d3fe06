"""Checks around an update: of gradients and parameters before it, of parameters and slots after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from ..base.errors import must
from ..ops.indexed_slices import IndexedSlices
from ..optim.commit import StepCommit
from ..optim.schedules.schedule import own_steps
from ..optim.updates import Update, to_update
from ..variables.variable import Variable
from .finite import first_bad, got, shown

__all__ = ["checked_apply", "checked_apply_one", "checked_check", "checked_update_of_groups"]

Result = TypeVar("Result")

Part = tuple[Any, Any, list[Update]]
"""An updater, the optimizer that it works for, and what it updates."""

_WHO = "apply_gradients"


def checked_check(check: Callable[..., None]) -> Callable[..., None]:
    """Return an updater's `check` that also refuses gradients and parameters that are not finite."""

    def checked(updater: Any, who: str, updates: list[Update]) -> None:
        check(updater, who, updates)
        for update in updates:
            name, gradient = repr(update.parameter.name), update.expanded().values
            at = first_bad(gradient)
            if at is not None:
                given: Any = gradient if update.indices is None else IndexedSlices(gradient, update.indices)
                raise FloatingPointError(must(who, f"gradient of {name}", "be finite", got(given, at)))
            array = _array(update)
            at = first_bad(array)
            if at is not None:
                rule = "be finite before the update"
                raise FloatingPointError(must(who, f"parameter {name}", rule, shown(array, at)))

    return checked


def checked_apply(apply: Callable[..., bool]) -> Callable[..., bool]:
    """Return an updater's `apply` that takes the step back where a parameter or a slot becomes not finite."""

    def applied(
        updater: Any, source: Any, who: str, updates: list[Update], fused: Sequence[Any], commit: StepCommit
    ) -> bool:
        return _taken_back(
            [(updater, source, updates)], who, commit, lambda: apply(updater, source, who, updates, fused, commit)
        )

    return applied


def checked_update_of_groups(update: Callable[..., None]) -> Callable[..., None]:
    """Return the update of several optimizers that is taken back where a parameter or a slot becomes not finite."""

    def updated(groups: Sequence[Any], common: Sequence[Any], commit: StepCommit) -> None:
        parts = [(group.updater, group.optimizer, group.updates) for group in groups]
        _taken_back(parts, _WHO, commit, lambda: update(groups, common, commit))

    return updated


def _taken_back(parts: list[Part], who: str, commit: StepCommit, run: Callable[[], Result]) -> Result:
    """Update, and put back what the step counts too where a parameter or a slot becomes not finite."""
    scalars: list[Any] = [commit.marker] + ([] if commit.step is None else [commit.step._value])
    for updater, source, _ in parts:
        scalars += [variable._value for variable in updater.slots.non_slots.values() if isinstance(variable, Variable)]
        # A rule in Python has its schedules among its attributes; what runs in a session has no attributes for them.
        scalars += [own.count for own in own_steps([*source._hyper().values(), *vars(source).values()])]
    before = [(scalar, scalar.copy()) for scalar in scalars]
    try:
        return _guarded([(updater, updates) for updater, _, updates in parts], who, run)
    except FloatingPointError:
        for scalar, value in before:
            scalar[...] = value
        raise


def checked_apply_one(apply_one: Callable[..., None]) -> Callable[..., None]:
    """Return an updater's `apply_one`, the update that a subclass makes of one parameter, with all these checks."""

    def applied(updater: Any, source: Any, gradient: Any, parameter: Any) -> None:
        update = to_update(_WHO, 0, gradient, parameter, updater.slots.parameters)
        updater.check(_WHO, [update])
        _guarded([(updater, [update])], _WHO, lambda: apply_one(updater, source, gradient, parameter))

    return applied


def _guarded(parts: list[tuple[Any, list[Update]]], who: str, run: Callable[[], Result]) -> Result:
    """Make the updates of updaters; put everything back where a parameter or a slot becomes not finite."""
    every = [(updater, update) for updater, updates in parts for update in updates]
    saved = [(what, array, array.copy()) for each in every for what, array in _written(*each).items()]
    try:
        result = run()
        for updater, update in every:
            _check_after(updater, who, update, {what: before for what, _, before in reversed(saved)})
    except FloatingPointError:
        for _, array, before in reversed(saved):
            array[...] = before
        raise
    return result


def _check_after(updater: Any, who: str, update: Update, before: dict[str, Any]) -> None:
    for what, array in _written(updater, update).items():
        at = first_bad(array)
        if at is not None and what in before:  # a slot may have marks: Adan's gradient of before the first step is NaN
            at = first_bad(np.where(np.isfinite(before[what]), array, 0))
        if at is not None:
            rule, remedy = "stay finite in the update", "its gradient was finite; nothing has changed"
            raise FloatingPointError(must(who, what, rule, shown(array, at), remedy))


def _written(updater: Any, update: Update) -> dict[str, Any]:
    """Return the live arrays of a parameter and of its slots, by what messages call them."""
    name = repr(update.parameter.name)
    slots = {f"slot {slot!r} of {name}": variable._value for slot, variable in _slots(updater, update).items()}
    return {f"parameter {name}": _array(update), **slots}


def _array(update: Update) -> Any:
    """Return the live array of a parameter; rows with pending moves make them."""
    return update.parameter._value if isinstance(update.parameter, Variable) else update.target


def _slots(updater: Any, update: Update) -> dict[str, Variable]:
    """Return the slots that a parameter has, by name."""
    key = updater.slots.key_of(update.parameter)
    return {name: by_key[key] for name, by_key in updater.slots.by_name.items() if key in by_key}
