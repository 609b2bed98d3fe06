"""``tf.distributions``: probability distributions whose parameters are tensors."""

from ..graph.missing import namespace
from .bernoulli import Bernoulli
from .categorical import Categorical
from .distribution import FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Distribution, ReparameterizationType
from .kullback_leibler import RegisterKL, kl_divergence
from .location_scale import Laplace, Normal
from .uniform import Exponential, Uniform

__all__ = [
    "FULLY_REPARAMETERIZED",
    "NOT_REPARAMETERIZED",
    "Bernoulli",
    "Categorical",
    "Distribution",
    "Exponential",
    "Laplace",
    "Normal",
    "RegisterKL",
    "ReparameterizationType",
    "Uniform",
    "kl_divergence",
]

__getattr__, __dir__ = namespace(__name__)
