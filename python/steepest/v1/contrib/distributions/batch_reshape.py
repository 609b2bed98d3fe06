"""A batch of distributions in another shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...distributions.checks import checked, parameter
from ...distributions.distribution import Distribution
from ...distributions.util import maybe_get_static_value
from ...graph.mode import executing_eagerly
from ...graph.scopes import name_scope
from ...graph.shapes import TensorShape
from ...graph.static_values import constant_value_as_shape
from ...ops.array_ops import rank, reshape, shape, size
from ...ops.cast_ops import cast
from ...ops.check_ops import assert_rank
from ...ops.compare_checks import assert_equal, assert_greater_equal, assert_less_equal, assert_positive
from ...ops.concat_ops import concat
from ...ops.creation_ops import ones_like
from ...ops.math_ops import equal, maximum
from ...ops.rearranging_ops import where_v2
from ...ops.reduce_ops import reduce_prod, reduce_sum

__all__ = ["BatchReshape"]


class BatchReshape(Distribution):
    """The distributions of a batch as a batch of another shape; values must have all of its axes.

    Args:
        distribution: the batch.
        batch_shape: the new shape, in which one size may be -1.

    Raises:
        ValueError: for a shape of another size, or with sizes below -1.
        NotImplementedError: for values that have to be broadcast.

    Source: ``tf.contrib.distributions.BatchReshape``.
    """

    def __init__(
        self,
        distribution: Distribution,
        batch_shape: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str | None = None,
    ) -> None:
        given = dict(locals())
        base = distribution.name.strip("/").rpartition("/")[2]
        with name_scope(name or f"BatchReshape{base}") as scope:
            wanted = parameter(batch_shape, "batch_shape", "int32")
            self._known = _known_shape(distribution, wanted)
            self._sizes = _whole(distribution.batch_shape_tensor(), wanted, validate_args, self._known)
        self._distribution = distribution
        kind, dtype = distribution.reparameterization_type, distribution.dtype
        super().__init__(dtype, kind, validate_args, allow_nan_stats, given, name=scope)

    @property
    def distribution(self) -> Distribution:
        """The batch as it was."""
        return self._distribution

    def _batch_shape(self) -> Any:
        return self._known

    def _batch_shape_tensor(self) -> Any:
        return self._sizes

    def _event_shape(self) -> Any:
        return self._distribution.event_shape

    def _event_shape_tensor(self) -> Any:
        return self._distribution.event_shape_tensor()

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        drawn = self._distribution.sample(sample_shape, seed)
        found = reshape(drawn, concat([sample_shape, self._sizes, self.event_shape_tensor()], 0))
        before = maybe_get_static_value(sample_shape)
        return found if before is None else self._told(found, TensorShape(list(before)), self.event_shape)

    def _told(self, found: Any, before: TensorShape, event: TensorShape) -> Any:
        if not executing_eagerly() and before.ndims is not None and self._known.ndims is not None:
            found.set_shape(before.concatenate(self._known).concatenate(event))
        return found

    def _of(self, method: str, value: Any) -> Any:
        """Return what a method says of values, which are given the old shape first."""
        value = self._fitting(value)
        before: Any = shape(value)[: rank(value) - size(self._sizes) - size(self.event_shape_tensor())]
        old = concat([before, self._distribution.batch_shape_tensor(), self.event_shape_tensor()], 0)
        found = reshape(getattr(self._distribution, method)(reshape(value, old)), concat([before, self._sizes], 0))
        own = self._own_axes()
        static = None if own is None or value.shape.ndims is None else value.shape[: value.shape.ndims - own]
        return found if static is None else self._told(found, static, TensorShape([]))

    def _own_axes(self) -> int | None:
        ranks = self._known.ndims, self.event_shape.ndims
        return None if ranks[0] is None or ranks[1] is None else ranks[0] + ranks[1]

    def _fitting(self, value: Any) -> Any:
        """Return the values, which must have the axes of a batch and of an event."""
        own, ranks = self._own_axes(), value.shape.ndims
        few = "Broadcasting is not supported; too few batch and event dims"
        other = "Broadcasting is not supported; unexpected batch and event shape"
        if own is not None and ranks is not None:
            if ranks < own:
                raise NotImplementedError(f"{few} (expected at least {own}, saw {ranks}).")
            wanted, found = self._known.concatenate(self.event_shape), value.shape[ranks - own :]
            if wanted.is_fully_defined() and found.is_fully_defined():
                if wanted.as_list() != found.as_list():
                    raise NotImplementedError(f"{other} (expected {wanted.as_list()}, saw {found.as_list()}).")
                return value

        def rules() -> list[Any]:
            sizes = concat([self._sizes, self.event_shape_tensor()], 0)
            least = maximum(rank(value) - size(sizes), 0)
            return [
                assert_greater_equal(rank(value), size(sizes), message=f"{few}."),
                assert_equal(sizes, shape(value)[least:], message=f"{other}."),
            ]

        return checked(value, self._validate_args, rules)

    def _log_prob(self, value: Any) -> Any:
        return self._of("log_prob", value)

    def _prob(self, value: Any) -> Any:
        return self._of("prob", value)

    def _cdf(self, value: Any) -> Any:
        return self._of("cdf", value)

    def _log_cdf(self, value: Any) -> Any:
        return self._of("log_cdf", value)

    def _survival_function(self, value: Any) -> Any:
        return self._of("survival_function", value)

    def _log_survival_function(self, value: Any) -> Any:
        return self._of("log_survival_function", value)

    def _statistic(self, method: Callable[[], Any], events: int = 1) -> Any:
        sizes = concat([self._sizes, *[self.event_shape_tensor()] * events], 0)
        event = TensorShape([])
        for _ in range(events):
            event = event.concatenate(self.event_shape)
        return self._told(reshape(method(), sizes), TensorShape([]), event)

    def _entropy(self) -> Any:
        return self._statistic(self._distribution.entropy, 0)

    def _mean(self) -> Any:
        return self._statistic(self._distribution.mean)

    def _mode(self) -> Any:
        return self._statistic(self._distribution.mode)

    def _stddev(self) -> Any:
        return self._statistic(self._distribution.stddev)

    def _variance(self) -> Any:
        return self._statistic(self._distribution.variance)

    def _covariance(self) -> Any:
        return self._statistic(self._distribution.covariance, 2)


def _known_shape(distribution: Distribution, wanted: Any) -> TensorShape:
    """Return what is known of the new shape, which must fit as far as that."""
    if wanted.shape.ndims not in (None, 1):
        raise ValueError(f"`batch_shape` must be a vector (saw rank: {wanted.shape.ndims}).")
    sizes = maybe_get_static_value(wanted)
    if sizes is not None and ((sizes < -1) | (sizes == 0)).any():
        raise ValueError("`batch_shape` elements must be >=-1.")
    known = constant_value_as_shape(wanted)
    counts = known.num_elements(), distribution.batch_shape.num_elements()
    if None not in counts and counts[0] != counts[1]:
        raise ValueError(f"`batch_shape` size ({counts[0]}) must match `distribution.batch_shape` size ({counts[1]}).")
    return known


def _whole(old: Any, wanted: Any, validate_args: bool, known: TensorShape) -> Any:
    """Return the new shape, in which what was -1 has the size that is left."""
    if known.is_fully_defined():
        return wanted
    free = equal(wanted, -1)
    count = reduce_prod(old)
    sizes = where_v2(free, ones_like(wanted) * (count // maximum(1, -reduce_prod(wanted))), wanted)

    def rules() -> list[Any]:
        return [
            assert_rank(wanted, 1, message="New shape must be a vector."),
            assert_less_equal(reduce_sum(cast(free, "int32")), 1, message="At most one dimension can be unknown."),
            assert_positive(sizes, message="Shape elements must be >=-1."),
            assert_equal(reduce_prod(sizes), count, message="Shape sizes do not match."),
        ]

    return checked(sizes, validate_args, rules)
