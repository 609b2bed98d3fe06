"""Averages of weights that an optimizer keeps beside them, where ranks have shares of its slots."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np

from ..base.errors import must
from ..base.typing import Array
from ..base.typing import Parameter as Target
from ..optim.updates import array_of
from ..optim.wrappers.swap import holding_averages
from .naming import key_of
from .sharded import ShardedVariable
from .step import JointStep
from .wire import raw

__all__ = ["average_of", "averages_held"]


def average_of(joint: JointStep, var: Any) -> Array:
    """Return the average of a whole parameter; every rank must ask for it."""
    who = "averaged_value"
    with joint.meeting.told():
        if isinstance(var, ShardedVariable):
            rule, remedy = "be whole on every rank", "its rows have their averages inside averaged_weights()"
            raise TypeError(must(who, "var", rule, f"the ShardedVariable {var.name!r}", remedy))
        position = None if joint.shards is None else joint.roster.position(var)
        mine = None if joint.shards is None or position is None else _own(joint, joint.shards.targets[position])
    if joint.shards is None:
        return _own(joint, var)
    joint.meeting.meet(key_of([who, position]), (), [who, f"parameter {position}"])
    if position is None or mine is None:
        return np.array(array_of(var))
    bounds, size = joint.layout.bounds[position], array_of(var).nbytes // max(1, joint.roster.specs[position].rows)
    with joint.meeting.inseparable():
        counts = [(end - begin) * size for begin, end in pairwise(bounds)]
        come = joint.wire.all_gather_parts(raw(mine), counts)
    whole: Array = come.view(mine.dtype).reshape(array_of(var).shape)
    return whole


@contextmanager
def averages_held(joint: JointStep, arrays: tuple[Target, ...]) -> Iterator[None]:
    """Let all parameters hold their averages inside; every rank must enter it."""
    if joint.shards is None:
        with joint.parts.optimizer.averaged_weights(*arrays):
            yield
        return
    wholes = [w for w in joint.roster.targets if not isinstance(w, ShardedVariable)]
    tables = [w.part for w in joint.roster.targets if isinstance(w, ShardedVariable)]
    with holding_averages(wholes, lambda w: average_of(joint, w)), holding_averages(tables, lambda w: _own(joint, w)):
        yield


def _own(joint: JointStep, target: Any) -> Array:
    """Return the average of what this rank has."""
    if joint.shards is None:
        average: Array = joint.parts.optimizer.averaged_value(target)
        return average
    with joint.shards.in_parts():
        part: Array = joint.parts.optimizer.averaged_value(target)
        return part
