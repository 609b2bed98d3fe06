"""What all distributions share: shapes, samples, and what follows from a few methods of each."""

from __future__ import annotations

from typing import Any

from ..graph.build import dtype_of, shape_of
from ..graph.constants import constant_value
from ..graph.dtypes import DType
from ..graph.mode import executing_eagerly
from ..graph.scopes import name_scope
from ..graph.shapes import Shape, TensorShape
from ..ops.array_ops import reshape, shape
from ..ops.concat_ops import concat
from ..ops.math_ops import exp, log, sqrt, square, subtract
from ..ops.reduce_ops import reduce_prod
from ..ops.sparse_ops import convert_to_tensor

__all__ = ["FULLY_REPARAMETERIZED", "NOT_REPARAMETERIZED", "Distribution", "ReparameterizationType"]


class ReparameterizationType:
    """Whether gradients flow from samples to the parameters. Source: ``tf.distributions.ReparameterizationType``."""

    def __init__(self, rep_type: str) -> None:
        self._rep_type = rep_type

    def __repr__(self) -> str:
        return f"<Reparameterization Type: {self._rep_type}>"


FULLY_REPARAMETERIZED = ReparameterizationType("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = ReparameterizationType("NOT_REPARAMETERIZED")


class Distribution:
    """Base class: a subclass has ``_draw``, ``_log_prob`` and what it knows of ``_mean``, ``_entropy`` and the like.

    A batch of distributions has the shape of its parameters, broadcast; samples have the sample shape before it.

    Args:
        dtype: the type of samples.
        reparameterization_type: whether gradients flow through samples.
        validate_args, allow_nan_stats: kept; no check is added to the graph.
        parameters: what the distribution was made with.
        name: of the scope in which nodes are made.

    Source: ``tf.distributions.Distribution``.
    """

    def __init__(
        self,
        dtype: Any,
        reparameterization_type: ReparameterizationType,
        validate_args: bool,
        allow_nan_stats: bool,
        parameters: dict[str, Any] | None = None,
        graph_parents: Any = None,
        name: str | None = None,
    ) -> None:
        del graph_parents
        self._dtype = dtype
        self._reparameterization_type = reparameterization_type
        self._validate_args = validate_args
        self._allow_nan_stats = allow_nan_stats
        self._parameters = parameters or {}
        self._name = f"{(name or type(self).__name__).rstrip('/')}/"

    @property
    def name(self) -> str:
        """The scope in which nodes are made."""
        return self._name

    @property
    def dtype(self) -> DType:
        """The type of samples."""
        dtype: DType = self._dtype
        return dtype

    @property
    def parameters(self) -> dict[str, Any]:
        """What the distribution was made with."""
        return dict(self._parameters)

    @property
    def reparameterization_type(self) -> ReparameterizationType:
        """Whether gradients flow from samples to the parameters."""
        return self._reparameterization_type

    @property
    def allow_nan_stats(self) -> bool:
        """Whether statistics may be NaN where they are not defined."""
        return self._allow_nan_stats

    @property
    def validate_args(self) -> bool:
        """What the distribution was made with."""
        return self._validate_args

    # Shapes -------------------------------------------------------------------------------------

    def _batch_values(self) -> Any:
        """Return a tensor of the batch's shape."""
        raise NotImplementedError(f"{type(self).__name__} must say its batch's shape")

    def _event(self) -> Shape:
        """Return the shape of one sample."""
        return ()

    @property
    def batch_shape(self) -> TensorShape:
        """The shape of the parameters, broadcast, as far as it is known."""
        known = shape_of(self._batch_values())
        return TensorShape(known)

    @property
    def event_shape(self) -> TensorShape:
        """The shape of one sample."""
        return TensorShape(self._event())

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        """Return the batch's shape as a tensor."""
        return shape(self._batch_values(), name=name)

    def event_shape_tensor(self, name: str = "event_shape_tensor") -> Any:
        """Return the shape of one sample as a tensor."""
        return convert_to_tensor(list(self._event() or ()), "int32", name)

    def is_scalar_batch(self, name: str = "is_scalar_batch") -> Any:
        """Return whether there is one distribution."""
        return convert_to_tensor(self.batch_shape.ndims == 0, name=name)

    def is_scalar_event(self, name: str = "is_scalar_event") -> Any:
        """Return whether a sample is a number."""
        return convert_to_tensor(self.event_shape.ndims == 0, name=name)

    # Samples and probabilities --------------------------------------------------------------------

    def sample(self, sample_shape: Any = (), seed: int | None = None, name: str = "sample") -> Any:
        """Return samples of the shape ``sample_shape + batch_shape + event_shape``; the values are NumPy's."""
        with self._scope(name):
            return self._draw(_vector(sample_shape), seed)

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:  # some programs call it by TensorFlow's private name
        return self._draw(_vector(n), seed)

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        raise NotImplementedError(f"sample is not implemented: {type(self).__name__}")

    def _sample_sizes(self, sample_shape: Any) -> Any:
        return concat([sample_shape, self.batch_shape_tensor()], 0)

    def log_prob(self, value: Any, name: str = "log_prob") -> Any:
        """Return the logarithm of the probability, or of its density."""
        with self._scope(name):
            return self._log_prob(self._converted(value))

    def _log_prob(self, value: Any) -> Any:
        raise NotImplementedError(f"log_prob is not implemented: {type(self).__name__}")

    def prob(self, value: Any, name: str = "prob") -> Any:
        """Return the probability, or its density."""
        with self._scope(name):
            return exp(self._log_prob(self._converted(value)))

    log_pdf = log_pmf = log_prob
    pdf = pmf = prob

    def cdf(self, value: Any, name: str = "cdf") -> Any:
        """Return the probability of a sample that is not larger."""
        with self._scope(name):
            return self._cdf(self._converted(value))

    def _cdf(self, value: Any) -> Any:
        raise NotImplementedError(f"cdf is not implemented: {type(self).__name__}")

    def log_cdf(self, value: Any, name: str = "log_cdf") -> Any:
        """Return the logarithm of `cdf`."""
        with self._scope(name):
            return log(self._cdf(self._converted(value)))

    def survival_function(self, value: Any, name: str = "survival_function") -> Any:
        """Return the probability of a larger sample."""
        with self._scope(name):
            below = self._cdf(self._converted(value))
            return subtract(1.0, below)

    def quantile(self, value: Any, name: str = "quantile") -> Any:
        """Return what a sample does not exceed with the probability ``value``."""
        with self._scope(name):
            return self._quantile(self._converted(value))

    def _quantile(self, value: Any) -> Any:
        raise NotImplementedError(f"quantile is not implemented: {type(self).__name__}")

    def _converted(self, value: Any) -> Any:
        return convert_to_tensor(value, None, "value", preferred_dtype=self.dtype)

    # Statistics -----------------------------------------------------------------------------------

    def mean(self, name: str = "mean") -> Any:
        """Return the mean."""
        with self._scope(name):
            return self._mean()

    def _mean(self) -> Any:
        raise NotImplementedError(f"mean is not implemented: {type(self).__name__}")

    def mode(self, name: str = "mode") -> Any:
        """Return the most probable value."""
        with self._scope(name):
            return self._mode()

    def _mode(self) -> Any:
        raise NotImplementedError(f"mode is not implemented: {type(self).__name__}")

    def variance(self, name: str = "variance") -> Any:
        """Return the variance."""
        with self._scope(name):
            return self._variance()

    def _variance(self) -> Any:
        return square(self._stddev())

    def stddev(self, name: str = "stddev") -> Any:
        """Return the standard deviation."""
        with self._scope(name):
            return self._stddev()

    def _stddev(self) -> Any:
        return sqrt(self._variance())

    def entropy(self, name: str = "entropy") -> Any:
        """Return the entropy in nats."""
        with self._scope(name):
            return self._entropy()

    def _entropy(self) -> Any:
        raise NotImplementedError(f"entropy is not implemented: {type(self).__name__}")

    def kl_divergence(self, other: Distribution, name: str = "kl_divergence") -> Any:
        """Return the Kullback-Leibler divergence from this to another; NotImplementedError where there is no rule."""
        return divergence(self, other, self._allow_nan_stats, name)

    def cross_entropy(self, other: Distribution, name: str = "cross_entropy") -> Any:
        """Return the entropy of this plus its divergence from ``other``."""
        return self.entropy() + self.kl_divergence(other, name)

    def _scope(self, name: str) -> Any:
        return name_scope(f"{self._name}{name}" if executing_eagerly() else name)

    def __repr__(self) -> str:
        shapes = f"batch_shape={self.batch_shape}, event_shape={self.event_shape}"
        return f"<tf.distributions.{type(self).__name__} {self._name[:-1]!r} {shapes} dtype={self.dtype.name}>"


def _vector(sample_shape: Any) -> Any:
    """Return a sample shape as a vector of sizes."""
    if isinstance(sample_shape, TensorShape):
        sample_shape = sample_shape.as_list()
    return reshape(convert_to_tensor(sample_shape, None if hasattr(sample_shape, "dtype") else "int32"), [-1])


def count_of(sample_shape: Any) -> Any:
    """Return how many samples a shape has: a number where it is known."""
    known = None if executing_eagerly() else constant_value(sample_shape)
    return reduce_prod(sample_shape) if known is None else int(known.prod())


def parameter(value: Any, name: str, dtype: Any = None) -> Any:
    """Return a parameter as a tensor; numbers are float32."""
    return convert_to_tensor(value, dtype, name)


def same_float(*values: Any) -> DType:
    """Return the one floating type of parameters; TypeError or ValueError for others."""
    dtypes = [dtype_of(value) for value in values]
    for dtype in dtypes:
        if dtype != dtypes[0]:
            raise ValueError(f"Tensor type mismatch: {dtype!r} and {dtypes[0]!r} of the parameters differ")
    if not dtypes[0].is_floating:
        raise ValueError(f"Expected floating point type, got {dtypes[0]!r}.")
    return dtypes[0]


def divergence(first: Distribution, second: Distribution, allow_nan_stats: bool, name: str | None) -> Any:
    """Return the divergence by the rule that is registered for the two classes."""
    del allow_nan_stats
    for one in type(first).__mro__:
        for two in type(second).__mro__:
            if (one, two) in RULES:
                with name_scope(name, "KullbackLeibler"):
                    return RULES[one, two](first, second, name=name)
    raise NotImplementedError(
        f"No KL(distribution_a || distribution_b) registered for distribution_a type {type(first).__name__} and "
        f"distribution_b type {type(second).__name__}"
    )


RULES: dict[tuple[type[Any], type[Any]], Any] = {}
"""The divergences between two classes."""
