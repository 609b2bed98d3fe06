"""Checking a state against an optimizer, whole, before the first write; and the writes."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.arrays import copy_into
from ..base.dtypes import code_of
from ..base.errors import must
from ..ops.indexed_slices import IndexedSlices
from ..ops.symbolic import Symbolic
from ..variables.variable import Variable
from .hooks import Accumulate
from .hooks.accumulate import Sums
from .hyperparameters import SCHEMA, check_hyper, slot_form
from .parameters import ArrayParameter
from .pending_state import pending_problem, resume
from .saved_attributes import Commit, copied, plan_attributes, plan_variable
from .waiting import Entry, Waiting, entry_mismatch

if TYPE_CHECKING:
    from .optimizer import Optimizer

__all__ = ["INSIDE", "plan_load", "public_name", "shared_hooks", "summing_hooks"]

INSIDE = frozenset(
    {"_use_locking", "_name", "_hooks", "_slot_table", "_native", "_updater", "_cache", "_counters", "_sparse_update"}
    | {"_kept", "_blend", "_due", "_optimizer", "_optimizers", "_choices"}
    | {"_opt", "_eager", "_ema", "_swaps", "_axes"}
)
"""The attributes of an optimizer that are no hyper-parameters."""

_PUBLIC = {"_lr": "learning_rate"}


def public_name(attribute: str) -> str:
    """Return the name of a hyper-parameter, of the attribute that has it."""
    return _PUBLIC.get(attribute, attribute.lstrip("_"))


def shared_hooks(outer: Optimizer, inner: Optimizer) -> list[Any]:
    """Return the hooks that an optimizer around others runs for one of them, beside its own."""
    return [] if inner._hooks is outer._hooks else outer._hooks


def summing_hooks(own: Sequence[Any], common: Sequence[Any]) -> dict[str, Accumulate]:
    """Return the hooks that hold sums of parameters' gradients, by what entries of a state call them."""
    keyed = [(str(k), hook) for k, hook in enumerate(own)] + [(f"common {k}", hook) for k, hook in enumerate(common)]
    return {key: hook for key, hook in keyed if isinstance(hook, Accumulate)}


def plan_load(
    optimizer: Optimizer,
    who: str,
    state: Any,
    targets: list[Any] | None,
    partial: bool,
    problems: list[str],
    common: Sequence[Any] = (),
) -> tuple[list[Commit], Commit]:
    """Check a state, and return the writes that load it, and one for when variables have their values.

    What does not fit is appended to ``problems``.

    ``targets``: a parameter for each entry, None where it is to be found by name or order. ``common``: hooks of the
    optimizer around it.
    """
    optimizer._check_whole()
    commits: list[Commit] = []
    placed: list[tuple[Any, Entry]] = []
    try:
        if state["class"] != type(optimizer).__name__:
            problems.append(f"it is {state['class']}'s, not {type(optimizer).__name__}'s")
        _plan_numbers(optimizer, state, partial, problems, commits)
        entries = [dict(entry) for entry in state["parameters"]]
        for entry in entries:
            _check_slots(optimizer, entry, problems)
        waits_partially = partial or bool(state.get("partial"))
        _plan_parameters(optimizer, who, entries, targets, partial, waits_partially, problems, commits, placed, common)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        got = f"{type(state).__name__} ({type(error).__name__}: {error})"
        raise TypeError(must(who, "state", "be what state_dict() returned", got)) from error
    commits.append(optimizer._cache.forget)
    inside = _plan_inner(optimizer, who, state, targets, partial, problems)
    commits += [commit for inner_commits, _ in inside for commit in inner_commits]

    def resume_rows() -> None:
        for target, entry in placed:
            resume(optimizer._updater, target, entry)
        for _, resume_inner in inside:
            resume_inner()

    return commits, resume_rows


def _plan_numbers(optimizer: Optimizer, state: Any, partial: bool, problems: list[str], commits: list[Commit]) -> None:
    """Plan hyper-parameters, the optimizer's own variables and hooks."""
    here = {public_name(name): name for name in vars(optimizer) if name not in INSIDE}
    rule = optimizer._rule
    declared = set() if rule is None else {entry["name"] for entry in SCHEMA[rule]["hyper"]}
    for name, value in state["hyper"].items():
        if name in declared and not isinstance(value, dict):
            try:
                check_hyper("state", str(rule), name, value)
            except (TypeError, ValueError) as error:
                problems.append(str(error))
    missing = set(state["hyper"]) - set(here)
    if missing and not partial:
        problems.append(f"hyper-parameters {sorted(missing)} are not known here")
    hyper = {here[name]: value for name, value in state["hyper"].items() if name in here}
    plan_attributes(vars(optimizer), hyper, "hyper", problems, commits)
    table = optimizer._slot_table
    for name, value in state["own"].items():
        now = table.non_slots.get(name)
        if now is not None:
            plan_variable(now, value, name, problems, commits)
        else:
            commits.append(functools.partial(table.get_or_make_non_slot, np.array(value), name, None))
    for name in set(table.non_slots) - set(state["own"]) if not partial else ():
        commits.append(functools.partial(table.non_slots.pop, name))
    kinds, own = [hook["class"] for hook in state["hooks"]], [type(hook).__name__ for hook in optimizer._hooks]
    if kinds != own:
        if not partial:
            problems.append(f"hooks are {kinds} in the state, {own} here")
        return
    hooks: list[Any] = optimizer._hooks
    for hook, saved in zip(hooks, state["hooks"], strict=True):
        if "state_dict" in saved:
            commits.insert(0, functools.partial(hook.load_state_dict, copied(saved["state_dict"])))
        else:
            plan_attributes(getattr(hook, "__dict__", {}), saved["state"], type(hook).__name__, problems, commits)
        if isinstance(hook, Accumulate):
            commits.append(functools.partial(setattr, hook, "_sums", Sums()))


def _plan_inner(
    optimizer: Optimizer, who: str, state: Any, targets: list[Any] | None, partial: bool, problems: list[str]
) -> list[tuple[list[Commit], Commit]]:
    """Plan the states of the optimizers inside; their entries may say what they are of (``target``)."""
    parts, states = optimizer._inner(), state.get("inner", [])
    if len(parts) != len(states):
        problems.append(f"it has the state of {len(states)} inner optimizers, not {len(parts)}")
        return []
    plans = []
    for part, inner in zip(parts, states, strict=True):
        entries = inner["parameters"] if isinstance(inner, dict) and "parameters" in inner else []
        found = [entry.pop("target", None) for entry in entries]
        given = targets if targets is not None and len(targets) == len(entries) else None
        placed = found if any(target is not None for target in found) else given
        plans.append(plan_load(part, who, inner, placed, partial, problems, shared_hooks(optimizer, part)))
    return plans


def _check_slots(optimizer: Optimizer, entry: Entry, problems: list[str]) -> None:
    """Compare an entry's slots with those that a native rule declares."""
    if optimizer._rule is None or not entry["slots"]:
        return
    shown = repr(entry["name"] or "an array")
    wrong = pending_problem(entry)
    if wrong is not None:
        problems.append(f"pending rows of {shown} have {wrong}")
    assert optimizer._native is not None
    wanted = {slot["name"]: slot for slot in optimizer._native.declared()}
    missing, extra = sorted(set(wanted) - set(entry["slots"])), sorted(set(entry["slots"]) - set(wanted))
    problems += [f"slot {name!r} of {shown} is missing" for name in missing]
    problems += [f"slot {name!r} of {shown} is extra" for name in extra]
    shape, dtype = tuple(entry["shape"]), entry["dtype"]
    for name in set(wanted) & set(entry["slots"]):
        value = entry["slots"][name]
        expected, real = slot_form(wanted[name], shape, dtype)
        if value.shape != expected:
            problems.append(f"slot {name!r} of {shown} has shape {value.shape}, not {expected}")
        elif value.dtype != real:
            problems.append(f"slot {name!r} of {shown} has dtype {value.dtype}, not {real}")


def _plan_parameters(
    optimizer: Optimizer,
    who: str,
    entries: list[Entry],
    targets: list[Any] | None,
    partial: bool,
    waits_partially: bool,
    problems: list[str],
    commits: list[Commit],
    placed: list[tuple[Any, Entry]],
    common: Sequence[Any],
) -> None:
    table = optimizer._slot_table
    if targets is not None and len(targets) != len(entries):
        problems.append(f"parameters has {len(targets)} members for {len(entries)} entries")
        return
    present = [parameter for _, _, parameter in table.parameters.known()]
    met = [table.parameters.find(target) for target in targets or [None] * len(entries)]
    given = [target if known is None else known for known, target in zip(met, targets or met, strict=True)]
    found = _matched(entries, given, present)
    for entry, target in zip(entries, found, strict=True):
        wrong = None if target is None else _unfit(entry, target)
        if wrong is not None:
            problems.append(f"parameter {entry['name'] or 'array'!r} has {wrong}")
    taken = [target for target in found if target is not None]
    left = [target for target in present if not any(target is other for other in taken)]
    waiting = [entry for entry, target in zip(entries, found, strict=True) if target is None]
    if left and waiting and not partial:
        names = [getattr(target, "name", "an array") for target in left]
        problems.append(f"{[entry['name'] or 'an array' for entry in waiting]} are missing here, {names} there")
    if problems:
        return
    owner = weakref.ref(optimizer)

    def place(target: Any, entry: Entry) -> None:
        optimizer = owner()
        if optimizer is not None:
            _place(optimizer, target, entry, common)
            resume(optimizer._updater, target, entry)

    def commit() -> None:
        table.parameters.waiting = None
        for target in left if not partial else ():
            _drop(optimizer, target)
        for entry, target in zip(entries, found, strict=True):
            if target is not None:
                table.parameters.meet(who, target)
                _place(optimizer, target, entry, common)
                placed.append((target, entry))
        if waiting:
            table.parameters.waiting = Waiting(
                copied(waiting), place, waits_partially, summing_hooks(optimizer._hooks, common)
            )

    commits.append(commit)


def _matched(entries: list[Entry], targets: list[Any], known: list[Any]) -> list[Any]:
    """Return the parameter of each entry: the given one, else the known one of its name, else the next known array."""
    free = [target for target in known if not any(target is given for given in targets)]
    found = []
    for entry, target in zip(entries, targets, strict=True):
        if target is None:
            name = entry["name"]
            fits = (other for other in free if (other._name if isinstance(other, Variable) else None) == name)
            target = next(fits, None)
            free = [other for other in free if other is not target]
        found.append(target)
    return found


def _unfit(entry: Entry, target: Any) -> str | None:
    if isinstance(target, Symbolic) or not isinstance(target, (Variable, ArrayParameter, np.ndarray)):
        return f"type {type(target).__name__}, not Variable or ndarray"
    if code_of(target.dtype) is None or (isinstance(target, np.ndarray) and not target.flags.writeable):
        return "a type that is not trained, or is read-only"
    return entry_mismatch(entry, target)


def _drop(optimizer: Optimizer, target: Any) -> None:
    key = optimizer._slot_table.key_of(target)
    for slots in optimizer._slot_table.by_name.values():
        slots.pop(key, None)


def _place(optimizer: Optimizer, target: Any, entry: Entry, common: Sequence[Any]) -> None:
    """Give a parameter that has been met the slots of an entry, and hooks their sums."""
    table = optimizer._slot_table
    key = table.key_of(target)
    for name in [name for name, slots in table.by_name.items() if key in slots and name not in entry["slots"]]:
        del table.by_name[name][key]
    for name, value in entry["slots"].items():
        now = table.by_name.get(name, {}).get(key)
        if now is not None and now.shape == value.shape and now.dtype == value.dtype:
            copy_into(now._kept, value)
            now._changed()
            continue
        table.by_name.get(name, {}).pop(key, None)
        table.get_or_make(target, name, optimizer._suffix_of(name), np.asarray(value), None, None)
    identity, parameter = next(entry[1:] for entry in table.parameters.known() if entry[0] == key)
    summing = summing_hooks(optimizer._hooks, common)
    for position, total in entry["accumulated"].items():
        if position in summing:
            plain = isinstance(total, dict)
            total = IndexedSlices(**copied(total)) if plain else np.array(total)
            summing[position]._sums.put(identity, table.parameters.owner(identity, parameter), total)
