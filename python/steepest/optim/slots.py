"""Slots: the variables that an optimizer keeps beside each parameter, under TensorFlow's names."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.allocation import beside
from ..base.dtypes import Array, compute_dtype
from ..base.errors import must
from ..ops.symbolic import Symbolic
from ..variables.scopes import get_variable_scope, name_scope
from ..variables.variable import Variable
from .parameters import Parameter, ParameterTable
from .updates import array_of

__all__ = ["SlotKeeper"]


class SlotKeeper:
    """The slots of one optimizer: ``_slots[slot_name][key of the parameter]``, and its non-slot variables.

    A parameter that is gone takes its slots with it.
    """

    def __init__(self) -> None:
        # Keys are numbers; in graph mode (graph, name of the variable's operation), as in TensorFlow.
        self._slots: dict[str, dict[Any, Variable]] = {}
        self._non_slots: dict[Any, Variable] = {}
        keeper = weakref.ref(self)

        def drop(key: int) -> None:
            self = keeper()
            if self is not None:
                for slots in self._slots.values():
                    slots.pop(key, None)

        self._parameters = ParameterTable(drop)

    # For users ---------------------------------------------------------------------------------

    def get_slot(self, var: Any, name: str) -> Variable | None:
        """Return the slot ``name`` of a variable or array, or None when there is none; never raises."""
        key = self._find_key(var)
        return None if key is None else self._slots.get(name, {}).get(key)

    def get_slot_names(self) -> list[str]:
        """Return the names of the slots made so far, sorted."""
        return sorted(name for name, slots in self._slots.items() if slots)

    def variables(self) -> list[Variable]:
        """Return every variable that holds the optimizer's state, sorted by name; of graphs only the default one's."""
        found: list[Any] = list(self._non_slots.values())
        for slots in self._slots.values():
            found.extend(slots.values())
        found = [variable for variable in found if not isinstance(variable, Symbolic) or variable._is_at_hand()]
        return sorted(found, key=lambda variable: variable.name)

    def __getstate__(self) -> Any:
        # State is kept by the identity of parameters, which a copy of the optimizer would not share.
        remedy = "save the arrays of variables() and assign them to a new optimizer's"
        raise TypeError(must(type(self).__name__, "optimizer", "not be copied or pickled", "an attempt", remedy))

    # For subclasses ----------------------------------------------------------------------------

    def _find_key(self, var: Any) -> Any:
        """Return the key of a variable's slots, None for one that has not been met."""
        if isinstance(var, Symbolic):
            return var._slot_key()
        parameter = self._parameters.find(var)
        return None if parameter is None else self._parameters.key(parameter)

    def _slot_dict(self, slot_name: str) -> dict[Any, Variable]:
        return self._slots.setdefault(slot_name, {})

    def _get_or_make_slot(self, var: Any, val: Any, slot_name: str, op_name: str) -> Variable:
        """Return the slot, made from the value ``val`` where it is missing."""
        return self._slot(var, slot_name, op_name, val, None, None)

    def _get_or_make_slot_with_initializer(
        self, var: Any, initializer: Any, shape: Any, dtype: Any, slot_name: str, op_name: str
    ) -> Variable:
        """Return the slot, made by ``initializer(shape, dtype=dtype)`` (or a number) where it is missing."""
        return self._slot(var, slot_name, op_name, initializer, shape, dtype)

    def _zeros_slot(self, var: Any, slot_name: str, op_name: str) -> Variable:
        """Return the slot, zeros in the variable's shape (float32 for half types) where it is missing."""
        return self._slot(var, slot_name, op_name, 0, var.shape, compute_dtype(np.dtype(var.dtype)))

    def _slot(self, var: Any, slot_name: str, op_name: str, initial: Any, shape: Any, dtype: Any) -> Variable:
        slots = self._slot_dict(slot_name)
        if isinstance(var, Symbolic):
            key = var._slot_key()
            if key not in slots:
                slots[key] = var._new_variable(initial, shape, dtype, op_name, beside=True)
            return slots[key]
        parameter: Parameter = self._parameters.meet(op_name, var)
        key = self._parameters.key(parameter)
        assert key is not None
        if key not in slots:
            # As TensorFlow names it: below the variable scope in force now, whatever name scopes are open.
            name = get_variable_scope().full_name(f"{parameter.name}/{op_name}")
            first = _initial(initial, shape, dtype)
            position = sum(key in others for others in self._slots.values())
            with name_scope(None):
                slot = Variable(np.empty(0, first.dtype), trainable=False, name=name)
            slot._array = beside(first, var if isinstance(var, np.ndarray) else parameter._array, position)
            slots[key] = slot
        return slots[key]

    def _create_non_slot_variable(self, initial_value: Any, name: str, colocate_with: Any = None) -> Variable:
        """Return the optimizer's own variable ``name`` (Adam's powers), made where it is missing."""
        if isinstance(colocate_with, Symbolic):
            key: Any = (name, colocate_with._slot_key()[0])
            if key not in self._non_slots:
                self._non_slots[key] = colocate_with._new_variable(initial_value, None, None, name, beside=False)
        else:
            key = name
            if key not in self._non_slots:
                with name_scope(None):
                    self._non_slots[key] = Variable(initial_value, trainable=False, name=name)
        return self._non_slots[key]

    def _get_non_slot_variable(self, name: str, graph: Any = None) -> Variable | None:
        """Return the optimizer's own variable, None before it is made; each graph has one of its own."""
        if graph is not None or name in self._non_slots:
            return self._non_slots.get(name if graph is None else (name, graph))
        found = [variable for key, variable in self._non_slots.items() if isinstance(key, tuple) and key[0] == name]
        return found[0] if len(found) == 1 else None

    # For all or nothing --------------------------------------------------------------------------

    def _remember_slots(self) -> Callable[[], None]:
        """Return a function that forgets every slot made since."""
        slots = {name: set(found) for name, found in self._slots.items()}
        non_slots = set(self._non_slots)

        def forget() -> None:
            for name, found in list(self._slots.items()):
                for key in set(found) - slots.get(name, set()):
                    del found[key]
                if name not in slots:
                    del self._slots[name]
            for name in set(self._non_slots) - non_slots:
                del self._non_slots[name]

        return forget


def _initial(initial: Any, shape: Any, dtype: Any) -> Array:
    """Return the first value of a slot: an array as it is, or what a number or an initializer gives for the shape."""
    if shape is None:
        return array_of(initial)
    if callable(initial):
        return np.asarray(initial(tuple(shape), dtype=np.dtype(dtype)))
    return np.broadcast_to(np.asarray(initial).astype(dtype), tuple(shape))
