"""Calls in eager mode: arguments become arrays, results tensors, and an object stands in for the session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ops.dispatch import Operand
from ...ops.indexed_slices import IndexedSlices
from ...ops.tensor import Tensor as EagerTensor
from .constants import constant_array
from .dtypes import as_dtype
from .session import Session

__all__ = ["EagerSession", "RunSession", "eager_result", "eager_session", "eager_values"]


class EagerSession:
    """Stands in for a session in eager mode: it has the generators of random numbers."""

    def __init__(self) -> None:
        self._generators: dict[Any, np.random.Generator] = {}


eager_session = EagerSession()
RunSession = Session | EagerSession
"""The first argument of the functions of contextual operations."""


def eager_values(inputs: Sequence[Any], same: bool) -> list[Any]:
    dtype: np.dtype[Any] | None = None
    if same:
        for value in inputs:
            if isinstance(value, (Operand, np.ndarray, np.generic)):
                dtype = value.dtype  # type: ignore[union-attr]  # every operand has it
                break
    values: list[Any] = []
    for value in inputs:
        if isinstance(value, IndexedSlices):
            value = value.to_dense()
        if not isinstance(value, (Operand, np.ndarray, np.generic)):
            if isinstance(value, (list, tuple)) and any(isinstance(item, Operand) for item in value):
                value = np.stack(value)
            else:
                value = constant_array(value, as_dtype(dtype) if same and dtype is not None else None)
            if same and dtype is None:
                dtype = value.dtype
        values.append(value)
    return values


def eager_result(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(eager_result(item) for item in result)
    return EagerTensor(np.asarray(result)) if isinstance(result, (np.ndarray, np.generic)) else result
