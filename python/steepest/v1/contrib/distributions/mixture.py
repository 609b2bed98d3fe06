"""Mixtures of distributions, and distributions that are taken together as one of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...distributions.categorical import Categorical
from ...distributions.distribution import NOT_REPARAMETERIZED, Distribution
from ...distributions.kullback_leibler import RegisterKL, kl_divergence
from ...graph.build import shape_of
from ...graph.scopes import name_scope
from ...graph.shapes import Shape
from ...ops.activation_ops import log_softmax
from ...ops.array_ops import expand_dims, shape
from ...ops.concat_ops import stack
from ...ops.math_ops import square
from ...ops.one_hot_ops import one_hot
from ...ops.reduce_ops import reduce_logsumexp, reduce_sum

__all__ = ["Independent", "Mixture", "MixtureSameFamily"]


class _OfComponents(Distribution):
    """What both mixtures share: scores, samples and moments of the components along an axis before the event's."""

    _cat: Categorical
    _ranks = 0  # how many axes an event has

    def _each(self, method: str, *args: Any) -> Any:
        """Return what a method of the components gives, along the last axis of the batch."""
        raise NotImplementedError

    def _weights(self, values: Any) -> Any:
        probs = self._cat.probs
        for _ in range(self._ranks):
            probs = expand_dims(probs, -1)
        return probs + 0 * values

    def _over(self, values: Any) -> Any:
        return reduce_sum(values, -1 - self._ranks)

    def _batch_values(self) -> Any:
        return self._cat.logits[..., 0]

    def _log_prob(self, value: Any) -> Any:
        return reduce_logsumexp(self._each("log_prob", value) + log_softmax(self._cat.logits), -1)

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        chosen = one_hot(self._cat.sample(sample_shape, seed), self._classes(), dtype=self.dtype)
        for _ in range(self._ranks):
            chosen = expand_dims(chosen, -1)
        return self._over(self._each("sample", sample_shape, seed) * chosen)

    def _classes(self) -> Any:
        known = shape_of(self._cat.logits)
        return shape(self._cat.logits)[-1] if known is None or known[-1] is None else known[-1]

    def _mean(self) -> Any:
        means = self._each("mean")
        return self._over(self._weights(means) * means)

    def _variance(self) -> Any:
        means, variances = self._each("mean"), self._each("variance")
        weights = self._weights(means)
        return self._over(weights * (variances + square(means))) - square(self._over(weights * means))

    def _cdf(self, value: Any) -> Any:
        each = self._each("cdf", value)
        return self._over(self._weights(each) * each)


class Mixture(_OfComponents):
    """One of several distributions, as a categorical distribution chooses.

    Args:
        cat: the probabilities of the components.
        components: distributions of the same batch and event.

    Raises TypeError for a ``cat`` of another class; ValueError for no components, or for another number of them than
    ``cat`` has classes.

    Source: ``tf.contrib.distributions.Mixture``.
    """

    def __init__(
        self,
        cat: Categorical,
        components: Sequence[Distribution],
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Mixture",
    ) -> None:
        if not isinstance(cat, Categorical):
            raise TypeError(f"cat must be a Categorical distribution, but saw: {cat}")
        if not components:
            raise ValueError("components must be a non-empty list or tuple")
        if not all(isinstance(each, Distribution) for each in components):
            raise TypeError(f"all entries in components must be Distribution instances but saw: {list(components)}")
        self._cat, self._components = cat, list(components)
        if self._classes() not in (len(components), None) and isinstance(self._classes(), int):
            raise ValueError(f"cat.num_components is {self._classes()} but there are {len(components)} components")
        self._ranks = components[0].event_shape.ndims or 0
        given = {"cat": cat, "components": list(components)}
        with name_scope(name) as scope:
            super().__init__(
                components[0].dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, given, name=scope
            )

    @property
    def cat(self) -> Categorical:
        """The probabilities of the components."""
        return self._cat

    @property
    def components(self) -> list[Distribution]:
        """The components."""
        return self._components

    @property
    def num_components(self) -> int:
        """The number of components."""
        return len(self._components)

    def _event(self) -> Shape:
        return self._components[0]._event()

    def _each(self, method: str, *args: Any) -> Any:
        found = [getattr(each, method)(*args) for each in self._components]
        return stack(found, -1 if method in ("log_prob", "cdf") else -1 - self._ranks)

    def entropy_lower_bound(self, name: str = "entropy_lower_bound") -> Any:
        """Return the expected entropy of the components."""
        with self._scope(name):
            entropies = stack([each.entropy() for each in self._components], -1)
            return reduce_sum(self._cat.probs * entropies, -1)


class MixtureSameFamily(_OfComponents):
    """One of the distributions along the last axis of a batch, as a categorical distribution chooses.

    Source: ``tf.contrib.distributions.MixtureSameFamily``.
    """

    def __init__(
        self,
        mixture_distribution: Categorical,
        components_distribution: Distribution,
        reparameterize: bool = False,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MixtureSameFamily",
    ) -> None:
        del reparameterize
        self._cat, self._components = mixture_distribution, components_distribution
        self._ranks = components_distribution.event_shape.ndims or 0
        given = {"mixture_distribution": mixture_distribution, "components_distribution": components_distribution}
        dtype = components_distribution.dtype
        with name_scope(name) as scope:
            super().__init__(dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, given, name=scope)

    @property
    def mixture_distribution(self) -> Categorical:
        """The probabilities of the components."""
        return self._cat

    @property
    def components_distribution(self) -> Distribution:
        """The components, along the last axis of the batch."""
        return self._components

    def _batch_values(self) -> Any:
        return self._components._batch_values()[..., 0]

    def _event(self) -> Shape:
        return self._components._event()

    def _each(self, method: str, *args: Any) -> Any:
        if method in ("log_prob", "cdf"):
            args = (expand_dims(args[0], -1 - self._ranks),)
        return getattr(self._components, method)(*args)


class Independent(Distribution):
    """A batch of distributions taken for one of vectors: its last axes are the event's.

    ``reinterpreted_batch_ndims``: how many axes, by default all but the first.

    Source: ``tf.contrib.distributions.Independent``.
    """

    def __init__(
        self,
        distribution: Distribution,
        reinterpreted_batch_ndims: int | None = None,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        known = distribution.batch_shape.ndims
        self._distribution = distribution
        self._taken = max((known or 0) - 1, 0) if reinterpreted_batch_ndims is None else int(reinterpreted_batch_ndims)
        if known is not None and self._taken > known:
            raise ValueError(
                f"reinterpreted_batch_ndims({self._taken}) cannot exceed distribution.batch_ndims({known})"
            )
        given = {"distribution": distribution, "reinterpreted_batch_ndims": reinterpreted_batch_ndims}
        with name_scope(name or f"Independent{distribution.name.strip('/').rpartition('/')[2]}") as scope:
            kind = distribution.reparameterization_type
            super().__init__(distribution.dtype, kind, validate_args, distribution.allow_nan_stats, given, name=scope)

    @property
    def distribution(self) -> Distribution:
        """The batch."""
        return self._distribution

    @property
    def reinterpreted_batch_ndims(self) -> int:
        """How many axes of the batch are the event's."""
        return self._taken

    def _batch_values(self) -> Any:
        return self._over(self._distribution._batch_values())

    def _event(self) -> Shape:
        whole = shape_of(self._distribution._batch_values())
        inner = self._distribution._event()
        if whole is None or inner is None:
            return None
        return (*whole[len(whole) - self._taken :], *inner)

    def _over(self, values: Any) -> Any:
        return reduce_sum(values, list(range(-self._taken, 0))) if self._taken else values

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        return self._distribution._draw(sample_shape, seed)

    def _log_prob(self, value: Any) -> Any:
        return self._over(self._distribution._log_prob(value))

    def _mean(self) -> Any:
        return self._distribution.mean()

    def _mode(self) -> Any:
        return self._distribution.mode()

    def _stddev(self) -> Any:
        return self._distribution.stddev()

    def _variance(self) -> Any:
        return self._distribution.variance()

    def _entropy(self) -> Any:
        return self._over(self._distribution.entropy())


@RegisterKL(Independent, Independent)
def _independents(a: Independent, b: Independent, name: str | None = None) -> Any:
    if a.reinterpreted_batch_ndims != b.reinterpreted_batch_ndims:
        raise ValueError("KL between Independents of different reinterpreted_batch_ndims is not implemented")
    return a._over(kl_divergence(a.distribution, b.distribution))
