"""What all distributions share: shapes, samples, and what follows from a few methods of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..graph.build import shape_of
from ..graph.mode import executing_eagerly
from ..graph.scopes import name_scope
from ..graph.shapes import Shape, TensorShape
from ..graph.static_values import constant_value
from ..ops.array_ops import reshape, shape, size
from ..ops.concat_ops import concat
from ..ops.math_ops import equal, exp, log, log1p, negative, sqrt, square, subtract
from ..ops.reduce_ops import reduce_prod
from ..ops.sparse_ops import convert_to_tensor
from .description import DescribedDistribution
from .divergences import divergence
from .function_parts import first_implemented

__all__ = [
    "FULLY_REPARAMETERIZED",
    "NOT_REPARAMETERIZED",
    "Distribution",
    "ReparameterizationType",
    "count_of",
    "vector_of",
]


class ReparameterizationType:
    """Whether gradients flow from samples to the parameters. Source: ``tf.distributions.ReparameterizationType``."""

    def __init__(self, rep_type: str) -> None:
        self._rep_type = rep_type

    def __repr__(self) -> str:
        return f"<Reparameterization Type: {self._rep_type}>"


FULLY_REPARAMETERIZED = ReparameterizationType("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = ReparameterizationType("NOT_REPARAMETERIZED")


class Distribution(DescribedDistribution):
    """Base class: a subclass has ``_sample_n``, ``_log_prob`` and what it knows of ``_mean``, ``_entropy`` and others.

    What it does not know follows where it can: ``prob`` of ``_log_prob``, the deviation of ``_variance``, and so on. A
    batch of distributions has the shape of its parameters, broadcast; samples have the sample shape before it.

    Args:
        dtype: the type of samples.
        reparameterization_type: whether gradients flow through samples.
        validate_args: whether parameters and values are checked when a session runs.
        allow_nan_stats: whether statistics may be NaN where they are not defined.
        parameters: what the distribution was made with.
        name: of the scope in which nodes are made.

    Source: ``tf.distributions.Distribution``.
    """

    # Shapes: a subclass has _batch_values, or TensorFlow's _batch_shape and _event_shape ----------------

    def _batch_values(self) -> Any:
        """Return a tensor of the batch's shape."""
        raise NotImplementedError(f"{type(self).__name__} must say its batch's shape")

    def _event(self) -> Shape:
        """Return the shape of one sample."""
        return ()

    def _batch_shape(self) -> Any:
        return shape_of(self._batch_values())

    def _batch_shape_tensor(self) -> Any:
        return shape(self._batch_values())

    def _event_shape(self) -> Any:
        return self._event()

    def _event_shape_tensor(self) -> Any:
        return convert_to_tensor(self.event_shape.as_list(), "int32")

    @property
    def batch_shape(self) -> TensorShape:
        """The shape of the parameters, broadcast, as far as it is known."""
        return TensorShape(self._batch_shape())

    @property
    def event_shape(self) -> TensorShape:
        """The shape of one sample."""
        return TensorShape(self._event_shape())

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        """Return the batch's shape as a tensor."""
        with self._scope(name):
            known = self.batch_shape
            return (
                convert_to_tensor(known.as_list(), "int32") if known.is_fully_defined() else self._batch_shape_tensor()
            )

    def event_shape_tensor(self, name: str = "event_shape_tensor") -> Any:
        """Return the shape of one sample as a tensor."""
        with self._scope(name):
            return self._event_shape_tensor()

    def is_scalar_batch(self, name: str = "is_scalar_batch") -> Any:
        """Return whether there is one distribution."""
        with self._scope(name):
            return _is_empty(self.batch_shape.ndims, self.batch_shape_tensor)

    def is_scalar_event(self, name: str = "is_scalar_event") -> Any:
        """Return whether a sample is a number."""
        with self._scope(name):
            return _is_empty(self.event_shape.ndims, self.event_shape_tensor)

    # Samples and probabilities --------------------------------------------------------------------

    def sample(self, sample_shape: Any = (), seed: int | None = None, name: str = "sample") -> Any:
        """Return samples of the shape ``sample_shape + batch_shape + event_shape``; the values are NumPy's."""
        with self._scope(name):
            return self._draw(vector_of(sample_shape), seed)

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        return self._reshaped(lambda n: self._sample_n(n, seed), sample_shape)

    def _reshaped(self, draw: Callable[[Any], Any], sample_shape: Any) -> Any:
        """Return n samples in the shape that is asked for."""
        draws = draw(count_of(sample_shape))
        known = None if executing_eagerly() else constant_value(sample_shape)
        result = reshape(draws, concat([sample_shape, shape(draws)[1:]], 0))
        if known is not None:
            result.set_shape(TensorShape(list(known)).concatenate(TensorShape(shape_of(draws))[1:]))
        return result

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:  # some programs call it by TensorFlow's private name
        if type(self)._draw is Distribution._draw:
            raise _missing(self, "sample")
        return self._draw(vector_of(n), seed)

    def _sample_sizes(self, sample_shape: Any) -> Any:
        return concat([sample_shape, self.batch_shape_tensor()], 0)

    def log_prob(self, value: Any, name: str = "log_prob") -> Any:
        """Return the logarithm of the probability, or of its density."""
        return self._of_value(value, name, lambda x: self._log_prob(x), lambda x: log(self._prob(x)))

    def _log_prob(self, value: Any) -> Any:
        raise _missing(self, "log_prob")

    def prob(self, value: Any, name: str = "prob") -> Any:
        """Return the probability, or its density."""
        return self._of_value(value, name, lambda x: self._prob(x), lambda x: exp(self._log_prob(x)))

    def _prob(self, value: Any) -> Any:
        raise _missing(self, "prob")

    log_pdf = log_pmf = log_prob
    pdf = pmf = prob

    def cdf(self, value: Any, name: str = "cdf") -> Any:
        """Return the probability of a sample that is not larger."""
        return self._of_value(value, name, lambda x: self._cdf(x), lambda x: exp(self._log_cdf(x)))

    def _cdf(self, value: Any) -> Any:
        raise _missing(self, "cdf")

    def log_cdf(self, value: Any, name: str = "log_cdf") -> Any:
        """Return the logarithm of `cdf`."""
        return self._of_value(value, name, lambda x: self._log_cdf(x), lambda x: log(self._cdf(x)))

    def _log_cdf(self, value: Any) -> Any:
        raise _missing(self, "log_cdf")

    def survival_function(self, value: Any, name: str = "survival_function") -> Any:
        """Return the probability of a larger sample."""
        return self._of_value(value, name, lambda x: self._survival_function(x), lambda x: subtract(1.0, self.cdf(x)))

    def _survival_function(self, value: Any) -> Any:
        raise _missing(self, "survival_function")

    def log_survival_function(self, value: Any, name: str = "log_survival_function") -> Any:
        """Return the logarithm of `survival_function`."""
        return self._of_value(
            value, name, lambda x: self._log_survival_function(x), lambda x: log1p(negative(self.cdf(x)))
        )

    def _log_survival_function(self, value: Any) -> Any:
        raise _missing(self, "log_survival_function")

    def quantile(self, value: Any, name: str = "quantile") -> Any:
        """Return what a sample does not exceed with the probability ``value``."""
        return self._of_value(value, name, lambda x: self._quantile(x))

    def _quantile(self, value: Any) -> Any:
        raise _missing(self, "quantile")

    def _converted(self, value: Any) -> Any:
        return convert_to_tensor(value, None, "value", preferred_dtype=self.dtype)

    def _of_value(self, value: Any, name: str, *ways: Callable[[Any], Any]) -> Any:
        """Return the result of the first way that the class has, in a scope of its own."""
        with self._scope(name):
            converted = self._converted(value)
            return first_implemented(*(lambda way=way: way(converted) for way in ways))

    # Statistics -----------------------------------------------------------------------------------

    def mean(self, name: str = "mean") -> Any:
        """Return the mean."""
        with self._scope(name):
            return self._mean()

    def _mean(self) -> Any:
        raise _missing(self, "mean")

    def mode(self, name: str = "mode") -> Any:
        """Return the most probable value."""
        with self._scope(name):
            return self._mode()

    def _mode(self) -> Any:
        raise _missing(self, "mode")

    def variance(self, name: str = "variance") -> Any:
        """Return the variance."""
        with self._scope(name):
            return first_implemented(lambda: self._variance(), lambda: square(self._stddev()))

    def _variance(self) -> Any:
        raise _missing(self, "variance")

    def stddev(self, name: str = "stddev") -> Any:
        """Return the standard deviation."""
        with self._scope(name):
            return first_implemented(lambda: self._stddev(), lambda: sqrt(self._variance()))

    def _stddev(self) -> Any:
        raise _missing(self, "stddev")

    def covariance(self, name: str = "covariance") -> Any:
        """Return the covariances of the elements of a sample, for distributions of vectors."""
        with self._scope(name):
            return self._covariance()

    def _covariance(self) -> Any:
        raise _missing(self, "covariance")

    def entropy(self, name: str = "entropy") -> Any:
        """Return the entropy in nats."""
        with self._scope(name):
            return self._entropy()

    def _entropy(self) -> Any:
        raise _missing(self, "entropy")

    def kl_divergence(self, other: Distribution, name: str = "kl_divergence") -> Any:
        """Return the Kullback-Leibler divergence from this to another; NotImplementedError where there is no rule."""
        return divergence(self, other, self._allow_nan_stats, name)

    def cross_entropy(self, other: Distribution, name: str = "cross_entropy") -> Any:
        """Return the entropy of this plus its divergence from ``other``."""
        return self.entropy() + self.kl_divergence(other, name)

    @contextmanager
    def _scope(self, name: str) -> Iterator[None]:
        with name_scope(self.name), name_scope(name):
            yield


def _is_empty(axes: int | None, sizes: Callable[[], Any]) -> Any:
    """Return whether a shape is that of a number, as a tensor."""
    return equal(size(sizes()), 0) if axes is None else convert_to_tensor(axes == 0)


def _missing(distribution: Distribution, method: str) -> NotImplementedError:
    return NotImplementedError(f"{method} is not implemented: {type(distribution).__name__}")


def vector_of(sample_shape: Any) -> Any:
    """Return a sample shape as a vector of sizes."""
    if isinstance(sample_shape, TensorShape):
        sample_shape = sample_shape.as_list()
    return reshape(convert_to_tensor(sample_shape, None if hasattr(sample_shape, "dtype") else "int32"), [-1])


def count_of(sample_shape: Any) -> Any:
    """Return how many samples a shape has: a number where it is known."""
    known = None if executing_eagerly() else constant_value(sample_shape)
    return reduce_prod(sample_shape) if known is None else int(known.prod())
