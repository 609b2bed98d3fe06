"""What a run holds for a map of tensors of `map_ops`: its keys, and what is kept under them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.dispatch import unwrap
from ..graph.dtypes import as_dtype, name_in_messages
from ..graph.errors import InvalidArgumentError
from ..graph.run_values import array_of
from .variant_values import VariantValue, beside

__all__ = ["TensorMap"]


def _error(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


def _told_apart(key: Any) -> Any:
    """Return what two keys have in common only where they are the same: types, shapes and elements."""
    array = array_of(key)
    elements = tuple(array.ravel().tolist()) if array.dtype.kind in "OSU" else array.tobytes()
    return as_dtype(array.dtype).name, array.shape, elements


class TensorMap(VariantValue):
    """Tensors under keys that are tensors; ``gone`` are those that were replaced or thrown out."""

    __slots__ = ("gone", "items")

    def __init__(self, items: dict[Any, tuple[Any, Any]], gone: tuple[Any, ...] = ()) -> None:
        self.items, self.gone = items, gone

    def __repr__(self) -> str:
        return "<TensorMap>"

    def __len__(self) -> int:
        return len(self.items)

    def __add__(self, added: Any) -> TensorMap:
        sums = dict(self.items)
        for name, (key, value) in added.items.items():
            sums[name] = (key, sums[name][1] + value if name in sums else value)
        return TensorMap(sums)

    def zeros(self) -> TensorMap:
        return TensorMap({})  # as TensorFlow has it: what is added to it comes out as it is

    def without_gradients(self) -> TensorMap:
        return TensorMap({name: (key, unwrap(value)) for name, (key, value) in self.items.items()})

    def pairs(self, seed: Any) -> list[tuple[Any, Any]]:
        return [(value, seed.items[name][1]) for name, (_, value) in self.items.items() if name in seed.items]

    def has(self, key: Any) -> bool:
        """Return whether something is kept under a key."""
        return _told_apart(key) in self.items

    def _place(self, key: Any, doing: str) -> Any:
        name = _told_apart(key)
        if name not in self.items:
            raise _error(f'Trying to {doing}. Could not find key "{array_of(key)}".')
        return name

    def _without(self, name: Any) -> tuple[Any, ...]:
        return (*self.gone, self.items[name][1]) if name in self.items else self.gone

    def inserted(self, key: Any, value: Any) -> TensorMap:
        """Return the map with a tensor under a key, in place of what was there."""
        name = _told_apart(key)
        return TensorMap({**self.items, name: (array_of(key), value)}, self._without(name))

    def erased(self, key: Any) -> TensorMap:
        """Return the map without what is under a key. Raises InvalidArgumentError where nothing is."""
        name = self._place(key, "erase non-existent item")
        return TensorMap({other: pair for other, pair in self.items.items() if other != name}, self._without(name))

    def found(self, key: Any, dtype: Any) -> Any:
        """Return what is under a key. Raises InvalidArgumentError where nothing is, or a tensor of another type."""
        value = self.items[self._place(key, "lookup non-existent key")][1]
        if as_dtype(value.dtype) != as_dtype(dtype):
            names = name_in_messages(as_dtype(dtype)), name_in_messages(as_dtype(value.dtype))
            raise _error(f"Value does not match requested dtype. Requested {names[0]}, got {names[1]}")
        return beside(value, (*(other for _, other in self.items.values()), *self.gone))

    def keys(self, dtype: Any) -> Any:
        """Return the keys below each other. Raises InvalidArgumentError where their types or shapes differ."""
        found = [key for key, _ in self.items.values()]
        if not found:
            raise _error("TensorMapStackKeys cannot be called on empty map.")
        if any(as_dtype(key.dtype) != as_dtype(dtype) for key in found):
            raise _error("Key does not match requested dtype.")
        if any(key.shape != found[0].shape for key in found):
            raise _error("Keys must all have the same shape.")
        return np.stack(found)
