"""What the clip functions share: the norm of gradients, and a gradient scaled or clamped natively."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from ... import _core
from ...autodiff.tape import is_recorded
from ...base.allocation import result_like
from ...base.dtypes import code_of
from ...base.typing import Array
from ...ops.indexed_slices import IndexedSlices
from ...ops.tensor import Tensor
from ...variables.variable import Variable
from ..duplicates import native_gradient
from ..gradient_values import as_values, values_of, with_values
from ..hook_kinds import SCALE

__all__ = ["Recordable", "common_norm", "scaled", "transformed"]

Recordable: TypeAlias = Tensor | Variable
"""What a tape may be recording; if it is, so is what is made of it."""


def transformed(values: Array, hook_kind: int, a: float, b: float) -> Array:
    """Return the values clamped or scaled in one native pass; ``a`` and ``b`` are the hook's operands."""
    out = result_like(values)
    code = code_of(values.dtype)
    assert code is not None
    _core.transform(code, values, out, [(hook_kind, a, b)])
    return out


def scaled(who: str, gradient: Any, factor: Any) -> Any:
    """Return the gradient times the factor, in its own form."""
    values = values_of(gradient)
    if is_recorded(values) or is_recorded(factor):
        return with_values(gradient, values * factor)
    array = as_values(who, values)
    if factor == 1:
        out = result_like(array)
        np.copyto(out, array)
        return with_values(gradient, out)
    return with_values(gradient, transformed(array, SCALE, float(factor), 0.0))


def common_norm(who: str, gradients: Sequence[Any]) -> Any:
    """Return the common norm of gradients: a float64 scalar, or a recorded tensor where one of them is recorded."""
    if any(is_recorded(values_of(t)) for t in gradients):
        dense = [t.to_dense() if isinstance(t, IndexedSlices) and t.dense_shape else values_of(t) for t in gradients]
        return np.sqrt(sum(np.sum(np.square(values)) for values in dense))
    return np.float64(_core.common_norm(who, [native_gradient(who, t) for t in gradients]))
