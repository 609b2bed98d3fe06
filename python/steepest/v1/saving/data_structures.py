"""Lists and dicts whose items are dependencies: those that only grow, and those that attributes' plain ones become."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as AbstractMapping
from typing import Any, SupportsIndex

from ...variables.variable import Variable as CoreVariable
from ..variables.variables import Variable
from .trackable import NoDependency, Trackable, is_trackable

__all__ = [
    "AutoTrackable",
    "List",
    "ListWrapper",
    "Mapping",
    "TrackableDataStructure",
    "_DictWrapper",
    "sticky_attribute_assignment",
    "wrap_or_unwrap",
]

_LEAVE = (
    "If you don't need this {0} checkpointed, wrap it in a tf.contrib.checkpoint.NoDependency object; it will be "
    "automatically un-wrapped and subsequently ignored."
)


def wrap_or_unwrap(value: Any) -> Any:
    """Return a plain list or dict as one that is followed, what a `NoDependency` holds, and else the value."""
    if isinstance(value, NoDependency):
        return value.value
    if type(value) is list:
        return ListWrapper(value)
    return _DictWrapper(value) if type(value) is dict else value


def sticky_attribute_assignment(trackable: Trackable, name: str, value: Any) -> Any:
    """Return what an attribute is to hold; it is a dependency unless it is a `NoDependency` or cannot be saved."""
    held = wrap_or_unwrap(value)
    if not isinstance(value, NoDependency) and is_trackable(held):
        trackable._track_trackable(held, name, overwrite=True)
    return held


class AutoTrackable(Trackable):
    """An object whose attributes are its dependencies: variables, optimizers, layers, others, lists and dicts of them.

    Plain lists and dicts that attributes are set to become `ListWrapper` and such, which follow later changes.

    Source: ``AutoTrackable`` of ``tensorflow/python/training/tracking/tracking.py``.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if getattr(self, "_self_setattr_tracking", True):
            value = sticky_attribute_assignment(self, name, value)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        self._forget(name)
        super().__delattr__(name)

    def _no_dependency(self, value: Any) -> Any:
        return NoDependency(value)


class TrackableDataStructure(Trackable):
    """Base of containers: their variables and layers are those of their items.

    Source: ``TrackableDataStructure`` of ``tensorflow/python/training/tracking/data_structures.py``.
    """

    trainable = True
    _loose = False  # whether items may be anything

    @property
    def _values(self) -> Iterable[Any]:
        raise NotImplementedError("Abstract method")

    def _track_value(self, value: Any, name: str) -> Any:
        """Return an item as it is held; it is a dependency where it can be one."""
        held = sticky_attribute_assignment(self, name, value)
        if not self._loose and not is_trackable(held):
            raise ValueError(
                "Only trackable objects (such as Layers or Optimizers) may be stored in a List object. "
                f"Got {held}, which does not inherit from Trackable."
            )
        return held

    @property
    def layers(self) -> list[Any]:
        """The layers among the items, and in containers among them."""
        found: list[Any] = []
        for each in self._values:
            if isinstance(each, TrackableDataStructure):
                found += each.layers
            elif hasattr(each, "trainable_variables"):
                found.append(each)
        return found

    def _weights(self, trainable: bool) -> list[Any]:
        inside: list[Any] = []
        own: list[Any] = []
        for each in self._values:
            if isinstance(each, (Variable, CoreVariable)):
                own += [each] if each.trainable == trainable else []
            elif hasattr(each, "trainable_variables"):
                inside += each.trainable_variables if trainable else each.non_trainable_variables
        return inside + own

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables that are trained."""
        return self._weights(True) if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables."""
        return ([] if self.trainable else self._weights(True)) + self._weights(False)

    @property
    def weights(self) -> list[Any]:
        """All variables, those that are trained first."""
        return self.trainable_weights + self.non_trainable_weights

    trainable_variables, non_trainable_variables = trainable_weights, non_trainable_weights
    variables = weights

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


class List(TrackableDataStructure, Sequence[Any]):
    """A list that only grows; its items are dependencies, and are called by their places.

    Raises ValueError for an item that a checkpoint cannot save.

    Source: ``tf.contrib.checkpoint.List``.
    """

    _storage: list[Any]

    def __init__(self, *args: Any) -> None:
        self._storage = self._made(*args)
        self._adopt()

    def _made(self, *args: Any) -> list[Any]:
        return list(*args)

    def _adopt(self) -> None:
        for place, item in enumerate(self._storage):
            self._storage[place] = self._track_value(item, str(place))

    @property
    def _values(self) -> Iterable[Any]:
        return self._storage

    def copy(self) -> Any:
        """Return a list of the same items."""
        return type(self)(copy.copy(self._storage))

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Any:
        return type(self)(copy.deepcopy(self._storage, memo))

    def append(self, value: Any) -> None:
        """Add an item at the end."""
        self._storage.append(self._track_value(value, str(len(self._storage))))

    def extend(self, values: Iterable[Any]) -> None:
        """Add items at the end."""
        for each in list(values):
            self.append(each)

    def __iadd__(self, values: Any) -> Any:
        self.extend(values)
        return self

    def __add__(self, other: Any) -> Any:
        return self._storage + getattr(other, "_storage", other)

    def __radd__(self, other: Any) -> Any:
        return other + self._storage

    def __imul__(self, times: SupportsIndex) -> Any:
        if int(times) <= 0:
            raise ValueError(f"List only supports append, multiplying in place by {int(times)} removes elements.")
        self.extend(self._storage * (int(times) - 1))
        return self

    def __mul__(self, times: SupportsIndex) -> list[Any]:
        return self._storage * times

    __rmul__ = __mul__

    def __getitem__(self, key: Any) -> Any:
        return self._storage[key]

    def __len__(self) -> int:
        return len(self._storage)

    def __repr__(self) -> str:
        return f"List({self._storage!r})"


class ListWrapper(List, list[Any]):
    """A list that an attribute was set to: what the list holds, and whether a checkpoint can tell its items by place.

    The plain list changes with it. It is not saved any more once an item that could be saved has been replaced, moved
    or removed, or the plain list has been changed otherwise.

    Source: ``ListWrapper`` of ``tensorflow/python/training/tracking/data_structures.py``.
    """

    # The object is a list itself: as such it holds what the plain list held when it was last seen.
    _loose = True
    _moved = False
    _changed_outside = False

    def __init__(self, wrapped_list: Iterable[Any]) -> None:
        super().__init__(wrapped_list)
        self._see()

    def _made(self, *args: Any) -> list[Any]:
        given = args[0]
        return given._storage if isinstance(given, ListWrapper) else given if isinstance(given, list) else list(given)

    def _see(self) -> None:
        list.__setitem__(self, slice(None), self._storage)

    def _look(self) -> None:
        """Note whether the plain list was changed otherwise."""
        seen, here = list(list.__iter__(self)), self._storage
        if len(seen) != len(here) or any(a is not b for a, b in zip(seen, here, strict=True)):
            self._changed_outside |= any(map(is_trackable, [*seen, *here]))
            self._see()

    @property
    def _checkpoint_dependencies(self) -> list[Any]:
        self._look()
        start = (
            f"Unable to save the object {self._storage} (a list wrapper constructed to track trackable TensorFlow "
            "objects). "
        )
        if self._moved:
            raise ValueError(
                f"{start}A list element was replaced (__setitem__, __setslice__), deleted (__delitem__, __delslice__), "
                "or moved (sort). In order to support restoration on object creation, tracking is exclusively for "
                f"append-only data structures.\n\n{_LEAVE.format('list')}"
            )
        if self._changed_outside:
            raise ValueError(
                f"{start}The wrapped list was modified outside the wrapper (its final value was {self._storage}), "
                f"which breaks restoration on object creation.\n\n{_LEAVE.format('list')}"
            )
        return super()._checkpoint_dependencies

    def _altered(self, change: Any, *args: Any, **kwargs: Any) -> Any:
        """Change the plain list; where it has items to save, these have no fixed places any more."""
        self._look()
        self._moved |= any(map(is_trackable, self._storage))
        out = change(self._storage, *args, **kwargs)
        self._moved |= any(map(is_trackable, self._storage))
        self._see()
        return out

    def _as_dirty(self, other: ListWrapper) -> Any:
        other._look()
        self._moved, self._changed_outside = other._moved, other._changed_outside
        return self

    def copy(self) -> Any:
        return super().copy()._as_dirty(self)

    def __deepcopy__(self, memo: Any) -> Any:
        return super().__deepcopy__(memo)._as_dirty(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self), (self._storage,)

    def append(self, value: Any) -> None:
        if len(self._storage) != list.__len__(self):
            self._look()
        super().append(value)
        list.append(self, self._storage[-1])

    def extend(self, values: Iterable[Any]) -> None:
        List.extend(self, values)

    def insert(self, index: SupportsIndex, value: Any) -> None:
        """Add an item before others."""
        self._altered(list.insert, index, wrap_or_unwrap(value))

    def pop(self, index: SupportsIndex = -1) -> Any:
        """Remove an item, and return it."""
        return self._altered(list.pop, index)

    def remove(self, value: Any) -> None:
        """Remove the first item that is equal to a value."""
        self._altered(list.remove, value)

    def clear(self) -> None:
        """Remove all items."""
        self._altered(list.clear)

    def reverse(self) -> None:
        """Turn the order around."""
        self._altered(list.reverse)

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        """Order the items."""
        self._altered(list.sort, key=key, reverse=reverse)

    def __delitem__(self, key: Any) -> None:
        self._altered(list.__delitem__, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._look()
        before = list(self._storage)
        self._storage[key] = value if isinstance(key, slice) else wrap_or_unwrap(value)
        for place, item in enumerate(self._storage):
            if place >= len(before) or item is not before[place]:
                self._moved |= place < len(before) and is_trackable(before[place])
                self._storage[place] = wrap_or_unwrap(item) if self._moved else self._track_value(item, str(place))
        self._moved |= any(map(is_trackable, before[len(self._storage) :]))
        self._see()

    def __imul__(self, times: SupportsIndex) -> Any:
        if int(times) <= 0:
            self.clear()
            return self
        return super().__imul__(times)

    def index(self, value: Any, *where: Any) -> int:
        return self._storage.index(value, *where)

    def count(self, value: Any) -> int:
        return self._storage.count(value)

    def __iter__(self) -> Any:
        return iter(self._storage)

    def __reversed__(self) -> Any:
        return reversed(self._storage)

    def __contains__(self, value: object) -> bool:
        return value in self._storage

    def __eq__(self, other: object) -> bool:
        return bool(self._storage == getattr(other, "_storage", other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Any) -> bool:
        return bool(self._storage < getattr(other, "_storage", other))

    def __le__(self, other: Any) -> bool:
        return bool(self._storage <= getattr(other, "_storage", other))

    def __gt__(self, other: Any) -> bool:
        return bool(self._storage > getattr(other, "_storage", other))

    def __ge__(self, other: Any) -> bool:
        return bool(self._storage >= getattr(other, "_storage", other))

    __hash__ = None  # type: ignore[assignment]

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self._storage.__sizeof__()

    def __repr__(self) -> str:
        return f"ListWrapper({self._storage!r})"


class Mapping(TrackableDataStructure, AbstractMapping[str, Any]):
    """A dict that only grows; its keys are strings, and its items dependencies of these names.

    Raises ValueError for a key that it has, and for an item that a checkpoint cannot save; TypeError for other keys.

    Source: ``tf.contrib.checkpoint.Mapping``.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._storage: dict[str, Any] = {}
        self.update(*args, **kwargs)

    @property
    def _values(self) -> Iterable[Any]:
        return [self._storage[key] for key in sorted(self._storage)]

    def __setitem__(self, key: str, value: Any) -> None:
        if not isinstance(key, str):
            raise TypeError(f"Mapping accepts only string keys, but got a key {key!r}.")
        if key in self._storage and self._storage[key] is not value:
            raise ValueError(
                f"Mappings are an append-only data structure. Tried to overwrite the key '{key}' with value {value}, "
                f"but it already contains {self._storage[key]}"
            )
        self._storage[key] = self._track_value(value, key)

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Add items."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __getitem__(self, key: str) -> Any:
        return self._storage[key]

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Any:
        return iter(self._storage)

    def __repr__(self) -> str:
        return f"Mapping({self._storage!r})"


class _DictWrapper(TrackableDataStructure, dict[Any, Any]):
    """A dict that an attribute was set to; the plain dict changes with it.

    Items may be replaced and removed. It is not saved any more once the plain dict has been changed otherwise, and
    while an item that could be saved has a key that is no string.
    """

    _loose = True
    _changed_outside = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given = args[0] if len(args) == 1 and not kwargs else None
        self._storage: dict[Any, Any] = given if type(given) is dict else dict(*args, **kwargs)
        for key, value in list(self._storage.items()):
            self._storage[key] = self._held(key, value)
        self._see()

    @property
    def _values(self) -> Iterable[Any]:
        return [self._storage[key] for key in sorted(self._storage, key=str)]

    def _see(self) -> None:
        dict.clear(self)
        dict.update(self, self._storage)

    def _look(self) -> None:
        seen, here = dict(dict.items(self)), self._storage
        if seen.keys() != here.keys() or any(seen[key] is not here[key] for key in here):
            self._changed_outside |= any(map(is_trackable, [*seen.values(), *here.values()]))
            self._see()

    def _held(self, key: Any, value: Any) -> Any:
        return self._track_value(value, key) if isinstance(key, str) else wrap_or_unwrap(value)

    @property
    def _checkpoint_dependencies(self) -> list[Any]:
        self._look()
        start = (
            f"Unable to save the object {self._storage} (a dictionary wrapper constructed automatically on attribute "
            "assignment). "
        )
        end = f"\n\n{_LEAVE.format('dictionary')}"
        if any(not isinstance(key, str) and is_trackable(value) for key, value in self._storage.items()):
            raise ValueError(
                f"{start}The wrapped dictionary contains a non-string key which maps to a trackable object or mutable "
                f"data structure.{end}"
            )
        if self._changed_outside:
            raise ValueError(
                f"{start}The wrapped dictionary was modified outside the wrapper (its final value was "
                f"{self._storage}), which breaks restoration on object creation.{end}"
            )
        return super()._checkpoint_dependencies

    def _as_dirty(self, other: _DictWrapper) -> Any:
        other._look()
        self._changed_outside = other._changed_outside
        return self

    def copy(self) -> Any:
        return type(self)(copy.copy(self._storage))._as_dirty(self)

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Any:
        return type(self)(copy.deepcopy(self._storage, memo))._as_dirty(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self), (self._storage,)

    def __setitem__(self, key: Any, value: Any) -> None:
        if len(self._storage) != dict.__len__(self):
            self._look()
        if self._storage.get(key) is not value:
            self._forget(key)
        self._storage[key] = self._held(key, value)
        dict.__setitem__(self, key, self._storage[key])

    def __delitem__(self, key: Any) -> None:
        self.pop(key)

    def pop(self, key: Any, *default: Any) -> Any:
        self._look()
        out = self._storage.pop(key, *default)
        self._forget(key)
        self._see()
        return out

    def popitem(self) -> tuple[Any, Any]:
        key = next(reversed(self._storage), None)
        return key, self.pop(key)

    def clear(self) -> None:
        for key in list(self._storage):
            self.pop(key)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key not in self._storage:
            self[key] = default
        return self._storage[key]

    def update(self, *args: Any, **kwargs: Any) -> None:
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __or__(self, other: Any) -> Any:
        return self._storage | getattr(other, "_storage", other)

    def __ror__(self, other: Any) -> Any:
        return other | self._storage

    def get(self, key: Any, default: Any = None) -> Any:
        return self._storage.get(key, default)

    def keys(self) -> Any:
        return self._storage.keys()

    def values(self) -> Any:
        return self._storage.values()

    def items(self) -> Any:
        return self._storage.items()

    def __getitem__(self, key: Any) -> Any:
        return self._storage[key]

    def __contains__(self, key: object) -> bool:
        return key in self._storage

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Any:
        return iter(self._storage)

    def __reversed__(self) -> Any:
        return reversed(self._storage)

    def __eq__(self, other: object) -> bool:
        return bool(self._storage == getattr(other, "_storage", other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"DictWrapper({self._storage!r})"
