"""``tf.distributions``: probability distributions whose parameters are tensors."""

from ..graph.missing import namespace
from .bernoulli import Bernoulli
from .categorical import Categorical
from .dirichlet import Beta, Dirichlet
from .distribution import FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Distribution, ReparameterizationType
from .gamma import Exponential, Gamma
from .kullback_leibler import RegisterKL, kl_divergence
from .location_scale import Laplace, Normal
from .multinomial import DirichletMultinomial, Multinomial
from .student_t import StudentT
from .uniform import Uniform

__all__ = [
    "FULLY_REPARAMETERIZED",
    "NOT_REPARAMETERIZED",
    "Bernoulli",
    "Beta",
    "Categorical",
    "Dirichlet",
    "DirichletMultinomial",
    "Distribution",
    "Exponential",
    "Gamma",
    "Laplace",
    "Multinomial",
    "Normal",
    "RegisterKL",
    "ReparameterizationType",
    "StudentT",
    "Uniform",
    "kl_divergence",
]

__getattr__, __dir__ = namespace(__name__)
