"""Maps of tensors: TensorFlow's ``map_ops``, whose maps are values that operations take and return."""

from __future__ import annotations

from typing import Any

import numpy as np

from .list_calls import list_call, tensor_call
from .sparse_ops import convert_to_tensor
from .tensor_maps import TensorMap

__all__ = [
    "empty_tensor_map",
    "tensor_map_erase",
    "tensor_map_has_key",
    "tensor_map_insert",
    "tensor_map_lookup",
    "tensor_map_size",
    "tensor_map_stack_keys",
]


def empty_tensor_map(name: str | None = None) -> Any:
    """Return a map in which nothing is."""
    return list_call("EmptyTensorMap", lambda: TensorMap({}), (), name, None)


def tensor_map_size(input_handle: Any, name: str | None = None) -> Any:
    """Return how many keys there are."""
    return tensor_call("TensorMapSize", lambda held: np.int32(len(held)), (input_handle,), name, (), "int32")


def tensor_map_insert(input_handle: Any, key: Any, value: Any, name: str | None = None) -> Any:
    """Return the map with a tensor under a key, in place of what was there."""
    inputs = (input_handle, convert_to_tensor(key), convert_to_tensor(value))
    return list_call("TensorMapInsert", TensorMap.inserted, inputs, name, None)


def tensor_map_lookup(input_handle: Any, key: Any, value_dtype: Any, name: str | None = None) -> Any:
    """Return what is under a key. Raises InvalidArgumentError where nothing is."""

    def found(held: TensorMap, at: Any) -> Any:
        return held.found(at, value_dtype)

    return tensor_call("TensorMapLookup", found, (input_handle, convert_to_tensor(key)), name, None, value_dtype)


def tensor_map_erase(input_handle: Any, key: Any, value_dtype: Any, name: str | None = None) -> Any:
    """Return the map without what is under a key. Raises InvalidArgumentError where nothing is."""
    del value_dtype
    return list_call("TensorMapErase", TensorMap.erased, (input_handle, convert_to_tensor(key)), name, None)


def tensor_map_has_key(input_handle: Any, key: Any, name: str | None = None) -> Any:
    """Return whether something is under a key."""

    def asked(held: TensorMap, at: Any) -> Any:
        return np.bool_(held.has(at))

    return tensor_call("TensorMapHasKey", asked, (input_handle, convert_to_tensor(key)), name, (), "bool")


def tensor_map_stack_keys(input_handle: Any, key_dtype: Any, name: str | None = None) -> Any:
    """Return the keys below each other. Raises InvalidArgumentError where their types or shapes differ."""

    def keys(held: TensorMap) -> Any:
        return held.keys(key_dtype)

    return tensor_call("TensorMapStackKeys", keys, (input_handle,), name, None, key_dtype)
