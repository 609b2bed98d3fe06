"""``tf.contrib.distributions``: those of ``tf.distributions``, of vectors, mixtures, and functions of samples."""

from ...distributions import *
from ...distributions import __all__ as _names
from ...distributions.location_scale import Logistic, NormalWithSoftplusScale
from ...distributions.multivariate_normal import MultivariateNormalDiag
from ...graph.missing import namespace
from . import bijectors
from .discrete import OneHotCategorical, Poisson
from .mixture import Independent, Mixture, MixtureSameFamily
from .multivariate_full import (
    MultivariateNormalDiagWithSoftplusScale,
    MultivariateNormalFullCovariance,
    MultivariateNormalTriL,
)
from .relaxed import RelaxedBernoulli, RelaxedOneHotCategorical
from .transformed import TransformedDistribution, fill_triangular, softplus_inverse

bijector = bijectors  # its earlier name

__all__ = [
    *_names,
    "Independent",
    "Logistic",
    "Mixture",
    "MixtureSameFamily",
    "MultivariateNormalDiag",
    "MultivariateNormalDiagWithSoftplusScale",
    "MultivariateNormalFullCovariance",
    "MultivariateNormalTriL",
    "NormalWithSoftplusScale",
    "OneHotCategorical",
    "Poisson",
    "RelaxedBernoulli",
    "RelaxedOneHotCategorical",
    "TransformedDistribution",
    "bijector",
    "bijectors",
    "fill_triangular",
    "softplus_inverse",
]

__getattr__, __dir__ = namespace(__name__)
