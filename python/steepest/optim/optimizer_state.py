"""``state_dict`` and ``load_state_dict`` of optimizers: all that a step reads besides parameters and gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..base.errors import must
from ..base.typing import Parameter as Target
from ..ops.indexed_slices import IndexedSlices
from ..variables.variable import Variable
from .load_plan import INSIDE, plan_load, public_name, shared_hooks, summing_hooks
from .pending_state import saved_slots
from .saved_attributes import attributes, copied
from .updates import array_of
from .waiting import Entry

if TYPE_CHECKING:
    from .optimizer import Optimizer

__all__ = ["load_state_dict", "snapshot", "state_dict"]

_NO_STATE = frozenset({"_sums", "_window", "_measured", "_exclude", "_excluded"})
"""Attributes of hooks that are saved elsewhere, or are no state."""


def state_dict(self: Optimizer) -> dict[str, Any]:
    """Return all state as plain data: numbers, strings, new arrays, dicts and lists of them.

    The keys are ``class``, ``rule``, ``hyper`` (hyper-parameters: numbers, and the values of Variables and
    schedules; functions are left out), ``own`` (Adam's powers, AdagradDecay's step), ``hooks``, and ``parameters``:
    for each parameter, in the order in which the optimizer met them, ``name`` (None for an array), ``shape``,
    ``dtype``, ``slots`` and what `Accumulate` has summed up. An optimizer around others has their states as
    ``inner``. The parameters themselves are not in it. Slots are those after all moves that
    ``sparse_update="deferred"`` has left for later; with ``pending``, the history of these moves, the optimizer
    goes on as if it had not been saved.

    Raises:
        TypeError: for an optimizer of a graph, whose state is the session's; ``tf.train.Saver`` saves it.

    Example:
        >>> w, opt = np.zeros(2), st.MomentumOptimizer(0.5, 0.75)
        >>> opt.apply_gradients([(np.ones(2), w)])
        >>> state = opt.state_dict()
        >>> state["hyper"]["momentum"], state["parameters"][0]["slots"]["momentum"].tolist()
        (0.75, [1.0, 1.0])
    """
    state: dict[str, Any] = copied(snapshot(self))
    return state


def load_state_dict(
    self: Optimizer, state: dict[str, Any], parameters: Sequence[Target] | None = None, partial: bool = False
) -> None:
    """Take over the state of an optimizer of the same class: all of it, or on any error nothing.

    It may come before the first step. Without ``parameters`` state finds its parameter by itself: that of a Variable by
    its name, that of arrays by their order, the first array that the optimizer meets taking the first entry. What has
    not been met yet waits for its first step. Hyper-parameters are taken over where both sides have a number, a
    Variable or a schedule; a function stays what it is here. State of parameters that ``state`` does not have is
    dropped.

    Args:
        state: what `state_dict` returned; it is copied.
        parameters: the parameters, in the order of ``state["parameters"]``.
        partial: leave alone what only one of the two sides has, instead of refusing or dropping it.

    Raises:
        TypeError: for a state that is not a dict of that form.
        ValueError: for a state of another class, of other slots, shapes or types; the message lists all.

    Example:
        >>> w, opt = np.zeros(2), st.AdamOptimizer(0.5)
        >>> opt.apply_gradients([(np.ones(2), w)])
        >>> new = st.AdamOptimizer()  # in another process
        >>> new.load_state_dict(opt.state_dict())
        >>> new.apply_gradients([(np.ones(2), w)])  # the second step
        >>> w.round(6).tolist()
        [-1.0, -1.0]
    """
    who = f"{type(self).__name__}.load_state_dict"
    problems: list[str] = []
    targets = None if parameters is None else list(parameters)
    commits, resume_rows = plan_load(self, who, state, targets, partial, problems)
    if problems:
        raise ValueError(must(who, "state", "fit this optimizer", "; ".join(problems)))
    for commit in [*commits, resume_rows]:
        commit()


def snapshot(optimizer: Optimizer, places: dict[Any, Any] | None = None, common: Sequence[Any] = ()) -> dict[str, Any]:
    """Return the state, whose arrays are the live ones.

    Args:
        optimizer: one that is not of a graph.
        places: where parameters are among what is saved, by `identity_of`; each entry then has its ``place``.
        common: hooks of the optimizer around it, which have sums of its parameters.
    """
    optimizer._check_whole()
    table = optimizer._slot_table
    keys = [key for slots in table.by_name.values() for key in slots]
    if any(isinstance(key, tuple) for key in [*keys, *table.non_slots]):
        remedy = "save a session's state with tf.train.Saver"
        raise TypeError(must("state_dict", "optimizer", "not be one of a graph", optimizer, remedy))
    entries = []
    sums = {key: hook._sums for key, hook in summing_hooks(optimizer._hooks, common).items()}
    for key, identity, parameter in table.parameters.known():
        variables = {name: by_key[key] for name, by_key in table.by_name.items() if key in by_key}
        slots, pending = saved_slots(table.parameters, parameter, variables)
        owner = table.parameters.owner(identity, parameter)
        totals = {k: held.known_as(identity, owner) for k, held in sums.items()}
        accumulated = {k: _plain_sum(total) for k, total in totals.items() if total is not None}
        entries.append({**_entry(parameter, slots, accumulated), **pending})
        if places is not None:
            entries[-1]["place"] = places.get(identity)
    waiting = table.parameters.waiting
    if waiting is not None:
        entries += map(waiting.current, waiting.entries)
    hooks = [
        {
            "class": type(hook).__name__,
            "state": attributes(getattr(hook, "__dict__", {}), _NO_STATE),
        }
        if not callable(getattr(hook, "state_dict", None))
        else {"class": type(hook).__name__, "state_dict": hook.state_dict()}
        for hook in optimizer._hooks
    ]
    hyper = {public_name(name): value for name, value in attributes(vars(optimizer), INSIDE).items()}
    state = {
        "class": type(optimizer).__name__,
        "rule": optimizer._rule,
        "hyper": hyper,
        "own": {name: variable._kept for name, variable in table.non_slots.items()},
        "hooks": hooks,
        "parameters": entries,
        **({"partial": True} if waiting is not None and waiting.partial else {}),  # a copy waits as this does
    }
    inner = [snapshot(part, places, shared_hooks(optimizer, part)) for part in optimizer._inner()]
    return {**state, "inner": inner} if inner else state


def _entry(target: Any, slots: dict[str, Any], accumulated: dict[str, Any]) -> Entry:
    name = target._name if isinstance(target, Variable) else None
    shape, dtype = list(target.shape), str(target.dtype)
    return {"name": name, "shape": shape, "dtype": dtype, "slots": slots, "accumulated": accumulated}


def _plain_sum(total: Any) -> Any:
    if not isinstance(total, IndexedSlices):
        return array_of(total)
    shape = None if total.dense_shape is None else [int(size) for size in total.dense_shape]
    return {"values": array_of(total.values), "indices": array_of(total.indices), "dense_shape": shape}
