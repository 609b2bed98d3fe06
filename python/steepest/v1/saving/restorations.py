"""What becomes of a checkpoint that is restored: which object in it is which here, also of those that come later."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, MutableMapping
from typing import Any
from weakref import WeakKeyDictionary

from ...optim.optimizer import Optimizer
from ...variables.variable import Variable as CoreVariable
from ..graph import log
from ..graph.default_session import get_default_session
from ..graph.mode import executing_eagerly
from ..graph.session import Session
from ..graph.shapes import TensorShape
from ..variables.variables import Variable
from .checkpoint_state import arrays_of, load_checkpoint
from .object_graphs import Attached, SavedNode, has_objects, listed_objects, nodes_in
from .saveables import TensorsSaveable, taken
from .saved_variables import variables_by_name
from .saver import Saver
from .trackable import (
    OBJECT_CONFIG_JSON_KEY,
    VARIABLE_VALUE_KEY,
    PythonStringStateSaveable,
    Trackable,
    finder,
    is_of_tensors,
)
from .weak_values import WeakValues

__all__ = ["Restoration", "Status", "restored"]

_numbers = itertools.count(1)
_last: WeakKeyDictionary[Any, int] = WeakKeyDictionary()  # of each variable the restoration that gave its value
_PLAIN = (list, tuple, dict)


class Restoration:
    """A checkpoint, the objects in it, and which of them were found."""

    def __init__(self, path: str, attached: Attached = ()) -> None:
        self.path = path
        self._attached = attached
        self.nodes: list[SavedNode] = nodes_in(arrays_of(path))
        self.bound: MutableMapping[int, Any] = WeakValues()  # objects know of the file, and it does not keep them
        self.is_partial = False  # whether the program expects that not all is found
        self._known: set[int] = set()
        self.unused: dict[int, list[str]] = {}
        self._number = next(_numbers)
        self._values: dict[str, Any] = {}  # in graphs, what is given values when a session is told to
        self._new: dict[str, Any] = {}  # in eager mode, what is given its value now

    def bind(self, value: Any, number: int) -> None:
        """Take an object for one of the file, and its dependencies for those of that one."""
        self._bind(value, number)
        self.settle()

    def _bind(self, value: Any, number: int) -> None:
        if number in self.bound:
            if self.bound[number] is not value:
                log.warning(
                    "Inconsistent references when loading the checkpoint into this object graph. Two checkpoint "
                    f"references resolved to different objects ({self.bound[number]!r:.80} and {value!r:.80})."
                )
            return
        self.bound[number] = value
        self._known.add(number)
        for attribute, (_, key) in self.nodes[number].attributes.items():
            self._give(value, number, attribute, key)
        find = self._finder(value, number)
        for name, child in self.nodes[number].children.items():
            found = find(name)
            if found is not None:
                self._bind(found, child)
            elif isinstance(value, Trackable) and self._holds_values(child):
                value._deferred.setdefault(name, []).append(_Later(self, child))

    def _finder(self, value: Any, number: int) -> Callable[[str], Any]:
        """Return the function that finds what an object depends on; the first one on what is attached to it too."""
        find = finder(value)
        if number or not self._attached:
            return find

        def found(name: str) -> Any:
            held = find(name)
            return dict(self._attached).get(name) if held is None else held

        return found

    def _holds_values(self, number: int) -> bool:
        """Tell whether an object of the file, or one that it depends on, has values."""
        seen, waiting = {number}, [number]
        while waiting:
            node = self.nodes[waiting.pop()]
            if node.attributes or node.slots:
                return True
            waiting += [child for child in node.children.values() if child not in seen]
            seen.update(waiting)
        return False

    def _give(self, value: Any, number: int, attribute: str, key: str) -> None:
        saved: Any = None
        if isinstance(value, (Variable, CoreVariable)):
            saved = value if attribute == VARIABLE_VALUE_KEY else None
        elif is_of_tensors(value):
            keys = {name: saved_as for name, (_, saved_as) in self.nodes[number].attributes.items()}
            if attribute != next(iter(keys)):
                return  # the first one takes all
            saved = TensorsSaveable(value, keys)
        elif isinstance(value, Trackable):
            make = value._gather_saveables_for_checkpoint().get(attribute)
            saved = make(name=key) if callable(make) else make
        if saved is None:
            if attribute != OBJECT_CONFIG_JSON_KEY:
                self.unused.setdefault(number, []).append(attribute)
        elif isinstance(saved, PythonStringStateSaveable):
            held: Any = arrays_of(self.path)[key]
            saved.python_restore([bytes(held.item())])
        elif _last.get(value, 0) <= self._number:  # else a later restoration has given it its value
            _last[value] = self._number
            if not isinstance(saved, (Variable, CoreVariable)):
                saved = taken(saved)
            (self._new if executing_eagerly() else self._values)[key] = saved

    def settle(self) -> None:
        """Find what has come since, slots too; in eager mode give what was found its values."""
        before = -1
        while before != len(self.bound):
            before = len(self.bound)
            for number, value in list(self.bound.items()):
                find = self._finder(value, number)
                for name, child in self.nodes[number].children.items():
                    if child not in self.bound and (found := find(name)) is not None:
                        self._bind(found, child)
                if isinstance(value, Optimizer):
                    self._bind_slots(value, number)
        if self._new and executing_eagerly():
            new, self._new = self._new, {}
            self._check_shapes(new)
            Saver(new).restore(None, self.path)  # type: ignore[arg-type]  # there is no session

    def _check_shapes(self, new: dict[str, Any]) -> None:
        """Raise ValueError for a variable of another shape than its value in the file."""
        for key, variable in new.items():
            saved = arrays_of(self.path).get(key)
            if saved is None or not isinstance(variable, CoreVariable):
                continue
            own = TensorShape(variable.shape)
            if not own.is_compatible_with(saved.shape):
                raise ValueError(
                    f"Received incompatible tensor with shape {tuple(saved.shape)} when attempting to restore variable "
                    f"with shape {own} and name {key}: Shapes {own} and {tuple(saved.shape)} are incompatible"
                )

    def missing(self) -> list[str]:
        """Return where the values are that no object had a place for."""
        of_values = [number for number, node in enumerate(self.nodes) if node.attributes]
        return [self.path_of(each) for each in of_values if each not in self._known or each in self.unused]

    def __del__(self) -> None:
        """Warn of values that were not used, once nothing can ask for them any more."""
        if sys.is_finalizing() or self.is_partial:
            return
        for k, where in enumerate(self.missing()):
            if k == 0:
                log.warning(
                    "A checkpoint was restored (e.g. tf.train.Checkpoint.restore) but not all checkpointed values were "
                    "used: an object is being deleted with unrestored values. See following logs for specific values. "
                    "Use expect_partial() on the load status object, e.g. "
                    "tf.train.Checkpoint.restore(...).expect_partial(), to silence these warnings, or use "
                    "assert_consumed() to make the check explicit."
                )
            log.warning(f"Value in checkpoint could not be found in the restored object: {where}")

    def _bind_slots(self, optimizer: Optimizer, number: int) -> None:
        wanted = [each for each in self.nodes[number].slots if each[2] not in self.bound and each[0] in self.bound]
        missing = {id(v): v for of, name, _ in wanted if optimizer.get_slot(v := self.bound[of], name) is None}
        if missing and executing_eagerly():
            optimizer._create_slots(list(missing.values()))
        for of, name, slot in wanted:
            held = optimizer.get_slot(self.bound[of], name)
            if held is not None:
                self._bind(held, slot)

    def run(self, session: Session | None) -> None:
        """Give a session the values of what was found."""
        if self._values:
            where: Any = session or get_default_session()
            Saver(self._values).restore(where, self.path)

    def path_of(self, number: int) -> str:
        """Return where an object of the file is, from the first one."""
        for parent, node in enumerate(self.nodes):
            for name, child in node.children.items():
                if child == number and parent < number:
                    return f"{self.path_of(parent)}.{name}"
        for owner, node in enumerate(self.nodes):
            for of, name, slot in node.slots:
                if slot == number:
                    return f"{self.path_of(owner)}'s state '{name}' for {self.path_of(of)}"
        return "(root)"


class _Later:
    """What is done with a dependency when it comes: it is bound to its object of the file."""

    def __init__(self, restoration: Restoration, number: int) -> None:
        self._restoration, self._number = restoration, number

    def __call__(self, value: Any) -> None:
        self._restoration.bind(value, self._number)


class Status:
    """What came of ``Checkpoint.restore``."""

    def __init__(self, root: Any, restoration: Restoration | None, attached: Attached = ()) -> None:
        self._root, self._restoration, self._attached = root, restoration, attached

    def _listed(self) -> list[Any]:
        return listed_objects(self._root, self._attached)

    def _settled(self) -> Restoration:
        if self._restoration is None:
            raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")
        self._restoration.settle()
        return self._restoration

    def assert_consumed(self) -> Status:
        """Raise AssertionError unless every object of the checkpoint was found, and every object here is in it."""
        restoration = self._settled()
        for number, node in enumerate(restoration.nodes):
            if number not in restoration.bound and node.attributes:
                raise AssertionError(f"Unresolved object in checkpoint: {restoration.path_of(number)}")
        if restoration.unused:
            told = [f"{restoration.path_of(number)}: {names}" for number, names in restoration.unused.items()]
            raise AssertionError(
                "Unused attributes in these objects (the attributes exist in the checkpoint but not in the objects): "
                f"{told}"
            )
        return self.assert_existing_objects_matched()

    def assert_existing_objects_matched(self) -> Status:
        """Raise AssertionError unless every object here is in the checkpoint."""
        bound = {id(value) for value in self._settled().bound.values()}
        attached = dict(self._attached).get("save_counter")
        counter = getattr(self._root, "_counter", attached)  # of a file that was written, not saved
        for value in self._listed():
            empty = all(isinstance(each, _PLAIN) for each in listed_objects(value))
            if id(value) not in bound and not empty and value is not counter:
                raise AssertionError(
                    "Some Python objects were not bound to checkpointed values, likely due to changes in the Python "
                    f"program: {value!r:.80}"
                )
        return self

    def assert_nontrivial_match(self) -> Status:
        """Raise AssertionError where nothing but the first object was found."""
        if len(self._settled().bound) < 2:
            raise AssertionError(
                "Nothing to load. No dependencies have been added to the root object yet, or no object matches."
            )
        return self

    def expect_partial(self) -> Status:
        """Accept that not everything is matched: no warning follows."""
        if self._restoration is not None:
            self._restoration.is_partial = True
        return self

    def run_restore_ops(self, session: Session | None = None) -> None:
        """Give the variables of a session their values."""
        if self._restoration is not None:
            self._restoration.settle()
            self._restoration.run(session)

    def initialize_or_restore(self, session: Session | None = None) -> None:
        """Give the variables of a session their values; those without one in the checkpoint their first ones."""
        session = session or get_default_session()  # type: ignore[assignment]
        if executing_eagerly() or session is None:
            return
        if self._restoration is not None:
            self._restoration.settle()
        known = set() if self._restoration is None else {id(value) for value in self._restoration.bound.values()}
        variables = [v for v in self._listed() if isinstance(v, Variable) and id(v) not in known]
        session.run([v.initializer for v in variables if session._read(v.op) is None])
        self.run_restore_ops(session)


class _NamedStatus(Status):
    """What came of a checkpoint that a `Saver` wrote: variables have the values of their own names."""

    def __init__(self, root: Any, path: str, attached: Attached) -> None:
        super().__init__(root, None, attached)
        self._path = path

    def assert_consumed(self) -> Status:
        """Raise AssertionError unless every value has a variable, and every variable a value."""
        unused = set(arrays_of(self._path)) - set(variables_by_name(self._variables(), True))
        if unused:
            raise AssertionError(f"Some objects had attributes which were not restored: {sorted(unused)[:5]}")
        return self.assert_existing_objects_matched()

    def assert_existing_objects_matched(self) -> Status:
        """Raise AssertionError unless every variable has a value."""
        missing = set(variables_by_name(self._variables(), True)) - set(arrays_of(self._path))
        if missing:
            raise AssertionError(f"Some objects had no value in the checkpoint: {sorted(missing)[:5]}")
        return self

    def assert_nontrivial_match(self) -> Status:
        """Raise AssertionError where no variable has a value."""
        if not set(variables_by_name(self._variables(), True)) & set(arrays_of(self._path)):
            raise AssertionError("Nothing to load: no variable has a value in the checkpoint")
        return self

    def _variables(self) -> list[Any]:
        counter = getattr(self._root, "_counter", None)
        found = [each for each in self._listed() if isinstance(each, (Variable, CoreVariable))]
        return [each for each in found if each is not counter]

    def run_restore_ops(self, session: Session | None = None) -> None:
        """Give the variables their values; NotFoundError where one has none."""
        where: Any = session or get_default_session()
        Saver(self._variables()).restore(where, self._path)

    def initialize_or_restore(self, session: Session | None = None) -> None:
        """Do the same."""
        self.run_restore_ops(session)


def restored(root: Any, path: str | None, attached: Attached = ()) -> Status:
    """Return what comes of restoring a checkpoint into an object and what it depends on: one of objects, or of names.

    Raises NotFoundError for a path without a checkpoint.
    """
    if path is None:
        return Status(root, None, attached)
    load_checkpoint(path)  # raises where there is none
    if not has_objects(arrays_of(path)):
        return _NamedStatus(root, path, attached)
    restoration = Restoration(path, attached)
    restoration.bind(root, 0)
    return Status(root, restoration, attached)
