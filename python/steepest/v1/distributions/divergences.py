"""The rules of Kullback-Leibler divergences, by the classes of two distributions."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..graph.scopes import name_scope
from ..ops.math_ops import is_nan, logical_not
from ..ops.reduce_ops import reduce_any
from ..ops.script_ops import Assert
from .checks import checked

__all__ = ["RULES", "divergence"]


def _no_nan(value: Any, pair: str) -> list[Any]:
    told = f"KL calculation between {pair} returned NaN values (and was called with allow_nan_stats=False). Values:"
    return [Assert(logical_not(reduce_any(is_nan(value))), [told, value])]


RULES: dict[tuple[type[Any], type[Any]], Any] = {}
"""The divergences between two classes."""


def divergence(first: Any, second: Any, allow_nan_stats: bool, name: str | None) -> Any:
    """Return the divergence by the rule that is registered for the two classes, or for those they are made of."""
    for one in type(first).__mro__:
        for two in type(second).__mro__:
            if (one, two) in RULES:
                with name_scope(name, "KullbackLeibler"):
                    value = RULES[one, two](first, second, name=name)
                    pair = f"{first.name} and {second.name}"
                    return checked(value, not allow_nan_stats, partial(_no_nan, value, pair))
    raise NotImplementedError(
        f"No KL(distribution_a || distribution_b) registered for distribution_a type {type(first).__name__} and "
        f"distribution_b type {type(second).__name__}"
    )
