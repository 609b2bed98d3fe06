"""From a tree that was read to the objects that it belongs to: everything is compared first, then written."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any, ClassVar

import numpy as np

from ..base.arrays import copy_into
from ..optim.load_plan import plan_load
from ..optim.optimizer import Optimizer
from ..optim.saved_attributes import Commit, plan_generator, plan_value, plan_variable, same_array
from ..optim.schedules.schedule import Schedule
from ..variables.variable import Variable
from .objects import places_of
from .structure import Tagged

__all__ = ["Restoring", "plain"]

_SCALARS = (bool, int, float, str)


class Restoring:
    """One restore: `plan` collects ``problems`` and writes; `commit` makes the writes where there are no problems."""

    _PARAMETERS: ClassVar[tuple[type, ...]] = (Variable, np.ndarray)  # what optimizers train

    def __init__(self, who: str, objects: dict[str, Any], partial: bool) -> None:
        self.who, self.objects, self.partial = who, objects, partial
        self.problems: list[str] = []
        self._commits: list[Commit] = []
        self._last: list[Commit] = []  # rows wait again when their variables have their values
        self._foreign: list[tuple[Any, Any]] = []  # objects with load_state_dict, and their states

    def plan(self, tree: dict[str, Any]) -> dict[str, Any]:
        """Compare a tree with the objects; return what the objects are afterwards."""
        after: dict[str, Any] = self._dict(self.objects, tree, ())
        return after

    def commit(self) -> None:
        """Write. Only objects of other classes can fail here: those that were loaded take back their state."""
        done: list[tuple[Any, Any]] = []
        try:
            for thing, state in self._foreign:
                before = thing.state_dict()
                done.append((thing, before))
                thing.load_state_dict(state)
        except BaseException:
            for thing, before in reversed(done):
                thing.load_state_dict(before)
            raise
        for commit in [*self._commits, *self._last]:
            commit()

    def _value(self, here: Any, saved: Any, path: tuple[Any, ...]) -> Any:
        """Plan one value and return what it is afterwards: the same object, or for numbers and text the saved one."""
        shown = "/".join(map(str, path))
        kind = saved.kind if isinstance(saved, Tagged) else None
        if isinstance(here, Variable) and (kind == "variable" or isinstance(saved, np.ndarray)):
            plan_variable(here, saved.content["value"] if kind else saved, shown, self.problems, self._commits)
        elif isinstance(here, np.ndarray) and (kind == "variable" or isinstance(saved, np.ndarray)):
            self._array(here, saved.content["value"] if kind else saved, shown)
        elif isinstance(here, Optimizer) and kind == "optimizer":
            self._optimizer(here, saved.content, shown)
        elif isinstance(here, np.random.Generator) and kind == "generator":
            plan_generator(here, saved.content, shown, self.problems, self._commits)
        elif isinstance(here, Schedule) and kind == "schedule":
            plan_value({}, "", here, saved.content, shown, self.problems, self._commits)
        elif kind == "object" and callable(getattr(here, "load_state_dict", None)):
            self._foreign.append((here, plain(saved.content)))
        elif isinstance(here, dict) and isinstance(saved, dict):
            after = self._dict(here, saved, path)
            self._commits.append(lambda: here.update(after))
        elif type(here) in (list, tuple) and type(saved) is type(here):
            return self._sequence(here, saved, path, shown)
        elif here is None or (kind is None and isinstance(saved, type(here)) and type(here) in _SCALARS):
            return plain(saved)
        elif saved is None and type(here) in _SCALARS:
            return None
        elif isinstance(here, np.generic) and isinstance(saved, np.generic):
            if same_array(saved, here, shown, self.problems):
                return saved
        else:
            self.problems.append(f"{shown} is {kind or type(saved).__name__} in the file, {type(here).__name__} here")
        return here

    def _dict(self, here: dict[Any, Any], saved: dict[Any, Any], path: tuple[Any, ...]) -> dict[Any, Any]:
        if not self.partial:
            for word, names in (("missing", here.keys() - saved.keys()), ("extra", saved.keys() - here.keys())):
                shown = sorted(repr("/".join(map(str, (*path, name)))) for name in names)
                if shown:
                    self.problems.append(f"{', '.join(shown)} {word} in the file")
        return {
            name: self._value(value, saved[name], (*path, name)) if name in saved else value
            for name, value in here.items()
        }

    def _sequence(self, here: Any, saved: Any, path: tuple[Any, ...], shown: str) -> Any:
        if type(here) is list and all(item is None or type(item) in _SCALARS for item in [*here, *saved]):
            self._commits.append(lambda: here.__setitem__(slice(None), saved))  # a log, which may have grown
            return here
        if len(here) != len(saved):
            self.problems.append(f"{shown} has {len(saved)} members in the file, {len(here)} here")
            return here
        after = [self._value(a, b, (*path, k)) for k, (a, b) in enumerate(zip(here, saved, strict=True))]
        if isinstance(here, tuple):
            return here if all(a is b for a, b in zip(here, after, strict=True)) else tuple(after)
        self._commits.append(lambda: here.__setitem__(slice(None), after))
        return here

    def _array(self, here: Any, value: Any, shown: str) -> None:
        if not same_array(value, here, shown, self.problems):
            return
        if not here.flags.writeable:
            self.problems.append(f"{shown} is read-only here")
        self._commits.append(lambda: copy_into(here, value))

    def _optimizer(self, here: Optimizer, state: Any, shown: str) -> None:
        problems: list[str] = []
        targets = [self._target(entry) for entry in state["parameters"]]
        commits, resume_rows = plan_load(here, self.who, self._with_targets(state), targets, self.partial, problems)
        self._commits += commits
        self._last.append(resume_rows)
        self.problems += [f"{shown}: {problem}" for problem in problems]

    def _with_targets(self, state: Any) -> Any:
        """Return a state in which the entries of inner optimizers say what they are of."""
        if "inner" not in state:
            return state
        inner = [
            {**part, "parameters": [{**entry, "target": self._target(entry)} for entry in part["parameters"]]}
            for part in map(self._with_targets, state["inner"])
        ]
        return {**state, "inner": inner}

    def _target(self, entry: dict[str, Any]) -> Any:
        """Return what an entry of an optimizer's state is of: what is at its place, else the Variable of its name.

        State that waited for a parameter when it was saved has no place.
        """
        place = entry.get("place")
        return self._named.get(entry["name"]) if place is None else self._at(place)

    @functools.cached_property
    def _named(self) -> dict[str, Variable]:
        """The Variables among the objects, by names that only one has."""
        found = [self._at(place) for place in places_of(self.objects, (Variable,)).values()]
        times = Counter(variable._name for variable in found)
        return {variable._name: variable for variable in found if times[variable._name] == 1}

    def _at(self, place: Any) -> Any:
        """Return the parameter at a place among the objects; None where there is none, to be found by name or order."""
        found: Any = self.objects
        for key in place or [None]:
            try:
                found = found[key]
            except (KeyError, IndexError, TypeError):
                return None
        return found if isinstance(found, self._PARAMETERS) else None


def plain(tree: Any) -> Any:
    """Return a tree without tags: a Variable's value, an object's state; views of the file become writable copies."""
    if isinstance(tree, Tagged):
        content = tree.content
        return plain(content["value"] if tree.kind == "variable" else content)
    if isinstance(tree, dict):
        return {key: plain(item) for key, item in tree.items()}
    if type(tree) in (list, tuple):
        return type(tree)(plain(item) for item in tree)
    return tree.copy() if isinstance(tree, np.ndarray) and not tree.flags.writeable else tree
