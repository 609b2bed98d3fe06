"""The base class of functions with an inverse: what follows from a few methods of each, and pairs that are kept."""

from __future__ import annotations

import re
from abc import ABCMeta, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from ...distributions.function_parts import first_implemented
from ...distributions.util import maybe_get_static_value
from ...graph.build import dtype_of, shape_of
from ...graph.dtypes import as_dtype
from ...graph.scopes import name_scope
from ...graph.shapes import TensorShape
from ...ops.check_ops import assert_rank, is_tensor
from ...ops.compare_checks import assert_greater_equal
from ...ops.control_flow_ops import with_dependencies
from ...ops.math_ops import negative
from ...ops.sparse_ops import convert_to_tensor
from .bijector_pairs import KeptPairs, Pair, sum_over_event

__all__ = ["Bijector"]


def _snake_case(name: str) -> str:
    return re.sub("([a-z0-9])([A-Z])", r"\1_\2", re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name.lstrip("_"))).lower()


class Bijector(metaclass=ABCMeta):
    """Base class: a subclass has ``_forward``, ``_inverse`` and one of the logarithms of the Jacobian's determinant.

    What is computed for a tensor is kept, so that the inverse of a value that was just made is the tensor it was made
    of; in eager mode the last such pair is kept.

    Args:
        graph_parents: tensors that the function depends on.
        is_constant_jacobian: kept: whether the function stretches alike everywhere.
        validate_args: checks of the number of axes are added to the graph.
        dtype: the type of arguments, or None for any.
        forward_min_event_ndims, inverse_min_event_ndims: how many axes one value has; one of the two may be left out.
        name: of the scope in which nodes are made.

    Raises:
        ValueError: where neither number of axes is given, or one is below 0; for parents that are no tensors.
        TypeError: for a number of axes that is no integer.

    Source: ``tf.contrib.distributions.bijectors.Bijector``.
    """

    @abstractmethod
    def __init__(
        self,
        graph_parents: Any = None,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        dtype: Any = None,
        forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None,
        name: str | None = None,
    ) -> None:
        if forward_min_event_ndims is None and inverse_min_event_ndims is None:
            raise ValueError("Must specify at least one of `forward_min_event_ndims` and `inverse_min_event_ndims`.")
        forward = inverse_min_event_ndims if forward_min_event_ndims is None else forward_min_event_ndims
        inverse = forward if inverse_min_event_ndims is None else inverse_min_event_ndims
        for count, which in ((forward, "forward"), (inverse, "inverse")):
            if not isinstance(count, int):
                raise TypeError(f"Expected {which}_min_event_ndims to be of type int, got {type(count).__name__}")
            if count < 0:
                raise ValueError(f"{which}_min_event_ndims must be a non-negative integer.")
        self._graph_parents = list(graph_parents or [])
        for place, parent in enumerate(self._graph_parents):
            if parent is None or not is_tensor(parent):
                raise ValueError(f"Graph parent item {place} is not a Tensor; {parent}.")
        self._ranks, self._inverse_ranks = int(forward), int(inverse)  # type: ignore[arg-type]  # one is given
        self._is_constant_jacobian, self._validate_args = is_constant_jacobian, validate_args
        self._dtype = None if dtype is None else as_dtype(dtype)
        self._name = name or _snake_case(type(self).__name__)
        self._pairs = KeptPairs()

    @property
    def graph_parents(self) -> list[Any]:
        """The tensors that the function depends on, as far as they were given."""
        return self._graph_parents

    @property
    def forward_min_event_ndims(self) -> int | None:
        """How many axes one argument has."""
        return self._ranks

    @property
    def inverse_min_event_ndims(self) -> int | None:
        """How many axes one value has."""
        return self._inverse_ranks

    @property
    def is_constant_jacobian(self) -> bool:
        """Whether the function stretches alike everywhere."""
        return self._is_constant_jacobian

    @property
    def _is_injective(self) -> bool:
        """Whether each value is that of one place."""
        return True

    @property
    def validate_args(self) -> bool:
        """Whether checks are added to the graph."""
        return self._validate_args

    @property
    def dtype(self) -> Any:
        """The type of arguments, or None for any."""
        return self._dtype

    @property
    def name(self) -> str:
        """The scope in which nodes are made."""
        return self._name

    def forward_event_shape_tensor(self, input_shape: Any, name: str = "forward_event_shape_tensor") -> Any:
        """Return the shape of a value, of an argument's shape."""
        with self._name_scope(name):
            return self._forward_event_shape_tensor(convert_to_tensor(input_shape, "int32"))

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return input_shape

    def forward_event_shape(self, input_shape: Any) -> Any:
        """Return the static shape of a value, of an argument's static shape."""
        return self._forward_event_shape(TensorShape(input_shape))

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return input_shape

    def inverse_event_shape_tensor(self, output_shape: Any, name: str = "inverse_event_shape_tensor") -> Any:
        """Return the shape of an argument, of a value's shape."""
        with self._name_scope(name):
            return self._inverse_event_shape_tensor(convert_to_tensor(output_shape, "int32"))

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return output_shape

    def inverse_event_shape(self, output_shape: Any) -> Any:
        """Return the static shape of an argument, of a value's static shape."""
        return self._inverse_event_shape(TensorShape(output_shape))

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return output_shape

    def forward(self, x: Any, name: str = "forward") -> Any:
        """Return the function's value."""
        return self._call_forward(x, name)

    def _forward(self, x: Any) -> Any:
        raise NotImplementedError("forward not implemented.")

    def _call_forward(self, x: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name):
            x = self._converted(x)
            if not self._is_injective:
                return self._forward(x, **kwargs)
            return self._with_value(self._pairs.of(kwargs, x=x)).y

    def inverse(self, y: Any, name: str = "inverse") -> Any:
        """Return where the function has the value ``y``; a tuple of places for a function that is not one to one."""
        return self._call_inverse(y, name)

    def _inverse(self, y: Any) -> Any:
        raise NotImplementedError("inverse not implemented")

    def _call_inverse(self, y: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name):
            y = self._converted(y)
            if not self._is_injective:
                return self._inverse(y, **kwargs)
            return self._with_place(self._pairs.of(kwargs, y=y)).x

    def forward_log_det_jacobian(self, x: Any, event_ndims: Any = None, name: str = "forward_log_det_jacobian") -> Any:
        """Return by what the function stretches at ``x``, as a logarithm, summed over an event's axes.

        Raises ValueError for fewer axes of an event than an argument has.
        """
        return self._call_forward_log_det_jacobian(x, event_ndims, name)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        raise NotImplementedError("forward_log_det_jacobian not implemented.")

    def _call_forward_log_det_jacobian(self, x: Any, event_ndims: Any, name: str, **kwargs: Any) -> Any:
        if not self._is_injective:
            raise NotImplementedError("forward_log_det_jacobian cannot be implemented for non-injective transforms.")
        with self._name_scope(name):
            ranks = self._axes(event_ndims, self._ranks)
            pair = self._pairs.of(kwargs, x=self._converted(x))
            return negative(_kept(pair, ranks, self._stretch_of_place, self._stretch_of_value))

    def inverse_log_det_jacobian(self, y: Any, event_ndims: Any = None, name: str = "inverse_log_det_jacobian") -> Any:
        """Return by what the inverse stretches at ``y``, as a logarithm, summed over an event's axes.

        Raises ValueError for fewer axes of an event than a value has.
        """
        return self._call_inverse_log_det_jacobian(y, event_ndims, name)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        raise NotImplementedError("inverse_log_det_jacobian not implemented.")

    def _call_inverse_log_det_jacobian(self, y: Any, event_ndims: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name):
            ranks = self._axes(event_ndims, self._inverse_ranks)
            if not self._is_injective:
                y = self._converted(y)
                each = self._inverse_log_det_jacobian(y, **kwargs)
                return tuple(sum_over_event(y, stretch, self._inverse_ranks, ranks) for stretch in each)
            pair = self._pairs.of(kwargs, y=self._converted(y))
            return _kept(pair, ranks, self._stretch_of_value, self._stretch_of_place)

    def _stretch_of_value(self, pair: Pair, ranks: Any) -> Any:
        """Return by what the inverse stretches, as it follows from the value."""
        y = self._with_value(pair).y
        return sum_over_event(y, self._inverse_log_det_jacobian(y, **pair.kwargs), self._inverse_ranks, ranks)

    def _stretch_of_place(self, pair: Pair, ranks: Any) -> Any:
        """Return by what the inverse stretches, as it follows from the place."""
        x = self._with_place(pair).x
        return sum_over_event(x, negative(self._forward_log_det_jacobian(x, **pair.kwargs)), self._ranks, ranks)

    def __call__(self, value: Any, name: str | None = None) -> Any:
        """Return the function's value; of a distribution, that of its samples."""
        of_samples = getattr(value, "_transformed", None)
        return self.forward(value, name or "forward") if of_samples is None else of_samples(self, name)

    def _converted(self, value: Any) -> Any:
        tensor = convert_to_tensor(value)
        if self._dtype is not None and dtype_of(tensor).base_dtype != self._dtype.base_dtype:
            raise TypeError(f"Input had dtype {dtype_of(tensor)!r} but expected {self._dtype!r}.")
        return tensor

    @contextmanager
    def _name_scope(self, name: str, values: Any = None) -> Iterator[None]:
        with name_scope(self._name), name_scope(name):
            yield

    def _with_value(self, pair: Pair) -> Pair:
        pair.y = self._forward(pair.x, **pair.kwargs) if pair.y is None else pair.y
        return pair

    def _with_place(self, pair: Pair) -> Pair:
        pair.x = self._inverse(pair.y, **pair.kwargs) if pair.x is None else pair.x
        return pair

    def _axes(self, event_ndims: Any, least: int) -> Any:
        """Return the number of an event's axes, an integer or a tensor that is checked in a run."""
        if event_ndims is None:
            return least
        count = convert_to_tensor(event_ndims, name="event_ndims")
        if not dtype_of(count).is_integer:
            raise ValueError(f"Expected integer dtype, got dtype {dtype_of(count)!r}")
        if sizes := shape_of(count):
            raise ValueError(f"Expected scalar event_ndims, got shape {sizes}")
        known = maybe_get_static_value(count)
        if known is not None:
            if known < least:
                raise ValueError(f"event_ndims ({known}) must be larger than min_event_ndims ({least})")
            return int(known)
        if not self._validate_args:
            return count
        checks = [assert_rank(count, 0, message="Expected scalar."), assert_greater_equal(count, least)]
        return with_dependencies(checks, count)


def _kept(pair: Pair, ranks: Any, *ways: Any) -> Any:
    """Return by what the inverse stretches, computed the first way that is implemented where it is not kept."""
    if ranks not in pair.stretches:
        pair.stretches[ranks] = first_implemented(*(partial(way, pair, ranks) for way in ways))
    return pair.stretches[ranks]
