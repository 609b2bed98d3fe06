"""Parameters as tensors of one floating type, and what is asserted of parameters, values and statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..graph.build import dtype_of
from ..graph.dtypes import DType
from ..graph.scopes import control_dependencies
from ..ops.array_ops import identity
from ..ops.cast_ops import cast
from ..ops.compare_checks import assert_less, assert_positive
from ..ops.creation_ops import ones_like, zeros_like
from ..ops.gather_ops import where
from ..ops.math_ops import logical_and
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["checked", "nan_unless", "parameter", "positive", "same_float"]


def parameter(value: Any, name: str, dtype: Any = None) -> Any:
    """Return a parameter as a tensor; numbers are float32."""
    return convert_to_tensor(value, dtype, name)


def same_float(*values: Any) -> DType:
    """Return the one floating type of parameters; TypeError or ValueError for others."""
    dtypes = [dtype_of(value) for value in values]
    for dtype in dtypes:
        if dtype != dtypes[0]:
            raise ValueError(
                f"Tensor type mismatch: {dtype!r} must be of the same type ({dtypes[0]!r}) as the first parameter"
            )
    if not dtypes[0].is_floating:
        raise ValueError(f"Expected floating point type, got {dtypes[0]!r}.")
    return dtypes[0]


def checked(value: Any, wanted: bool, assertions: Callable[[], list[Any]]) -> Any:
    """Return the value, for which the assertions hold when a session runs, where these are wanted."""
    if not wanted:
        return value
    with control_dependencies([each for each in assertions() if each is not None]):
        return identity(value)


def positive(value: Any, wanted: bool, message: str | None = None) -> Any:
    """Return the value, which is checked to be positive where that is wanted."""
    return checked(value, wanted, lambda: [assert_positive(value, message=message)])


def nan_unless(
    condition: Any, value: Any, least: float, messages: str | Sequence[str], *parameters: Any, allow_nan_stats: bool
) -> Any:
    """Return a statistic that is defined where parameters are above a number; elsewhere it is NaN, or an error.

    The error has one message, or one for each parameter.
    """
    value = value + zeros_like(cast(condition, dtype_of(value)))
    if allow_nan_stats:
        everywhere = logical_and(condition, ones_like(value, "bool"))
        return where(everywhere, value, zeros_like(value) + float("nan"))
    told = [messages] * len(parameters) if isinstance(messages, str) else messages
    bound = convert_to_tensor(least, dtype_of(value))
    pairs = list(zip(parameters, told, strict=True))
    return checked(value, True, lambda: [assert_less(bound, each, message=message) for each, message in pairs])
