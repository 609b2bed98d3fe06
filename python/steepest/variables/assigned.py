"""What may be assigned to a variable: its own shape, and a type that converts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.arrays import to_array
from ..base.errors import must
from ..ops.tensor import unwrap

if TYPE_CHECKING:
    from .variable import Variable

__all__ = ["fitting"]


def fitting(variable: Variable, method: str, value: Any) -> Any:
    """Return ``value`` as an array of the variable's shape, and of its type but for what same_kind allows."""
    plain = unwrap(value)
    who = f"{variable._name}.{method}"
    array = plain if isinstance(plain, np.ndarray) else to_array(who, "value", plain)
    if array.shape != variable._array.shape:
        rule = f"have the variable's shape {variable._array.shape}"
        raise ValueError(must(who, "value", rule, f"shape {array.shape}", "values are not broadcast"))
    own = variable._array.dtype
    # Python numbers have no type of their own, and bfloat16 is foreign to NumPy's table of casts.
    weak = not isinstance(plain, (np.ndarray, np.generic)) and array.dtype.kind in "iub" and own.kind in "iuf"
    half = own.kind == "V" and array.dtype.kind in "fiub"
    if not (weak or half or np.can_cast(array.dtype, own, "same_kind")):
        raise TypeError(must(who, "value", f"convert to {own} under the same_kind rule", f"dtype {array.dtype}"))
    return array if array.dtype == own else array.astype(own)
