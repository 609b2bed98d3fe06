"""The state of an optimizer whose shards lie on several ranks: as one process would have it, and dealt out again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..base.errors import describe, must
from ..base.typing import Array
from ..ops.indexed_slices import IndexedSlices
from ..optim.hooks import Accumulate
from ..optim.hyperparameters import slot_form
from ..optim.load_plan import plan_load
from ..optim.optimizer_state import snapshot
from ..optim.parameters import identity_of
from ..optim.saved_attributes import Commit, copied
from ..optim.updates import array_of
from ..variables.variable import Variable
from .layout import Spec
from .naming import key_of
from .sharded import ShardedVariable
from .spread import spread_rows
from .step import JointStep

__all__ = ["check_between_steps", "load_whole", "local_state", "plan_local", "whole_copy", "whole_state"]

Tensor = Callable[[Array, "list[int]", "tuple[int, ...]", Any], Any]
"""Makes an array of all ranks' parts: this rank's elements, all ranks' counts of them, the whole shape, the type."""


def whole_state(joint: JointStep, tensor: Tensor, places: dict[Any, Any]) -> dict[str, Any]:
    """Return the state as `Optimizer.state_dict` of one process would have it; every rank must ask for it.

    Rows that wait for their update make it first. ``places``: where parameters are among what is saved.
    """
    shards, wire, optimizer = joint.shards, joint.wire, joint.optimizer
    assert shards is not None
    table = optimizer._slot_table
    known = [table.parameters.find(part) is not None for part in shards.parts]
    met = wire.all_gather(np.array(known, np.int64)).max(axis=0)
    declared = optimizer._updater.declared()
    some = [any(table.find(part, slot["name"]) is not None for slot in declared) for part in shards.parts]
    with_slots = wire.all_gather(np.array(some, np.int64)).max(axis=0)
    entries = []
    for p, spec in enumerate(joint.roster.specs):
        slots = {}
        for slot in declared if with_slots.item(p) else ():
            shape, dtype = slot_form(slot, spec.shape, spec.dtype)
            found = table.find(shards.parts[p], slot["name"])
            mine = np.empty(0, dtype) if found is None else np.ascontiguousarray(found.value).reshape(-1)
            counts = _counts(joint, p, shape, spec)
            slots[slot["name"]] = tensor(mine[: counts[wire.rank]], counts, shape, dtype)
        target = joint.roster.targets[p]
        name = spec.name if isinstance(target, (Variable, ShardedVariable)) else None
        entry: dict[str, Any] = {"name": name, "shape": list(spec.shape), "dtype": spec.dtype, "slots": slots}
        entry |= {"accumulated": _sums(joint, p, tensor), "place": places.get(identity_of(target))}
        if met.item(p) or entry["accumulated"]:
            entries.append(entry)
    own: dict[str, Any] = {**snapshot(optimizer), "parameters": entries}
    return own


def check_between_steps(who: str, calls: int) -> None:
    """Raise RuntimeError where some micro-batches of a step have been given: these are in no state."""
    if calls:
        raise RuntimeError(must(who, "optimizer", "have taken all micro-batches of a step", f"{calls} of them"))


def whole_copy(joint: JointStep, calls: int) -> dict[str, Any]:
    """Return the state of all ranks on each of them; ``calls`` counts the micro-batches of a step that is not taken."""
    who, wire = "state_dict", joint.wire
    with joint.meeting.told():
        check_between_steps(who, calls)
    joint.meeting.meet(key_of([who]), (), [who])
    if joint.shards is None:
        found: dict[str, Any] = joint.optimizer.state_dict()
        return found

    def gathered(mine: Array, counts: list[int], shape: tuple[int, ...], dtype: Any) -> Array:
        whole: Array = wire.all_gather_parts(mine, counts).view(dtype).reshape(shape)
        return whole

    with joint.meeting.inseparable():
        state: dict[str, Any] = copied(whole_state(joint, gathered, {}))
    for entry in state["parameters"]:
        del entry["place"]
    return state


def load_whole(joint: JointStep, calls: int, state: Any, parameters: Sequence[Any] | None, partial: bool) -> None:
    """Take over a state that each rank has as a whole; on every rank, or on any error on none."""
    who = "load_state_dict"
    with joint.meeting.told():
        check_between_steps(who, calls)
        targets = _targets(who, joint, state, parameters)
    joint.adopt(targets)
    problems: list[str] = []
    with joint.meeting.told():
        commits, resume = plan_local(joint, who, state, targets, partial, problems)
        if problems:
            raise ValueError(must(who, "state", "fit this optimizer", "; ".join(problems)))
    joint.meeting.meet(key_of([who]), (), [who])
    for commit in [*commits, resume]:
        commit()


def _targets(who: str, joint: JointStep, state: Any, parameters: Sequence[Any] | None) -> list[Any]:
    """Return the parameter of each entry: the given ones, else those that have been met, by name."""
    if not isinstance(state, dict) or not isinstance(state.get("parameters"), list):
        raise TypeError(must(who, "state", "be what state_dict() returned", describe(state)))
    names = [entry["name"] for entry in state["parameters"]]
    if parameters is not None:
        targets = list(parameters)
        if len(targets) != len(names):
            raise ValueError(must(who, "parameters", f"have {len(names)} members, one for each entry", len(targets)))
        return targets
    named = {spec.name: target for spec, target in zip(joint.roster.specs, joint.roster.targets, strict=True)}
    missing = [name for name in names if name is None or name not in named]
    if missing:
        rule = "be given where they have made no step yet"
        raise ValueError(must(who, "parameters", rule, f"none for {missing[0] or 'an array'!r}"))
    return [named[name] for name in names]


def plan_local(
    joint: JointStep, who: str, state: dict[str, Any], targets: list[Any], partial: bool, problems: list[str]
) -> tuple[list[Commit], Commit]:
    """Check what is this rank's of a state; return the writes that load it, as `plan_load`."""
    if joint.shards is None:
        return plan_load(joint.optimizer, who, state, targets, partial, problems)
    mine, parts = local_state(joint, state, targets)
    return plan_load(joint.optimizer, who, mine, parts, partial, problems)


def _counts(joint: JointStep, p: int, shape: tuple[int, ...], spec: Spec) -> list[int]:
    """Return how many elements of a slot each rank has."""
    bounds = joint.layout.bounds[p]
    width = math.prod(shape[1:])
    if not shape and spec.shape:  # one number for the whole parameter, the same on all ranks that have rows
        return [int([rank] == joint.layout.owners(p)[:1]) for rank in range(joint.wire.size)]
    return [(end - begin) * width for begin, end in pairwise(bounds)]


def _sums(joint: JointStep, p: int, tensor: Tensor) -> dict[str, Any]:
    """Return what `Accumulate` hooks have summed up of a parameter, by the hook's position."""
    assert joint.shards is not None
    spec, identity = joint.roster.specs[p], identity_of(joint.shards.parts[p])
    found: dict[str, Any] = {}
    for k, hook in enumerate(joint.optimizer._hooks):
        total = hook._sums.get(identity) if isinstance(hook, Accumulate) else None
        if isinstance(total, IndexedSlices):
            begin = joint.layout.owned(p, joint.wire.rank)[0]
            mine = array_of(total.indices) + begin, array_of(total.values)
            ids, values = spread_rows(joint.wire, {p: mine})[p]
            order = np.argsort(ids, kind="stable")  # the same file for any number of ranks
            ids, values = ids[order], values[order].reshape(-1, *spec.shape[1:])
            found[str(k)] = {"values": values, "indices": ids, "dense_shape": list(spec.shape)}
        elif total is not None:
            array = np.ascontiguousarray(array_of(total)).reshape(-1)
            found[str(k)] = tensor(array, _counts(joint, p, spec.shape, spec), spec.shape, array.dtype)
    return found


def local_state(joint: JointStep, state: dict[str, Any], targets: list[Any]) -> tuple[dict[str, Any], list[Any]]:
    """Return of a state of one process what is this rank's, and the shards that its entries are of.

    ``targets``: the parameter of each entry, all of which are shared out.
    """
    shards = joint.shards
    assert shards is not None
    entries, parts = [], []
    for entry, target in zip(state["parameters"], targets, strict=True):
        p = joint.roster.position(target)
        assert p is not None
        begin, end = joint.layout.owned(p, joint.wire.rank)
        part = shards.parts[p]
        cut = {name: value[begin:end] if np.ndim(value) else value for name, value in entry["slots"].items()}
        sums = {k: _cut_sum(total, begin, end, part) for k, total in entry["accumulated"].items()}
        own = {"shape": list(part.shape), "slots": cut if begin < end else {}, "accumulated": sums}
        entries.append({**{key: value for key, value in entry.items() if key != "pending"}, **own})
        parts.append(part)
    return {**state, "parameters": entries}, parts


def _cut_sum(total: Any, begin: int, end: int, part: Any) -> Any:
    width = (end - begin, math.prod(part.shape[1:]))
    if isinstance(total, dict):
        ids = np.asarray(total["indices"])
        here = (ids >= begin) & (ids < end)
        values = np.asarray(total["values"])[here].reshape(-1, width[1])
        return {"values": values, "indices": ids[here] - begin, "dense_shape": list(width)}
    array = np.asarray(total)
    return array.reshape(array.shape[0] if array.ndim else 1, width[1])[begin:end]
