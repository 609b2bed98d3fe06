"""What summaries of TensorFlow's graphs refuse."""

from __future__ import annotations

from typing import Any

from ..graph.build import dtype_of
from ..graph.run_values import array_of
from ..graph.shapes import bracketed

__all__ = ["IMAGES", "NUMBERS", "at_least_one", "of_types", "one_number"]

NUMBERS = [
    *("float32", "float64", "int32", "uint8", "int16", "int8"),
    *("int64", "bfloat16", "uint16", "float16", "uint32", "uint64"),
]
IMAGES = ["uint8", "float32", "float16", "float64"]


def at_least_one(what: str, op_type: str, number: int) -> None:
    """Raise ValueError where no image or sound is asked for."""
    if number < 1:
        raise ValueError(f"Attr '{what}' of '{op_type}' Op passed {number} less than minimum 1.")


def of_types(parameter: str, tensor: Any, types: list[str]) -> Any:
    """Return a tensor as it is. Raises TypeError for one of another type."""
    name = dtype_of(tensor).name.removesuffix("_ref")
    if name not in types:
        found = f"DataType {name} not in list of allowed values: {', '.join(types)}"
        raise TypeError(f"Value passed to parameter '{parameter}' has {found}")
    return tensor


def one_number(tag: str, value: Any) -> Any:
    """Return a number as it is. Raises ValueError for an array, also of one number."""
    shape = array_of(value).shape
    if shape:
        raise ValueError(f"tags and values not the same shape: [] != {bracketed(shape)} (tag '{tag}')")
    return value
