"""``tf.contrib.distributions``: those of ``tf.distributions``, and of vectors."""

from ..distributions import *
from ..distributions import __all__ as _names
from ..distributions.multivariate_normal import MultivariateNormalDiag
from ..graph.missing import namespace

__all__ = [*_names, "MultivariateNormalDiag"]

__getattr__, __dir__ = namespace(__name__)
