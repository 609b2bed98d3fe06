"""``tf.contrib.distributions``: those of ``tf.distributions``, of vectors, mixtures, and functions of samples."""

from ...distributions import *
from ...distributions import __all__ as _names
from ...distributions.location_scale import Logistic, NormalWithSoftplusScale
from ...distributions.softplus_parameters import (
    BetaWithSoftplusConcentration,
    ExponentialWithSoftplusRate,
    GammaWithSoftplusConcentrationRate,
    LaplaceWithSoftplusScale,
    StudentTWithAbsDfSoftplusScale,
)
from ...distributions.util import fill_triangular_inverse, matrix_diag_transform, reduce_weighted_logsumexp, tridiag
from ...graph.missing import namespace
from ...testing.distributions import DiscreteScalarDistributionTestHelpers as DiscreteScalarDistributionTestHelpers
from ...testing.distributions import VectorDistributionTestHelpers as VectorDistributionTestHelpers
from . import bijectors
from .autoregressive import Autoregressive
from .batch_reshape import BatchReshape
from .conditional import ConditionalDistribution, ConditionalTransformedDistribution
from .correlation import SeedStream, auto_correlation
from .deterministic import Deterministic, VectorDeterministic
from .discrete import OneHotCategorical, Poisson
from .independent import Independent
from .kumaraswamy import Kumaraswamy
from .mixture import Mixture
from .mixture_same_family import MixtureSameFamily
from .multivariate_normal import (
    MultivariateNormalDiag,
    MultivariateNormalDiagPlusLowRank,
    MultivariateNormalDiagWithSoftplusScale,
    MultivariateNormalFullCovariance,
    MultivariateNormalTriL,
)
from .operator_scales import is_diagonal_scale as is_diagonal_scale
from .operator_scales import make_diag_scale as make_diag_scale
from .operator_scales import make_tril_scale as make_tril_scale
from .operator_scales import shapes_from_loc_and_scale as shapes_from_loc_and_scale
from .positive import (
    Cauchy,
    Chi2,
    Chi2WithAbsDf,
    HalfNormal,
    InverseGamma,
    InverseGammaWithSoftplusConcentrationRate,
)
from .quantized import QuantizedDistribution
from .relaxed import ExpRelaxedOneHotCategorical, RelaxedBernoulli, RelaxedOneHotCategorical
from .sinh_arcsinh import SinhArcsinh, VectorSinhArcsinhDiag
from .statistics import (
    assign_log_moving_mean_exp,
    assign_moving_mean_variance,
    moving_mean_variance,
    normal_conjugates_known_scale_posterior,
    normal_conjugates_known_scale_predictive,
    percentile,
)
from .transformed import TransformedDistribution
from .trials import Binomial, Geometric, NegativeBinomial
from .triangles import fill_triangular, softplus_inverse
from .vector_by_operator import VectorExponentialDiag, VectorLaplaceDiag
from .wishart import WishartCholesky, WishartFull

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
    "assign_log_moving_mean_exp",
    "assign_moving_mean_variance",
    "moving_mean_variance",
    "normal_conjugates_known_scale_posterior",
    "normal_conjugates_known_scale_predictive",
    "percentile",
    "Autoregressive",
    "BatchReshape",
    "Binomial",
    "ConditionalDistribution",
    "ConditionalTransformedDistribution",
    "ExpRelaxedOneHotCategorical",
    "QuantizedDistribution",
    "SeedStream",
    "SinhArcsinh",
    "VectorExponentialDiag",
    "VectorLaplaceDiag",
    "VectorSinhArcsinhDiag",
    "WishartCholesky",
    "WishartFull",
    "auto_correlation",
    "Geometric",
    "NegativeBinomial",
    "Independent",
    "Logistic",
    "Mixture",
    "MixtureSameFamily",
    "MultivariateNormalDiag",
    "MultivariateNormalDiagPlusLowRank",
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

__getattr__, __dir__ = namespace(
    __name__,
    "autoregressive batch_reshape binomial cauchy chi2 conditional_distribution conditional_transformed_distribution "
    "half_normal inverse_gamma logistic mixture_same_family moving_stats mvn_diag mvn_diag_plus_low_rank "
    "mvn_full_covariance mvn_linear_operator mvn_tril negative_binomial normal_conjugate_posteriors "
    "onehot_categorical quantized_distribution relaxed_bernoulli relaxed_onehot_categorical sample_stats seed_stream "
    "vector_exponential_diag vector_laplace_diag vector_sinh_arcsinh_diag wishart geometric poisson distribution_util "
    "test_util",
)
