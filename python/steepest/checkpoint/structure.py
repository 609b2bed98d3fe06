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

__all__ = ["Tagged", "decode", "encode"]

_DEEPEST = 100
_SCALARS = (bool, int, float, str, type(None))


@dataclass(frozen=True)
class Tagged:
    """A plain value, and what kind of object it is the state of."""

    kind: str
    content: Any


def encode(who: str, value: Any) -> tuple[str, dict[str, Array]]:
    """Return a tree as text, and its arrays by name.

    Raises:
        TypeError: for a value that is none of scalars, arrays, dicts, lists, tuples, `Tagged`.
        ValueError: for a tree that contains itself.
    """
    tensors: dict[str, Array] = {}

    def stored(array: Array, path: tuple[str, ...]) -> str:
        name = wanted = "/".join(path) or "array"
        count = 0
        while name in tensors or name == "__metadata__":
            count += 1
            name = f"{wanted}~{count}"
        tensors[name] = array
        return name

    def node(value: Any, path: tuple[str, ...]) -> Any:
        if len(path) > _DEEPEST:
            raise ValueError(must(who, path[0], f"be nested at most {_DEEPEST} deep", "more; it may contain itself"))
        if type(value) in _SCALARS:
            return value
        if isinstance(value, np.generic):
            return {"number": stored(np.asarray(value), path)}
        if isinstance(value, np.ndarray):
            return {"array": stored(value, path)}
        if (
            isinstance(value, Tagged) and value.kind == "variable"
        ):  # its tensor has the Variable's own place as its name
            name, array = value.content["name"], value.content["value"]
            return {"variable": {"dict": [["name", name], ["value", node(array, path)]]}}
        if isinstance(value, Tagged):
            return {value.kind: node(value.content, path)}
        if type(value) in (list, tuple):
            return {type(value).__name__: [node(item, (*path, str(k))) for k, item in enumerate(value)]}
        if isinstance(value, dict):
            for key in value:
                if type(key) not in _SCALARS:
                    raise TypeError(must(who, "/".join(path), "have keys that are strings or numbers", key))
            return {"dict": [[key, node(item, (*path, str(key)))] for key, item in value.items()]}
        rule = "be made of Variables, arrays, optimizers, schedules, generators, numbers, strings, dicts and lists"
        remedy = "give its class state_dict() and load_state_dict(state)"
        raise TypeError(must(who, "/".join(path), rule, f"{type(value).__name__}", remedy))

    return json.dumps(node(value, ()), separators=(",", ":")), tensors


def decode(text: str, tensor: Callable[[str], Array]) -> Any:
    """Return the tree; ``tensor`` gives arrays by name. ValueError for a text that is not of this form."""

    def tree(found: Any) -> Any:
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
            return [tree(item) for item in content]
        if kind == "tuple":
            return tuple(tree(item) for item in content)
        if kind == "dict":
            return {key: tree(item) for key, item in content}
        return Tagged(kind, tree(content))

    try:
        return tree(json.loads(text))
    except (TypeError, RecursionError) as error:
        raise ValueError(f"its structure is not one of steepest's ({error})") from error
