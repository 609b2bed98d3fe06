"""Slots that come from elsewhere into an optimizer: as a state of its own, checked and loaded as any state is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...base.dtypes import compute_dtype
from ...base.errors import describe, must
from ...base.typing import Array
from ...base.typing import Parameter as Target
from ...optim.hyperparameters import SCHEMA
from ...optim.load_plan import plan_load
from ...optim.optimizer import Optimizer
from ...variables.variable import Variable

__all__ = ["load_slots", "widened"]


def widened(array: Array, dtype: np.dtype[Any]) -> Array:
    """Return an array in a type that has all its values, or as it is where the type has not."""
    return array.astype(dtype) if array.dtype.kind != "b" and np.can_cast(array.dtype, dtype, "safe") else array


def load_slots(
    who: str,
    optimizer: Optimizer,
    entries: Sequence[tuple[Target, Mapping[str, Array]]],
    own: Mapping[str, Array],
    hyper: Mapping[str, Any] | None = None,
) -> None:
    """Give an optimizer slots by parameter, its own variables and hyper-parameters: all, or on any error nothing.

    Raises:
        TypeError: for an optimizer of a graph.
        ValueError: for what does not fit; the message lists all.
    """
    for target, _ in entries:
        if not isinstance(target, (Variable, np.ndarray)):
            raise TypeError(must(who, "parameters", "be Variables or arrays", describe(target)))
    state = optimizer.state_dict()
    state["hyper"].update(hyper or {})
    table = optimizer._slot_table.non_slots
    state["own"] = {name: widened(array, table[name].dtype) if name in table else array for name, array in own.items()}
    state["parameters"] = [_entry(optimizer, target, slots) for target, slots in entries]
    problems: list[str] = []
    commits, resume_rows = plan_load(optimizer, who, state, [target for target, _ in entries], False, problems)
    if problems:
        raise ValueError(must(who, "slots", "fit this optimizer", "; ".join(problems)))
    for commit in commits:
        commit()
    resume_rows()


def _entry(optimizer: Optimizer, target: Any, slots: Mapping[str, Array]) -> dict[str, Any]:
    real = compute_dtype(np.dtype(target.dtype))
    types = {slot["name"]: slot["slot_type"] for slot in SCHEMA[str(optimizer._rule)]["slots"]}
    return {
        "name": target._name if isinstance(target, Variable) else None,
        "shape": list(target.shape),
        "dtype": str(target.dtype),
        "slots": {
            name: widened(array, real if types.get(name) == "real" else np.dtype(np.int64))
            for name, array in slots.items()
        },
        "accumulated": {},
    }
