"""A tree of plain values as text and tensors: what a checkpoint's header says of the objects in it.

Every node of the JSON text is a plain scalar or an object of one key, its kind: ``{"array": tensor's name}``,
``{"number": ...}`` (a NumPy scalar), ``{"list": [...]}``, ``{"tuple": [...]}``, ``{"dict": [[key, node], ...]}``, or
what a `Tagged` value is called. Thus no name of the user's can be taken for one of the format's.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.errors import must
from ..base.typing import Array
from .pieces import Pieces

__all__ = ["Tagged", "decode", "encode"]

_DEEPEST = 100
_SCALARS = (bool, int, float, str, type(None))


@dataclass(frozen=True)
class Tagged:
    """A plain value, and what kind of object it is the state of."""

    kind: str
    content: Any


def encode(who: str, value: Any) -> tuple[str, dict[str, Any]]:
    """Return a tree as text, and its arrays and `Pieces` by name.

    Raises:
        TypeError: for a value that is none of scalars, arrays, dicts, lists, tuples, `Tagged`.
        ValueError: for a tree that contains itself.
    """
    tensors: dict[str, Any] = {}
    text = json.dumps(_node(who, value, (), tensors), separators=(",", ":"))
    return text, tensors


def decode(text: str, tensor: Callable[[str], Array]) -> Any:
    """Return the tree; ``tensor`` gives arrays by name. ValueError for a text that is not of this form."""
    try:
        return _tree(json.loads(text), tensor)
    except (TypeError, RecursionError) as error:
        raise ValueError(f"its structure is not one of steepest's ({error})") from error


# Functions of the module: a nested one that calls itself would keep all arrays alive until garbage is collected.


def _stored(array: Array | Pieces, path: tuple[str, ...], tensors: dict[str, Any]) -> str:
    name = wanted = "/".join(path) or "array"
    count = 0
    while name in tensors or name == "__metadata__":
        count += 1
        name = f"{wanted}~{count}"
    tensors[name] = array
    return name


def _node(who: str, value: Any, path: tuple[str, ...], tensors: dict[str, Any]) -> Any:
    if len(path) > _DEEPEST:
        raise ValueError(must(who, path[0], f"be nested at most {_DEEPEST} deep", "more; it may contain itself"))
    if type(value) in _SCALARS:
        return value
    if isinstance(value, np.generic):
        return {"number": _stored(np.asarray(value), path, tensors)}
    if isinstance(value, (np.ndarray, Pieces)):
        return {"array": _stored(value, path, tensors)}
    if isinstance(value, Tagged) and value.kind == "variable":  # its tensor has the Variable's own place as its name
        name, array = value.content["name"], value.content["value"]
        return {"variable": {"dict": [["name", name], ["value", _node(who, array, path, tensors)]]}}
    if isinstance(value, Tagged):
        return {value.kind: _node(who, value.content, path, tensors)}
    if type(value) in (list, tuple):
        items = [_node(who, item, (*path, str(k)), tensors) for k, item in enumerate(value)]
        return {type(value).__name__: items}
    if isinstance(value, dict):
        for key in value:
            if type(key) not in _SCALARS:
                raise TypeError(must(who, "/".join(path), "have keys that are strings or numbers", key))
        return {"dict": [[key, _node(who, item, (*path, str(key)), tensors)] for key, item in value.items()]}
    rule = "be made of Variables, arrays, optimizers, schedules, generators, numbers, strings, dicts and lists"
    remedy = "give its class state_dict() and load_state_dict(state)"
    raise TypeError(must(who, "/".join(path), rule, f"{type(value).__name__}", remedy))


def _tree(found: Any, tensor: Callable[[str], Array]) -> Any:
    if type(found) in _SCALARS:
        return found
    if not isinstance(found, dict) or len(found) != 1:
        raise ValueError("its structure is not one of steepest's")
    [(kind, content)] = found.items()
    if kind == "array":
        return tensor(content)
    if kind == "number":
        return tensor(content)[()]
    if kind == "list":
        return [_tree(item, tensor) for item in content]
    if kind == "tuple":
        return tuple(_tree(item, tensor) for item in content)
    if kind == "dict":
        return {key: _tree(item, tensor) for key, item in content}
    return Tagged(kind, _tree(content, tensor))
