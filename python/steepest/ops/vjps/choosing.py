"""Derivatives of the functions that choose between arrays, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dispatch import any_recorded, unwrap
from ..registry import composite
from ..scatter import IndexedCotangent


@composite(np.select)
def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    dtype = np.result_type(*(unwrap(choice) for choice in choicelist), unwrap(default))
    result = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist), strict=True):
        result = np.where(unwrap(condition), choice, result)
    return result if result.dtype == dtype else result.astype(dtype)


@composite(np.choose)
def _choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    ids = np.asarray(unwrap(a))
    count = len(choices)
    if mode == "raise" and ids.size and not 0 <= ids.min() <= ids.max() < count:
        raise ValueError("invalid entry in choice array")
    ids = ids % count if mode == "wrap" else np.clip(ids, 0, count - 1)
    result: Any = choices[count - 1]
    for i in range(count - 2, -1, -1):
        result = np.where(ids == i, choices[i], result)
    shape = np.broadcast_shapes(ids.shape, np.shape(result))
    return result if np.shape(result) == shape else np.broadcast_to(result, shape)


@composite(np.piecewise)
def _piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    conditions = unwrap(condlist)
    if np.isscalar(conditions) or (not isinstance(conditions[0], (list, np.ndarray)) and x.ndim):
        conditions = [conditions]
    masks = np.asarray(conditions, bool)
    if len(funclist) == len(masks) + 1:
        masks = np.concatenate([masks, ~np.any(masks, axis=0, keepdims=True)])
    elif len(funclist) != len(masks):
        raise ValueError(
            f"with {len(masks)} condition(s), either {len(masks)} or {len(masks) + 1} functions are expected"
        )
    result: Any = np.zeros_like(unwrap(x))
    for mask, function in zip(masks, funclist, strict=True):
        if not callable(function):
            result = np.where(mask, function, result)
        elif mask.any():
            piece = function(x[mask], *args, **kw)
            piece = IndexedCotangent(piece, mask, x.shape).dense() if any_recorded(piece) else _placed(piece, mask)
            result = np.where(mask, piece, result)
    return result.astype(x.dtype) if result.dtype != x.dtype else result


def _placed(piece: Any, mask: Any) -> Any:
    array = np.zeros(mask.shape, np.asarray(unwrap(piece)).dtype)
    array[mask] = unwrap(piece)
    return array


@composite(np.divmod)
def _divmod(a: Any, b: Any) -> tuple[Any, Any]:
    return np.floor_divide(unwrap(a), unwrap(b)), np.remainder(a, b)


@composite(np.modf)
def _modf(x: Any) -> tuple[Any, Any]:
    whole = np.modf(unwrap(x))[1]
    return x - whole, whole


@composite(np.frexp)
def _frexp(x: Any) -> tuple[Any, Any]:
    exponent = np.frexp(unwrap(x))[1]
    return np.ldexp(x, -exponent), exponent
