"""What becomes of a checkpoint that is restored: which object in it is which here, also of those that come later."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, MutableMapping
from typing import Any

from ...optim.optimizer import Optimizer
from ...variables.variable import Variable as CoreVariable
from ..graph import log
from ..graph.default_session import get_default_session
from ..graph.identity_dicts import ObjectIdentityWeakKeyDictionary
from ..graph.mode import executing_eagerly
from ..graph.session import Session
from ..graph.shapes import TensorShape
from ..variables.variables import Variable
from .checkpoint_state import arrays_of
from .object_graphs import Attached, SavedNode, base_of, nodes_in
from .registered_calls import restore_registered
from .registered_savers import get_registered_saver_name, get_strict_predicate_restore, validate_restore_function
from .saveables import TensorsSaveable, escaped, taken
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

__all__ = ["Restoration"]

_numbers = itertools.count(1)
# Of each variable the restoration that gave its value; ``==`` of variables may compare elements.
_last = ObjectIdentityWeakKeyDictionary()


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
        self._by_saver: dict[str, dict[str, Any]] = {}  # what registered savers restore

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
        if not self._has_saver(value, number):
            for attribute, (_, key) in self.nodes[number].attributes.items():
                self._give(value, number, attribute, key)
        find = self._finder(value, number)
        for name, child in self.nodes[number].children.items():
            found = find(name)
            if found is not None:
                self._bind(found, child)
            elif isinstance(value, Trackable) and self._holds_values(child):
                value._deferred.setdefault(name, []).append(_Later(self, child))

    def _has_saver(self, value: Any, number: int) -> bool:
        """Tell whether a registered saver restores an object, and note it; ValueError for one that is not for it."""
        node = self.nodes[number]
        if node.saver is None:
            own = get_registered_saver_name(value)
            if own is not None and node.attributes:  # the file is of before there was the saver
                self._by_saver.setdefault(own, {})[next(iter(node.attributes.values()))[1]] = value
            return own is not None
        saver, name = node.saver
        try:
            validate_restore_function(value, saver)
        except ValueError:
            if get_strict_predicate_restore(saver):
                raise
        else:
            self._by_saver.setdefault(saver, {})[name] = value
        return True

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
            if attribute != next(iter(self.nodes[number].attributes)):
                return  # the first one takes all
            saved = TensorsSaveable(value, base_of(key, value), arrays_of(self.path))
        elif isinstance(value, Trackable):
            makers = value._gather_saveables_for_checkpoint()
            if attribute not in makers:  # it may be a tensor of what has the first part of its name
                attribute = next((name for name in makers if attribute.startswith(name)), attribute)
                key = base_of(key, None) + escaped(attribute)
            make = makers.get(attribute)
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
        if self._by_saver and executing_eagerly():
            registered, self._by_saver = self._by_saver, {}
            restore_registered(registered, self.path, None)

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
        where: Any = session or get_default_session()
        if self._values:
            Saver(self._values).restore(where, self.path)
        restore_registered(self._by_saver, self.path, where)

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
