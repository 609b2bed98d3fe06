"""``tf.contrib.distributions``: those of ``tf.distributions``, of vectors, mixtures, and functions of samples."""

from ...distributions import *
from ...distributions import __all__ as _names
from ...distributions.location_scale import Logistic, NormalWithSoftplusScale
from ...distributions.multivariate_normal import MultivariateNormalDiag
from ...distributions.softplus_parameters import (
    BetaWithSoftplusConcentration,
    ExponentialWithSoftplusRate,
    GammaWithSoftplusConcentrationRate,
    LaplaceWithSoftplusScale,
    StudentTWithAbsDfSoftplusScale,
)
from ...distributions.util import fill_triangular_inverse, matrix_diag_transform, reduce_weighted_logsumexp, tridiag
from ...graph.missing import namespace
from . import bijectors
from .deterministic import Deterministic, VectorDeterministic
from .discrete import OneHotCategorical, Poisson
from .kumaraswamy import Kumaraswamy
from .mixture import Independent, Mixture, MixtureSameFamily
from .multivariate_full import (
    MultivariateNormalDiagWithSoftplusScale,
    MultivariateNormalFullCovariance,
    MultivariateNormalTriL,
)
from .positive import (
    Cauchy,
    Chi2,
    Chi2WithAbsDf,
    HalfNormal,
    InverseGamma,
    InverseGammaWithSoftplusConcentrationRate,
)
from .relaxed import RelaxedBernoulli, RelaxedOneHotCategorical
from .statistics import (
    assign_moving_mean_variance,
    moving_mean_variance,
    normal_conjugates_known_scale_posterior,
    normal_conjugates_known_scale_predictive,
    percentile,
)
from .transformed import TransformedDistribution, fill_triangular, softplus_inverse
from .trials import Binomial, Geometric, NegativeBinomial

bijector = bijectors  # its earlier name

__all__ = [
    *_names,
    "BetaWithSoftplusConcentration",
    "ExponentialWithSoftplusRate",
    "GammaWithSoftplusConcentrationRate",
    "LaplaceWithSoftplusScale",
    "StudentTWithAbsDfSoftplusScale",
    "fill_triangular_inverse",
    "matrix_diag_transform",
    "reduce_weighted_logsumexp",
    "tridiag",
    "Deterministic",
    "VectorDeterministic",
    "Cauchy",
    "Chi2",
    "Chi2WithAbsDf",
    "HalfNormal",
    "InverseGamma",
    "InverseGammaWithSoftplusConcentrationRate",
    "Kumaraswamy",
    "assign_moving_mean_variance",
    "moving_mean_variance",
    "normal_conjugates_known_scale_posterior",
    "normal_conjugates_known_scale_predictive",
    "percentile",
    "Binomial",
    "Geometric",
    "NegativeBinomial",
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
