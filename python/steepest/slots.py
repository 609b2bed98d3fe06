"""Slots: the variables that an optimizer keeps beside each parameter, under TensorFlow's names."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from .dtypes import Array, compute_dtype
from .gradients import array_of
from .messages import must
from .parameters import Parameter, ParameterTable
from .scopes import get_variable_scope, name_scope
from .variable import Variable

__all__ = ["SlotKeeper"]


class SlotKeeper:
    """The slots of one optimizer: ``_slots[slot_name][key of the parameter]``, and its non-slot variables.

    A parameter that is gone takes its slots with it.
    """

    def __init__(self) -> None:
        self._slots: dict[str, dict[int, Variable]] = {}
        self._non_slots: dict[str, Variable] = {}
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
        parameter = self._parameters.find(var)
        key = None if parameter is None else self._parameters.key(parameter)
        return None if key is None else self._slots.get(name, {}).get(key)

    def get_slot_names(self) -> list[str]:
        """Return the names of the slots made so far, sorted."""
        return sorted(name for name, slots in self._slots.items() if slots)

    def variables(self) -> list[Variable]:
        """Return every variable that holds the optimizer's state, sorted by name."""
        found = list(self._non_slots.values())
        for slots in self._slots.values():
            found.extend(slots.values())
        return sorted(found, key=lambda variable: variable.name)

    def __getstate__(self) -> Any:
        # State is kept by the identity of parameters, which a copy of the optimizer would not share.
        remedy = "save the arrays of variables() and assign them to a new optimizer's"
        raise TypeError(must(type(self).__name__, "optimizer", "not be copied or pickled", "an attempt", remedy))

    # For subclasses ----------------------------------------------------------------------------

    def _slot_dict(self, slot_name: str) -> dict[int, Variable]:
        return self._slots.setdefault(slot_name, {})

    def _get_or_make_slot(self, var: Any, val: Any, slot_name: str, op_name: str) -> Variable:
        """Return the slot, made from the value ``val`` where it is missing."""
        return self._slot(var, slot_name, op_name, lambda: array_of(val))

    def _get_or_make_slot_with_initializer(
        self, var: Any, initializer: Any, shape: Any, dtype: Any, slot_name: str, op_name: str
    ) -> Variable:
        """Return the slot, made by ``initializer(shape, dtype=dtype)`` (or a number) where it is missing."""

        def make() -> Array:
            if callable(initializer):
                return np.asarray(initializer(tuple(shape), dtype=np.dtype(dtype)))
            return np.full(tuple(shape), initializer, dtype=dtype)

        return self._slot(var, slot_name, op_name, make)

    def _zeros_slot(self, var: Any, slot_name: str, op_name: str) -> Variable:
        """Return the slot, zeros in the variable's shape (float32 for half types) where it is missing."""
        return self._slot(var, slot_name, op_name, lambda: np.zeros(var.shape, compute_dtype(np.dtype(var.dtype))))

    def _slot(self, var: Any, slot_name: str, op_name: str, make: Callable[[], Array]) -> Variable:
        parameter: Parameter = self._parameters.meet(op_name, var)
        key = self._parameters.key(parameter)
        slots = self._slot_dict(slot_name)
        assert key is not None
        if key not in slots:
            # As TensorFlow names it: below the variable scope in force now, whatever name scopes are open.
            name = get_variable_scope().full_name(f"{parameter.name}/{op_name}")
            with name_scope(None):
                slots[key] = Variable(make(), trainable=False, name=name)
        return slots[key]

    def _create_non_slot_variable(self, initial_value: Any, name: str, colocate_with: Any = None) -> Variable:
        """Return the optimizer's own variable ``name`` (Adam's powers), made where it is missing."""
        if name not in self._non_slots:
            with name_scope(None):
                self._non_slots[name] = Variable(initial_value, trainable=False, name=name)
        return self._non_slots[name]

    def _get_non_slot_variable(self, name: str, graph: Any = None) -> Variable | None:
        return self._non_slots.get(name)

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
