"""The state of an optimizer whose shards lie on several ranks: as one process would have it, and dealt out again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial as partial_call
from itertools import pairwise
from typing import Any

import numpy as np

from ..base.errors import describe, must
from ..base.typing import Array
from ..ops.indexed_slices import IndexedSlices
from ..optim.hyperparameters import slot_form
from ..optim.load_plan import plan_load, shared_hooks, summing_hooks
from ..optim.optimizer_state import snapshot
from ..optim.parameters import identity_of
from ..optim.saved_attributes import Commit, copied
from ..optim.updates import array_of
from ..optim.waiting import entry_mismatch
from ..variables.variable import Variable
from .layout import Spec
from .naming import key_of
from .sharded import ShardedVariable
from .spread import spread_rows
from .step import JointStep

__all__ = ["check_between_steps", "entries_of", "load_whole", "plan_local", "whole_copy", "whole_state"]

Tensor = Callable[[Array, "list[int]", "tuple[int, ...]", Any], Any]
"""Makes an array of all ranks' parts: this rank's elements, all ranks' counts of them, the whole shape, the type."""


def whole_state(joint: JointStep, tensor: Tensor, places: dict[Any, Any]) -> dict[str, Any]:
    """Return the state as `Optimizer.state_dict` of one process would have it; every rank must ask for it.

    Rows that wait for their update make it first. ``places``: where parameters are among what is saved.
    """
    assert joint.shards is not None
    with joint.shards.in_parts():
        mine = snapshot(joint.parts.optimizer)
    return _Whole(joint, tensor, places).of(joint.parts.optimizer, mine, ())


class _Whole:
    """The state of all ranks; arguments as those of `whole_state`."""

    def __init__(self, joint: JointStep, tensor: Tensor, places: dict[Any, Any]) -> None:
        assert joint.shards is not None
        self.joint, self.shards, self.tensor, self.places = joint, joint.shards, tensor, places

    def of(self, optimizer: Any, mine: dict[str, Any], common: Sequence[Any]) -> dict[str, Any]:
        """Return the state of an optimizer, and of those inside, of which ``mine`` is this rank's.

        ``common``: hooks of the optimizer around it.
        """
        parts, specs, table = self.joint.parts, self.joint.roster.specs, optimizer._slot_table
        declared = parts.declared(optimizer)
        positions = [p for p in self.shards.met if parts.knows(optimizer, specs[p])]
        some = [[table.find(self.shards.targets[p], slot["name"]) is not None for slot in declared] for p in positions]
        with_slots = self.joint.wire.all_gather(np.array([any(found) for found in some], np.int64)).max(axis=0)
        sums = summing_hooks(optimizer._hooks, common)
        entries = [
            self._entry(p, table, declared if has else (), sums)
            for p, has in zip(positions, with_slots.tolist(), strict=True)
        ]
        inside = [
            self.of(part, state, shared_hooks(optimizer, part))
            for part, state in zip(optimizer._inner(), mine.get("inner", ()), strict=True)
        ]
        return {**mine, "parameters": entries, **({"inner": inside} if inside else {})}

    def _entry(self, p: int, table: Any, declared: Sequence[Any], sums: dict[str, Any]) -> dict[str, Any]:
        joint, spec, target = self.joint, self.joint.roster.specs[p], self.joint.roster.targets[p]
        slots = {}
        for slot in declared:
            shape, dtype = slot_form(slot, spec.shape, spec.dtype)
            found = table.find(self.shards.targets[p], slot["name"])
            mine = np.empty(0, dtype) if found is None else np.ascontiguousarray(found.value).reshape(-1)
            counts = _counts(joint, p, shape, spec)
            slots[slot["name"]] = self.tensor(mine[: counts[joint.wire.rank]], counts, shape, dtype)
        name = spec.name if isinstance(target, (Variable, ShardedVariable)) else None
        entry: dict[str, Any] = {"name": name, "shape": list(spec.shape), "dtype": spec.dtype, "slots": slots}
        return entry | {"accumulated": self._sums(p, sums), "place": self.places.get(identity_of(target))}

    def _sums(self, p: int, hooks: dict[str, Any]) -> dict[str, Any]:
        """Return what `Accumulate` hooks have summed up of a parameter, by what entries of a state call them."""
        joint, spec = self.joint, self.joint.roster.specs[p]
        found: dict[str, Any] = {}
        for key, hook in hooks.items():
            total = hook._sums.get(self.shards.targets[p])
            if isinstance(total, IndexedSlices):
                begin = joint.layout.owned(p, joint.wire.rank)[0]
                mine = array_of(total.indices) + begin, array_of(total.values)
                ids, values = spread_rows(joint.wire, {p: mine})[p]
                order = np.argsort(ids, kind="stable")  # the same file for any number of ranks
                ids, values = ids[order], values[order].reshape(-1, *spec.shape[1:])
                found[key] = {"values": values, "indices": ids, "dense_shape": list(spec.shape)}
            elif total is not None:
                array = np.ascontiguousarray(array_of(total)).reshape(-1)
                found[key] = self.tensor(array, _counts(joint, p, spec.shape, spec), spec.shape, array.dtype)
        return found


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
        found: dict[str, Any] = joint.parts.optimizer.state_dict()
        return found

    def gathered(mine: Array, counts: list[int], shape: tuple[int, ...], dtype: Any) -> Array:
        whole: Array = wire.all_gather_parts(mine, counts).view(dtype).reshape(shape)
        return whole

    with joint.meeting.inseparable():
        state: dict[str, Any] = copied(whole_state(joint, gathered, {}))
    for entry in entries_of(state):
        del entry["place"]
    return state


def entries_of(state: Any) -> list[Any]:
    """Return the parameters' entries of a state, those of optimizers inside after its own."""
    inside = [entry for inner in state.get("inner", ()) for entry in entries_of(inner)]
    return [*state["parameters"], *inside]


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
    """Return the parameter of each entry: the given ones, else those that have been met, by name.

    Given are those of the state's own entries. Optimizers inside have the same, or where it has none of its own they
    have theirs, one optimizer after the other.
    """
    try:
        own, every = state["parameters"], entries_of(state)
        names = [entry["name"] for entry in every]
    except (KeyError, TypeError, AttributeError):
        raise TypeError(must(who, "state", "be what state_dict() returned", describe(state))) from None
    known = [*joint.parts.members, *joint.roster.targets]
    named: dict[Any, Any] = {target.name: target for target in known if hasattr(target, "name")}
    if parameters is not None:
        given, wanted = list(parameters), own or every
        if len(given) != len(wanted):
            raise ValueError(must(who, "parameters", f"have {len(wanted)} members, one for each entry", len(given)))
        if names == [entry["name"] for entry in wanted] * (len(every) // max(1, len(wanted))):
            return given * (len(every) // max(1, len(wanted)))
        named |= {_form(entry, wanted): target for entry, target in zip(wanted, given, strict=True)}
    forms = [_form(entry, own or every) for entry in every]
    missing = [entry["name"] for entry, form in zip(every, forms, strict=True) if form is None or form not in named]
    if missing:
        rule = "be given where they have made no step yet"
        raise ValueError(must(who, "parameters", rule, f"none for {missing[0] or 'an array'!r}"))
    return [named[form] for form in forms]


def _form(entry: Any, entries: Sequence[Any]) -> Any:
    """Return what an entry's parameter is known by: its name, or an array's shape and type where no other has them."""
    if entry["name"] is not None:
        return entry["name"]
    alike = [e for e in entries if e["name"] is None and (e["shape"], e["dtype"]) == (entry["shape"], entry["dtype"])]
    return (tuple(entry["shape"]), entry["dtype"]) if len(alike) == 1 else None


def plan_local(
    joint: JointStep, who: str, state: dict[str, Any], targets: list[Any], partial: bool, problems: list[str]
) -> tuple[list[Commit], Commit]:
    """Check what is this rank's of a state; return the writes that load it, as `plan_load`.

    ``targets``: the parameter of each entry, in the order of `entries_of`.
    """
    mine = _local(joint, joint.parts.optimizer, state, iter(targets), problems)
    own = [entry.pop("target") for entry in mine["parameters"]]
    with nullcontext() if joint.shards is None else joint.shards.in_parts():
        commits, resume = plan_load(joint.parts.optimizer, who, mine, own, partial, problems)
    commits.append(partial_call(setattr, joint, "steps", 0))  # ranks that have gone apart are together again
    if joint.shards is not None:
        positions: list[Any] = [joint.roster.position(target) for target in targets]
        filled = [p for p, entry in zip(positions, entries_of(state), strict=True) if entry["slots"]]
        commits += [partial_call(joint.shards.meet, positions), partial_call(joint.shards.stepped.update, filled)]
    return commits, resume


def _counts(joint: JointStep, p: int, shape: tuple[int, ...], spec: Spec) -> list[int]:
    """Return how many elements of a slot each rank has."""
    bounds = joint.layout.bounds[p]
    width = math.prod(shape[1:])
    if not shape and spec.shape:  # one number for the whole parameter, the same on all ranks that have rows
        return [int([rank] == joint.layout.owners(p)[:1]) for rank in range(joint.wire.size)]
    return [(end - begin) * width for begin, end in pairwise(bounds)]


def _local(
    joint: JointStep, optimizer: Any, state: dict[str, Any], targets: Iterator[Any], problems: list[str]
) -> dict[str, Any]:
    """Return of a state of one process what is this rank's; entries say what they are of (``target``)."""
    entries = []
    for entry, target in zip(state["parameters"], targets, strict=False):
        name, position = entry["name"] or "array", joint.roster.position(target)
        assert position is not None
        wrong = entry_mismatch(entry, target)
        if wrong is None and not joint.parts.knows(optimizer, joint.roster.specs[position]):
            wrong = f"its state in another group: it is of groups[{joint.roster.specs[position].part}] here"
        if wrong is not None:
            problems.append(f"parameter {name!r} has {wrong}")
        cuts = wrong is None and joint.shards is not None
        entries.append(_cut(joint, entry, position) if cuts else {**entry, "target": target})
    inside = [
        _local(joint, part, inner, targets, problems)
        for part, inner in zip(optimizer._inner(), state.get("inner", ()), strict=False)
    ]
    return {**state, "parameters": entries, **({"inner": inside} if inside else {})}


def _cut(joint: JointStep, entry: dict[str, Any], p: int) -> dict[str, Any]:
    assert joint.shards is not None
    begin, end = joint.layout.owned(p, joint.wire.rank)
    shard = joint.shards.targets[p]
    slots = {name: value[begin:end] if np.ndim(value) else value for name, value in entry["slots"].items()}
    sums = {k: _cut_sum(total, begin, end, shard) for k, total in entry["accumulated"].items()}
    own = {"shape": list(shard.shape), "slots": slots if begin < end else {}, "accumulated": sums, "target": shard}
    return {**{key: value for key, value in entry.items() if key != "pending"}, **own}


def _cut_sum(total: Any, begin: int, end: int, part: Any) -> Any:
    width = (end - begin, math.prod(part.shape[1:]))
    if isinstance(total, dict):
        ids = np.asarray(total["indices"])
        here = (ids >= begin) & (ids < end)
        values = np.asarray(total["values"])[here].reshape(-1, width[1])
        return {"values": values, "indices": ids[here] - begin, "dense_shape": list(width)}
    array = np.asarray(total)
    return array.reshape(array.shape[0] if array.ndim else 1, width[1])[begin:end]
