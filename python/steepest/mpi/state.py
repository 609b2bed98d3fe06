"""The state of an optimizer whose shards lie on several ranks: as one process would have it, and dealt out again."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from ..base.typing import Array
from ..ops.indexed_slices import IndexedSlices
from ..optim.hooks import Accumulate
from ..optim.hyperparameters import slot_form
from ..optim.optimizer_state import snapshot
from ..optim.parameters import identity_of
from ..optim.updates import array_of
from ..variables.variable import Variable
from .layout import Spec
from .sharded import ShardedVariable
from .spread import spread_rows
from .step import JointStep

__all__ = ["local_state", "whole_state"]

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
            slots[slot["name"]] = tensor(mine, _counts(joint, p, shape, spec), shape, dtype)
        target = joint.roster.targets[p]
        name = spec.name if isinstance(target, (Variable, ShardedVariable)) else None
        entry: dict[str, Any] = {"name": name, "shape": list(spec.shape), "dtype": spec.dtype, "slots": slots}
        entry |= {"accumulated": _sums(joint, p, tensor), "place": places.get(identity_of(target))}
        if met.item(p) or entry["accumulated"]:
            entries.append(entry)
    own: dict[str, Any] = {**snapshot(optimizer), "parameters": entries}
    return own


def _counts(joint: JointStep, p: int, shape: tuple[int, ...], spec: Spec) -> list[int]:
    """Return how many elements of a slot each rank has."""
    bounds = joint.layout.bounds[p]
    width = math.prod(shape[1:])
    if not shape and spec.shape:  # one number for the whole parameter, which one rank owns
        return [int(begin < end) for begin, end in pairwise(bounds)]
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
