"""Bijectors one after another, and the inverse of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...distributions.util import maybe_get_static_value
from ...graph.build import dtype_of, shape_of
from ...graph.shapes import TensorShape
from ...ops.array_ops import rank, shape, size
from ...ops.creation_ops import zeros
from .bijector import Bijector

__all__ = ["Chain", "Invert"]


class Invert(Bijector):
    """The inverse of another. Raises NotImplementedError for one that is not one to one."""

    def __init__(self, bijector: Bijector, validate_args: bool = False, name: str | None = None) -> None:
        if not bijector._is_injective:
            raise NotImplementedError("Invert is not implemented for non-injective bijectors.")
        self._bijector = bijector
        super().__init__(
            graph_parents=bijector.graph_parents,
            is_constant_jacobian=bijector.is_constant_jacobian,
            validate_args=validate_args,
            dtype=bijector.dtype,
            forward_min_event_ndims=bijector.inverse_min_event_ndims,
            inverse_min_event_ndims=bijector.forward_min_event_ndims,
            name=name or f"invert_{bijector.name}",
        )

    @property
    def bijector(self) -> Bijector:
        """The other one."""
        return self._bijector

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return self._bijector._inverse_event_shape(input_shape)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return self._bijector._inverse_event_shape_tensor(input_shape)

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return self._bijector._forward_event_shape(output_shape)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return self._bijector._forward_event_shape_tensor(output_shape)

    def _forward(self, x: Any, **kwargs: Any) -> Any:
        return self._bijector._inverse(x, **kwargs)

    def _inverse(self, y: Any, **kwargs: Any) -> Any:
        return self._bijector._forward(y, **kwargs)

    def _forward_log_det_jacobian(self, x: Any, **kwargs: Any) -> Any:
        return self._bijector._inverse_log_det_jacobian(x, **kwargs)

    def _inverse_log_det_jacobian(self, y: Any, **kwargs: Any) -> Any:
        return self._bijector._forward_log_det_jacobian(y, **kwargs)


class Chain(Bijector):
    """Several one after another, the last of the list first: ``Chain([f, g])(x) = f(g(x))``.

    Raises NotImplementedError for a part that is not one to one, ValueError for parts of two types.
    """

    def __init__(
        self, bijectors: Sequence[Bijector] | None = None, validate_args: bool = False, name: str | None = None
    ) -> None:
        parts = list(bijectors or [])
        for part in parts:
            if not part._is_injective:
                raise NotImplementedError(f"Invert is not implemented for non-injective bijector ({part.name})")
        dtypes = {part.dtype for part in parts} - {None}
        if len(dtypes) > 1:
            raise ValueError(f"incompatible dtypes: {list(dtypes)}")
        self._bijectors = parts
        super().__init__(
            graph_parents=[parent for part in parts for parent in part.graph_parents],
            is_constant_jacobian=all(part.is_constant_jacobian for part in parts),
            validate_args=validate_args,
            dtype=dtypes.pop() if dtypes else None,
            forward_min_event_ndims=_least_ranks(
                [(part.forward_min_event_ndims, part.inverse_min_event_ndims) for part in reversed(parts)]
            ),
            inverse_min_event_ndims=_least_ranks(
                [(part.inverse_min_event_ndims, part.forward_min_event_ndims) for part in parts]
            ),
            name=name or ("_of_".join(["chain", *(part.name for part in parts)]) if parts else "identity"),
        )

    @property
    def bijectors(self) -> list[Bijector]:
        """The parts."""
        return self._bijectors

    def _through(self, method: str, value: Any, parts: Any) -> Any:
        for part in parts:
            value = getattr(part, method)(value)
        return value

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return self._through("forward_event_shape", input_shape, reversed(self._bijectors))

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return self._through("forward_event_shape_tensor", input_shape, reversed(self._bijectors))

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return self._through("inverse_event_shape", output_shape, self._bijectors)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return self._through("inverse_event_shape_tensor", output_shape, self._bijectors)

    def _forward(self, x: Any, **kwargs: Any) -> Any:
        for part in reversed(self._bijectors):
            x = part.forward(x, **kwargs.get(part.name, {}))
        return x

    def _inverse(self, y: Any, **kwargs: Any) -> Any:
        for part in self._bijectors:
            y = part.inverse(y, **kwargs.get(part.name, {}))
        return y

    def _forward_log_det_jacobian(self, x: Any, **kwargs: Any) -> Any:
        return self._summed("forward", x, self._ranks, list(reversed(self._bijectors)), kwargs)

    def _inverse_log_det_jacobian(self, y: Any, **kwargs: Any) -> Any:
        return self._summed("inverse", y, self._inverse_ranks, self._bijectors, kwargs)

    def _summed(self, way: str, value: Any, ranks: Any, parts: list[Bijector], kwargs: dict[str, Any]) -> Any:
        """Return the sum of what the parts stretch, one after another; an event's shape changes on the way."""
        total = zeros([], dtype_of(value))
        if not parts:
            return total
        event: Any = _event_of(value, ranks)
        for part in parts:
            own = kwargs.get(part.name, {})
            total = total + getattr(part, f"{way}_log_det_jacobian")(value, event_ndims=ranks, **own)
            if isinstance(event, TensorShape):
                event = getattr(part, f"{way}_event_shape")(event)
                ranks = event.ndims
            else:
                event = getattr(part, f"{way}_event_shape_tensor")(event)
                known = maybe_get_static_value(size(event))
                ranks = size(event) if known is None else int(known)
            value = getattr(part, way)(value, **own)
        return total


def _event_of(value: Any, ranks: int) -> Any:
    """Return the shape of the last axes of a value, static where all of the value's is."""
    sizes = shape_of(value)
    if sizes is None or None in sizes:
        return shape(value)[rank(value) - ranks :]
    return TensorShape(sizes[len(sizes) - ranks :])


def _least_ranks(ranks: Sequence[tuple[int | None, int | None]]) -> int:
    """Return how many axes go into functions one after another, each of which takes some and gives others."""
    least = moved = 0
    for taken, given in ranks:
        taken, given = taken or 0, given or 0
        least = max(least, moved + taken)
        moved += taken - given
    return least
