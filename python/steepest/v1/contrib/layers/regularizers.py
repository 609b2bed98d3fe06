"""``tf.contrib.layers.regularizers``: penalties of weights by their absolute values and squares."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

from ....variables.collections import GraphKeys
from ...graph.build import shape_of
from ...graph.graph import get_default_graph
from ...graph.missing import namespace
from ...graph.scopes import name_scope
from ...nn import l2_loss
from ...ops.math_ops import abs as _abs
from ...ops.math_ops import multiply
from ...ops.matmul_ops import add_n
from ...ops.reduce_ops import reduce_sum
from ...ops.sparse_ops import convert_to_tensor

__all__ = ["apply_regularization", "l1_l2_regularizer", "l1_regularizer", "l2_regularizer", "sum_regularizer"]

__getattr__, __dir__ = namespace(__name__)


def _regularizer(who: str, scale: Any, loss: Callable[[Any], Any], scope: str | None) -> Any:
    if isinstance(scale, Integral):
        raise ValueError(f"scale cannot be an integer: {scale}")
    if isinstance(scale, Real):
        if float(scale) < 0.0:
            raise ValueError(f"Setting a scale less than 0 on a regularizer: {scale:g}")
        if float(scale) == 0.0:
            return lambda _: None

    def penalty(weights: Any) -> Any:
        with name_scope(scope, who) as name:
            factor = convert_to_tensor(scale, weights.dtype.base_dtype, "scale")
            return multiply(factor, loss(weights), name=name)

    return penalty


def l1_regularizer(scale: float, scope: str | None = None) -> Any:
    """Return the function ``scale * sum(|w|)``. Raises ValueError for a negative scale, and for an integer."""
    return _regularizer("l1_regularizer", scale, lambda weights: reduce_sum(_abs(weights)), scope)


def l2_regularizer(scale: float, scope: str | None = None) -> Any:
    """Return the function ``scale * sum(w ** 2) / 2``. Raises ValueError for a negative scale, and for an integer."""
    return _regularizer("l2_regularizer", scale, l2_loss, scope)


def l1_l2_regularizer(scale_l1: float = 1.0, scale_l2: float = 1.0, scope: str | None = None) -> Any:
    """Return the sum of an L1 and an L2 regularizer."""
    for name, scale in (("scale_l1", scale_l1), ("scale_l2", scale_l2)):
        if isinstance(scale, Integral):
            raise ValueError(f"{name} cannot be an integer: {scale}")
    scope = scope or "l1_l2_regularizer"
    if scale_l1 == 0.0:
        return l2_regularizer(scale_l2, scope)
    if scale_l2 == 0.0:
        return l1_regularizer(scale_l1, scope)
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope)


def sum_regularizer(regularizer_list: Any, scope: str | None = None) -> Any:
    """Return the sum of several regularizers, of those that give something."""
    functions = [function for function in regularizer_list if function is not None]

    def total(weights: Any) -> Any:
        with name_scope(scope, "sum_regularizer") as name:
            found = [loss for function in functions if (loss := function(weights)) is not None]
            return add_n(found, name=name) if found else None

    return total if functions else None


def apply_regularization(regularizer: Any, weights_list: Any = None) -> Any:
    """Return the sum of a regularizer over variables, and put it into REGULARIZATION_LOSSES.

    Raises ValueError for no variables, and for what is no scalar.
    """
    graph = get_default_graph()
    weights = list(weights_list or graph.get_collection(GraphKeys.WEIGHTS))
    if not weights:
        raise ValueError("No weights to regularize.")
    with name_scope("get_regularization_penalty") as scope:
        losses = [convert_to_tensor(0.0 if (loss := regularizer(w)) is None else loss) for w in weights]
        if any(shape_of(loss) not in ((), None) for loss in losses):
            raise ValueError(f"regularizer must return a scalar, got {losses}")
        total = add_n(losses, name=scope)
    graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, total)
    return total
