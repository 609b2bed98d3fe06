"""Mixtures of distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...distributions.categorical import Categorical
from ...distributions.distribution import NOT_REPARAMETERIZED, Distribution
from ...distributions.util import gen_new_seed
from ...graph.build import shape_of
from ...graph.scopes import control_dependencies, name_scope
from ...ops.activation_ops import log_softmax
from ...ops.array_ops import rank, reshape, shape, size
from ...ops.compare_checks import assert_equal
from ...ops.concat_ops import concat, stack
from ...ops.creation_ops import ones
from ...ops.math_ops import sqrt, square
from ...ops.one_hot_ops import one_hot
from ...ops.reduce_ops import reduce_logsumexp, reduce_sum

__all__ = ["OF_VALUES", "Mixture", "OfComponents"]

OF_VALUES = ("log_prob", "log_cdf")


class OfComponents(Distribution):
    """What both mixtures share: scores, samples and moments of the components along an axis before the event's."""

    _cat: Categorical
    _ranks = 0  # how many axes an event has
    _rules: Sequence[Any] = ()  # what is asserted of the shapes in a run

    def _each(self, method: str, *args: Any) -> Any:
        """Return what a method of the components gives, along the last axis of the batch."""
        raise NotImplementedError

    def _weights(self, ranks: int | None = None) -> Any:
        """Return the probabilities of the components, along the axis before ``ranks`` axes, by default an event's."""
        return self._padded(self._cat.probs, self._ranks if ranks is None else ranks)

    def _padded(self, values: Any, ranks: int) -> Any:
        """Return values along the components' axis with axes for the batch before it and for an event behind it."""
        own, whole = self._cat.batch_shape.ndims, self.batch_shape.ndims
        if own is None or whole is None:
            missing = size(self.batch_shape_tensor()) - size(self._cat.batch_shape_tensor())
            before: Any = ones(reshape(missing, [1]), "int32")
        else:
            before = [1] * (whole - own)
        sizes = shape(values)
        last = rank(values) - 1
        parts = [sizes[:last], before, sizes[last:], [1] * ranks]
        return reshape(values, concat([part for part in parts if not isinstance(part, list) or part], 0))

    def _over(self, values: Any) -> Any:
        return reduce_sum(values, -1 - self._ranks)

    def _scores(self, method: str, value: Any) -> Any:
        with control_dependencies(self._rules):
            return reduce_logsumexp(self._each(method, value) + log_softmax(self._cat.logits), -1)

    def _log_prob(self, value: Any) -> Any:
        return self._scores("log_prob", value)

    def _log_cdf(self, value: Any) -> Any:
        return self._scores("log_cdf", value)

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        with control_dependencies(self._rules):
            chosen = one_hot(self._cat.sample(sample_shape, seed), self._classes(), dtype=self.dtype)
            drawn = self._each("sample", sample_shape, gen_new_seed(seed, "mixture"))
            return self._over(drawn * self._padded(chosen, self._ranks))

    def _classes(self) -> Any:
        known = shape_of(self._cat.logits)
        return shape(self._cat.logits)[-1] if known is None or known[-1] is None else known[-1]

    def _mean(self) -> Any:
        with control_dependencies(self._rules):
            return self._over(self._weights() * self._each("mean"))

    def _variance(self) -> Any:
        with control_dependencies(self._rules):
            means, variances, weights = self._each("mean"), self._each("variance"), self._weights()
            return self._over(weights * (variances + square(means))) - square(self._over(weights * means))

    def _stddev(self) -> Any:
        return sqrt(self._variance())


class Mixture(OfComponents):
    """One of several distributions, as a categorical distribution chooses.

    Args:
        cat: the probabilities of the components.
        components: distributions of the same batch and event.
        use_static_graph: without effect: every component is drawn from in any case.

    Raises:
        TypeError: for a ``cat`` of another class, components that are no distributions or of several types.
        ValueError: for no components, other batches or events, or another number of them than ``cat`` has classes.

    Source: ``tf.contrib.distributions.Mixture``.
    """

    def __init__(
        self,
        cat: Categorical,
        components: Sequence[Distribution],
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        use_static_graph: bool = False,
        name: str = "Mixture",
    ) -> None:
        given = dict(locals())
        if not isinstance(cat, Categorical):
            raise TypeError(f"cat must be a Categorical distribution, but saw: {cat}")
        if not components:
            raise ValueError("components must be a non-empty list or tuple")
        if not isinstance(components, (list, tuple)):
            raise TypeError(f"components must be a list or tuple, but saw: {components}")
        if not all(isinstance(each, Distribution) for each in components):
            raise TypeError(f"all entries in components must be Distribution instances but saw: {components}")
        dtypes = [(each.name, each.dtype) for each in components]
        if any(dtype != dtypes[0][1] for _, dtype in dtypes):
            raise TypeError(f"All components must have the same dtype, but saw dtypes: {dtypes}")
        event, batch = components[0].event_shape, cat.batch_shape
        for each in components:
            event, batch = event.merge_with(each.event_shape), batch.merge_with(each.batch_shape)
        if event.ndims is None:
            raise ValueError(
                "Expected to know rank(event_shape) from components, but none of the components provide a static "
                "number of ndims"
            )
        self._cat, self._components = cat, list(components)
        self._known_batch, self._known_event, self._ranks = batch, event, event.ndims
        classes = self._classes()
        if not isinstance(classes, int):
            raise ValueError(
                "Could not infer number of classes from cat and unable to compare this value to the number of "
                "components passed in."
            )
        if classes != len(components):
            raise ValueError(f"cat.num_classes != len(components): {classes} vs. {len(components)}")
        with name_scope(name) as scope:
            self._rules = self._same_batches() if validate_args else []
            super().__init__(
                components[0].dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, given, name=scope
            )

    def _same_batches(self) -> list[Any]:
        own, rules = self._cat.batch_shape_tensor(), []
        for place, each in enumerate(self._components):
            message = f"components[{place}] batch shape must match cat batch shape"
            sizes = each.batch_shape_tensor()
            rules.append(assert_equal(size(own), size(sizes), message=message))
            with control_dependencies(rules[-1:]):
                rules.append(assert_equal(own, sizes, message=message))
        return [rule for rule in rules if rule is not None]

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

    def _batch_shape(self) -> Any:
        return self._known_batch

    def _batch_shape_tensor(self) -> Any:
        return self._cat.batch_shape_tensor()

    def _event_shape(self) -> Any:
        return self._known_event

    def _event_shape_tensor(self) -> Any:
        return self._components[0].event_shape_tensor()

    def _each(self, method: str, *args: Any) -> Any:
        if method == "sample":
            sizes, seed = args
            found = []
            for each in self._components:
                found.append(each.sample(sizes, seed))
                seed = gen_new_seed(seed, "mixture")
        else:
            found = [getattr(each, method)(*args) for each in self._components]
        return stack(found, -1 if method in OF_VALUES else -1 - self._ranks)

    def entropy_lower_bound(self, name: str = "entropy_lower_bound") -> Any:
        """Return the expected entropy of the components."""
        with self._scope(name), control_dependencies(self._rules):
            entropies = stack([each.entropy() for each in self._components], -1)
            return reduce_sum(self._cat.probs * entropies, -1)
