"""Shapes that stand for those of a distribution, of which there may be none, and which a session alone may know."""

from __future__ import annotations

from typing import Any

from ...distributions.checks import checked
from ...distributions.util import maybe_get_static_value, pick_vector
from ...graph.static_values import constant_value_as_shape
from ...ops.array_ops import size
from ...ops.check_ops import assert_rank
from ...ops.compare_checks import assert_equal, assert_positive
from ...ops.creation_ops import zeros
from ...ops.math_ops import logical_and, logical_not, not_equal
from ...ops.sparse_ops import convert_to_tensor

__all__ = ["ShapeOverride", "all_of"]


def all_of(*facts: tuple[Any, bool]) -> Any:
    """Return whether each is what is expected: a bool where that is known, else a tensor."""
    told = [(maybe_get_static_value(fact), fact, wanted) for fact, wanted in facts]
    if any(known is not None and bool(known) != wanted for known, _, wanted in told):
        return False
    result: Any = True
    for known, fact, wanted in told:
        if known is None:
            fact = fact if wanted else logical_not(fact)
            result = fact if result is True else logical_and(result, fact)
    return result


class ShapeOverride:
    """A shape that stands for a distribution's own where it is not empty.

    Args:
        sizes: the shape, or None for none.
        is_scalar: whether the distribution's own shape is empty, which it must be for another one.
        wanted: whether what is not known yet is checked in a run.
        name: what the shape is called.

    Raises:
        TypeError: for sizes that are no integers.
        ValueError: for a shape that is no vector of positive sizes, or where the distribution has one itself.
    """

    def __init__(self, sizes: Any, is_scalar: Any, wanted: bool, name: str) -> None:
        given = convert_to_tensor([] if sizes is None else sizes, "int32", name)
        ranks, known = given.shape.ndims, maybe_get_static_value(given)
        if ranks not in (None, 1):
            raise ValueError("shape override must be a vector")
        if known is not None and (known <= 0).any():
            raise ValueError("shape override must have positive elements")
        axes = size(given) if known is None else int(known.size)
        twice = all_of((not_equal(axes, 0) if known is None else axes != 0, True), (is_scalar, False))
        if twice is True:
            raise ValueError("base distribution not scalar")

        def rules() -> list[Any]:
            found = [assert_rank(given, 1, message="shape override must be a vector")] if ranks is None else []
            if known is None:
                found.append(assert_positive(given, message="shape override must have positive elements"))
            if twice is not False:
                found.append(assert_equal(twice, False, message="base distribution not scalar"))
            return found

        self.sizes = zeros([0], "int32") if axes == 0 and known is not None else checked(given, wanted, rules)
        self.possible = known is None or axes != 0  # whether there may be one
        self.given = not_equal(size(self.sizes), 0) if known is None else axes != 0
        self.axes = size(self.sizes) if known is None else axes
        self.known = constant_value_as_shape(self.sizes)

    def instead_of(self, own: Any) -> Any:
        """Return this shape where it is not empty, else a distribution's own."""
        return pick_vector(self.given, self.sizes, own)
