"""The state of hooks, schedules and rules: those of their attributes that are numbers, text, arrays, or have state."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ..base.arrays import copy_into
from ..variables.variable import Variable
from .schedules.schedule import OwnSteps, Schedule

__all__ = ["MISSING", "Commit", "attributes", "copied", "plan_attributes", "plan_variable", "same_array", "state_of"]

Commit = Callable[[], object]
"""A write that has been checked and cannot fail."""

MISSING: Any = object()
"""What stands for a value that has no state, such as a function."""

_SCALARS = (bool, int, float, str, type(None))


def state_of(value: Any) -> Any:
    """Return the state of one value as plain data, `MISSING` where it has none."""
    if type(value) in _SCALARS or isinstance(value, np.generic):
        return value
    if isinstance(value, Variable):
        return {"variable": value.numpy()}
    if isinstance(value, np.ndarray):
        return value.copy() if value.dtype.kind in "biuf" or value.dtype.name == "bfloat16" else MISSING
    if isinstance(value, np.random.Generator):
        return {"generator": copy.deepcopy(value.bit_generator.state)}
    if isinstance(value, (list, tuple)):
        items = [state_of(item) for item in value]
        return MISSING if any(item is MISSING for item in items) else type(value)(items)
    if callable(getattr(value, "state_dict", None)) and callable(getattr(value, "load_state_dict", None)):
        return {"state": value.state_dict()}
    if isinstance(value, OwnSteps):
        return {"own_steps": value.value}
    if isinstance(value, Schedule):
        return {"schedule": {**attributes(vars(value)), "arguments": attributes(value.arguments)}}
    return MISSING


def attributes(container: Mapping[str, Any], without: Iterable[str] = ()) -> dict[str, Any]:
    """Return the state of all attributes that have one."""
    found = {name: state_of(value) for name, value in container.items() if name not in without}
    return {name: state for name, state in found.items() if state is not MISSING}


def plan_attributes(
    container: dict[str, Any], saved: Mapping[str, Any], path: str, problems: list[str], commits: list[Commit]
) -> None:
    """Check saved attributes against an object's, and list the writes that set them.

    Where only one of the two is a function or an object without state, the object keeps what it has.
    """
    for name, state in saved.items():
        now = container.get(name, MISSING)
        if now is not MISSING and state_of(now) is MISSING:
            continue
        plan_value(container, name, now, state, f"{path}.{name.lstrip('_')}", problems, commits)


def plan_value(
    container: Any, name: Any, now: Any, state: Any, path: str, problems: list[str], commits: list[Commit]
) -> None:
    """Check one saved value against the present one, and list the write."""
    kind = next(iter(state)) if isinstance(state, dict) and len(state) == 1 else None
    if isinstance(now, Variable) and kind == "variable":
        plan_variable(now, state["variable"], path, problems, commits)
    elif isinstance(now, np.random.Generator) and kind == "generator":
        plan_generator(now, state["generator"], path, problems, commits)
    elif isinstance(now, Schedule) and kind == "schedule":
        saved = dict(state["schedule"])
        if saved.get("_label") != now._label:
            problems.append(f"{path} is {saved.get('_label')} in the file, {now._label} here")
            return
        plan_attributes(now.arguments, saved.pop("arguments", {}), path, problems, commits)
        plan_attributes(vars(now), saved, path, problems, commits)
    elif isinstance(now, OwnSteps) and kind == "own_steps":
        commits.append(lambda: setattr(now, "value", int(state["own_steps"])))
    elif kind == "state" and callable(getattr(now, "load_state_dict", None)):
        commits.insert(0, lambda: now.load_state_dict(copied(state["state"])))
    elif kind is not None or isinstance(now, (Variable, np.random.Generator, Schedule, OwnSteps)):
        problems.append(f"{path} is {kind or 'a constant'} in the file, {type(now).__name__} here")
    elif isinstance(state, np.ndarray):
        value = state.copy()
        commits.append(lambda: container.__setitem__(name, value))
    else:
        commits.append(lambda: container.__setitem__(name, state))


def plan_variable(variable: Any, value: Any, path: str, problems: list[str], commits: list[Commit]) -> None:
    """Check a value against a Variable, and list the write."""
    if not same_array(value, variable, path, problems):
        return
    array = variable._kept  # rows that wait move now: afterwards it is overwritten

    def write() -> None:
        copy_into(array, value)
        variable._changed()

    commits.append(write)


def plan_generator(
    generator: np.random.Generator, state: Any, path: str, problems: list[str], commits: list[Commit]
) -> None:
    """Check a generator's state, and list the write."""
    bits = generator.bit_generator
    try:
        type(bits)().state = state
    except (TypeError, ValueError, KeyError) as error:
        problems.append(f"{path} is no state of {type(bits).__name__} ({error})")
        return
    commits.append(lambda: setattr(bits, "state", state))


def same_array(value: Any, here: Any, path: str, problems: list[str]) -> bool:
    """Tell whether a saved array has the shape and type of what it is for; else say what differs."""
    if not isinstance(value, (np.ndarray, np.generic)):
        problems.append(f"{path} is {type(value).__name__} in the file, an array here")
    elif value.shape != tuple(here.shape):
        problems.append(f"{path} has shape {value.shape} in the file, {tuple(here.shape)} here")
    elif value.dtype != here.dtype:
        problems.append(f"{path} has dtype {value.dtype} in the file, {here.dtype} here")
    else:
        return True
    return False


def copied(state: Any) -> Any:
    """Return plain data whose arrays are new."""
    if isinstance(state, dict):
        return {key: copied(value) for key, value in state.items()}
    if isinstance(state, (list, tuple)):
        return type(state)(copied(value) for value in state)
    return state.copy() if isinstance(state, np.ndarray) else state
