"""Lists and dicts of objects that only grow; their items are dependencies."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Mapping as AbstractMapping
from typing import Any, SupportsIndex

from ...variables.variable import Variable as CoreVariable
from ..variables.variables import Variable
from .trackable import NoDependency, Trackable, has_weights, is_trackable

__all__ = [
    "NOT_SAVED",
    "WRAPPERS",
    "List",
    "Mapping",
    "TrackableDataStructure",
    "UniqueNameTracker",
    "sticky_attribute_assignment",
    "wrap_or_unwrap",
]

WRAPPERS: dict[type, Callable[[Any], Any]] = {}
"""What plain lists and dicts become."""

NOT_SAVED = (
    "If you don't need this {0} checkpointed, wrap it in a tf.contrib.checkpoint.NoDependency object; it will be "
    "automatically un-wrapped and subsequently ignored."
)


def wrap_or_unwrap(value: Any) -> Any:
    """Return a plain list or dict as one that is followed, what a `NoDependency` holds, and else the value."""
    if isinstance(value, NoDependency):
        return value.value
    make = WRAPPERS.get(type(value))
    return value if make is None else make(value)


def sticky_attribute_assignment(trackable: Trackable, name: str, value: Any) -> Any:
    """Return what an attribute is to hold; it is a dependency unless it is a `NoDependency` or cannot be saved."""
    held = wrap_or_unwrap(value)
    if not isinstance(value, NoDependency) and is_trackable(held):
        trackable._track_trackable(held, name, overwrite=True)
    return held


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
            elif has_weights(each):
                found.append(each)
        return found

    def _weights(self, trainable: bool) -> list[Any]:
        inside: list[Any] = []
        own: list[Any] = []
        for each in self._values:
            if isinstance(each, (Variable, CoreVariable)):
                own += [each] if each.trainable == trainable else []
            elif has_weights(each):
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


class UniqueNameTracker(TrackableDataStructure):
    """A container that gives its items the names that they ask for, with a number behind those that are taken.

    Source: ``tf.contrib.checkpoint.UniqueNameTracker``.
    """

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    @property
    def _values(self) -> list[Any]:
        return [each.ref for each in self._checkpoint_dependencies]

    def track(self, trackable: Any, base_name: str) -> Any:
        """Return an object, a dependency from now on; ValueError for what cannot be one."""
        if not is_trackable(trackable):
            raise ValueError(
                f"Expected a trackable value, got {trackable} which does not inherit from tf.track.Trackable."
            )
        count = self._counts.get(base_name, 0)
        while self._lookup_dependency(name := f"{base_name}_{count}" if count else base_name) is not None:
            count += 1
        self._counts[base_name] = count + 1
        self._track_value(trackable, name)
        return trackable
