"""Mixtures of the distributions along the last axis of a batch."""

from __future__ import annotations

from typing import Any

from ...distributions.categorical import Categorical
from ...distributions.distribution import NOT_REPARAMETERIZED, Distribution
from ...distributions.util import pick_vector
from ...graph.scopes import control_dependencies, name_scope
from ...ops.array_ops import rank, reshape, shape
from ...ops.compare_checks import assert_equal
from ...ops.concat_ops import concat
from ...ops.reduce_ops import reduce_sum
from .mixture import OF_VALUES, OfComponents

__all__ = ["MixtureSameFamily"]


class MixtureSameFamily(OfComponents):
    """One of the distributions along the last axis of a batch, as a categorical distribution chooses.

    Args:
        mixture_distribution: the probabilities of the components, for each distribution of the batch or for all.
        components_distribution: the components, along the last axis of the batch.

    Raises ValueError for other batches, or another number of components than of classes.

    Source: ``tf.contrib.distributions.MixtureSameFamily``.
    """

    def __init__(
        self,
        mixture_distribution: Categorical,
        components_distribution: Distribution,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MixtureSameFamily",
    ) -> None:
        given = dict(locals())
        cat, components = mixture_distribution, components_distribution
        if not cat.dtype.is_integer:
            raise ValueError(f"`mixture_distribution.dtype` ({cat.dtype.name}) is not over integers")
        if cat.event_shape.ndims not in (None, 0):
            raise ValueError("`mixture_distribution` must have scalar `event_dim`s")
        self._cat, self._components = cat, components
        self._ranks = components.event_shape.ndims or 0
        with name_scope(name) as scope:
            self._rules = self._fitting(validate_args)
            super().__init__(components.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, given, name=scope)

    def _fitting(self, wanted: bool) -> list[Any]:
        """Check shapes as far as they are known; return the assertions for a run where they are not."""
        own, whole = self._cat.batch_shape, self._components.batch_shape.with_rank_at_least(1)
        batch, rules = whole[:-1], []
        if own.is_fully_defined() and batch.is_fully_defined():
            if own.ndims != 0 and own.as_list() != batch.as_list():
                raise ValueError(
                    f"`mixture_distribution.batch_shape` (`{own.as_list()}`) is not compatible with "
                    f"`components_distribution.batch_shape` (`{batch.as_list()}`)"
                )
        elif wanted:
            sizes = self._components.batch_shape_tensor()[:-1]
            picked = pick_vector(self._cat.is_scalar_batch(), sizes, self._cat.batch_shape_tensor())
            words = "`mixture_distribution.batch_shape` is not compatible with `components_distribution.batch_shape`"
            rules.append(assert_equal(picked, sizes, message=words))
        classes, count = self._classes(), whole[-1].value
        if isinstance(classes, int) and count is not None:
            if classes != count:
                raise ValueError(
                    f"`mixture_distribution components` ({classes}) does not equal "
                    f"`components_distribution.batch_shape[-1]` ({count})"
                )
        elif wanted:
            words = "`mixture_distribution components` does not equal `components_distribution.batch_shape[-1:]`"
            rules.append(assert_equal(classes, self._components.batch_shape_tensor()[-1], message=words))
        return rules

    @property
    def mixture_distribution(self) -> Categorical:
        """The probabilities of the components."""
        return self._cat

    @property
    def components_distribution(self) -> Distribution:
        """The components, along the last axis of the batch."""
        return self._components

    def _batch_shape(self) -> Any:
        return self._components.batch_shape.with_rank_at_least(1)[:-1]

    def _batch_shape_tensor(self) -> Any:
        return self._components.batch_shape_tensor()[:-1]

    def _event_shape(self) -> Any:
        return self._components.event_shape

    def _event_shape_tensor(self) -> Any:
        return self._components.event_shape_tensor()

    def _with_axis(self, value: Any) -> Any:
        """Return values with an axis for the components before those of an event."""
        last = rank(value) - self._ranks
        return reshape(value, concat([shape(value)[:last], [1], shape(value)[last:]], 0))

    def _each(self, method: str, *args: Any) -> Any:
        if method in OF_VALUES:
            args = (self._with_axis(args[0]),)
        return getattr(self._components, method)(*args)

    def _covariance(self) -> Any:
        if self.event_shape.ndims != 1:
            raise NotImplementedError("covariance is not implemented")
        with control_dependencies(self._rules):
            weights = self._weights(2)
            apart = self._components.mean() - self._with_axis(self._mean())
            between = apart[..., None, :] * apart[..., None]
            return reduce_sum(weights * (self._components.covariance() + between), -3)
