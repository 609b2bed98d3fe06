"""The bijector that gives events another shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...distributions.checks import checked
from ...distributions.util import maybe_get_static_value
from ...graph.build import dtype_of, shape_of
from ...graph.scopes import control_dependencies, name_scope
from ...graph.shapes import TensorShape
from ...ops.array_ops import rank, reshape, shape, size
from ...ops.cast_ops import cast
from ...ops.compare_checks import assert_equal, assert_greater_equal, assert_less_equal
from ...ops.concat_ops import concat
from ...ops.creation_ops import zeros
from ...ops.gather_ops import boolean_mask
from ...ops.math_ops import equal
from ...ops.reduce_ops import reduce_sum
from ...ops.sparse_ops import convert_to_tensor
from .bijector import Bijector

__all__ = ["Reshape"]


class Reshape(Bijector):
    """Events of the shape ``event_shape_in`` get the shape ``event_shape_out``.

    Args:
        event_shape_out: the shape of values, in which one size may be -1.
        event_shape_in: the shape of arguments, by default that of vectors of any length.

    Raises:
        TypeError: for sizes that are no integers.
        ValueError: for a shape that is no vector, for two sizes of -1, for sizes below -1; later for an argument of
            another shape. What a session alone knows is checked in a run, where ``validate_args`` is set.
    """

    def __init__(
        self, event_shape_out: Any, event_shape_in: Any = (-1,), validate_args: bool = False, name: str | None = None
    ) -> None:
        with name_scope(name, "reshape"):
            given = {"event_shape_out": event_shape_out, "event_shape_in": event_shape_in}
            sizes = [_sizes(value, which) for which, value in given.items()]
            self._rules = [rule for each in sizes for rule in _rules(each, validate_args)]
            self._out, self._in = sizes
        super().__init__(
            is_constant_jacobian=True, validate_args=validate_args, forward_min_event_ndims=0, name=name or "reshape"
        )

    def _reshaped(self, x: Any, old: Any, new: Any) -> Any:
        with control_dependencies(self._rules):
            x = self._fitting(x, old)
            taken = shape_of(old)
            ranks, whole = (None if taken is None else taken[0]), x.shape.ndims
            if ranks is not None and ranks == whole:
                return reshape(x, new)
            before = shape(x)[: (rank(x) if whole is None else whole) - (size(old) if ranks is None else ranks)]
            return reshape(x, concat([before, new], 0))

    def _fitting(self, x: Any, old: Any) -> Any:
        """Return the argument, whose last axes must be of the old shape."""
        wanted, event = maybe_get_static_value(old), shape(x)[rank(x) - size(old) :]
        known = None if x.shape.ndims is None or wanted is None else x.shape[x.shape.ndims - wanted.size :]
        if known is not None and known.is_fully_defined():
            sizes = np.int32(known.as_list())
            if sizes.shape != wanted.shape or not np.equal(sizes, wanted)[wanted >= 0].all():
                raise ValueError(f"Input `event_shape` does not match `event_shape_in` ({sizes} vs {wanted}).")
            return x

        def fits() -> list[Any]:
            told = reshape(old >= 0, [-1])
            message = "Input `event_shape` does not match `event_shape_in`."
            return [assert_equal(boolean_mask(event, told), boolean_mask(old, told), message=message)]

        return checked(x, self._validate_args, fits)

    def _forward(self, x: Any) -> Any:
        return self._reshaped(x, self._in, self._out)

    def _inverse(self, y: Any) -> Any:
        return self._reshaped(y, self._out, self._in)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        with control_dependencies(self._rules):
            return zeros([], dtype_of(x))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return self._forward_log_det_jacobian(y)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return TensorShape(self.forward(zeros(input_shape, "float32")).shape)

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return TensorShape(self.inverse(zeros(output_shape, "float32")).shape)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return shape(self.forward(zeros(input_shape, "float32")))

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return shape(self.inverse(zeros(output_shape, "float32")))


def _sizes(value: Any, name: str) -> Any:
    sizes = convert_to_tensor(value, None, name, preferred_dtype="int32")
    if not dtype_of(sizes).is_integer:
        raise TypeError(f"{sizes} dtype ({dtype_of(sizes).name}) should be `int`-like.")
    if sizes.shape.ndims is not None and sizes.shape.ndims > 1:
        raise ValueError(f"`{sizes}` rank ({sizes.shape.ndims}) should be <= 1.")
    return sizes


def _rules(sizes: Any, wanted: bool) -> list[Any]:
    """Check a shape as far as it is known; return the assertions for a run where it is not."""
    known = maybe_get_static_value(sizes)
    once, signs = "must have at most one `-1`", "elements must be either positive integers or `-1`"
    if known is not None:
        if (known == -1).sum() > 1:
            raise ValueError(f"`{sizes}` {once} (given {known})")
        if (known < -1).any():
            raise ValueError(f"`{sizes}` {signs}(given {known}).")
        return []
    if not wanted:
        return []
    free = reduce_sum(cast(equal(sizes, -1), "int32"))
    return [
        assert_less_equal(rank(sizes), 1, message=f"`{sizes}` rank should be <= 1."),
        assert_less_equal(free, 1, message=f"`{sizes}` elements {once}."),
        assert_greater_equal(sizes, -1, message=f"`{sizes}` {signs}."),
    ]
