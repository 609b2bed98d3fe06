"""Checkpoints of what lies on several ranks: one file of global arrays, for any number of ranks, or none of MPI."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from ..base.errors import must
from ..base.typing import Array
from ..checkpoint.arrays import read_tree, tree_writing
from ..checkpoint.atomic import write_whole
from ..checkpoint.objects import places_of, plain_tree, rules_in
from ..checkpoint.pieces import Pieces
from ..checkpoint.restoring import Restoring
from ..checkpoint.structure import Tagged
from ..optim.saved_attributes import plan_variable
from ..variables.variable import Variable
from .collectives import together
from .meeting import meeting_of
from .naming import key_of
from .optimizer import DistributedOptimizer
from .sharded import ShardedVariable
from .state import check_between_steps, entries_of, plan_local, whole_state
from .wire import Wire

__all__ = ["restore", "save"]

_AT_ONCE = 1 << 20  # elements that travel to the writer at once
_KINDS = (Variable, np.ndarray, ShardedVariable)


def save(path: str | os.PathLike[str], /, *, comm: Any = None, **objects: Any) -> None:
    """Write objects to one file, as `steepest.save`; every rank must call it, and rank 0 writes.

    What is shared out comes from its owners a piece at a time, so that no rank needs memory for the whole. The file is
    the one that a single process would write: `restore` deals it out to any number of ranks, and `steepest.restore`
    reads it without MPI, a `ShardedVariable` as a Variable, a `DistributedOptimizer` as the optimizer inside.

    Args:
        path: the file, on rank 0's machine.
        comm: an mpi4py communicator, by default all ranks; that of the optimizers.
        objects: what to save, by name: what `steepest.save` takes, `DistributedOptimizer` and `ShardedVariable`.

    Raises:
        OSError: when the file cannot be written; nothing has changed.
        TypeError: for an object of another kind.
        RankError: on the other ranks, where one has raised.

    Example:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "run.safetensors")
        >>> w = st.Variable(np.zeros(2))
        >>> opt = st.mpi.DistributedOptimizer(st.MomentumOptimizer(0.5, 0.5), comm)
        >>> opt.apply_gradients([(np.ones(2), w)])
        >>> st.mpi.save(path, comm=comm, w=w, opt=opt)
        >>> st.restore(path, w=w, opt=st.MomentumOptimizer(0.5, 0.5))["w"].numpy().tolist()
        [-0.5, -0.5]
    """
    who = "save"
    meeting = meeting_of(who, comm)
    about = [who, *sorted(objects)]
    meeting.meet(key_of(about), (), about)
    with together(comm):
        places = places_of(objects, _KINDS)
        tree = plain_tree(who, {name: _described(value, places) for name, value in objects.items()})
        writing = tree_writing(who, tree, rules_in(tree))
    error: BaseException | None = None
    if meeting.wire.rank == 0:
        try:
            write_whole(who, path, writing.write)
        except BaseException as caught:
            error = caught
    for array in writing.in_order():
        for _ in array.pieces() if isinstance(array, Pieces) else ():  # on rank 0 what an error has left
            pass
    meeting.meet(key_of([*about, "done"]), (), about, error)


def restore(
    path: str | os.PathLike[str], /, *, partial: bool = False, comm: Any = None, **objects: Any
) -> dict[str, Any]:
    """Give objects the state in a file, as `steepest.restore`; on every rank, or on any error of one on none.

    Every rank reads the file, and takes what is its own.

    Args:
        path: a file that `save` of this module or `steepest.save` wrote, on any number of ranks; every rank must be
            able to read it.
        partial: restore what both sides have, by name, and leave the rest alone.
        comm: an mpi4py communicator, by default all ranks; that of the optimizers.
        objects: the objects by name; with a `DistributedOptimizer` its parameters.

    Returns:
        The objects by name; numbers, strings and tuples, which cannot change in place, are those of the file.

    Raises:
        FileNotFoundError: where there is no file.
        ValueError: for a file that is damaged or of other objects, or without an optimizer's parameters.
        RankError: on the other ranks, where one has raised.

    Example:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "run.safetensors")
        >>> st.save(path, table=np.arange(8.0).reshape(4, 2))
        >>> table = st.mpi.ShardedVariable(4, 2, dtype=np.float64, comm=comm)
        >>> state = st.mpi.restore(path, comm=comm, table=table)
        >>> table.lookup([3]).tolist()
        [[6.0, 7.0]]
    """
    who = "restore"
    meeting = meeting_of(who, comm)
    about = [who, *sorted(objects)]
    meeting.meet(key_of(about), (), about)
    with together(comm):
        tree = read_tree(who, path)
        restoring = _Restoring(who, objects, partial)
        after = restoring.plan(tree)
        if restoring.problems:
            got = f"{os.fspath(path)!r}: {'; '.join(restoring.problems)}"
            raise ValueError(must(who, "path", "hold the state of these objects", got))
    meeting.meet(key_of([*about, "planned"]), (), about)
    restoring.commit()
    return after


def _described(value: Any, places: dict[Any, list[Any]]) -> Any:
    """Return what `plain_tree` takes in the place of an object that is shared out."""
    if isinstance(value, ShardedVariable):
        wire, width = value._meeting.wire, value.shape[1]
        counts = [(end - begin) * width for begin, end in pairwise(value.bounds)]
        pieces = _pieces(wire, value.part.value.reshape(-1), counts, value.shape, value.dtype)
        return Tagged("variable", {"name": value.name, "value": pieces})
    if isinstance(value, DistributedOptimizer):
        joint = value._joint
        check_between_steps("save", value._calls)
        if joint.shards is None:
            return value.optimizer
        wire = joint.wire
        state = whole_state(joint, lambda mine, *form: _pieces(wire, mine, *form), places)
        return Tagged("optimizer", state)
    if isinstance(value, dict):
        return {key: _described(item, places) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_described(item, places) for item in value)
    return value


def _pieces(wire: Wire, mine: Array, counts: list[int], shape: tuple[int, ...], dtype: Any) -> Pieces:
    """Return an array of all ranks' elements, which come to rank 0 while it writes; each piece comes once."""
    stream = _streamed(wire, mine, counts)
    return Pieces(shape, dtype, lambda: stream)


def _streamed(wire: Wire, mine: Array, counts: list[int]) -> Iterator[Array]:
    for owner, count in enumerate(counts):
        for first in range(0, count, _AT_ONCE):
            size = min(_AT_ONCE, count - first)
            sending, coming = [0] * wire.size, [0] * wire.size
            if wire.rank == owner:
                sending[0] = size
            if wire.rank == 0:
                coming[owner] = size
            part = wire.exchange(mine[first : first + size] if wire.rank == owner else mine[:0], sending, coming)
            if wire.rank == 0:
                yield part


class _Restoring(Restoring):
    """A restore in which some objects take what is this rank's."""

    _PARAMETERS = _KINDS

    def _value(self, here: Any, saved: Any, path: tuple[Any, ...]) -> Any:
        shown = "/".join(map(str, path))
        if isinstance(here, ShardedVariable):
            array = saved.content["value"] if isinstance(saved, Tagged) and saved.kind == "variable" else saved
            if getattr(array, "shape", None) != here.shape:
                self.problems.append(
                    f"{shown} has shape {getattr(array, 'shape', None)} in the file, {here.shape} here"
                )
            else:
                plan_variable(here.part, array[here.begin : here.end], shown, self.problems, self._commits)
            return here
        if isinstance(here, DistributedOptimizer) and isinstance(saved, Tagged) and saved.kind == "optimizer":
            self._distributed(here, saved.content, shown)
            return here
        return super()._value(here, saved, path)

    def _distributed(self, here: DistributedOptimizer, state: Any, shown: str) -> None:
        joint = here._joint
        entries = entries_of(state)
        targets = [self._at(entry.get("place")) for entry in entries]
        missing = [entry["name"] for entry, target in zip(entries, targets, strict=True) if target is None]
        if missing:
            self.problems.append(f"{shown} needs its parameters to be restored with it: {missing[0]!r} is not there")
            return
        joint.adopt(targets)
        problems: list[str] = []
        commits, resume = plan_local(joint, self.who, state, targets, self.partial, problems)
        self._commits += commits
        self._last.append(resume)
        self.problems += [f"{shown}: {problem}" for problem in problems]
