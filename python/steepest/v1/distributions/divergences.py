"""The rules of Kullback-Leibler divergences, by the classes of two distributions."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..graph.scopes import name_scope
from ..ops.math_ops import is_nan, logical_not
from ..ops.reduce_ops import reduce_any
from ..ops.script_ops import Assert
from .checks import checked

__all__ = ["RULES", "divergence", "rule"]


def _no_nan(value: Any, pair: str) -> list[Any]:
    told = f"KL calculation between {pair} returned NaN values (and was called with allow_nan_stats=False). Values:"
    return [Assert(logical_not(reduce_any(is_nan(value))), [told, value])]


RULES: dict[tuple[type[Any], type[Any]], Any] = {}
"""The divergences between two classes."""


def rule(one: type[Any], two: type[Any]) -> Any:
    """Return the rule that is registered for two classes, or for those they are made of; else None."""
    pairs = ((a, b) for a in one.__mro__ for b in two.__mro__)
    return next((RULES[pair] for pair in pairs if pair in RULES), None)


def divergence(first: Any, second: Any, allow_nan_stats: bool, name: str | None) -> Any:
    """Return the divergence by the rule that is registered for the two classes, or for those they are made of."""
    found = rule(type(first), type(second))
    if found is not None:
        with name_scope(name, "KullbackLeibler"):
            value = found(first, second, name=name)
            pair = f"{first.name} and {second.name}"
            return checked(value, not allow_nan_stats, partial(_no_nan, value, pair))
    raise NotImplementedError(
        f"No KL(distribution_a || distribution_b) registered for distribution_a type {type(first).__name__} and "
        f"distribution_b type {type(second).__name__}"
    )
