"""``tf.contrib.bayesflow``: expectations by Monte Carlo."""

from ...graph.missing import namespace
from . import monte_carlo

__all__ = ["monte_carlo"]

__getattr__, __dir__ = namespace(__name__)
