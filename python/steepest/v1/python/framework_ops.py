"""Functions of TensorFlow's internal module ``framework.ops`` that take more than their public forms."""

from __future__ import annotations

import itertools
from typing import Any

from ..ops.sparse_ops import convert_to_tensor as _public

__all__ = ["convert_to_tensor", "uid"]

_numbers = itertools.count(1)


def convert_to_tensor(
    value: Any,
    dtype: Any = None,
    name: str | None = None,
    as_ref: bool = False,
    preferred_dtype: Any = None,
    dtype_hint: Any = None,
    **options: Any,
) -> Any:
    """Return a node for a value. Registered functions that convert are given ``as_ref``, and may pass it on."""
    del as_ref, options
    return _public(value, dtype, name, preferred_dtype, dtype_hint)


def uid() -> int:
    """Return a number that no call of this process returned before."""
    return next(_numbers)
