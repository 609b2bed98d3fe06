"""Slots: the variables that an optimizer keeps beside each parameter, under TensorFlow's names."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np

from ..base.allocation import beside
from ..base.dtypes import compute_dtype
from ..base.errors import must
from ..base.typing import Array, ArrayLike
from ..ops.symbolic import Symbolic
from ..variables.names import get_default_store
from ..variables.scopes import get_variable_scope, name_scope
from ..variables.variable import Variable
from .parameters import Parameter, ParameterTable
from .updates import array_of

__all__ = ["ROWS_KEY", "Initializer", "SlotTable", "show_like"]

ROWS_KEY = -1
"""The key of rows that are updated as if they were a parameter; those of parameters are not negative."""

Initializer: TypeAlias = "Callable[..., Any] | ArrayLike"
"""A number, or a function ``initializer(shape, dtype=dtype)`` that returns an array."""


class SlotTable:
    """The slots of one optimizer, ``by_name[slot name][key of the parameter]``, and its variables of no parameter.

    Keys are numbers; in graph mode ``(graph, name of the variable's operation)``, as in TensorFlow. A parameter that is
    gone takes its slots with it.
    """

    def __init__(self) -> None:
        self.by_name: dict[str, dict[Any, Variable]] = {}
        self.non_slots: dict[Any, Variable] = {}  # by name; in graph mode by (name, graph)
        self.make_for_rows: Callable[..., Any] | None = None  # makes the slots of rows that are updated for themselves
        self.shared_out = False  # whether other processes have slots of the same parameters
        self._open: dict[int, _Transaction] = {}  # by thread
        self._lock = threading.Lock()
        table = weakref.ref(self)

        def drop(key: int) -> bool:
            self = table()
            lost = [] if self is None else [slots.pop(key, None) for slots in self.by_name.values()]
            return any(slot is not None for slot in lost)

        self.parameters = ParameterTable(drop)

    def check_whole(self, who: str) -> None:
        """Raise TypeError where other processes have slots of the same parameters."""
        if self.shared_out:
            rule, got = "be read and saved by all ranks together", "a call for one rank's part"
            remedy = "steepest.mpi.save and restore do so, and the DistributedOptimizer's own methods"
            raise TypeError(must(who, "optimizer", rule, got, remedy))

    def give_rows_back(self) -> None:
        """End the loan of some parameter's rows as a parameter of their own; nothing where there is none."""
        self.make_for_rows = None
        for slots in self.by_name.values():
            slots.pop(ROWS_KEY, None)
        for handle in [handle for handle, key in self.parameters._keys.items() if key == ROWS_KEY]:
            del self.parameters._keys[handle]

    def names(self) -> list[str]:
        """Return the names of the slots made so far, sorted."""
        return sorted(name for name, slots in self.by_name.items() if slots)

    def variables(self) -> list[Variable]:
        """Return every variable, sorted by name; of graphs only the default one's."""
        variables: list[Any] = list(self.non_slots.values())
        for slots in self.by_name.values():
            variables.extend(slots.values())
        at_hand = [v for v in variables if not isinstance(v, Symbolic) or v._is_at_hand()]
        return sorted(at_hand, key=lambda variable: variable.name)

    def key_of(self, var: Any) -> Any:
        """Return the key of a variable's slots, None for a variable that has not been met."""
        if isinstance(var, Symbolic):
            return var._slot_key()
        parameter = self.parameters.find(var)
        return None if parameter is None else self.parameters.key(parameter)

    def find(self, var: Any, name: str) -> Variable | None:
        """Return the slot ``name`` of a variable, None where there is none."""
        key = self.key_of(var) if isinstance(name, str) else None
        return None if key is None else self.by_name.get(name, {}).get(key)

    def variables_of(self, parameters: Iterable[Parameter]) -> list[Variable]:
        """Return all slots of some parameters, and the variables of no parameter."""
        keys = {self.parameters.key(parameter) for parameter in parameters}
        of_parameters = [slots[key] for slots in self.by_name.values() for key in keys & slots.keys()]
        return [*of_parameters, *self.non_slots.values()]

    def get_or_make(self, var: Any, slot_name: str, op_name: str, initial: Any, shape: Any, dtype: Any) -> Variable:
        """Return the slot, where it is missing made from a value, or for a shape from a number or an initializer."""
        slots = self.by_name.setdefault(slot_name, {})
        if isinstance(var, Symbolic):
            key = var._slot_key()
            if key not in slots:
                slots[key] = var._new_variable(initial, shape, dtype, op_name, beside=True)
            return slots[key]
        parameter: Parameter = self.parameters.meet(op_name, var)
        key = self.parameters.key(parameter)
        assert key is not None
        if key not in slots and key == ROWS_KEY and self.make_for_rows is not None:
            made: Variable = self.make_for_rows(slot_name, op_name, initial, shape, dtype)
            return made
        if key not in slots:
            # As TensorFlow names it: below the variable scope in force now, whatever name scopes are open.
            name = get_variable_scope().full_name(f"{parameter._name}/{op_name}")
            first = _first_value(initial, shape, dtype)
            position = sum(key in others for others in self.by_name.values())
            slot = _with_unique_name(_class_of(var), first.dtype, name)
            slot._array = beside(first, var if isinstance(var, np.ndarray) else parameter._array, position)
            self._made(slots, key)
            slots.setdefault(key, slot)  # another thread may have come first
        return slots[key]

    def get_or_make_non_slot(self, initial_value: Any, name: str, colocate_with: Any) -> Variable:
        """Return the variable ``name`` of no parameter (Adam's powers), made where it is missing."""
        if isinstance(colocate_with, Symbolic):
            key: Any = (name, colocate_with._slot_key()[0])
            if key not in self.non_slots:
                self.non_slots[key] = colocate_with._new_variable(initial_value, None, None, name, beside=False)
        else:
            key = name
            if key not in self.non_slots:
                with name_scope(None):
                    variable = _class_of(colocate_with)(initial_value, trainable=False, name=name)
                self._made(self.non_slots, key)
                self.non_slots[key] = variable
        return self.non_slots[key]

    def non_slot(self, name: str, graph: Any = None) -> Variable | None:
        """Return the variable ``name`` of no parameter, None before it is made.

        Where several graphs have one, and none is asked for, it is that of the graph at hand.
        """
        if graph is not None or name in self.non_slots:
            return self.non_slots.get(name if graph is None else (name, graph))
        of_graphs: list[Any] = [
            variable for key, variable in self.non_slots.items() if isinstance(key, tuple) and key[0] == name
        ]
        found = of_graphs if len(of_graphs) == 1 else [each for each in of_graphs if each._is_at_hand()]
        return found[0] if found else None

    @contextmanager
    def transaction(self, parameters: Iterable[Parameter], commit: object) -> Iterator[None]:
        """Forget every slot made inside, in this thread, unless ``commit`` is true at the end: then the step was taken.

        A slot that a step of another thread has come to use meanwhile stays: that step decides.
        """
        mine = _Transaction({self.parameters.key(parameter) for parameter in parameters}, commit)
        thread = threading.get_ident()
        outer = self._open.get(thread)
        try:
            with self._lock:
                self._open[thread] = mine
            yield
        finally:
            with self._lock:
                if outer is None or outer.commit:  # what is taken has ended, by an interrupt just here
                    self._open.pop(thread, None)
                else:
                    self._open[thread] = outer
                if not commit:
                    self._forget(mine)

    def _forget(self, step: _Transaction) -> None:
        others = [other for other in self._open.values() if not other.commit]
        for slots, key in step.made:
            other = next((other for other in others if slots is self.non_slots or key in other.keys), None)
            if other is not None:
                other.made.append((slots, key))
            else:
                slots.pop(key, None)

    def _made(self, slots: dict[Any, Variable], key: Any) -> None:
        step = self._open.get(threading.get_ident())
        if step is not None:
            step.made.append((slots, key))


def show_like(slot: Any, parameter: Any) -> Any:
    """Return a slot; in a TensorFlow program that of a half type's variable looks like the variable."""
    if hasattr(slot, "_show_as"):
        own: np.dtype[Any] = np.dtype(parameter.dtype)
        if own != compute_dtype(own) == np.dtype(slot.dtype):
            slot._show_as(own)
    return slot


def _class_of(var: Any) -> type[Variable]:
    """Return the class of a parameter's slots: its own, where it is a Variable."""
    return type(var) if isinstance(var, Variable) else Variable


def _with_unique_name(kind: type[Variable], dtype: Any, name: str) -> Variable:
    """Return an empty slot. Its name is unique, also where those of its class repeat: TensorFlow counts slots."""
    with name_scope(None):
        if not kind._names_repeat:
            return kind(np.empty(0, dtype), trainable=False, name=name)
        store = get_default_store()
        name = store.unique_name(name)
        slot = kind(np.empty(0, dtype), trainable=False, name=name)
        store.register(name, slot)
        return slot


class _Transaction:
    """What one step of one thread uses and has made."""

    def __init__(self, keys: set[int | None], commit: object) -> None:
        self.keys = keys  # of its parameters
        self.commit = commit
        self.made: list[tuple[dict[Any, Variable], Any]] = []


def _first_value(initial: Any, shape: Any, dtype: Any) -> Array:
    """Return the first value of a slot: an array as it is, or what a number or an initializer gives for the shape."""
    if shape is None:
        return array_of(initial)
    if callable(initial):
        return np.asarray(initial(tuple(shape), dtype=np.dtype(dtype)))
    return np.broadcast_to(np.asarray(initial).astype(dtype), tuple(shape))
