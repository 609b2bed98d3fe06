"""The objects of a checkpoint and their values: found from the first one, named as in the file, and read again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ...optim.optimizer import Optimizer
from ...variables.variable import Variable as CoreVariable
from ..graph.wire_format import field_of, fields_in, varint
from ..variables.variables import Variable
from .registered_savers import get_registered_saver_name
from .saveable_names import force_checkpoint_conversion_enabled, get_saveable_name
from .saveables import SaveableObject, TensorsSaveable, escaped
from .trackable import (
    VARIABLE_VALUE_KEY,
    PythonStringStateSaveable,
    Trackable,
    TrackableReference,
    children_of,
    is_of_tensors,
)

__all__ = [
    "OBJECT_GRAPH",
    "Children",
    "SavedNode",
    "base_of",
    "decoded",
    "encoded",
    "has_objects",
    "listed_objects",
    "nodes_in",
    "objects_by_saver",
    "saved_graph",
]

OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
"""The name under which TensorFlow's files say which objects there are."""

_ATTRIBUTES, _SLOT = ".ATTRIBUTES", ".OPTIMIZER_SLOT"


@dataclass
class SavedNode:
    """An object in a file: others by name, its values' keys by attribute, and the slots that an optimizer has."""

    children: dict[str, int] = field(default_factory=dict)
    attributes: dict[str, tuple[str, str]] = field(default_factory=dict)  # the full name, and the key
    slots: list[tuple[int, str, int]] = field(default_factory=list)  # whose, its name, its own number
    saver: tuple[str, str] | None = None  # the registered one that saves the object, and the object's name for it


Attached: TypeAlias = Sequence[TrackableReference]
Children: TypeAlias = Callable[[Any], Sequence[tuple[str, Any]]]


def _found(root: Any, attached: Attached, children: Children) -> tuple[list[Any], dict[int, int], list[str]]:
    """Return the objects, the nearest first, their numbers by identity, and their paths."""
    objects, numbers, paths = [root], {id(root): 0}, [""]
    waiting = deque([0])
    while waiting:
        number = waiting.popleft()
        for name, each in [*children(objects[number]), *(attached if number == 0 else ())]:
            if id(each) not in numbers:
                numbers[id(each)] = len(objects)
                waiting.append(len(objects))
                objects.append(each)
                paths.append(f"{paths[number]}{escaped(name)}/")
    return objects, numbers, paths


def _slots(objects: list[Any], paths: list[str]) -> Iterable[tuple[int, int, str, Any, str]]:
    """Give the slots of optimizers among the objects: whose, of which, the name, the variable, its path."""
    for owner, optimizer in enumerate(objects):
        if isinstance(optimizer, Optimizer) and not hasattr(optimizer, "_tracked"):
            for slot in optimizer.get_slot_names():
                for number, variable in enumerate(objects):
                    if isinstance(variable, (Variable, CoreVariable)):
                        held = optimizer.get_slot(variable, slot)
                        if held is not None:
                            path = f"{paths[number]}{_SLOT}/{paths[owner]}{escaped(slot)}/"
                            yield owner, number, slot, held, path


def listed_objects(root: Any, attached: Attached = (), children: Children = children_of) -> list[Any]:
    """Return an object and all that it depends on, slots at the end."""
    objects, _, paths = _found(root, attached, children)
    return [*objects, *(held for _, _, _, held, _ in _slots(objects, paths))]


def saved_graph(
    root: Any, attached: Attached = (), children: Children = children_of
) -> tuple[list[SavedNode], dict[str, Any]]:
    """Return the objects as they are in a file, and what is saved by its key: variables, or what else savers take.

    ``children``: what an object depends on, by name; the first one depends on what is attached to it too.
    """
    objects, numbers, paths = _found(root, attached, children)
    nodes = [
        SavedNode({name: numbers[id(each)] for name, each in [*children(value), *(() if number else attached)]})
        for number, value in enumerate(objects)
    ]
    for owner, number, slot, held, path in list(_slots(objects, paths)):
        nodes[owner].slots.append((number, slot, len(objects)))
        objects.append(held)
        paths.append(path)
        nodes.append(SavedNode())
    values: dict[str, Any] = {}
    for value, node, path in zip(objects, nodes, paths, strict=True):
        saver = get_registered_saver_name(value)
        if saver is not None:
            node.saver = (saver, path.removesuffix("/"))
            continue
        for attribute, key, saved in _values_of(value, path):
            full = saved.name if hasattr(saved, "name") else ""
            node.attributes[attribute] = (full.removesuffix(":0"), key)
            if saved is not None:
                values[key] = saved
    return nodes, values


def objects_by_saver(nodes: list[SavedNode], objects: list[Any]) -> dict[str, dict[str, Any]]:
    """Return the objects that registered savers save, by the names of these and their own."""
    found: dict[str, dict[str, Any]] = {}
    for value, node in zip(objects, nodes, strict=True):
        if node.saver is not None:
            saver, name = node.saver
            found.setdefault(saver, {})[name] = value
    return found


def _key(path: str, attribute: str) -> str:
    return f"{path or '/'}{_ATTRIBUTES}/{escaped(attribute)}"


def base_of(key: str, value: Any) -> str:
    """Return with what the names of an object's tensors in a file begin, of which ``key`` is one."""
    where = f"{_ATTRIBUTES}/"
    return key[: key.index(where) + len(where)] + escaped(get_saveable_name(value) or "")


def _values_of(value: Any, path: str) -> Iterable[tuple[str, str, Any]]:
    """Give what is saved, with the attribute and the key; None for what an earlier one has saved with its own."""
    if isinstance(value, (Variable, CoreVariable)):
        yield VARIABLE_VALUE_KEY, _key(path, VARIABLE_VALUE_KEY), value
    elif is_of_tensors(value):
        prefix = get_saveable_name(value) or ""
        saved: Any = TensorsSaveable(value, base_of(_key(path, ""), value))
        if prefix and not force_checkpoint_conversion_enabled():
            yield prefix, saved.name, saved
            return
        for name, spec in zip(saved.local_names, saved.specs, strict=True):
            yield prefix + name, spec.name, saved
            saved = None
    elif isinstance(value, Trackable):
        for attribute, make in value._gather_saveables_for_checkpoint().items():
            key = _key(path, attribute)
            known = isinstance(make, (SaveableObject, PythonStringStateSaveable)) or not callable(make)
            yield attribute, key, make if known else make(name=key)


def encoded(nodes: list[SavedNode]) -> bytes:
    """Return objects as the bytes of TensorFlow's message."""

    def number(key: int, value: int) -> bytes:
        return varint(key << 3) + varint(value) if value else b""

    def text(key: int, value: str) -> bytes:
        return field_of(key, value.encode()) if value else b""

    out = b""
    for node in nodes:
        inside = b"".join(field_of(1, number(1, k) + text(2, name)) for name, k in node.children.items())
        inside += b"".join(
            field_of(2, text(1, name) + text(2, full) + text(3, key)) for name, (full, key) in node.attributes.items()
        )
        inside += b"".join(field_of(3, number(1, of) + text(2, slot) + number(3, k)) for of, slot, k in node.slots)
        if node.saver is not None:
            inside += field_of(4, text(1, node.saver[0]) + text(2, node.saver[1]))
        out += field_of(1, inside)
    return out


def decoded(data: bytes) -> list[SavedNode]:
    """Return the objects of TensorFlow's message; ValueError for what is none."""
    return [_node(inside) for key, inside in fields_in(data) if key == 1 and isinstance(inside, bytes)]


def _node(data: bytes) -> SavedNode:
    node = SavedNode()
    for key, inside in fields_in(data):
        if not isinstance(inside, bytes) or key not in (1, 2, 3, 4):
            continue
        parts: dict[int, Any] = dict(fields_in(inside))
        texts = {number: part.decode() for number, part in parts.items() if isinstance(part, bytes)}
        if key == 1:
            node.children[texts.get(2, "")] = int(parts.get(1, 0))
        elif key == 2:
            node.attributes[texts.get(1, "")] = (texts.get(2, ""), texts.get(3, ""))
        elif key == 3:
            node.slots.append((int(parts.get(1, 0)), texts.get(2, ""), int(parts.get(3, 0))))
        else:
            node.saver = (texts.get(1, ""), texts.get(2, ""))
    return node


def has_objects(arrays: Mapping[str, Any]) -> bool:
    """Tell whether a file is of objects, and not of a `Saver`'s names."""
    return OBJECT_GRAPH in arrays or any(f"{_ATTRIBUTES}/" in key for key in arrays)


def nodes_in(arrays: Mapping[str, Any]) -> list[SavedNode]:
    """Return the objects of a file: as it says, or, where it is of before, as the names in it say."""
    if OBJECT_GRAPH in arrays:
        held: Any = arrays[OBJECT_GRAPH]
        return decoded(bytes(held.item()))
    nodes = [SavedNode()]

    def at(path: str) -> int:
        number = 0
        for name in filter(None, path.split("/")):
            if name not in nodes[number].children:
                nodes.append(SavedNode())
                nodes[number].children[name] = len(nodes) - 1
            number = nodes[number].children[name]
        return number

    slots = []
    for key in sorted(arrays):
        path, _, attribute = key.partition(f"{_ATTRIBUTES}/")
        of, _, slot = path.partition(f"{_SLOT}/")
        if attribute and not slot:
            nodes[at(path)].attributes[attribute] = ("", key)
        elif attribute:
            owner, _, name = slot.rstrip("/").rpartition("/")
            slots.append((of, owner, name, attribute, key))
    for of, owner, name, attribute, key in slots:
        nodes[at(owner)].slots.append((at(of), name, len(nodes)))
        nodes.append(SavedNode(attributes={attribute: ("", key)}))
    return nodes
