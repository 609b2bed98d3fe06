"""The distribution of a function of samples."""

from __future__ import annotations

from typing import Any

from ...distributions.distribution import Distribution, count_of
from ...distributions.util import maybe_get_static_value, pick_vector
from ...graph.build import dtype_of
from ...graph.mode import executing_eagerly
from ...graph.scopes import name_scope
from ...graph.shapes import TensorShape
from ...graph.static_values import constant_value
from ...ops.array_ops import rank, reshape, shape, size, transpose
from ...ops.cast_ops import cast
from ...ops.concat_ops import concat, stack
from ...ops.creation_ops import ones_like, zeros
from ...ops.creation_ops import range as _range
from ...ops.math_ops import exp
from ...ops.pad_ops import tile
from ...ops.rearranging_ops import broadcast_static_shape
from ...ops.reduce_ops import reduce_logsumexp, reduce_prod, reduce_sum
from .bijector import Bijector
from .elementwise_bijectors import Identity
from .shape_overrides import ShapeOverride, all_of

__all__ = ["TransformedDistribution"]


class TransformedDistribution(Distribution):
    """The distribution of ``bijector(sample)``, for samples of another distribution.

    Args:
        distribution: the other distribution.
        bijector: the function, by default `Identity`.
        batch_shape: the shape of a batch, for a distribution that is one.
        event_shape: the shape of one sample, for a distribution of numbers: so many independent ones are taken.

    Raises ValueError for a shape that stands for one that is given already, or that is no vector of positive sizes.

    Source: ``tf.contrib.distributions.TransformedDistribution``.
    """

    def __init__(
        self,
        distribution: Distribution,
        bijector: Bijector | None = None,
        batch_shape: Any = None,
        event_shape: Any = None,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        self._distribution = distribution
        with name_scope(name or ("" if bijector is None else bijector.name) + distribution.name) as scope:
            self._bijector = Identity(validate_args) if bijector is None else bijector
            one = distribution.is_scalar_batch()
            self._batch = ShapeOverride(batch_shape, one, validate_args, "batch_shape")
            self._own = ShapeOverride(event_shape, distribution.is_scalar_event(), validate_args, "event_shape")
            # Samples of a batch whose events are several numbers have these first; they come last in an event.
            self._turned = all_of((self._own.given, True), (self._batch.given, False), (one, False))
            axes = self._own.axes
            known = maybe_get_static_value(self._turned)
            self._turned_axes = cast(self._turned, "int32") * axes if known is None else (axes if known else 0)
        kind = distribution.reparameterization_type
        super().__init__(distribution.dtype, kind, validate_args, distribution.allow_nan_stats, parameters, name=scope)

    @property
    def distribution(self) -> Distribution:
        """The other distribution."""
        return self._distribution

    @property
    def bijector(self) -> Bijector:
        """The function."""
        return self._bijector

    # Shapes -----------------------------------------------------------------------------------------

    def _batch_shape(self) -> Any:
        return self._batch.known if self._batch.possible else self._distribution.batch_shape

    def _batch_shape_tensor(self) -> Any:
        return self._batch.instead_of(self._distribution.batch_shape_tensor())

    def _base_event_shape(self) -> Any:
        return self._own.known if self._own.possible else self._distribution.event_shape

    def _event_shape(self) -> Any:
        return self._bijector.forward_event_shape(self._base_event_shape())

    def _event_shape_tensor(self) -> Any:
        return self._bijector.forward_event_shape_tensor(self._own.instead_of(self._distribution.event_shape_tensor()))

    def _event_ndims(self) -> Any:
        """Return how many axes one sample has, a number where it is known."""
        if self.event_shape.ndims is not None:
            return self.event_shape.ndims
        known = maybe_get_static_value(size(self.event_shape_tensor()))
        return size(self.event_shape_tensor()) if known is None else int(known)

    # Samples ----------------------------------------------------------------------------------------

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        return self._transform(sample_shape, seed, {}, {})

    def _transform(self, sample_shape: Any, seed: int | None, of_base: dict[str, Any], of_map: dict[str, Any]) -> Any:
        """Return the function of samples of the other distribution, under the conditions of both."""
        if self._batch.possible or self._own.possible:
            x = self._base_samples(count_of(sample_shape), seed, of_base)
            x = reshape(x, concat([sample_shape, shape(x)[1:]], 0))
        else:
            x = self._distribution.sample(sample_shape, seed, **of_base)
        if executing_eagerly():
            return self._bijector.forward(x, **of_map)
        known = constant_value(sample_shape)
        axes = sample_shape.shape[0].value if known is None else len(known)
        before = TensorShape(None if axes is None else [None] * axes if known is None else list(known))
        before = before.concatenate(self.batch_shape)
        x.set_shape(before.concatenate(self._base_event_shape()))
        y = self._bijector.forward(x, **of_map)
        y.set_shape(before.concatenate(self.event_shape))
        return y

    def _base_samples(self, n: Any, seed: int | None, conditions: dict[str, Any]) -> Any:
        nothing, count = zeros([0], "int32"), reshape(n, [1])
        sizes = [
            pick_vector(self._turned, nothing, count),
            self._batch.sizes,
            self._own.sizes,
            pick_vector(self._turned, count, nothing),
        ]
        return self._rotated(self._distribution.sample(concat(sizes, 0), seed, **conditions))

    def _rotated(self, x: Any, back: bool = False) -> Any:
        """Return samples whose first axes, those of events, come last; or ``back``, the last ones first."""
        if maybe_get_static_value(self._turned) is False:
            return x
        first = rank(x) - self._turned_axes if back else self._turned_axes
        return transpose(x, concat([_range(first, rank(x)), _range(first)], 0))

    # Probabilities ----------------------------------------------------------------------------------

    def _fibers(self, y: Any, of_map: dict[str, Any]) -> tuple[list[tuple[Any, Any]], Any]:
        """Return the places whose value is ``y``, each with what the inverse stretches, and an event's axes."""
        x, ranks = self._bijector.inverse(y, **of_map), self._event_ndims()
        stretches = self._bijector.inverse_log_det_jacobian(y, event_ndims=ranks, **of_map)
        if self._bijector._is_injective:
            return [(x, stretches)], ranks
        return list(zip(x, stretches, strict=True)), ranks

    def _log_prob(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        fibers, ranks = self._fibers(y, bijector_kwargs or {})
        each = []
        for x, stretch in fibers:
            found = self._distribution.log_prob(self._rotated(x, back=True), **(distribution_kwargs or {}))
            if self._own.possible:
                found = reduce_sum(found, self._own_axes())
            each.append(self._known_shape(found + cast(stretch, dtype_of(found)), y, ranks))
        return each[0] if len(each) == 1 else reduce_logsumexp(stack(each), 0)

    def _prob(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        fibers, ranks = self._fibers(y, bijector_kwargs or {})
        each = []
        for x, stretch in fibers:
            found = self._distribution.prob(self._rotated(x, back=True), **(distribution_kwargs or {}))
            if self._own.possible:
                found = reduce_prod(found, self._own_axes())
            each.append(self._known_shape(found * exp(cast(stretch, dtype_of(found))), y, ranks))
        return sum(each[1:], each[0])

    def _own_axes(self) -> Any:
        return _range(self._turned_axes - self._own.axes, self._turned_axes)

    def _known_shape(self, found: Any, y: Any, ranks: Any) -> Any:
        if self._own.possible and isinstance(ranks, int) and ranks and not executing_eagerly():
            before = y.shape.with_rank_at_least(1)[:-ranks]
            found.set_shape(broadcast_static_shape(before, self.batch_shape))
        return found

    def _of_place(self, method: str, y: Any, bijector_kwargs: Any, distribution_kwargs: Any) -> Any:
        """Return what a method of the other distribution says of the place of a value."""
        self._must_be_monotonic(method)
        place = self._bijector.inverse(y, **(bijector_kwargs or {}))
        return getattr(self._distribution, method)(place, **(distribution_kwargs or {}))

    def _must_be_monotonic(self, method: str) -> None:
        if self._own.possible:
            raise NotImplementedError(f"{method} is not implemented when overriding event_shape")
        if not self._bijector._is_injective:
            raise NotImplementedError(f"{method} is not implemented when bijector is not injective.")

    def _log_cdf(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        return self._of_place("log_cdf", y, bijector_kwargs, distribution_kwargs)

    def _cdf(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        return self._of_place("cdf", y, bijector_kwargs, distribution_kwargs)

    def _log_survival_function(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        return self._of_place("log_survival_function", y, bijector_kwargs, distribution_kwargs)

    def _survival_function(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        return self._of_place("survival_function", y, bijector_kwargs, distribution_kwargs)

    def _quantile(self, value: Any) -> Any:
        self._must_be_monotonic("quantile")
        return self._bijector.forward(self._distribution.quantile(value))

    def _entropy(self) -> Any:
        if not self._bijector.is_constant_jacobian:
            raise NotImplementedError("entropy is not implemented")
        if not self._bijector._is_injective:
            raise NotImplementedError("entropy is not implemented when bijector is not injective.")
        entropy = self._distribution.entropy()
        if self._own.possible:
            entropy = entropy * cast(reduce_prod(self._own.sizes), dtype_of(entropy))
        if self._batch.possible:
            base = self._distribution.batch_shape_tensor()
            entropy = reshape(entropy, concat([ones_like(self._batch.sizes), base], 0))
            entropy = tile(entropy, concat([self._batch.sizes, ones_like(base)], 0))
        anywhere = zeros(concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0), self.dtype)
        stretch = self._bijector.inverse_log_det_jacobian(anywhere, event_ndims=self._event_ndims())
        entropy = entropy - cast(stretch, dtype_of(entropy))
        if not executing_eagerly():
            entropy.set_shape(self.batch_shape)
        return entropy


def _transformed(self: Distribution, bijector: Bijector, name: str | None) -> TransformedDistribution:
    return TransformedDistribution(self, bijector, name=name)


Distribution._transformed = _transformed  # type: ignore[attr-defined]  # what a bijector makes of a distribution
