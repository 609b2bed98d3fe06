"""What TensorFlow's own distributions assert of parameters and events, for distributions of a program's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.build import dtype_of, shape_of
from ..graph.dtypes import DType, as_dtype
from ..graph.scopes import name_scope
from ..ops.activation_ops import softmax
from ..ops.array_ops import shape
from ..ops.cast_ops import cast
from ..ops.compare_checks import (
    assert_equal,
    assert_greater_equal,
    assert_less_equal,
    assert_near,
    assert_non_negative,
)
from ..ops.creation_ops import ones_like
from ..ops.math_ops import abs as _abs
from ..ops.math_ops import less_equal, log, log1p, sigmoid, subtract
from ..ops.reduce_ops import reduce_all, reduce_sum
from ..ops.script_ops import Assert
from ..ops.sparse_ops import convert_to_tensor
from ..ops.special_math_ops import lgamma
from .bernoulli import assert_shares, logits_and_probs
from .checks import checked

__all__ = [
    "assert_close",
    "assert_integer_form",
    "embed_check_categorical_event_shape",
    "embed_check_integer_casting_closed",
    "embed_check_nonnegative_integer_form",
    "get_logits_and_probs",
    "log_combinations",
]

# The type that has the integers that a floating type holds.
_WHOLE = {"float16": "int16", "float32": "int32", "float64": "int64"}


def _largest(dtype: DType) -> int:
    """Return the largest integer to which all integers of a type are exact."""
    return 2 ** (np.finfo(dtype.dtype).nmant + 1) if dtype.is_floating else int(np.iinfo(dtype.dtype).max)


def assert_close(
    x: Any,
    y: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str = "assert_close",
) -> Any:
    """Return an operation that raises InvalidArgumentError unless both agree to the type's precision."""
    with name_scope(name):
        x = convert_to_tensor(x)
        y = convert_to_tensor(y, dtype_of(x))
        said = data or [message or "", "Condition x ~= y did not hold element-wise: x = ", x, "y = ", y]
        kind = dtype_of(x)
        apart = _abs(subtract(x, y))
        least = 0 if kind.is_integer else float(np.finfo(kind.dtype).eps)
        return Assert(reduce_all(less_equal(apart, convert_to_tensor(least, kind))), said, summarize)


def assert_integer_form(
    x: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    int_dtype: Any = None,
    name: str = "assert_integer_form",
) -> Any:
    """Return an operation that raises InvalidArgumentError unless all numbers are whole; none for integer types."""
    with name_scope(name):
        x = convert_to_tensor(x)
        kind = dtype_of(x)
        if kind.is_integer:
            return Assert(True, ["integers"])
        if int_dtype is None and kind.name not in _WHOLE:
            raise TypeError(f"Unrecognized type {kind.name}")
        back = cast(cast(x, int_dtype or _WHOLE[kind.name]), kind)
        return assert_equal(x, back, data, summarize, message or f"{_name(x)} has non-integer components")


def _name(x: Any) -> str:
    return str(getattr(x, "name", "x"))


def embed_check_nonnegative_integer_form(x: Any, name: str = "embed_check_nonnegative_integer_form") -> Any:
    """Return the tensor, which is checked to hold whole numbers that are not negative."""
    with name_scope(name):
        x = convert_to_tensor(x)
        said = f"'{_name(x)}' must be non-negative."
        whole = f"'{_name(x)}' cannot contain fractional components."

        def assertions() -> list[Any]:
            first = assert_non_negative(x, message=said)
            return [first] if dtype_of(x).is_integer else [first, assert_integer_form(x, message=whole)]

        return checked(x, True, assertions)


def embed_check_categorical_event_shape(
    categorical_param: Any, name: str = "embed_check_categorical_event_shape"
) -> Any:
    """Return the parameter, which is checked to have as many classes as its type can number, and two at least.

    Raises ValueError where that is known when the graph is made, TypeError for other types.
    """
    with name_scope(name):
        x = convert_to_tensor(categorical_param)
        kind = dtype_of(x)
        if not (kind.is_floating or kind.is_integer):
            raise TypeError(f"Unable to validate size of unrecognized dtype ({kind.name}).")
        known, most = shape_of(x), _largest(kind)
        few, many = "A categorical-distribution parameter must have at least 2 events.", "Number of classes exceeds"
        if known == ():
            raise ValueError("A categorical-distribution parameter must have at least 1 dimension.")
        if known is not None and known[-1] is not None:
            if known[-1] < 2:
                raise ValueError(few)
            if known[-1] > most:
                raise ValueError(f"{many} `dtype` precision, i.e., {kind.name} implies shape ({known[-1]}) > {most}")
            return x
        classes = shape(x)[-1]
        said = f"{many} `dtype` precision, i.e., {kind.name} dtype cannot exceed {most} shape."
        return checked(
            x,
            True,
            lambda: [
                assert_greater_equal(classes, 2, message=few),
                assert_less_equal(classes, min(most, 2**31 - 1), message=said),
            ],
        )


def embed_check_integer_casting_closed(
    x: Any, target_dtype: Any, assert_nonnegative: bool = True, name: str = "embed_check_casting_closed"
) -> Any:
    """Return the tensor, whose numbers are checked to have a place in the integer type."""
    with name_scope(name):
        x, kind = convert_to_tensor(x), as_dtype(target_dtype)
        own = dtype_of(x)
        for each in (own, kind):
            if not (each.is_floating or each.is_integer):
                raise TypeError(f"{each.name} is neither integer nor floating type")
        if own.is_floating and kind.is_floating:
            raise TypeError(f"At least one of {own.name} and {kind.name} must be integer type")

        def assertions() -> list[Any]:
            found = [assert_non_negative(x, message="Elements must be non-negative.")] if assert_nonnegative else []
            if own.is_floating:
                return [
                    *found,
                    assert_integer_form(x, message=f"Elements must be {kind.name}-equivalent.", int_dtype=kind),
                ]
            if _largest(own) > _largest(kind):
                found.append(assert_less_equal(x, _largest(kind), message=f"Elements cannot exceed {_largest(kind)}."))
            if not assert_nonnegative and kind.is_integer and np.iinfo(own.dtype).min < np.iinfo(kind.dtype).min:
                least = int(np.iinfo(kind.dtype).min)
                found.append(assert_greater_equal(x, least, message=f"Elements cannot be smaller than {least}."))
            return found

        return checked(x, True, assertions)


def _log_odds(p: Any) -> Any:
    return log(p) - log1p(-p)


def get_logits_and_probs(
    logits: Any = None,
    probs: Any = None,
    multidimensional: bool = False,
    validate_args: bool = False,
    name: str = "get_logits_and_probs",
    dtype: Any = None,
) -> tuple[Any, Any]:
    """Return both, the one that is not given made of the other; ValueError for both or neither."""
    with name_scope(name):
        if dtype is not None:
            logits, probs = (None if each is None else convert_to_tensor(each, dtype) for each in (logits, probs))
        to_logits: Any = log if multidimensional else _log_odds
        to_probs = softmax if multidimensional else sigmoid
        new_logits, chances = logits_and_probs(logits, probs, to_logits, to_probs)
        if not validate_args:
            return new_logits, chances
        if probs is None:
            return (embed_check_categorical_event_shape(new_logits) if multidimensional else new_logits), chances
        if not multidimensional:
            chances = checked(chances, True, lambda: assert_shares(chances))
            return to_logits(chances), chances
        given = embed_check_categorical_event_shape(chances)
        total = reduce_sum(given, -1)
        together = "probs does not sum to 1."
        chances = checked(
            given,
            True,
            lambda: [assert_non_negative(given), assert_near(total, ones_like(total), message=together)],
        )
        return log(chances), chances


def log_combinations(n: Any, counts: Any, name: str = "log_combinations") -> Any:
    """Return the logarithm of how many ways there are to take ``counts`` of n things."""
    with name_scope(name):
        n = convert_to_tensor(n)
        counts = convert_to_tensor(counts)
        return lgamma(n + 1) - reduce_sum(lgamma(counts + 1), -1)
