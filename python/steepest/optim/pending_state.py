"""Pending rows in a saved state, and their way back: a run that was saved goes on with the bits of one that was not.

A state has parameters and slots as they stand, which is what everybody expects of a file. Beside them it has what the
rows were before their pending moves, where that is another value, and the history of those moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..base.dtypes import Array, code_of, compute_dtype
from ..variables.variable import Variable
from .hyperparameters import SCHEMA
from .pending_rows import PendingRows, PendingRowsUpdater
from .waiting import Entry

__all__ = ["pending_problem", "resume", "saved_slots"]


def saved_slots(owner: Any, parameter: Any, slots: dict[str, Variable]) -> tuple[dict[str, Array], dict[str, Any]]:
    """Return a parameter's slots as they stand, and what its pending rows are saved as: nothing where none wait.

    ``owner``: stands for the optimizer, as in `PendingRows`.
    """
    pending = parameter._pending if isinstance(parameter, Variable) else None
    if pending is None or pending.owner is not owner:
        return {name: slot._settled() for name, slot in slots.items()}, {}
    names = _slot_names(pending.rule)
    rates, last, (before, after) = pending.saved()
    rows = np.flatnonzero(np.logical_or.reduce([_rows_that_differ(a, b) for a, b in zip(before, after, strict=True)]))
    values, *moments = [array[rows] for array in before]
    saved = {
        "hyper": list(pending.hyper),
        "rates": rates,
        "last": last,
        "rows": rows,
        "values": values,
        "slots": dict(zip(names, moments, strict=True)),
    }
    return dict(zip(names, after[1:], strict=True)), {"pending": saved}


def pending_problem(entry: Entry) -> str | None:
    """Return what is wrong with the pending rows in an entry, None where all is well or none wait."""
    saved = entry.get("pending")
    if saved is None:
        return None
    shape, slots = tuple(entry["shape"]), saved["slots"]
    count = len(saved["rows"])
    part = (count, *shape[1:])
    wanted = [
        ("rates", saved["rates"], "float64", (len(saved["rates"]),)),
        ("last", saved["last"], "uint16", shape[:1]),
        ("rows", saved["rows"], "int64", (count,)),
        ("values", saved["values"], entry["dtype"], part),
        *((name, slots[name], str(compute_dtype(saved["values"].dtype)), part) for name in slots),
    ]
    if not shape or slots.keys() != entry["slots"].keys():
        return "a history of other slots"
    for name, array, dtype, expected in wanted:
        if str(array.dtype) != dtype or array.shape != expected:
            return f"{name} of shape {array.shape} and dtype {array.dtype}, not {expected} and {dtype}"
    rows = saved["rows"]
    if count and (rows[0] < 0 or rows[-1] >= shape[0] or (np.diff(rows) <= 0).any()):
        return f"rows that are not ascending numbers of {shape[0]} rows"
    try:
        _history(saved)
    except (TypeError, ValueError) as error:
        return str(error)
    return None


def resume(updater: Any, variable: Any, entry: Entry) -> None:
    """Let rows wait as they waited when the state was saved; what is read of variable and slots stays the same.

    Where the moves do not lead to the present values, because the variable has got others, nothing is done: the slots
    are up to date, and so is the variable.
    """
    saved = entry.get("pending")
    if saved is None or not isinstance(updater, PendingRowsUpdater) or not isinstance(variable, Variable):
        return
    slots = updater.slots_of(variable)
    shown = [variable, *slots]
    now = [one._kept for one in shown]
    before = [saved["values"], *(saved["slots"][name] for name in _slot_names(updater.rule))]
    rows = saved["rows"]
    moved = [array.copy() for array in now]
    for array, values in zip(moved, before, strict=True):
        array[rows] = values
    history = _history(saved)
    code = code_of(now[0].dtype)
    assert code is not None  # it is a parameter
    _core.apply_pending(history, updater.rule, code, moved[0], tuple(moved[1:]), keep=True)
    if any(_rows_that_differ(a, b).any() for a, b in zip(moved, now, strict=True)):
        return
    for one, array, values in zip(shown, now, before, strict=True):
        array[rows] = values
        one._changed()
    beta1, beta2, epsilon = saved["hyper"]
    PendingRows(updater.slots.parameters, variable, slots, updater.rule, (beta1, beta2, epsilon), history)


def _slot_names(rule: str) -> list[str]:
    return [slot["name"] for slot in SCHEMA[rule]["slots"]]


def _history(saved: dict[str, Any]) -> object:
    beta1, beta2, epsilon = saved["hyper"]
    if not all(type(number) is float for number in (beta1, beta2, epsilon)):
        raise TypeError("betas and epsilon that are no numbers")
    code = code_of(saved["values"].dtype)
    rates, last = (np.require(saved[name], requirements=["C", "A"]) for name in ("rates", "last"))
    return _core.restore_history(beta1, beta2, epsilon, -1 if code is None else code, rates, last)


def _rows_that_differ(a: Array, b: Array) -> Array:
    """Tell for each row whether a bit is another one."""
    width = a.size // max(1, len(a))
    bits = np.dtype(f"u{a.dtype.itemsize}")
    differ: Array = (a.view(bits).reshape(len(a), width) != b.view(bits).reshape(len(b), width)).any(axis=1)
    return differ
