"""Objects that a `Checkpoint` saves: what depends on what, by name, and what waits for a later attribute."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ...optim.optimizer import Optimizer
from ...variables.variable import Variable as CoreVariable
from ..functions.concrete_functions import ConcreteFunction
from ..graph.graph import get_default_graph
from ..variables.variables import Variable

__all__ = [
    "OBJECT_CONFIG_JSON_KEY",
    "VARIABLE_VALUE_KEY",
    "NoDependency",
    "NotTrackable",
    "PythonState",
    "PythonStringStateSaveable",
    "Trackable",
    "TrackableReference",
    "children_of",
    "finder",
    "has_weights",
    "is_of_tensors",
    "is_trackable",
    "no_automatic_dependency_tracking",
]

VARIABLE_VALUE_KEY = "VARIABLE_VALUE"
OBJECT_CONFIG_JSON_KEY = "OBJECT_CONFIG_JSON"


class TrackableReference(NamedTuple):
    """What an object depends on, and under which name."""

    name: str
    ref: Any


class NoDependency:
    """Stands for a value that is given to an attribute and is not saved."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Trackable:
    """Base of objects that a `Checkpoint` saves: their dependencies are declared one by one.

    Source: ``Trackable`` of ``tensorflow/python/training/tracking/base.py``.
    """

    def _own(self, name: str, make: Callable[[], Any]) -> Any:
        held = self.__dict__
        if name not in held:
            object.__setattr__(self, name, make())
        return held[name]

    @property
    def _unconditional_checkpoint_dependencies(self) -> list[TrackableReference]:
        found: list[TrackableReference] = self._own("_self_unconditional_checkpoint_dependencies", list)
        return found

    @property
    def _unconditional_dependency_names(self) -> dict[str, Any]:
        found: dict[str, Any] = self._own("_self_unconditional_dependency_names", dict)
        return found

    @property
    def _deferred(self) -> dict[str, list[Any]]:
        """What is to be done with dependencies that come later: functions of the object, by its name."""
        found: dict[str, list[Any]] = self._own("_self_deferred", dict)
        return found

    _deferred_dependencies = _deferred

    def _serialize_to_tensors(self) -> dict[str, Any]:
        """Return the tensors that the object saves of itself, by name: of a class that has such."""
        raise NotImplementedError(f"{type(self).__name__}._serialize_to_tensors")

    def _restore_from_tensors(self, restored_tensors: dict[str, Any]) -> Any:
        """Take the tensors back, all that were saved; in a graph return the operation that does."""
        raise NotImplementedError(f"{type(self).__name__}._restore_from_tensors")

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        """Return what the object depends on, by name."""
        return dict(self._checkpoint_dependencies)

    def _deserialization_dependencies(self, children: dict[str, Any]) -> dict[str, Any]:
        """Return what has to be there before the object is made of a saved model, by name."""
        del children
        return {}

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        return self._unconditional_checkpoint_dependencies

    def _maybe_initialize_trackable(self) -> None:
        """Do nothing: what is noted of dependencies is made when it is asked for."""

    def _lookup_dependency(self, name: str, cached_dependencies: Any = None) -> Any:
        if cached_dependencies is not None:
            return cached_dependencies.get(name)
        return self._unconditional_dependency_names.get(name)

    def _no_dependency(self, value: Any) -> Any:
        return value

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        """Declare a dependency, and return it; ValueError for a name that another one has.

        What restored checkpoints have for it, it gets now.
        """
        if not is_trackable(trackable):
            raise TypeError(f"Trackable._track_trackable() passed type {type(trackable)}, not a Trackable.")
        current = self._lookup_dependency(name)
        listed, reference = self._unconditional_checkpoint_dependencies, TrackableReference(name, trackable)
        if current is None:
            listed.append(reference)
        elif current is not trackable:
            if not overwrite:
                raise ValueError(
                    f"Called Trackable._track_trackable() with name='{name}', but a Trackable with this name is "
                    "already declared as a dependency. Names must be unique (or overwrite=True)."
                )
            for place, old in enumerate(listed):
                if old.name == name:
                    listed[place] = reference
        self._unconditional_dependency_names[name] = trackable
        self._handle_deferred_dependencies(name, trackable)
        return trackable

    def _forget(self, name: str) -> None:
        """Declare that what has a name is a dependency no more."""
        if self._unconditional_dependency_names.pop(name, None) is not None:
            listed = self._unconditional_checkpoint_dependencies
            listed[:] = [each for each in listed if each.name != name]

    def _handle_deferred_dependencies(self, name: str, trackable: Any) -> None:
        for later in self._deferred.pop(name, ()):
            later(trackable)

    def _add_variable_with_custom_getter(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = "float32",
        initializer: Any = None,
        getter: Any = None,
        overwrite: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Return a variable that ``getter`` makes, declared as a dependency."""
        if not overwrite and self._lookup_dependency(name) is not None:
            raise ValueError(f"A variable with the name '{name}' is already declared as a dependency of this object.")
        made = getter(name=name, shape=shape, dtype=dtype, initializer=initializer, **kwargs)
        return self._track_trackable(made, name, overwrite)

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        """Return what the object saves of itself: functions of a name that return what a saver takes, by attribute."""
        return {}


class NotTrackable:
    """Base of objects that cannot be saved, although another base of theirs could."""


class PythonStringStateSaveable:
    """Text or bytes of an object: a function gives them, another takes them back.

    Source: ``PythonStringStateSaveable`` of ``tensorflow/python/training/tracking/base.py``.
    """

    def __init__(
        self, name: str, state_callback: Callable[[], Any], restore_callback: Callable[[Any], Any] | None = None
    ) -> None:
        self.name, self._state, self._restore = name, state_callback, restore_callback

    @property
    def state(self) -> bytes:
        """The bytes."""
        found = self._state()
        return found.encode() if isinstance(found, str) else bytes(found)

    def python_restore(self, restored_strings: list[bytes]) -> None:
        """Give the bytes back."""
        if self._restore is not None:
            self._restore(restored_strings[0])


class PythonState(Trackable):
    """Base of objects that are bytes in a checkpoint: ``serialize()`` returns them, ``deserialize(bytes)`` takes them.

    Source: ``tf.train.experimental.PythonState``.
    """

    def serialize(self) -> Any:
        """Return the object's state."""
        raise NotImplementedError

    def deserialize(self, string_value: bytes) -> None:
        """Take a state."""
        raise NotImplementedError

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        make = functools.partial(
            PythonStringStateSaveable, state_callback=self.serialize, restore_callback=self.deserialize
        )
        return {"py_state": make}


def no_automatic_dependency_tracking(method: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a method: attributes that it sets are no dependencies."""

    @functools.wraps(method)
    def decorated(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = getattr(self, "_self_setattr_tracking", True)
        object.__setattr__(self, "_self_setattr_tracking", False)
        try:
            return method(self, *args, **kwargs)
        finally:
            object.__setattr__(self, "_self_setattr_tracking", before)

    return decorated


def is_trackable(value: Any) -> bool:
    """Tell whether a checkpoint can save a value: a variable, an optimizer, a layer, a metric, lists and dicts."""
    own = (Trackable, Variable, CoreVariable, Optimizer, ConcreteFunction, list, tuple, dict)
    return isinstance(value, own) or has_weights(value) or hasattr(value, "init_variables")


def has_weights(value: Any) -> bool:
    """Tell whether a value has variables as a layer has them; a class of such has none."""
    return not isinstance(value, type) and hasattr(value, "trainable_variables") and hasattr(value, "variables")


def is_of_tensors(value: Any) -> bool:
    """Tell whether an object gives the tensors that it saves by their names, as its nearest class says it."""
    if not isinstance(value, Trackable):
        return False
    value = value.__dict__.get("_trackable", value)  # of one that delegates
    for cls in type(value).__mro__:
        if cls is Trackable or "_gather_saveables_for_checkpoint" in vars(cls):
            break
        if "_serialize_to_tensors" in vars(cls):
            return True
    return "_serialize_to_tensors" in value.__dict__


def children_of(value: Any) -> list[TrackableReference]:
    """Return what an object depends on."""
    return [TrackableReference(name, item) for name, item in _items(value) if is_trackable(item)]


def finder(value: Any) -> Callable[[str], Any]:
    """Return a function that returns the dependency of an object that has a name, or None."""
    return value._lookup_dependency if isinstance(value, Trackable) else dict(children_of(value)).get


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, NotTrackable):
        raise NotImplementedError(
            f"{type(value).__name__} is not trackable, and thus saving and restoring its values is not supported."
        )
    if isinstance(value, Trackable):
        yield from value._checkpoint_dependencies
    elif isinstance(value, Optimizer):
        yield from getattr(value, "_tracked", {}).items()  # those that it wraps
        for key, variable in value._slot_table.non_slots.items():
            name, graph = key if isinstance(key, tuple) else (key, None)
            if graph is None or graph is get_default_graph():
                yield name, variable
    elif hasattr(value, "_trackable_children"):  # a template
        yield from value._trackable_children().items()
    elif isinstance(value, dict):
        yield from ((key, item) for key, item in value.items() if isinstance(key, str))
    elif isinstance(value, (list, tuple)):
        yield from ((str(position), item) for position, item in enumerate(value))
    elif not isinstance(value, (Variable, CoreVariable)):  # a metric, or a layer of another library
        names = [v.name.removesuffix(":0").rsplit("/", 1)[-1] for v in value.variables]
        yield from zip(names, value.variables, strict=True)
