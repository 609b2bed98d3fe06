"""The methods of `Optimizer` by which a subclass makes and finds its slots, under TensorFlow's names."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.dtypes import compute_dtype
from ..variables.variable import Variable
from .slots import Initializer, show_like

if TYPE_CHECKING:
    from .optimizer import Optimizer

__all__ = [
    "create_non_slot_variable",
    "get_non_slot_variable",
    "get_or_make_slot",
    "get_or_make_slot_with_initializer",
    "slot_dict",
    "zeros_slot",
]


@property  # type: ignore[misc]
def slots(self: Optimizer) -> dict[str, dict[Hashable, Variable]]:
    """The slots by their names and the keys of their parameters."""
    return self._slot_table.by_name


def slot_dict(self: Optimizer, slot_name: str) -> dict[Hashable, Variable]:
    """Return the slots of one name, by the key of their parameter."""
    return self._slots.setdefault(slot_name, {})


def get_or_make_slot(self: Optimizer, var: Any, val: Any, slot_name: str, op_name: str) -> Variable:
    """Return the slot, made from the value ``val`` where it is missing."""
    return self._slot_table.get_or_make(var, slot_name, op_name, val, None, None)


def get_or_make_slot_with_initializer(
    self: Optimizer, var: Any, initializer: Initializer, shape: Any, dtype: Any, slot_name: str, op_name: str
) -> Variable:
    """Return the slot, made by ``initializer(shape, dtype=dtype)`` (or a number) where it is missing."""
    return self._slot_table.get_or_make(var, slot_name, op_name, initializer, shape, dtype)


def zeros_slot(self: Optimizer, var: Any, slot_name: str, op_name: str) -> Variable:
    """Return the slot, zeros in the variable's shape (float32 for half types) where it is missing."""
    wide = compute_dtype(np.dtype(var.dtype))
    slot: Variable = show_like(self._slot_table.get_or_make(var, slot_name, op_name, 0, var.shape, wide), var)
    return slot


def create_non_slot_variable(self: Optimizer, initial_value: Any, name: str, colocate_with: Any = None) -> Variable:
    """Return the optimizer's own variable ``name`` (Adam's powers), made where it is missing."""
    return self._slot_table.get_or_make_non_slot(initial_value, name, colocate_with)


def get_non_slot_variable(self: Optimizer, name: str, graph: Any = None) -> Variable | None:
    """Return the optimizer's own variable, None before it is made; each graph has one of its own."""
    return self._slot_table.non_slot(name, graph)
