"""What is saved of objects: each becomes plain values, with a tag that says what it was."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.errors import must
from ..optim.optimizer import Optimizer
from ..optim.optimizer_state import snapshot
from ..optim.parameters import identity_of
from ..optim.saved_attributes import state_of
from ..optim.schedules.schedule import Schedule
from ..variables.variable import Variable
from .structure import Tagged

__all__ = ["places_of", "plain_tree", "rules_in"]

Path = tuple[Any, ...]


def plain_tree(who: str, objects: dict[str, Any]) -> dict[str, Any]:
    """Return the objects' state, a tree of plain values; its arrays are the live ones.

    State of an optimizer says where its parameters are among the objects.
    """
    tree: dict[str, Any] = _plain(who, objects, places_of(objects), 0)
    return tree


def places_of(objects: Any, kinds: tuple[type, ...] = (Variable, np.ndarray)) -> dict[Any, list[Any]]:
    """Return where each object of some kinds is in nested dicts and lists, by what it is known by (`identity_of`)."""
    places: dict[Any, list[Any]] = {}
    _find(objects, (), kinds, places)
    return places


def _find(value: Any, path: Path, kinds: tuple[type, ...], places: dict[Any, list[Any]]) -> None:
    if isinstance(value, kinds):
        places.setdefault(identity_of(value), list(path))
    elif len(path) < 100:
        members = value.items() if isinstance(value, dict) else enumerate(value) if _is_list(value) else ()
        for key, member in members:
            _find(member, (*path, key), kinds, places)


def _is_list(value: Any) -> bool:
    return type(value) in (list, tuple)


def _plain(who: str, value: Any, places: dict[Any, list[Any]], depth: int) -> Any:
    if depth > 100:
        raise ValueError(must(who, "objects", "be nested at most 100 deep", "more; one may contain itself"))
    if isinstance(value, Variable):
        return Tagged("variable", {"name": value._name, "value": value._settled()})
    if isinstance(value, Optimizer):
        return Tagged("optimizer", snapshot(value, places))
    if isinstance(value, np.random.Generator):
        return Tagged("generator", value.bit_generator.state)
    if isinstance(value, Schedule):
        return Tagged("schedule", state_of(value))
    if isinstance(value, dict):
        return {key: _plain(who, item, places, depth + 1) for key, item in value.items()}
    if _is_list(value):
        return type(value)(_plain(who, item, places, depth + 1) for item in value)
    if callable(getattr(value, "state_dict", None)) and callable(getattr(value, "load_state_dict", None)):
        return Tagged("object", _plain(who, value.state_dict(), places, depth + 1))
    return value


def rules_in(tree: Any) -> set[str]:
    """Return the names of the rules, or classes, of the optimizers in a tree."""
    if isinstance(tree, Tagged):
        if tree.kind == "optimizer":
            return {tree.content["rule"] or tree.content["class"]}
        return set()
    members = tree.values() if isinstance(tree, dict) else tree if _is_list(tree) else ()
    return {rule for member in members for rule in rules_in(member)}
